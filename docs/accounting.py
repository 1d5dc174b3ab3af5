"""Made-up accounting: when each job of a made-up site would have started, and how sacct prints that.

For: docs/samples/make and docs/pictures/page, which make up a site each. Not for: what jobs there are.
"""
import subprocess, tempfile
from pathlib import Path


def starts(qcast, processors, jobs):
    """When EASY would have started each (submit, user's number, processors, limit in seconds, run), by `qcast simulate`; in their order."""
    with tempfile.TemporaryDirectory() as folder:
        log, schedule = Path(folder, "in.swf"), Path(folder, "out.swf")
        lines = [f"; MaxProcs: {processors}", "; UnixStartTime: 0"]
        for number, (submit, user, cpus, limit, run) in enumerate(jobs, 1):
            lines.append(f"{number} {submit} -1 {run} {cpus} -1 -1 {cpus} {limit} -1 1 {user} 1 1 1 1 -1 -1")
        log.write_text("\n".join(lines) + "\n")
        subprocess.run([qcast, "simulate", log, "--policy", "easy", "--schedule", schedule], check=True, capture_output=True)
        rows = (line.split() for line in schedule.read_text().splitlines() if not line.startswith(";"))
        started = {int(row[0]): int(row[1]) + int(row[2]) for row in rows}
        return [started[number] for number in range(1, len(jobs) + 1)]


def export(columns, rows):
    """What `sacct --parsable2` would print, with the delimiter that no name has in it."""
    return "\n".join("\x1f".join(map(str, row)) for row in [columns, *rows]) + "\n"
