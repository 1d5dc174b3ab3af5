//! Who sbatch refuses is refused, and nobody else: hundreds of requests, possible and impossible, held against a real Slurm and against
//! the product's own reading of it.

mod drawn;

use std::collections::BTreeMap;
use std::process::Command;

use queuecast_records::JobRecord;
use queuecast_records::source::{AnswerLimits, Reading, Source};

use queuecast_site::cluster::{ClusterReading, Reach, Situation};
use queuecast_slurm::source::Commands;
use queuecast_slurm_lab::site::{self, CLUSTER};
use queuecast_slurm_lab::{ClusterHandle, Submission};
use queuecast_workload::{JobId, Request as Processors, Submission as Known};

use drawn::Drawn;

const SEED: u64 = 7;
const REQUESTS: usize = 1200;

/// Limits of every kind that counts at submission, in qualities of service and associations of their own.
const LIMITS: &str = "\
add qos strict Flags=DenyOnLimit MaxTRESPerJob=cpu=64,node=4,gres/gpu=2 MaxTRESPerNode=cpu=16 MinTRESPerJob=cpu=2 MaxWall=120
add qos minutes Flags=DenyOnLimit MaxTRESMinsPerJob=cpu=3840 MaxTRESPerUser=mem=200000 GrpTRES=node=8
add qos loose MaxTRESPerJob=cpu=8 MaxWall=30
add qos few MaxSubmitJobsPerUser=2
add qos crowd GrpSubmitJobs=3
add qos reserved Flags=RequiresReservation
modify account where name=physics,biology,engineering set qos+=strict,minutes,loose,few,crowd,reserved
modify account plasma set MaxTRESPerJob=cpu=24 MaxWall=90
modify user where name=user10 set MaxSubmitJobs=1
modify account ecology set GrpSubmitJobs=5
";

/// Jobs that wait for ever, so that some have as many as they may.
fn submit_some(cluster: ClusterHandle<'_>) {
    let held = |more: &[&str]| {
        let all = Submission::sleeping(60).limit_minutes(5).argument("--hold");
        more.iter().fold(all, |job, argument| job.argument(*argument))
    };
    for _ in 0..2 {
        cluster.submit("user05", &held(&["--qos=few"])).unwrap();
    }
    cluster.submit("user06", &held(&["--qos=few"])).unwrap();
    cluster.submit("user10", &held(&[])).unwrap();
    cluster.submit("user20", &held(&["--qos=crowd", "--array=1-3"])).unwrap();
    cluster.submit("user46", &held(&["--array=1-4"])).unwrap();
}

/// What sbatch says to a request: nothing if it takes it, or its words.
fn sbatch(cluster: ClusterHandle<'_>, drawn: &Drawn) -> Result<(), String> {
    let mut command: Command = cluster.command_as(&drawn.request.user, "sbatch");
    let output = command.arg("--test-only").args(&drawn.arguments).args(["--wrap", "true"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let refused = said.contains("allocation failure: ") || said.contains("error: ");
    assert_ne!(refused, said.contains(" to start at "), "{said}");
    if refused { Err(said.trim().replace('\n', " ")) } else { Ok(()) }
}

fn records<T, E: std::fmt::Debug>(reading: Result<Reading<T>, E>) -> Vec<T> {
    reading.expect("Slurm answers").records
}

fn submission(job: &JobRecord) -> Known {
    Known {
        job: JobId(job.key.job_id),
        submitted: job.key.submitted,
        request: Processors { processors: 1 },
        limit: None,
        user: None,
        group: None,
        program: None,
        queue: None,
        partition: None,
    }
}

fn situation(cluster: ClusterHandle<'_>) -> Situation {
    let source = Commands::made_by(|program: &str| cluster.command(program), AnswerLimits::default());
    let queue = source.queue().expect("Slurm answers");
    let configuration = source.configuration().expect("Slurm answers");
    let reading = ClusterReading {
        now: queue.records.iter().map(|job| job.key.submitted).max().unwrap(),
        jobs: &queue.records,
        nodes: &records(source.nodes()),
        partitions: &records(source.partitions()),
        reservations: &records(source.reservations()),
        qos: &records(source.qos()),
        associations: &records(source.associations()),
        shares: &[],
        configuration: Some(&configuration),
        reach: &Reach::default(),
    };
    Situation::of(&reading, submission)
}

#[test]
#[ignore = "needs root and Slurm: tests/install-slurm.sh, then --run-ignored all"]
fn whom_sbatch_refuses_is_refused_and_nobody_else() {
    let lab = site::up(1).unwrap();
    let cluster = lab.cluster(CLUSTER);
    lab.tell_accounting(LIMITS).unwrap();
    submit_some(cluster);
    let situation = situation(cluster);

    let mut wrong = Vec::new();
    let mut other_words = Vec::new();
    let mut said: BTreeMap<String, usize> = BTreeMap::new();
    for drawn in drawn::requests(SEED, REQUESTS) {
        let ours = match situation.judge(&drawn.request) {
            Err(none) if none.code == "refused" => Err(none.why),
            Err(_) | Ok(_) => Ok(()),
        };
        let slurms = sbatch(cluster, &drawn);
        let told = || format!("{} {}: sbatch {slurms:?}, we {ours:?}", drawn.request.user, drawn.arguments.join(" "));
        match (&slurms, &ours) {
            (Ok(()), Ok(())) => *said.entry("taken".to_owned()).or_default() += 1,
            (Err(words), Err(why)) => {
                let words = words.split("allocation failure: ").nth(1).unwrap_or("(before it asks Slurm)");
                *said.entry(words.to_owned()).or_default() += 1;
                if words.starts_with(char::is_alphabetic) && !why.contains(words) {
                    other_words.push(told());
                }
            }
            _ => wrong.push(told()),
        }
    }
    println!("{said:#?}\n{} agree in other words:\n{}", other_words.len(), other_words.join("\n"));
    assert!(wrong.is_empty(), "{} of {REQUESTS} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(other_words.is_empty(), "{}", other_words.join("\n"));
    assert!(said["taken"] >= REQUESTS / 6 && said["taken"] <= REQUESTS * 4 / 5, "both are there: {said:?}");
}
