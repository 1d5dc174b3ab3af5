//! Every way to ask tells the same, of jobs of every kind: JSON and text, commands and slurmrestd.
//!
//! What one dialect cannot say is left out of the comparison in the open, field by field.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use queuecast_records::source::{AnswerLimits, Source, SourceError};
use queuecast_records::{
    Diagnostics, JobRecord, NodeList, NodeRecord, PreemptionKind, PrivateData, Shares, TimeLimit, Tres,
};
use queuecast_slurm::source::{Commands, Rest, TextCommands};
use queuecast_slurm_lab::{ClusterHandle, ClusterSettings, Lab, LabSettings, Submission, wait_until};
use queuecast_workload::Seconds;

use super::SOON;

/// 29 tasks, whose expression Slurm cuts off behind 64 bytes unless told otherwise.
const IRREGULAR: &str =
    "0,1,3,7,12,18,25,33,42,52,63,75,88,102,117,133,150,168,187,207,228,250,273,297,322,348,375,403,432";

#[test]
#[ignore = "needs root and Slurm: tests/install-slurm.sh, then --run-ignored all"]
fn every_way_to_ask_tells_the_same() {
    let clusters = vec![ClusterSettings::new("alpha", 4)];
    let lab = Lab::up(LabSettings { clusters, ..LabSettings::default() }).unwrap();
    let cluster = lab.first_cluster();
    set_up(cluster);
    submit_jobs_of_every_kind(cluster);
    let limits = AnswerLimits { patience: SOON, ..AnswerLimits::default() };
    let json = Commands::made_by(|program| cluster.command(program), limits);
    let text = TextCommands::made_by(|program| cluster.command(program), limits);
    let rest = Rest::on_socket(&cluster.rest_socket(), limits).unwrap();

    queues_agree(&json, &text);
    array_tasks_are_counted(&json, &text, &rest);
    nodes_agree(&json, &text);
    rules_agree(&text, &rest);
    accounts_agree(&json, &text, &rest);
    the_configuration_is_read(&text, &rest);
    node_lists_are_written_out_as_slurm_does(cluster);
    an_answer_that_is_too_long_is_refused(cluster);
}

/// Features, a reservation, a drained node and a quality of service with every limit.
fn set_up(cluster: ClusterHandle<'_>) {
    let scontrol = |words: &[&str]| drop(cluster.run("scontrol", words).unwrap());
    scontrol(&["update", "nodename=alpha1", "features=fast,big"]);
    scontrol(&["update", "nodename=alpha2", "features=slow"]);
    scontrol(&["update", "nodename=alpha4", "state=drain", "reason=bad disk State=IDLE ReservationName=x"]);
    let course = ["StartTime=now", "Duration=60", "Users=user01,user02", "Nodes=alpha3", "Flags=IGNORE_JOBS"];
    scontrol(&[&["create", "reservation", "ReservationName=course"][..], &course].concat());
    let maintenance = ["StartTime=now+2days", "Duration=infinite", "Users=root", "Nodes=ALL", "Flags=MAINT"];
    scontrol(&[&["create", "reservation", "ReservationName=maintenance"][..], &maintenance].concat());
    let limits = "Priority=100 MaxJobsPU=5 MaxSubmitJobsPU=7 MaxTRESPU=cpu=64 GrpTRES=cpu=1000,mem=2T GrpJobs=50 GrpSubmitJobs=99 \
                  MaxTRES=node=3 MaxWall=2-12:30:00 Flags=DenyOnLimit,NoReserve MaxJobsPA=6 MaxSubmitJobsPA=8 MaxTRESPA=cpu=9 \
                  Preempt=normal UsageFactor=2.5 UsageThreshold=0.25 LimitFactor=1.5 PreemptMode=requeue PreemptExemptTime=00:05:00 \
                  GraceTime=60 GrpTRESMins=cpu=5000 GrpTRESRunMins=cpu=700 MaxTRESMins=cpu=800 MaxTRESRunMinsPU=cpu=900 \
                  MaxTRESRunMinsPA=cpu=950 GrpWall=3000 MaxTRESPerNode=cpu=10 MinTRES=cpu=2";
    let words: Vec<&str> = ["-i", "add", "qos", "urgent", "set"].into_iter().chain(limits.split_whitespace()).collect();
    cluster.run("sacctmgr", &words).unwrap();
    cluster.run("sacctmgr", &["-i", "add", "qos", "with|bar"]).unwrap();
    let account = "fairshare=5 Priority=3 GrpTRES=cpu=40 GrpTRESMins=cpu=10000,mem=2T GrpTRESRunMins=cpu=2000 GrpWall=1000 \
                   GrpJobs=900 GrpSubmitJobs=2000";
    let user = "fairshare=parent MaxJobs=400 MaxSubmitJobs=600 MaxTRES=cpu=64 MaxTRESPerNode=cpu=16 MaxTRESMins=cpu=60000 \
                MaxWall=7-0";
    for (entity, name, limits) in [("account", "project1", account), ("user", "user01", user)] {
        let name = format!("name={name}");
        let words = ["-i", "modify", entity, "where", &name, "set"].into_iter().chain(limits.split_whitespace());
        cluster.run("sacctmgr", &words.collect::<Vec<_>>()).unwrap();
    }
}

