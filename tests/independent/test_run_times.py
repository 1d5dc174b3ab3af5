"""Predictors of run times on logs as they happened, by the rules of Talby et al., Smith et al. and Downey.

A log is replayed with its own waits: a predictor is asked at every submission and knows what has ended by then. Jobs that ended in
the second of a submission have ended. Run times are not cut at limits; predictions are.
"""

import heapq
import math
import unittest
from statistics import mean

import numpy

from support import OnLogs, qcast

THINK_TIME = 20 * 60


def predictions(jobs, predictor):
    """Each job with what is predicted at its submission."""
    ends = []
    for place, job in enumerate(jobs):
        while ends and ends[0][0] <= job.submit:
            _, over = heapq.heappop(ends)
            predictor.ended(jobs[over])
        yield job, predictor.predict(job)
        # A job without a wait on record starts when it comes.
        heapq.heappush(ends, (job.submit + (job.wait or 0) + job.run, place))


def accuracy(pairs):
    """Mean absolute error, and mean of the smaller over the larger (Talby et al., equation 1), 1 where both are equal."""
    errors, relative = [], []
    for job, predicted in pairs:
        errors.append(abs(job.run - predicted))
        relative.append(1.0 if job.run == predicted else min(job.run, predicted) / max(job.run, predicted))
    return mean(errors), mean(relative)


class Estimate:
    def ended(self, job):
        pass

    def predict(self, job):
        return job.limit


class Recent:
    """The last so many run times of the user together; the limit where there are fewer, and never more than it."""

    def __init__(self, count, together):
        self.count, self.together, self.last = count, together, {}

    def ended(self, job):
        self.last[job.user] = (self.last.get(job.user, []) + [job.run])[-self.count :]

    def predict(self, job):
        last = self.last.get(job.user, [])
        return min(job.limit, max(1, int(self.together(last)))) if len(last) == self.count else job.limit


class Sessions:
    """Talby et al., 5.2: criteria in order, for each the user's sessions from the newest; the first session in which a job that is
    alike has ended gives the median of those. A session ends when its user has had nothing waiting or running for 20 minutes."""

    ALIKE = {
        "PE": lambda one, other: one.processors == other.processors and one.limit == other.limit,
        "P": lambda one, other: one.processors == other.processors,
        "E": lambda one, other: one.limit == other.limit,
        "*": lambda one, other: True,
    }

    def __init__(self, criteria):
        self.criteria, self.sessions = criteria, {}

    def ended(self, job):
        for session in self.sessions[job.user]:
            if job.number in session["jobs"]:
                session["over"].append(job)
                session["open"] -= 1
                session["last_end"] = max(session["last_end"], job.submit + (job.wait or 0) + job.run)

    def predict(self, job):
        predicted = self.search(job)
        sessions = self.sessions.setdefault(job.user, [])
        goes_on = sessions and (sessions[-1]["open"] or job.submit - sessions[-1]["last_end"] < THINK_TIME)
        if not goes_on:
            sessions.append({"jobs": set(), "over": [], "open": 0, "last_end": -math.inf})
        sessions[-1]["jobs"].add(job.number)
        sessions[-1]["open"] += 1
        return min(job.limit, predicted)

    def search(self, job):
        for criterion in self.criteria:
            for session in reversed(self.sessions.get(job.user, [])):
                alike = sorted(old.run for old in session["over"] if self.ALIKE[criterion](job, old))
                if alike:
                    middle = len(alike) // 2
                    return alike[middle] if len(alike) % 2 else (alike[middle - 1] + alike[middle]) // 2
        return job.limit


