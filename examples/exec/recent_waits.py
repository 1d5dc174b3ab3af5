#!/usr/bin/env python3
"""A wait forecaster: it waits as long as the user's last hundred jobs did; as everybody's, where the user has had none.

qcast wait LOG --method exec:examples/exec/recent_waits.py --method recent:user
"""
import json
import sys
from collections import defaultdict, deque

waiting = {}  # user and submission of each job that waits
of_all = deque(maxlen=100)
of_user = defaultdict(lambda: deque(maxlen=100))

for line in sys.stdin:
    event = json.loads(line)
    kind, job = event["event"], event.get("job")
    if kind == "start":
        user, submitted = waiting.pop(job)
        for waits in (of_all, of_user[user]):
            waits.append(event["time_seconds"] - submitted)
    elif kind == "withdrawal":
        waiting.pop(job, None)
    if "question" in event:
        answer = {"answer": event["question"]}
        if kind == "begin":
            answer["protocol"] = 1
        else:  # an arrival
            waiting[job] = (event["user"], event["submitted_seconds"])
            answer["wait_seconds"] = list(of_user[event["user"]] or of_all) or [0]
        print(json.dumps(answer), flush=True)