fn submit_jobs_of_every_kind(cluster: ClusterHandle<'_>) {
    let submit = |user: &str, job: Submission| cluster.submit(user, &job).unwrap();
    let brief = || Submission::sleeping(10);
    let ended = submit("user01", Submission::sleeping(1).name("over|soon"));
    cluster.wait_for_state(ended, "COMPLETED", SOON).unwrap();
    let running = submit("user01", Submission::sleeping(3600).nodes(1).limit_minutes(90));
    cluster.wait_for_state(running, "RUNNING", SOON).unwrap();
    let suspended = submit("user01", Submission::sleeping(3600).argument("--ntasks=2"));
    cluster.wait_for_state(suspended, "RUNNING", SOON).unwrap();
    cluster.run("scontrol", &["suspend", &suspended.to_string()]).unwrap();
    submit("user02", brief().nodes(2).limit_minutes(7).name("waits"));
    submit("user02", brief().argument("--time=UNLIMITED"));
    let hostile = OsStr::from_bytes(b"held|\"x'\ny\x1fz\n7\x1f7\x1fRUNNING\xff  ");
    submit("user02", brief().argument("--hold").name(hostile).argument("--reservation=course"));
    submit("user02", brief().argument("--hold").name(""));
    submit("user03", brief().nodes(2).argument("--array=1-9%2"));
    submit("user03", brief().argument("--hold").argument(format!("--array={IRREGULAR}")).name("irregular"));
    submit("user04", brief().argument(format!("--dependency=afterok:{running}")));
    let later = brief().argument("--begin=now+1hour").argument("--time-min=3").limit_minutes(30);
    submit("user04", later.argument("--exclusive=user").argument("--nodelist=alpha2").argument("--exclude=alpha1"));
    submit("user04", brief().nodes(1).argument("--constraint=fast|slow").argument("--partition=batch,urgent"));
    submit("user05", brief().nodes(2).argument(":").argument("--nodes=1").argument("--exclusive"));
    let laid_out = "--nodes=2-3 --ntasks-per-node=2 --cpus-per-task=2 --mem-per-cpu=300 --nice=7 --deadline=now+2days --contiguous";
    submit("user06", laid_out.split_whitespace().fold(brief().argument("--hold"), Submission::argument));
    let per_node = "--ntasks=6 --mem=2G --oversubscribe --extra-node-info=2:3:1 --mincpus=5";
    submit("user06", per_node.split_whitespace().fold(brief().argument("--hold"), Submission::argument));
    let cancelled = submit("user05", brief().argument("--hold"));
    cluster.run("scancel", &[&cancelled.to_string()]).unwrap();
}

