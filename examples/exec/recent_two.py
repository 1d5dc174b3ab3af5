#!/usr/bin/env python3
"""A run-time predictor: the mean of the user's last two run times, as our own `recent:n=2,stat=mean`.

qcast predict LOG --predictor exec:examples/exec/recent_two.py
"""
import json
import sys

user_of = {}  # whose each job is that has not ended
last_two = {}  # each user's last run times


def planned_seconds(event):
    """A run time, or None for no opinion: then the limit counts, and for outlived plans --correction."""
    runs = last_two.get(event.get("user"), [])
    return sum(runs) // 2 if len(runs) == 2 else None


for line in sys.stdin:
    event = json.loads(line)
    kind = event["event"]
    if kind == "arrival":
        user_of[event["job"]] = event["user"]
    elif kind == "end":
        user = user_of.pop(event["job"])
        if user is not None:
            last_two[user] = [*last_two.get(user, []), event["run_seconds"]][-2:]
    if "question" in event:
        answer = {"answer": event["question"]}
        if kind == "begin":
            answer["protocol"] = 1
        else:
            answer["planned_seconds"] = planned_seconds(event)
        print(json.dumps(answer), flush=True)
