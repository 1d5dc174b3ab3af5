#!/usr/bin/env python3
"""A policy: EASY, whose holes the shortest jobs fill first, as our own `easy-sjbf`.

qcast simulate LOG --policy exec:examples/exec/easy_sjbf.py
"""
import json
import sys

free = 0
waiting, running = {}, {}  # processors, planned run time and, of who runs, start; in order of arrival and of starts


def start(job, now):
    global free
    processors, planned = waiting.pop(job)
    free -= processors
    running[job] = [processors, planned, now]
    return job


def starts(now):
    started = []
    while waiting and next(iter(waiting.values()))[0] <= free:
        started.append(start(next(iter(waiting)), now))
    if not waiting:
        return started
    head, *others = waiting
    shadow, then = now, free  # when the head fits by the plans, and what is free then
    for end, processors in sorted((began + planned, processors) for processors, planned, began in running.values()):
        if then >= waiting[head][0] and end > shadow:
            break
        shadow, then = end, then + processors
    extra = then - waiting[head][0]
    for job in sorted(others, key=lambda job: waiting[job][1]):  # of equals whoever came first
        processors, planned = waiting[job]
        is_late = now + planned > shadow
        if processors <= free and (not is_late or processors <= extra):
            extra -= processors if is_late else 0
            started.append(start(job, now))
    return started


for line in sys.stdin:
    event = json.loads(line)
    kind, job = event["event"], event.get("job")
    if kind == "begin":
        free = event["processors"]
        print(json.dumps({"answer": event["question"], "protocol": 1}), flush=True)
    elif kind == "arrival":
        waiting[job] = [event["processors"], event["planned_seconds"]]
    elif kind == "plan":
        (waiting.get(job) or running[job])[1] = event["planned_seconds"]
    elif kind == "end":
        free += running.pop(job)[0]
    elif kind == "withdrawal":
        del waiting[job]
    elif kind == "pass":
        print(json.dumps({"answer": event["question"], "starts": starts(event["time_seconds"])}), flush=True)
