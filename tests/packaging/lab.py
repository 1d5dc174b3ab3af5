"""From the package file to an answer, on a machine with a real Slurm 22.05 and its accounting: how many commands, how long.

The Slurm is Debian's own, run by its own units under the machine's systemd: one node, one partition, one user with jobs.
"""

import time

import machine
from machine import Failed, Machine

SLURM_CONF = """\
ClusterName=alpha
SlurmctldHost=controller
AuthType=auth/munge
SlurmUser=slurm
StateSaveLocation=/var/lib/slurm/slurmctld
SlurmdSpoolDir=/var/lib/slurm/slurmd
SlurmctldPidFile=/run/slurmctld.pid
SlurmdPidFile=/run/slurmd.pid
SlurmctldLogFile=/var/log/slurm/slurmctld.log
SlurmdLogFile=/var/log/slurm/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
ReturnToService=2
SchedulerType=sched/backfill
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=localhost
NodeName=controller CPUs=4 RealMemory=4000 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES DefaultTime=30 MaxTime=1-0 State=UP
"""
SLURMDBD_CONF = """\
AuthType=auth/munge
DbdHost=localhost
SlurmUser=slurm
StorageType=accounting_storage/mysql
StorageHost=localhost
StorageUser=slurm
StoragePass=slurm
StorageLoc=slurm
LogFile=/var/log/slurm/slurmdbd.log
PidFile=/run/slurmdbd.pid
"""


def with_slurm():
    return machine.root("slurm", machine.WITH_SLURM)


def bring_up_slurm(on):
    on.write("/etc/slurm/slurm.conf", SLURM_CONF)
    on.write("/etc/slurm/slurmdbd.conf", SLURMDBD_CONF)
    on.run("chown", "slurm:slurm", "/etc/slurm/slurmdbd.conf")
    on.run("chmod", "600", "/etc/slurm/slurmdbd.conf")
    on.run("useradd", "--create-home", "alice")
    on.run("systemctl", "restart", "munge", "mariadb")
    on.run("mariadb", "--execute", "create database if not exists slurm; create user if not exists slurm@localhost identified by 'slurm'; grant all on slurm.* to slurm@localhost")
    on.run("systemctl", "restart", "slurmdbd")
    manager = ("sacctmgr", "--immediate", "--quiet")
    on.wait_for(lambda: on.run(*manager, "list", "cluster", check=False).returncode == 0, 60, "slurmdbd answers")
    on.run(*manager, "add", "cluster", "alpha", check=False)
    on.run(*manager, "add", "account", "physics")
    on.run(*manager, "add", "user", "alice", "account=physics")
    on.run("systemctl", "restart", "slurmctld", "slurmd")
    on.wait_for(lambda: on.run("sinfo", "--noheader", "--format=%t", check=False).stdout.strip().startswith(("idle", "mix")), 60, "the node is idle")


def fill_the_queue(on):
    """A history of jobs that ran, one that runs, and one that waits: its number."""
    def submit(*words):
        return on.says("sbatch", "--parsable", "--output=/dev/null", "--chdir=/tmp", *words, user="alice")

    for _ in range(8):
        submit("--ntasks=1", "--time=5", "--wrap", "sleep 1")
    on.wait_for(lambda: on.says("squeue", "--noheader", user="alice") == "", 120, "short jobs have run")
    submit("--ntasks=4", "--time=10", "--wrap", "sleep 500")
    waiting = submit("--ntasks=4", "--time=20", "--wrap", "sleep 100")
    on.wait_for(lambda: on.says("squeue", "--noheader", "--states=R", user="alice") != "", 60, "a job runs")
    return waiting


def answer(on, program, job):
    """What `qcast when` says to alice. It may have to be asked again in the first seconds: it says so, by code 6."""
    for _ in range(120):
        done = on.run(program, "when", job, user="alice", check=False)
        if done.returncode == 0:
            return done.stdout
        if done.returncode not in (5, 6):
            break
        time.sleep(1)
    raise Failed(f"{program} when {job}: code {done.returncode}\n{done.stdout}{done.stderr}\n{on.journal('queuecast.service')}")


def from_the_package_file_to_an_answer_in_three_commands_and_two_minutes(packages):
    package = packages.of("deb", "0.1.0")
    with Machine(with_slurm()) as on:
        bring_up_slurm(on)
        job = fill_the_queue(on)
        file = on.bring(package)
        begun = time.monotonic()
        on.run("apt-get", "install", "--yes", "--quiet", file)
        installed = time.monotonic() - begun
        on.run("systemctl", "enable", "--now", "queuecast")
        started = time.monotonic() - begun
        said = answer(on, "qcast", job)
        answered = time.monotonic() - begun
        if answered > 120:
            raise Failed(f"{answered:.0f} s until it answered")
        refused = [line for line in on.journal("queuecast.service").splitlines() if "Slurm call failed" in line]
        if refused:
            raise Failed("under the unit's restrictions Slurm could not be asked:\n" + "\n".join(refused))
        print("   " + said.strip().replace("\n", "\n   "))
        return f"three commands: installed after {installed:.1f} s, started after {started:.1f} s, answered after {answered:.1f} s"


def a_user_with_nothing_but_the_program_is_answered_by_one_command(packages):
    with Machine(with_slurm()) as on:
        bring_up_slurm(on)
        job = fill_the_queue(on)
        program = on.bring(packages.static or packages.binary, to="/home/alice/")
        begun = time.monotonic()
        said = answer(on, program, job)
        print("   " + said.strip().replace("\n", "\n   "))
        return f"one command, {time.monotonic() - begun:.1f} s, no daemon"


TESTS = [
    from_the_package_file_to_an_answer_in_three_commands_and_two_minutes,
    a_user_with_nothing_but_the_program_is_answered_by_one_command,
]