/// Plans and states move between one question and the next, so they are asked again until nothing has.
fn queues_agree(json: &dyn Source, text: &dyn Source) {
    let mut differences = Vec::new();
    let agreed = wait_until("the queue to be the same in JSON and in text", SOON, || {
        let (in_json, in_text) = (json.queue()?, text.queue()?);
        assert_eq!((&in_json.problems, &in_text.problems), (&Vec::new(), &Vec::new()));
        assert!(in_json.records.len() >= 15, "{}", in_json.records.len());
        let key = |job: &JobRecord| (job.key.job_id, job.key.submitted);
        differences = if in_json.records.len() == in_text.records.len() { Vec::new() } else { vec![String::new()] };
        for one in &in_json.records {
            match in_text.records.iter().find(|other| key(other) == key(one)) {
                Some(other) => differences.extend(difference(one, other)),
                None => differences.push(format!("{:?} is not in the text", one.key)),
            }
        }
        Ok(differences.is_empty())
    });
    assert!(agreed.is_ok(), "{differences:#?}");
}

/// What two records of one job say differently; what one of them does not say is taken from the other.
fn difference(json: &JobRecord, text: &JobRecord) -> Option<String> {
    let mut expected = json.clone();
    // What `--format` has no letter for; when a job may begin is known of one that begins later.
    (expected.exit_code, expected.restarts, expected.time_min_minutes) = (None, None, None);
    expected.eligible = text.eligible.and(json.eligible);
    for unsaid in [&mut expected.flags, &mut expected.comment, &mut expected.admin_comment, &mut expected.submit_line] {
        unsaid.clear();
    }
    for (known, said) in [(&mut expected.requested, text.requested), (&mut expected.allocated, text.allocated)] {
        // Of jobs that are over JSON says less.
        let if_said = |said: Option<u64>, known: Option<u64>| said.and(known.or(said));
        *known = Tres {
            cpus: said.cpus.and(known.cpus),
            nodes: said.nodes.and(known.nodes),
            memory_mebibytes: if_said(said.memory_mebibytes, known.memory_mebibytes),
            gpus: if_said(said.gpus, known.gpus),
            billing: if_said(said.billing, known.billing),
        };
    }
    // 22.05's JSON says neither how long a job has run so far nor that it has no limit.
    expected.elapsed = expected.elapsed.or(text.elapsed);
    if (expected.limit, text.limit) == (TimeLimit::NotKnown, TimeLimit::Unlimited) {
        expected.limit = TimeLimit::Unlimited;
    }
    // What 22.05's JSON or `--Format` does not know: see `json/layout.rs` and `text/squeue_layout.rs`.
    let layout = &mut expected.layout;
    (layout.cpus_per_task, layout.tasks_per_node) = (text.layout.cpus_per_task, None);
    if layout.nodes_min == Some(1) && layout.nodes_max.is_none() {
        layout.nodes_max = text.layout.nodes_max;
    }
    let (cpus, nodes) = (json.allocated.cpus.or(json.requested.cpus), json.allocated.nodes.or(json.requested.nodes));
    if cpus == nodes {
        layout.memory = text.layout.memory;
    }
    // A sentence in the place of its word.
    if text.reason.contains(' ') {
        expected.reason.clone_from(&text.reason);
    }
    (expected != *text).then(|| format!("expected {expected:#?}\nread     {text:#?}"))
}

fn array_tasks_are_counted(json: &dyn Source, text: &dyn Source, rest: &dyn Source) {
    let waiting = |source: &dyn Source| {
        let jobs = source.queue().unwrap().records;
        jobs.iter().find(|job| job.name == "irregular").unwrap().array_tasks_waiting()
    };
    assert_eq!((waiting(json), waiting(text)), (29, 29));
    // slurmrestd cannot be told to write all of it: what fits into 64 bytes is the least.
    let least = waiting(rest);
    assert!((15..=29).contains(&least), "{least}");
}

