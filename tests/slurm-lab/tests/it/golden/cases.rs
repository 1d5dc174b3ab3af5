//! The cases: how each comes about, and what the records say of it in the end.
//!
//! Every case has nodes of its own where it matters, so that all can happen at once.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::time::Duration;

use anyhow::{Context, Result};
use queuecast_slurm_lab::{ClusterHandle, JobNumber, Lab, Submission, wait_until};

const SOON: Duration = Duration::from_mins(1);
/// Longer than the recording takes, in lab seconds.
const LONG_SECONDS: u32 = 50_000;

/// In lab seconds: a minute, so that the job still runs when all others have been submitted, also on a busy machine.
const MIDDLE_SECONDS: u32 = 1_200;

/// However slow the machine, it is requeued twice before it ends.
const ENDS_THE_THIRD_TIME: &str = "[ \"$SLURM_RESTART_COUNT\" = 2 ] && exec sleep 60; exec sleep 50000";
/// However slow the machine, two tasks have ended and two run when the rest is cancelled.
const TWO_TASKS_END: &str = "[ \"$SLURM_ARRAY_TASK_ID\" -le 2 ] && exec sleep 300; exec sleep 50000";

/// What the records say of a case, attempt by attempt, part by part.
pub struct Expected {
    pub name: &'static str,
    pub states: &'static [&'static str],
}

/// A case that came about.
pub struct Case {
    pub name: &'static str,
    pub cluster: &'static str,
    pub number: JobNumber,
    pub states: &'static [&'static str],
}

/// Every case, in the order in which they are begun.
pub const EXPECTED: &[Expected] = &[
    Expected { name: "completed", states: &["COMPLETED"] },
    Expected { name: "completed-at-once", states: &["COMPLETED"] },
    Expected { name: "completed-with-steps", states: &["COMPLETED"] },
    Expected { name: "failed", states: &["FAILED"] },
    Expected { name: "timeout", states: &["TIMEOUT"] },
    Expected { name: "cancelled-before-start", states: &["CANCELLED by 20002"] },
    Expected { name: "cancelled-while-running", states: &["CANCELLED by 0"] },
    Expected { name: "requeued-twice", states: &["REQUEUED", "REQUEUED", "COMPLETED"] },
    Expected { name: "suspended-and-resumed", states: &["COMPLETED"] },
    Expected {
        name: "array-throttled",
        states: &["COMPLETED", "COMPLETED", "CANCELLED by 0", "CANCELLED by 0", "CANCELLED by 0"],
    },
    Expected { name: "heterogeneous", states: &["COMPLETED", "COMPLETED"] },
    // These are never eligible: sacct knows them by number, but leaves them out of every period it is asked for.
    Expected { name: "held", states: &["PENDING"] },
    Expected { name: "begins-later-in-two-partitions", states: &["PENDING"] },
    Expected { name: "depends", states: &["PENDING"] },
    Expected { name: "depends-in-vain", states: &["PENDING"] },
    Expected { name: "deadline", states: &["DEADLINE"] },
    Expected { name: "node-set-down", states: &["NODE_FAIL"] },
    Expected { name: "node-killed", states: &["NODE_FAIL", "CANCELLED by 0"] },
    Expected { name: "preempted", states: &["PREEMPTED", "CANCELLED by 0"] },
    Expected { name: "preempting", states: &["CANCELLED by 0"] },
    Expected { name: "resized", states: &["RESIZING", "CANCELLED by 0"] },
    Expected { name: "named-with-pipes", states: &["COMPLETED"] },
    Expected { name: "named-with-quotes", states: &["COMPLETED"] },
    Expected { name: "named-with-newlines", states: &["COMPLETED"] },
    Expected { name: "named-with-unit-separator", states: &["COMPLETED"] },
    Expected { name: "named-with-invalid-utf8", states: &["COMPLETED"] },
    Expected { name: "federation-sibling", states: &["REVOKED"] },
];

fn case(name: &str, cluster: &'static str, number: JobNumber) -> Case {
    let expected = EXPECTED.iter().find(|expected| expected.name == name).expect("every case says what is expected");
    Case { name: expected.name, cluster, number, states: expected.states }
}

/// The job of a case.
fn number(cases: &[Case], name: &str) -> JobNumber {
    cases.iter().find(|case| case.name == name).expect("the case was begun").number
}

