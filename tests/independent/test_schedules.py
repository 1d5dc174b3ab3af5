"""Schedules, simulated again by the rules of the papers: waits one by one, and what is made of them.

EASY as Talby et al. 2.1 have it, shortest job backfilled first as in 3.2, the mean of the user's last two run times as Tsafrir,
Etsion and Feitelson plan with. Within a second jobs end first, then arrive, then one pass decides who starts; an outlived plan
is raised to the limit. The simplest code that could be right: nothing is kept between passes.
"""

import heapq
import math
import random
import unittest
from pathlib import Path

import numpy

from support import OnLogs, cut_at_limits, qcast, read_log


def simulate(jobs, machine, backfill=None, predict=None):
    """Starts of all jobs by place in `jobs`. `backfill` is None for first come, first served, else the key by which waiting jobs
    are tried; `predict` says how long a job is planned to run when it arrives, None for its limit."""
    starts, plans = {}, {}
    queue, running = [], {}
    happenings = [(job.submit, 1, place) for place, job in enumerate(jobs)]
    heapq.heapify(happenings)
    free = machine

    while happenings:
        now = happenings[0][0]
        ended, arrived = [], []
        while happenings and happenings[0][0] == now:
            _, kind, place = heapq.heappop(happenings)
            if kind == 0:
                ended.append(place)
            elif kind == 1:
                arrived.append(place)
            elif kind == 2 and place in running and now - starts[place] >= plans[place]:
                plans[place] = jobs[place].limit
        for place in ended:
            free += jobs[place].processors
            del running[place]
            if predict:
                predict.ended(jobs[place])
        # A job whose end and outlived plan fall together has ended; others run to their limit.
        for place in arrived:
            plans[place] = predict.plan(jobs[place]) if predict else jobs[place].limit
            queue.append(place)
        if not ended and not arrived:
            continue  # A corrected plan is no reason to decide anew.
        for place in who_starts(jobs, queue, running, starts, plans, free, now, backfill):
            queue.remove(place)
            starts[place], running[place] = now, True
            free -= jobs[place].processors
            heapq.heappush(happenings, (now + jobs[place].run, 0, place))
            if plans[place] < jobs[place].run:
                heapq.heappush(happenings, (now + plans[place], 2, place))
    return [starts[place] for place in range(len(jobs))]


def who_starts(jobs, queue, running, starts, plans, free, now, backfill):
    chosen, waiting = [], list(queue)
    while waiting and jobs[waiting[0]].processors <= free:
        place = waiting.pop(0)
        free -= jobs[place].processors
        chosen.append(place)
    if backfill is None or not waiting:
        return chosen
    head, rest = waiting[0], waiting[1:]
    ends = [(starts[place] + plans[place], jobs[place].processors) for place in running]
    ends += [(now + plans[place], jobs[place].processors) for place in chosen]
    ends.sort()
    at_shadow, shadow = free, None
    for end, processors in ends:
        if shadow is not None and end > shadow:
            break
        at_shadow += processors
        if shadow is None and at_shadow >= jobs[head].processors:
            shadow = end
    extra = at_shadow - jobs[head].processors
    for place in sorted(rest, key=lambda place: backfill(place, plans)):
        processors = jobs[place].processors
        if processors > free:
            continue
        if now + plans[place] <= shadow:
            free -= processors
            chosen.append(place)
        elif processors <= extra:
            free -= processors
            extra -= processors
            chosen.append(place)
    return chosen


def in_queue_order(place, plans):
    return place


def shortest_first(place, plans):
    return (plans[place], place)