class Templates:
    """Smith et al., 2.2: every category a job is in gives the mean of its run times with Chebyshev's interval, k standard deviations
    with 1 - 1/k^2 = 90 %; two are needed; the narrowest interval is believed. The limit where no category knows enough."""

    def __init__(self, templates):
        self.templates, self.categories = templates, {}

    def keys(self, job):
        for place, (characteristics, history) in enumerate(self.templates):
            values = tuple(getattr(job, name) if step is None else (job.processors - 1) // step for name, step in characteristics)
            if None not in values:
                yield (place, values), history

    def ended(self, job):
        for key, history in self.keys(job):
            category = self.categories.setdefault(key, [])
            category.append(job.run)
            if history:
                del category[:-history]

    def predict(self, job):
        best = None
        for key, _ in self.keys(job):
            category = self.categories.get(key, [])
            if len(category) >= 2:
                width = math.sqrt(10) * numpy.std(category, ddof=1)
                if best is None or width < best[0]:
                    best = (width, numpy.mean(category))
        return min(job.limit, max(1, math.floor(best[1] + 0.5))) if best else job.limit


class Downey:
    """Smith et al., 4: run times of a queue spread evenly over their logarithm; the conditional median at an age of one second,
    or the shortest run time of the line where that is longer. The line is fitted to the cumulative shares of what has ended."""

    def __init__(self):
        self.queues = {}

    def ended(self, job):
        self.queues.setdefault(job.queue, []).append(job.run)

    def predict(self, job):
        runs = self.queues.get(job.queue, [])
        if len(runs) < 2:
            return job.limit
        if min(runs) == max(runs):
            return min(job.limit, runs[0])
        values, counts = numpy.unique(runs, return_counts=True)
        shares = numpy.cumsum(counts) / len(runs)
        # Every job counts in the fit, so a value weighs as often as it was seen.
        slope, intercept = numpy.polyfit(numpy.log(values), shares, 1, w=numpy.sqrt(counts))
        shortest, longest = -intercept / slope, (1 - intercept) / slope
        return min(job.limit, math.exp((max(0.0, shortest) + longest) / 2))


class RunTimes(OnLogs):
    def check(self, predictor, name, first=4000, logs=(), digits=1e-9, options=()):
        for log in self.logs(first, *logs):
            with self.subTest(log=log.name):
                log = self.with_limits(log)
                jobs = log.jobs()
                error, relative = accuracy(predictions(jobs, predictor()))
                theirs = qcast("predict", log.path, "--predictor", name, "--no-timing", *options)
                self.assertEqual(theirs["jobs"], len(jobs))
                self.assertSame(error, theirs["accuracy"]["mae"], "mean absolute error", digits)
                self.assertSame(relative, theirs["accuracy"]["relative"], "relative accuracy", digits)

    def test_users_limits_are_this_far_off(self):
        self.check(Estimate, "estimate")

    def test_the_mean_of_the_users_last_two_is_this_far_off(self):
        self.check(lambda: Recent(2, mean), "recent:n=2,stat=mean")

    def test_the_median_of_the_users_last_three_is_this_far_off(self):
        self.check(lambda: Recent(3, lambda runs: sorted(runs)[1]), "recent:n=3,stat=median")

    def test_sessions_searched_by_criteria_are_this_far_off(self):
        self.check(lambda: Sessions(["PE", "P", "E", "*"]), "session:criteria=PE/P/E/*")

    def test_templates_of_smith_with_the_narrowest_interval_are_this_far_off(self):
        templates = [
            ([("user", None)], None),
            ([("user", None), ("executable", None)], 16),
            ([("queue", None), ("processors", 4)], 32),
        ]
        name = "templates:(u,mean,act)/(u,e,mean,act,mh=16)/(q,n=4,mean,act,mh=32)"
        self.check(lambda: Templates(templates), name, logs=("CTC-SP2-1996-3.1-cln", "SDSC-SP2-1998-4.2-cln"))

    def test_downeys_conditional_median_by_queue_is_this_far_off(self):
        """Within 3 %: the product fits its line to a histogram, and anew only when a fiftieth more has ended."""
        self.check(Downey, "downey:median", first=1000, logs=("CTC-SP2-1996-3.1-cln",), digits=0.03)


if __name__ == "__main__":
    unittest.main()
