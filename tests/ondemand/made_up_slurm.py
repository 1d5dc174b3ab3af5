"""A Slurm that does not exist, and a real daemon on it.

For: tests/ondemand, which needs a daemon with jobs of a certain user and with names that no real Slurm would be asked to take.
Not for: what Slurm really prints (tests/golden), and how it behaves (tests/slurm-lab). crates/cli/tests/made_up_slurm is the same for tests in Rust.
"""

import http.client
import json
import os
import pathlib
import socket
import subprocess
import time

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
NODES, CPUS = 8, 16

COMMAND = (REPOSITORY / "tests/made-up-slurm/command").read_text()
SACCT = "JobIDRaw|JobID|JobName|User|UID|Account|Partition|State|Submit|Start|End|ElapsedRaw|TimelimitRaw|ReqCPUS|ExitCode\n"
PARTITION = (
    "PartitionName=batch AllowGroups=ALL AllowAccounts=ALL AllowQos=ALL AllocNodes=ALL Default=YES QoS=N/A DefaultTime=NONE "
    "MaxNodes=UNLIMITED MaxTime=UNLIMITED MinNodes=0 Nodes=n[000-007] PriorityJobFactor=1 PriorityTier=1 RootOnly=NO ReqResv=NO "
    "OverSubscribe=NO OverTimeLimit=NONE PreemptMode=OFF State=UP TotalCPUs=128 TotalNodes=8 SelectTypeParameters=NONE\n"
)


class MadeUpSlurm:
    """A full machine of eight nodes, and the jobs that wait: (user's number, name, what is special about the job)."""

    def __init__(self, folder, waiting):
        self.folder = pathlib.Path(folder)
        self.now = int(time.time())
        jobs = []
        for node in range(NODES):
            runs = {"job_state": "RUNNING", "nodes": f"n{node:03}", "start_time": self.now - 5400, "end_time": self.now + 1800}
            jobs.append(self.job(node + 1, 1000, "solve", {**runs, "tres_alloc_str": f"cpu={CPUS},mem=4G,node=1,billing={CPUS}"}))
        for place, (user, name, special) in enumerate(waiting):
            jobs.append(self.job(100 + place, user, name, special))
        nodes = [
            {"name": f"n{node:03}", "hostname": f"n{node:03}", "state": "allocated", "state_flags": [], "cpus": CPUS, "real_memory": 64000,
             "features": "", "gres": "", "partitions": ["batch"], "weight": 1, "tres": f"cpu={CPUS},mem=64000M,billing={CPUS}"}
            for node in range(NODES)
        ]
        config = (REPOSITORY / "tests/golden/slurm-22.05-text/scontrol-config.txt").read_text().replace("alpha", "made")
        answers = self.folder / "answers"
        for part in (answers, self.folder / "bin"):
            part.mkdir(parents=True)
        (answers / "config").write_text(config)
        (answers / "partition").write_text(PARTITION)
        (answers / "sacct").write_text(SACCT.replace("|", "\x1f"))
        (answers / "squeue.json").write_text(json.dumps({"meta": {}, "errors": [], "jobs": jobs}))
        (answers / "sinfo.json").write_text(json.dumps({"meta": {}, "errors": [], "nodes": nodes}))
        for command in ("squeue", "sinfo", "scontrol", "sacct", "sacctmgr", "sdiag", "sshare"):
            path = self.folder / "bin" / command
            path.write_text(COMMAND)
            path.chmod(0o755)

    def job(self, number, user, name, special):
        return {
            "job_id": number, "job_state": "PENDING", "submit_time": self.now - 3600, "eligible_time": self.now - 3600, "cluster": "made",
            "name": name, "user_name": f"user{user}", "user_id": user, "account": "science", "partition": "batch", "qos": "normal",
            "time_limit": 120, "nodes": "", "start_time": 0, "end_time": 0, "tres_req_str": "cpu=4,mem=4G,node=1,billing=4", "cpus": 4,
            "node_count": 1, "priority": 1000000 - number, "state_reason": "Priority", "shared": None, "array_job_id": 0,
            "array_task_id": None, "array_task_string": "", "dependency": "", "features": "", "flags": [], "nice": None, **special,
        }

    def goes_down(self):
        (self.folder / "answers/broken").touch()

    def serve(self, binary, *options, environment=None):
        return Daemon(binary, self, options, environment or {})


class Daemon:
    """`qcast serve`, until `end`."""

    def __init__(self, binary, slurm, options, environment):
        self.socket = str(slurm.folder / "api.sock")
        self.log = slurm.folder / "log"
        command = [binary, "serve", "--store", slurm.folder / "store.sqlite", "--socket", self.socket, *options]
        kept = {key: value for key, value in os.environ.items() if not key.startswith("QCAST_")}
        with open(self.log, "w") as log:
            self.process = subprocess.Popen(
                command, stdout=log, stderr=log, env={**kept, "PATH": f"{slurm.folder}/bin:/usr/bin:/bin", **environment}
            )

    def wait_for(self, is_so, seconds=40):
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if self.process.poll() is not None:
                raise RuntimeError(f"the daemon has ended:\n{self.log.read_text()}")
            try:
                status, _, health = ask(self.socket, "/v1/health")
                health = json.loads(health)
                if is_so(health):
                    return health
            except (OSError, ValueError):
                pass
            time.sleep(0.1)
        raise RuntimeError(f"not within {seconds} s:\n{self.log.read_text()[-3000:]}")

    def forecast(self):
        return self.wait_for(lambda health: health["made"] is not None)

    def end(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


class ToSocket(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost", timeout=10)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(10)
        self.sock.connect(self.path)


def ask(path, address, headers=(), body=None):
    """As this process's own user, by the socket: status, headers, body."""
    connection = ToSocket(path)
    connection.putrequest("POST" if body else "GET", address)
    for name, value in headers:
        connection.putheader(name, value)
    connection.endheaders(body)
    answer = connection.getresponse()
    return answer.status, dict(answer.getheaders()), answer.read()
