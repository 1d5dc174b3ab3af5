"""What the independent checks have in common: a made-up log, the real ones, and what `qcast` says of them.

For: reading logs, and asking the built command. Not for: any figure; those are computed in the tests, from the papers' rules.
Nothing here or there is shared with the product.
"""

import gzip
import json
import os
import random
import subprocess
import tempfile
import unittest
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
QCAST = Path(os.environ.get("QCAST", REPOSITORY / "target/debug/qcast"))
SHARED = Path(os.environ.get("QCAST_SHARED", REPOSITORY.parent / "shared"))

# Fields of the Standard Workload Format that are used, by their place in a line.
NUMBER, SUBMIT, WAIT, RUN, ALLOCATED, REQUESTED, LIMIT, USER, EXECUTABLE, QUEUE = 0, 1, 2, 3, 4, 7, 8, 11, 13, 14


class Job:
    """A line of a log. What is not known is None; a job asks for the processors it requested, or else was allocated."""

    __slots__ = ("number", "submit", "wait", "run", "processors", "limit", "user", "executable", "queue")

    def __init__(self, fields):
        known = lambda place: fields[place] if fields[place] >= 0 else None
        positive = lambda place: fields[place] if fields[place] > 0 else None
        self.number, self.submit, self.wait, self.run = fields[NUMBER], known(SUBMIT), known(WAIT), known(RUN)
        self.processors = positive(REQUESTED) or positive(ALLOCATED)
        self.limit, self.user = positive(LIMIT), known(USER)
        self.executable, self.queue = known(EXECUTABLE), known(QUEUE)


def read_log(path, first=None):
    """All jobs of a log as they stand, or only the first so many of them."""
    opened = gzip.open if str(path).endswith(".gz") else open
    jobs = []
    with opened(path, "rt", encoding="latin-1") as lines:
        for line in lines:
            if line.strip() and not line.lstrip().startswith(";"):
                jobs.append(Job([int(float(field)) for field in line.split()]))
                if len(jobs) == first:
                    break
    return jobs


def in_order(jobs):
    """Jobs that can be replayed, in order of submission, equals by number."""
    usable = (job for job in jobs if job.submit is not None and job.processors and job.run)
    return sorted(usable, key=lambda job: (job.submit, job.number))


def cut_at_limits(jobs, machine):
    """Jobs for a schedule: those with a limit that fit the machine, killed at the limit."""
    kept = [job for job in jobs if job.limit and job.processors <= machine]
    for job in kept:
        job.run = min(job.run, job.limit)
    return kept


def make_up_log(path, jobs=2500, machine=64, seed=19):
    """A log of a busy machine by a fixed generator: users with habits, sessions, round limits, some overruns. Waits are those of
    a queue of its own, so that a policy's differ from them."""
    draw = random.Random(seed)
    limits = [300, 600, 900, 1800, 3600, 3600, 7200, 14400, 14400, 43200, 64800, 64800]
    habits = {user: (draw.choice([1, 2, 4, 8, 8, 16, 32]), draw.choice(limits), draw.randint(1, 4)) for user in range(1, 26)}
    time, lines, backlog = 0, ["; Computer: made up", "; UnixStartTime: 0", f"; MaxProcs: {machine}", f"; MaxNodes: {machine}"], 0.0
    number = 0
    while number < jobs:
        user = draw.choice(sorted(habits))
        processors, limit, queue = habits[user]
        time += int(draw.expovariate(1 / 9000))
        for _ in range(draw.randint(1, 9)):
            number += 1
            time += draw.choice([0, 0, 1, 20, 60, 300, 900])
            width = processors if draw.random() < 0.7 else draw.choice([1, 2, 3, 8, 20, 40])
            asked = limit if draw.random() < 0.8 else draw.choice(limits)
            run = int(asked * min(1.02, draw.betavariate(0.5, 1.5))) if draw.random() < 0.97 else asked + draw.randint(1, 90)
            run = 0 if draw.random() < 0.01 else max(1, run)
            backlog = max(0.0, backlog - draw.choice([0, 0, 60, 600]) * 1.0) + run * width / machine
            wait = 0 if draw.random() < 0.3 else int(backlog * draw.random() * 0.3)
            executable = user * 10 + draw.randint(0, 2)
            limit_field = asked if draw.random() < 0.995 else -1
            lines.append(
                f"{number} {time} {wait} {run} {width} -1 -1 {width} {limit_field} -1 1 {user} 1 {executable} {queue} 1 -1 -1"
            )
    Path(path).write_text("\n".join(lines) + "\n")
    return path