fn nodes_agree(json: &dyn Source, text: &dyn Source) {
    let sorted = |source: &dyn Source| {
        let reading = source.nodes().unwrap();
        assert_eq!(reading.problems, Vec::<String>::new());
        let mut nodes: Vec<NodeRecord> = reading.records;
        for node in &mut nodes {
            node.states.sort();
        }
        nodes
    };
    let agreed = wait_until("nodes to be the same in JSON and in text", SOON, || Ok(sorted(json) == sorted(text)));
    assert!(agreed.is_ok(), "{:#?}\n{:#?}", sorted(json), sorted(text));
    let drained = &sorted(text)[3];
    assert!(drained.is("DRAIN") && drained.reason_changed.is_some(), "{drained:?}");
    assert_eq!(drained.reason, "bad disk State=IDLE ReservationName=x");
    assert_eq!(sorted(text)[0].features, ["fast", "big"]);
}

/// Partitions, reservations, qualities of service and the scheduler's figures, of scontrol's and others' text and of
/// REST.
fn rules_agree(text: &dyn Source, rest: &dyn Source) {
    let partitions = text.partitions().unwrap();
    assert_eq!((partitions.records.len(), partitions.problems.len()), (3, 0), "{partitions:?}");
    assert_eq!(partitions, rest.partitions().unwrap());
    let reservations = text.reservations().unwrap();
    assert_eq!((reservations.records.len(), reservations.problems.len()), (2, 0), "{reservations:?}");
    assert_eq!(reservations, rest.reservations().unwrap());

    let (mut in_text, mut in_rest) = (text.qos().unwrap(), rest.qos().unwrap());
    let names: Vec<&str> = in_text.records.iter().map(|qos| qos.name.as_str()).collect();
    assert_eq!(names, ["normal", "urgent", "with|bar"]);
    assert_eq!(in_text.records[1].group.submitted_jobs, Some(99), "which 22.05's JSON does not say");
    assert_eq!(in_text.records[1].group_minutes.cpus, Some(5000), "nor that");
    for qos in in_text.records.iter_mut().chain(&mut in_rest.records) {
        qos.group.submitted_jobs = None;
        qos.group_minutes = Tres::default();
        // Each has its own words: `DenyOnLimit`, `DENY_LIMIT`.
        assert_eq!(qos.flags.len(), if qos.name == "urgent" { 2 } else { 0 }, "{qos:?}");
        qos.flags.clear();
    }
    assert_eq!(in_text, in_rest);

    wait_until("the scheduler's figures to be the same in text and in JSON", SOON, || {
        let (in_text, in_rest) = (text.diagnostics()?, rest.diagnostics()?);
        assert!(in_text.jobs_submitted >= 15 && in_text.backfill_cycles > 0, "{in_text:?}");
        let jobs =
            |told: &Diagnostics| (told.jobs_submitted, told.jobs_started, told.jobs_running, told.jobs_completed);
        let passes = |told: &Diagnostics| (told.since, told.backfilled_jobs, told.backfill_cycles, told.backfill_last);
        Ok(jobs(&in_text) == jobs(&in_rest) && passes(&in_text) == passes(&in_rest))
    })
    .unwrap();
}