class MeanOfLastTwo:
    """The mean of the user's last two run times in whole seconds, never above the limit; the limit where two have not ended."""

    def __init__(self):
        self.last = {}

    def ended(self, job):
        if job.user is not None:
            self.last[job.user] = self.last.get(job.user, [])[-1:] + [job.run]

    def plan(self, job):
        last = self.last.get(job.user, [])
        return min(job.limit, max(1, sum(last) // 2)) if len(last) == 2 else job.limit


def bounded_slowdown(wait, run, threshold=10):
    return max(1.0, (wait + run) / max(run, threshold))


class Schedules(OnLogs):
    POLICIES = {
        "fcfs": (None, None, ["--policy", "fcfs"]),
        "easy": (in_queue_order, None, ["--policy", "easy"]),
        "sjbf": (shortest_first, MeanOfLastTwo, ["--policy", "easy-sjbf", "--predictor", "recent:n=2,stat=mean"]),
    }

    def both(self, log, policy):
        """Our jobs and waits, the product's waits by job number, and its figures."""
        backfill, predictor, options = self.POLICIES[policy]
        jobs = cut_at_limits(log.jobs(), log.machine)
        starts = simulate(jobs, log.machine, backfill, predictor and predictor())
        schedule = Path(self.folder.name) / "schedule.swf"
        figures = qcast("simulate", log.path, *options, "--no-timing", "--schedule", schedule)
        theirs = {job.number: job.wait for job in read_log(schedule)}
        return jobs, [start - job.submit for start, job in zip(starts, jobs)], theirs, figures

    def check_waits(self, policy, first):
        for log in self.logs(first):
            with self.subTest(log=log.name):
                jobs, waits, theirs, figures = self.both(self.with_limits(log), policy)
                self.assertEqual(len(jobs), figures["jobs"])
                differing = [(job.number, wait, theirs[job.number]) for job, wait in zip(jobs, waits) if theirs[job.number] != wait]
                self.assertEqual(differing, [], f"{len(differing)} of {len(jobs)} waits differ (number, here, qcast)")
                self.assertGreater(sum(wait > 0 for wait in waits), len(waits) // 50, "a log on which nobody waits checks nothing")

    def test_first_come_first_served_gives_these_waits_job_by_job(self):
        self.check_waits("fcfs", 3000)

    def test_easy_backfilling_gives_these_waits_job_by_job(self):
        self.check_waits("easy", 3000)

    def test_shortest_backfilled_first_by_the_mean_of_two_gives_these_waits_job_by_job(self):
        self.check_waits("sjbf", 3000)

    def test_mean_wait_slowdown_and_utilisation_follow_from_the_waits(self):
        for log in self.logs(3000):
            with self.subTest(log=log.name):
                jobs, waits, _, figures = self.both(log, "easy")
                slowdowns = [bounded_slowdown(wait, job.run) for wait, job in zip(waits, jobs)]
                ends = [job.submit + wait + job.run for wait, job in zip(waits, jobs)]
                makespan = max(ends) - min(job.submit for job in jobs)
                used = sum(job.processors * job.run for job in jobs)
                self.assertSame(numpy.mean(waits), figures["wait"]["mean"], "mean wait")
                self.assertSame(numpy.mean(slowdowns), figures["bounded_slowdown"]["mean"], "mean bounded slowdown")
                self.assertSame(max(slowdowns), figures["bounded_slowdown"]["max"], "largest slowdown", 1e-6)
                self.assertSame(used / (log.machine * makespan), figures["utilisation"], "utilisation")
                # The smallest wait that 95 % of the jobs do not exceed.
                self.assertSame(sorted(waits)[math.ceil(0.95 * len(waits)) - 1], figures["wait"]["p95"], "95th percentile", 1e-6)


class Golden(OnLogs):
    """Schedules of somebody else's simulator: their slowdowns, computed from the waits it stored, against ours from the inputs."""

    def test_stored_schedules_have_the_slowdowns_that_come_out_of_their_inputs(self):
        published = {"KTH-SP2": (100, 92.58), "CTC-SP2": (338, 49.57), "SDSC-SP2": (128, 87.87)}
        for name, (machine, slowdown) in published.items():
            path = self.shared(f"golden/{name}.easy.swf.gz")
            if path is None:
                self.skipTest("the golden schedules are not here")
            with self.subTest(log=name):
                stored = read_log(path)
                ours = numpy.mean([bounded_slowdown(job.wait, job.run) for job in stored])
                theirs = qcast("simulate", path, "--processors", machine, "--rules", "pyss", "--no-timing")
                self.assertSame(ours, theirs["bounded_slowdown"]["mean"], "mean bounded slowdown")
                self.assertEqual(round(ours, 2), slowdown)


class Shaking(OnLogs):
    def test_shaken_figures_are_a_mean_and_its_interval_by_student(self):
        # Student's t for 19 degrees of freedom, two-sided 95 %, from a table.
        student = 2.093024
        shaken = qcast("simulate", self.made_up.path, "--shake", 20, "--no-timing")["bounded_slowdown"]["shaken"]
        half = student * shaken["sd"] / math.sqrt(20)
        self.assertSame(shaken["mean"] - half, shaken["low95"], "lower end", 1e-6)
        self.assertSame(shaken["mean"] + half, shaken["high95"], "upper end", 1e-6)

    def test_submissions_shaken_by_a_minute_give_the_same_mean_wait_as_ours(self):
        """Other random numbers, so the means agree only as two samples do: within four standard errors of their difference."""
        replicates, draw = 10, random.Random(7)
        means = []
        for _ in range(replicates):
            jobs = cut_at_limits(self.made_up.jobs(), self.made_up.machine)
            for job in jobs:
                job.submit = max(0, job.submit + draw.randint(-60, 60))
            jobs.sort(key=lambda job: (job.submit, job.number))
            starts = simulate(jobs, self.made_up.machine, in_queue_order)
            means.append(numpy.mean([start - job.submit for start, job in zip(starts, jobs)]))
        theirs = qcast("simulate", self.made_up.path, "--shake", 20, "--no-timing")["wait"]["shaken"]
        error = math.sqrt(numpy.var(means, ddof=1) / replicates + theirs["sd"] ** 2 / 20)
        self.assertLess(abs(numpy.mean(means) - theirs["mean"]), 4 * error)
        self.assertLess(theirs["sd"], 4 * numpy.std(means, ddof=1))
        self.assertGreater(theirs["sd"], numpy.std(means, ddof=1) / 4)


if __name__ == "__main__":
    unittest.main()