class Log:
    """A log to check figures on: its file and how many processors its machine has."""

    def __init__(self, name, path, machine):
        self.name, self.path, self.machine = name, path, machine

    def jobs(self):
        return in_order(read_log(self.path))


def qcast(*arguments):
    """What `qcast ... --format json` says."""
    return json.loads(qcast_writes(*arguments, "--format", "json"))


def qcast_writes(*arguments):
    """What `qcast ...` writes to standard output."""
    arguments = [str(argument) for argument in arguments]
    ran = subprocess.run([QCAST, *arguments], capture_output=True, text=True, check=False)
    if ran.returncode != 0:
        raise AssertionError(f"qcast {' '.join(arguments)}: exit code {ran.returncode}\n{ran.stderr}")
    return ran.stdout


class OnLogs(unittest.TestCase):
    """Checks that run on the made-up log everywhere, and on real ones where they are."""

    MACHINES = {"KTH-SP2-1996-2.1-cln": 100, "SDSC-SP2-1998-4.2-cln": 128, "CTC-SP2-1996-3.1-cln": 338}

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        if not QCAST.exists():
            raise AssertionError(f"{QCAST} is not there: cargo build --workspace --bin qcast, or say where it is with QCAST")
        cls.made_up = Log("made up", make_up_log(Path(cls.folder.name) / "made-up.swf"), 64)

    @staticmethod
    def shared(name):
        """A file of the shared folder, or None where there is no such folder; with CI=true there has to be one."""
        path = SHARED / name
        if path.exists():
            return path
        if os.environ.get("CI") == "true":
            raise AssertionError(f"in CI the shared logs are needed, and {path} is not there: set QCAST_SHARED")
        return None

    def logs(self, first, *names):
        """The made-up log and the first so many lines of these logs."""
        yield self.made_up
        for name in names or self.MACHINES:
            packed = self.shared(f"traces/{name}.swf.gz")
            if packed is None:
                continue
            # Cut here and not by the command: what is checked shall have no part in it.
            path = Path(self.folder.name) / f"{name}-{first}.swf"
            if not path.exists():
                with gzip.open(packed, "rt", encoding="latin-1") as lines, open(path, "w", encoding="latin-1") as cut:
                    jobs = 0
                    for line in lines:
                        is_job = bool(line.strip()) and not line.lstrip().startswith(";")
                        jobs += is_job
                        if first is not None and jobs > first:
                            break
                        cut.write(line)
            yield Log(name, path, self.MACHINES.get(name))

    def keeping(self, log, is_kept):
        """The log with only these of its jobs."""
        path = Path(self.folder.name) / "kept.swf"
        lines = Path(log.path).read_text(encoding="latin-1").splitlines()
        job = lambda line: Job([int(float(field)) for field in line.split()])
        kept = (line for line in lines if line.lstrip().startswith(";") or is_kept(job(line)))
        path.write_text("\n".join(kept) + "\n", encoding="latin-1")
        return Log(log.name, path, log.machine)

    def with_limits(self, log):
        """The log without jobs that have no limit or no user: the papers do not say what to do with those."""
        return self.keeping(log, lambda job: job.limit and job.user is not None)

    def assertSame(self, ours, theirs, what, relative=1e-9):
        """Equal to so many digits; `theirs` is what the product says."""
        scale = max(abs(ours), abs(theirs), 1e-12)
        self.assertLessEqual(abs(ours - theirs) / scale, relative, f"{what}: {ours!r} here, {theirs!r} by qcast")