/// Begins every case, and returns when all are in the middle: running, waiting, suspended.
pub fn begin(lab: &Lab) -> Result<Vec<Case>> {
    let alpha = lab.cluster("alpha");
    let mut cases = Vec::new();
    let mut submit = |name: &str, user: &str, submission: Submission| -> Result<JobNumber> {
        let number = alpha.submit(user, &submission).with_context(|| name.to_owned())?;
        cases.push(case(name, "alpha", number));
        Ok(number)
    };
    let named = |name: &str, submission: Submission| submission.name(name);

    submit("completed", "user01", named("completed", Submission::sleeping(30).nodes(2).limit_minutes(10)))?;
    submit("completed-at-once", "user01", named("completed-at-once", Submission::script("true")))?;
    let steps = Submission::script("srun --nodes=2 sleep 10; srun --ntasks=1 --nodes=1 sleep 5").nodes(2);
    submit("completed-with-steps", "user01", named("completed-with-steps", steps))?;
    let failed = submit("failed", "user01", named("failed", Submission::script("sleep 10; exit 3")))?;
    submit("timeout", "user02", named("timeout", Submission::sleeping(LONG_SECONDS).limit_minutes(1)))?;
    submit("cancelled-while-running", "user02", named("cancelled-while-running", Submission::sleeping(LONG_SECONDS)))?;
    submit("requeued-twice", "user02", named("requeued-twice", Submission::script(ENDS_THE_THIRD_TIME)))?;
    submit("suspended-and-resumed", "user03", named("suspended-and-resumed", Submission::sleeping(MIDDLE_SECONDS)))?;
    let array = Submission::script(TWO_TASKS_END).argument("--array=1-10%2");
    submit("array-throttled", "user03", named("array-throttled", array))?;
    let parts = format!("#SBATCH --nodes=1\n#SBATCH hetjob\n#SBATCH --nodes=2 --ntasks=2\nexec sleep {MIDDLE_SECONDS}");
    submit("heterogeneous", "user03", named("heterogeneous", Submission::script(&parts)))?;
    submit("held", "user03", named("held", Submission::sleeping(30).argument("--hold")))?;
    let later = Submission::sleeping(30).argument("--begin=now+10days").argument("--partition=batch,scavenger");
    submit("begins-later-in-two-partitions", "user04", named("begins-later-in-two-partitions", later))?;
    let running = alpha.submit("user04", &named("depended-upon", Submission::sleeping(LONG_SECONDS)))?;
    let depends = Submission::sleeping(30).argument(format!("--dependency=afterok:{running}"));
    submit("depends", "user04", named("depends", depends))?;
    let in_vain = Submission::sleeping(30).argument(format!("--dependency=afterok:{failed}"));
    submit("depends-in-vain", "user04", named("depends-in-vain", in_vain))?;

    // The nodes from 12 on are for cases that do something to a node.
    let on = |node: &str, submission: Submission| submission.nodes(1).argument(format!("--nodelist={node}"));
    let down = on("alpha13", Submission::sleeping(LONG_SECONDS)).argument("--no-requeue");
    submit("node-set-down", "user05", named("node-set-down", down))?;
    let killed = on("alpha14", Submission::sleeping(LONG_SECONDS)).argument("--requeue");
    submit("node-killed", "user05", named("node-killed", killed))?;
    let low = on("alpha15", Submission::sleeping(LONG_SECONDS)).argument("--partition=scavenger");
    submit("preempted", "user06", named("preempted", low))?;
    let resized = Submission::sleeping(LONG_SECONDS).nodes(2).argument("--nodelist=alpha[17-18]");
    let resized = submit("resized", "user06", named("resized", resized))?;
    alpha.wait_for_state(resized, "RUNNING", SOON)?;
    // Behind a job that does not end in time.
    let deadline = on("alpha17", Submission::sleeping(30)).limit_minutes(5).argument("--deadline=now+8minutes");
    submit("deadline", "user05", named("deadline", deadline))?;

    for (name, job_name) in [
        ("named-with-pipes", &b"a|b||c|"[..]),
        ("named-with-quotes", b"say \"hi\" and 'ho' \\ `now`"),
        ("named-with-newlines", b"two\nlines\r\n"),
        ("named-with-unit-separator", b"unit\x1fseparator\ttab"),
        ("named-with-invalid-utf8", b"caf\xe9 \xff\xc3"),
    ] {
        let odd = Submission::sleeping(20).name(OsStr::from_bytes(job_name)).argument("--comment=one|two\nthree");
        submit(name, "user07", odd)?;
    }
    for name in ["cancelled-while-running", "suspended-and-resumed", "node-set-down", "node-killed", "preempted"] {
        alpha.wait_for_state(number(&cases, name), "RUNNING", SOON)?;
    }
    let suspended = number(&cases, "suspended-and-resumed");
    alpha.run("scontrol", &["suspend", &suspended.to_string()])?;
    alpha.wait_for_state(suspended, "SUSPENDED", SOON)?;
    for name in ["array-throttled", "heterogeneous", "requeued-twice"] {
        alpha.wait_for_state(number(&cases, name), "RUNNING", SOON)?;
    }
    // Last, because it asks for all nodes and Slurm lets nobody past who would delay it; and not simply held, because
    // sacct shows a job that was never eligible in no period.
    let waits = Submission::sleeping(30).nodes(20).name("cancelled-before-start");
    let waiting = alpha.submit("user02", &waits)?;
    cases.push(case("cancelled-before-start", "alpha", waiting));
    // The records lag behind the queue.
    alpha.wait_for_record(suspended, "SUSPENDED", SOON)?;
    alpha.wait_for_record(waiting, "PENDING", SOON)?;
    Ok(cases)
}