/// Associations of accounting, and shares as the controller has them.
fn accounts_agree(json: &dyn Source, text: &dyn Source, rest: &dyn Source) {
    let sorted = |source: &dyn Source| {
        let reading = source.associations().unwrap();
        assert_eq!(reading.problems, Vec::<String>::new());
        let mut found = reading.records;
        found.sort_by_key(|one| (one.account.clone(), one.user.clone(), one.partition.clone()));
        found
    };
    let (in_json, mut in_text, in_rest) = (sorted(json), sorted(text), sorted(rest));
    assert_eq!(in_json, in_text);
    for association in &mut in_text {
        assert!(association.id.take().is_some(), "which 22.05's JSON does not say");
        assert_eq!(association.cluster, "alpha");
    }
    assert_eq!(in_text, in_rest);
    let limited =
        |account: &str, user: &str| in_text.iter().find(|one| one.account == account && one.user == user).unwrap();
    let (account, user) = (limited("project1", ""), limited("project1", "user01"));
    assert_eq!(
        (account.shares, account.group.jobs, account.group_minutes.cpus),
        (Shares::Number(5), Some(900), Some(10_000))
    );
    assert_eq!((user.shares, user.own.jobs, user.wall), (Shares::Parent, Some(400), TimeLimit::Minutes(10_080)));

    let shares = text.shares().unwrap();
    assert_eq!(shares.problems, Vec::<String>::new());
    assert_eq!(shares.records.len(), in_text.len(), "{shares:?}");
    for association in &in_text {
        let share =
            shares.records.iter().find(|one| (&one.account, &one.user) == (&association.account, &association.user));
        let share = share.unwrap_or_else(|| panic!("{association:?}"));
        // The root has none.
        assert!(share.shares == association.shares || share.account == "root", "{share:?}");
    }
    // 22.05's slurmrestd does not tell: its command is asked, which on the path of a test knows no cluster.
    assert!(rest.shares().unwrap_err().to_string().contains("sshare"));
}

fn the_configuration_is_read(text: &dyn Source, rest: &dyn Source) {
    let read = text.configuration().unwrap();
    assert_eq!(read.cluster_name, "alpha");
    assert!(read.slurm_version.starts_with("22.05"), "{}", read.slurm_version);
    assert_eq!((read.select_type.as_str(), read.preempt_mode.as_str()), ("select/cons_tres", "REQUEUE"));
    assert_eq!((read.kill_wait, read.min_job_age, read.max_job_count), (Seconds(2), Seconds(300), 100_000));
    assert_eq!((read.over_time_limit, read.private_data), (TimeLimit::Minutes(0), PrivateData::NOTHING));
    // EAGER_SCHEDULER of the lab.
    let backfill = &read.backfill;
    assert!(backfill.is_on && backfill.continues);
    assert_eq!(
        (backfill.interval, backfill.resolution, backfill.window),
        (Seconds(1), Seconds(1), Seconds(7 * 86_400))
    );
    assert_eq!((backfill.jobs_tested_max, backfill.pass_max), (2000, Seconds(5)));
    assert_eq!((read.main_depth, read.main_interval, read.main_interval_min_microseconds), (500, Seconds(5), 50_000));
    let priority = &read.priority;
    assert!(priority.multifactor && !priority.favors_small && !priority.flags.no_fair_tree);
    assert_eq!((priority.weights.age, priority.weights.qos, priority.max_age), (1000, 10_000, Seconds(7 * 86_400)));
    assert_eq!((priority.decay_half_life, priority.calculation_period), (Some(Seconds(7 * 86_400)), Seconds(300)));
    assert!(read.enforcement.associations && !read.enforcement.limits);
    assert_eq!((read.preemption.kind, read.preemption.mode.len()), (PreemptionKind::Partition, 1));
    // slurmrestd does not tell: its command is asked, which on the path of a test knows no cluster.
    let error = rest.configuration().unwrap_err();
    assert!(error.to_string().contains("scontrol"), "{error}");
}

fn node_lists_are_written_out_as_slurm_does(cluster: ClusterHandle<'_>) {
    for list in ["alpha[1-3,07-09],beta4", "n[8-10,098-101]", "rack[1-2]node[3-4]", "a[001,3],a2", "x[9-11]y[08-10]"] {
        let by_slurm = cluster.run("scontrol", &["show", "hostnames", list]).unwrap();
        let ours: Vec<String> = NodeList::parse(list).unwrap().names().collect();
        assert_eq!(ours, by_slurm.lines().collect::<Vec<_>>(), "{list}");
    }
}

fn an_answer_that_is_too_long_is_refused(cluster: ClusterHandle<'_>) {
    let limits = AnswerLimits { patience: SOON, bytes: 4_000 };
    let rest = Rest::on_socket(&cluster.rest_socket(), limits).unwrap();
    let error = rest.queue().unwrap_err();
    assert!(matches!(error, SourceError::TooMuch { bytes: 4_000, .. }), "{error}");
}