/// Brings every case to its end.
pub fn end(lab: &mut Lab, cases: &mut Vec<Case>) -> Result<()> {
    // Slurm takes 300 lab seconds to miss a node, so this comes first.
    lab.kill_node("alpha14")?;
    let alpha = lab.cluster("alpha");
    let orders = |program: &str, name: &str| alpha.run(program, &[&number(cases, name).to_string()]);

    let cancelled = number(cases, "cancelled-before-start").to_string();
    alpha.command_as("user02", "scancel").arg(cancelled).status()?;
    orders("scancel", "cancelled-while-running")?;
    alpha.run("scontrol", &["resume", &number(cases, "suspended-and-resumed").to_string()])?;
    let resized = number(cases, "resized");
    alpha.run("scontrol", &["update", &format!("JobId={resized}"), "NumNodes=1"])?;
    alpha.run("scontrol", &["update", "NodeName=alpha13", "State=DOWN", "Reason=golden case"])?;
    let urgent = Submission::sleeping(LONG_SECONDS).nodes(1).name("preempting");
    let urgent = urgent.argument("--partition=urgent").argument("--nodelist=alpha15");
    let preempting = alpha.submit("user06", &urgent)?;
    alpha.wait_for_state(preempting, "RUNNING", SOON)?;

    requeue_twice(alpha, number(cases, "requeued-twice"))?;
    alpha.wait_for_record(number(cases, "node-killed"), "NODE_FAIL", SOON)?;
    wait_until("the third task of the array", SOON, || {
        let states = alpha.states(number(cases, "array-throttled"))?;
        Ok(states.iter().filter(|state| *state == "COMPLETED").count() == 2
            && states.iter().any(|state| state == "RUNNING"))
    })?;
    alpha.wait_for_record(number(cases, "deadline"), "DEADLINE", SOON)?;
    for name in ["node-killed", "preempted", "resized", "array-throttled"] {
        orders("scancel", name)?;
    }
    alpha.run("scancel", &[&preempting.to_string()])?;
    cases.push(case("preempting", "alpha", preempting));
    settle(alpha, cases);
    Ok(())
}

/// A requeued job may only start again when the order to start it the last time has run out.
fn requeue_twice(alpha: ClusterHandle<'_>, job: JobNumber) -> Result<()> {
    for _ in 0..2 {
        alpha.wait_for_state(job, "RUNNING", SOON)?;
        alpha.run("scontrol", &["requeue", &job.to_string()])?;
        alpha.wait_for_state(job, "PENDING", SOON)?;
    }
    alpha.wait_for_state(job, "COMPLETED", SOON)
}

/// Waits until the records say what is expected. If they never do, that is no error here: the test reads them once more
/// and says which differ.
fn settle(alpha: ClusterHandle<'_>, cases: &[Case]) {
    let settled = wait_until("the records to settle", SOON, || {
        for case in cases {
            if alpha.recorded_states(case.number)? != case.states {
                return Ok(false);
            }
        }
        Ok(true)
    });
    if let Err(error) = settled {
        eprintln!("{error:#}");
    }
}

/// A job that two clusters compete for: one runs it, and for the other it is revoked.
pub fn federate(lab: &Lab) -> Result<Case> {
    let (alpha, beta) = (lab.cluster("alpha"), lab.cluster("beta"));
    alpha.run("sacctmgr", &["-i", "add", "federation", "campus", "clusters=alpha,beta"])?;
    wait_until("the federation", SOON, || Ok(alpha.run("scontrol", &["show", "federation"])?.contains("Synced:Yes")))?;
    let job = alpha.submit("user08", &Submission::sleeping(LONG_SECONDS).name("federation-sibling"))?;
    let mut revoked = None;
    wait_until("a revoked sibling", SOON, || {
        for cluster in [alpha, beta] {
            if cluster.recorded_states(job)? == ["REVOKED"] {
                revoked = Some(cluster.name());
            }
        }
        Ok(revoked.is_some())
    })?;
    let cluster = if revoked == Some("alpha") { "alpha" } else { "beta" };
    Ok(case("federation-sibling", cluster, job))
}
