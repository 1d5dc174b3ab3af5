//! Advice on a cluster of four nodes, small enough to know what is right.

use queuecast_records::{BaseState, ClusterConfiguration, JobPart, JobRecord, JobState, PartitionRecord, TimeLimit};
use queuecast_workload::{Seconds, Time};

use crate::cluster::test_cluster::{
    configuration, node, partition, running, situation_in, situation_of, situation_on, waiting,
};
use crate::cluster::{ClusterReading, Reach, Situation};
use crate::forecasting::{Forecasting, ForecastingSettings, Forecasts};
use crate::ledger::FactKind;
use crate::ledger::StoredJobId;
use queuecast_advise::limit::Verdict;
use queuecast_advise::{
    ChangeAdvice, Holder, JobChange, LawUsed, SizeQuestion, Subject, TableRequest, TableRow, WidthUnit,
};
use queuecast_advise::{HypotheticalJob, Naming};
use queuecast_forecast::estimate::{JobForecast, NoForecast, TimeRange};
use queuecast_forecast::queue::{Patience, Threads};

/// When the situation is.
const NOW: Time = Time(5_000);

fn median_start(forecast: &JobForecast) -> i64 {
    match forecast {
        JobForecast::Estimate(estimate) => estimate.start.times[4].0,
        JobForecast::NoForecast(none) => panic!("{none:?}"),
    }
}

/// Has seen this user run a job of this many CPUs for so long, so often, one after the other and all before now: what a limit risks is learnt
/// from jobs that came when others had ended.
fn taught(runs: &[(&str, u64, i64, usize)]) -> Forecasting {
    taught_with(40, runs)
}

/// The same, and plays so many futures.
fn taught_with(futures: u64, runs: &[(&str, u64, i64, usize)]) -> Forecasting {
    let mut forecasting = Forecasting::new(ForecastingSettings { futures, ..ForecastingSettings::default() });
    let mut number = 0;
    let mut memories = Vec::new();
    for (user, cpus, run, times) in runs {
        for _ in 0..*times {
            number += 1;
            let mut job = waiting(number, *cpus);
            job.user = (*user).to_owned();
            job.name = "solve".to_owned();
            job.state = JobState { base: BaseState::Completed, ..JobState::default() };
            let submitted = Time(i64::try_from(number).expect("few") * 10_000 - 30_000_000);
            job.key.submitted = submitted;
            (job.started, job.ended) = (Some(submitted), Some(submitted + Seconds(*run)));
            job.allocated = job.requested;
            memories.extend(forecasting.learner.memory(StoredJobId(i64::try_from(number).expect("few")), &job));
        }
    }
    assert_eq!(memories.len() as u64, number, "all of them are learnt from");
    forecasting.learner.recall(memories);
    forecasting
}

/// Everybody in this queue, forecast.
fn forecasts(forecasting: &mut Forecasting, jobs: &[JobRecord], partitions: &[PartitionRecord]) -> Forecasts {
    forecasts_of(forecasting, jobs, situation_in(jobs, partitions))
}

fn forecasts_of(forecasting: &mut Forecasting, jobs: &[JobRecord], mut situation: Situation) -> Forecasts {
    for job in jobs {
        forecasting.learner.learn(StoredJobId(job.key.job_id.cast_signed() + 1_000_000), FactKind::Arrived, job);
    }
    let waiting = situation.core.waiting.iter_mut().map(|here| &mut here.submission);
    let running = situation.core.running.iter_mut().map(|here| &mut here.submission);
    for submission in waiting.chain(running) {
        let record = jobs.iter().find(|job| job.key.job_id == submission.job.0).expect("one of them");
        *submission =
            forecasting.learner.described(Some(StoredJobId(record.key.job_id.cast_signed() + 1_000_000)), record);
    }
    forecasting.forecast(situation, Patience::ENDLESS)
}

/// Three nodes are busy for an hour yet, the head wants all four, and the user whose jobs take ten minutes wants one for two
/// hours: with a shorter limit it would start at once.
fn blocked_queue() -> Vec<JobRecord> {
    let mut busy = running(1, "a[1-3]", 3, NOW.0 - 60);
    busy.limit = TimeLimit::Minutes(60);
    let head = waiting(2, 4);
    let mut ours = waiting(3, 1);
    ours.limit = TimeLimit::Minutes(120);
    for (job, user) in [(&mut busy, "long"), (&mut ours, "short")] {
        job.user = user.to_owned();
        job.name = "solve".to_owned();
    }
    vec![busy, head, ours]
}

/// The long ones are there from the beginning, and lately.
const LESSONS: [(&str, u64, i64, usize); 3] =
    [("long", 3, 3_600, 60), ("short", 1, 600, 2_000), ("long", 3, 3_600, 60)];

fn lessons() -> Forecasting {
    taught(&LESSONS)
}

#[test]
fn a_shorter_limit_is_advised_to_a_waiting_job_with_what_it_risks_and_what_it_buys() {
    let forecasts = forecasts(&mut lessons(), &blocked_queue(), &[partition("batch")]);
    let advice = forecasts.adviser.limits(&Subject::Waiting(3)).expect("it waits");
    assert_eq!(advice.asked, Seconds(7_200));
    assert_eq!(advice.choices.len(), 5);
    assert!(median_start(&advice.as_asked) > NOW.0 + 1_800, "{advice:?}");
    for pair in advice.choices.windows(2) {
        assert!(pair[0].accepted < pair[1].accepted && pair[0].limit >= pair[1].limit, "{pair:?}");
    }
    let five = &advice.choices[3];
    assert!((five.accepted - 0.05).abs() < 1e-9 && five.limit <= Seconds(1_800), "ten minutes and some room: {five:?}");
    assert_eq!(median_start(&five.forecast), NOW.0);
    assert!(five.effect.is_some_and(|effect| effect.earlier_median > Seconds(1_800)), "{five:?}");
    assert!(five.risk <= 0.05 && five.verdict == Verdict::Shorter, "what is told is within the promise: {five:?}");
    assert_eq!(advice.basis.map(|basis| (basis.own, basis.usual)), Some((true, Seconds(600))));
    assert_eq!(advice.heavy_tail, None);
    assert!(five.kept.jobs >= 100 && five.kept.killed == 0, "{five:?}");
}

#[test]
fn a_job_that_does_not_exist_is_advised_as_one_that_waits() {
    let forecasts = forecasts(&mut lessons(), &blocked_queue()[..2], &[partition("batch")]);
    let job = HypotheticalJob {
        limit: Some(Seconds(7_200)),
        user: Some("short".to_owned()),
        name: Some("solve".to_owned()),
        ..HypotheticalJob::default()
    };
    let advice = forecasts.adviser.limits(&Subject::Hypothetical(job)).expect("there is a partition");
    let five = &advice.choices[3];
    assert!(five.limit <= Seconds(1_800), "{five:?}");
    assert!(median_start(&advice.as_asked) > NOW.0 + 1_800);
    assert_eq!(median_start(&five.forecast), NOW.0);
}

/// The queue of [`blocked_queue`] with a job for every size and limit.
#[test]
fn a_table_says_of_each_size_and_limit_what_is_said_of_it_alone_at_the_end_of_the_queue() {
    // As many futures as a table looks on at: then only how they are played is different.
    let forecasts = forecasts(&mut taught_with(24, &LESSONS), &blocked_queue(), &[partition("batch")]);
    let job = HypotheticalJob {
        user: Some("short".to_owned()),
        name: Some("solve".to_owned()),
        ..HypotheticalJob::default()
    };
    let question = TableRequest {
        nodes: vec![1, 2, 4, 5],
        limits: [7_200, 600, 90_000].map(Seconds).to_vec(),
        gpus: vec![0, 1],
        every_partition: true,
    };
    let rows = forecasts.adviser.table(&job, &question).expect("there is a partition");
    assert_eq!(rows.len(), 4 * 2 * 2, "sizes, GPUs, and the default partition by name and without");
    for row in &rows {
        assert_eq!(row.cells.len(), 3);
        let choice = HypotheticalJob { partition: row.partition.clone(), gpus: row.gpus, ..job.clone() };
        for cell in &row.cells {
            let alone = forecasts.adviser.forecast(&choice.sized(row.nodes, cell.limit));
            assert_eq!(cell.forecast, alone, "{} nodes for {:?} in {:?}", row.nodes, cell.limit, row.partition);
        }
    }
    let start = |nodes: u32, limit: i64| {
        let is_asked = |row: &&TableRow| (row.nodes, row.gpus, &row.partition) == (nodes, None, &None);
        let row = rows.iter().find(is_asked).expect("asked for");
        let cell = row.cells.iter().find(|cell| cell.limit == Seconds(limit)).expect("asked for");
        median_start(&cell.forecast)
    };
    assert_eq!(start(1, 600), NOW.0, "beside what is kept for the head");
    assert!(start(1, 7_200) > NOW.0 + 1_800 && start(4, 600) >= start(1, 7_200), "{rows:?}");
}

/// Whoever looks on from a place waits for others who do, and a thread that waits for its part of one table may take up another: never one that waits for it.
#[test]
fn tables_that_are_asked_for_at_once_on_the_same_threads_are_all_answered() {
    let forecasts = forecasts(&mut taught_with(24, &LESSONS), &blocked_queue(), &[partition("batch")]);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("two threads");
    let adviser = forecasts.adviser.within(Patience::ENDLESS, Threads::of(pool));
    std::thread::scope(|scope| {
        for limit in 1..=64 {
            let adviser = &adviser;
            let question =
                TableRequest { nodes: vec![1, 2], limits: vec![Seconds(limit * 60)], ..TableRequest::default() };
            scope.spawn(move || assert!(adviser.table(&HypotheticalJob::default(), &question).is_ok()));
        }
    });
}

#[test]
fn a_job_that_must_be_played_by_itself_has_no_table() {
    let forecasts = forecasts(&mut lessons(), &blocked_queue(), &[partition("batch")]);
    let question = TableRequest { nodes: vec![1], limits: vec![Seconds(600)], ..TableRequest::default() };
    let later = HypotheticalJob { begin: Some(NOW + Seconds(60)), ..HypotheticalJob::default() };
    let either = HypotheticalJob { partition: Some("batch,batch".to_owned()), ..HypotheticalJob::default() };
    for job in [later, either] {
        assert_eq!(forecasts.adviser.table(&job, &question).map_err(|none| none.code), Err("one_by_one"));
    }
}

#[test]
fn what_holds_a_job_is_named_and_what_would_help_is_told_with_its_effect() {
    let mut other = partition("spare");
    other.is_default = false;
    let forecasts = forecasts(&mut lessons(), &blocked_queue(), &[partition("batch"), other]);
    let why = forecasts.adviser.why(3).expect("it waits");
    assert_eq!((why.ahead.all.jobs, why.ahead.own_jobs), (1, 0));
    assert_eq!((why.ahead.classes[0].nodes_from, why.ahead.classes[0].nodes_to), (2, Some(8)));
    let holders: Vec<Holder> = why.holds.iter().map(|hold| hold.what).collect();
    assert_eq!(holders, [Holder::Queue], "first in the queue it would start at once: nobody who runs holds it");
    let limit = why.changes.iter().find(|change| matches!(change.change, JobChange::Limit { .. })).expect("a limit");
    let JobChange::Limit { from, to, .. } = limit.change else { unreachable!("just asked") };
    assert!(from == Seconds(7_200) && to <= Seconds(3_600), "{limit:?}");
    assert!(limit.effect.earlier_median > Seconds(1_800), "{limit:?}");
    assert!(
        !why.changes.iter().any(|change| matches!(change.change, JobChange::Partition { .. })),
        "the same nodes in another partition buy nothing: {:?}",
        why.changes
    );
    let code = |job_id| forecasts.adviser.why(job_id).map(|_| ()).map_err(|none: NoForecast| none.code);
    assert_eq!(code(1), Err("not_waiting"), "it runs");
    let head = forecasts.adviser.why(2).expect("it waits");
    assert_eq!(head.holds.iter().map(|hold| hold.what).collect::<Vec<_>>(), [Holder::Running]);
    assert_eq!(head.changes, [], "half of the nodes are no sooner free, and a shorter limit frees none");
}

/// One task of the array runs and three of four nodes are free, in both partitions: only the throttle holds the rest.
#[test]
fn an_array_held_by_its_own_throttle_is_not_told_that_another_partition_helps() {
    let mut task = running(6, "a1", 1, NOW.0 - 60);
    task.key.part = JobPart::ArrayTask { array_job_id: 7, task: 1 };
    let mut rest = waiting(7, 1);
    rest.key.part = JobPart::ArrayRemainder { array_job_id: 7, tasks: "2-9%1".to_owned() };
    (rest.throttle, rest.reason) = (Some(1), "JobArrayTaskLimit".to_owned());
    let spare = PartitionRecord { is_default: false, ..partition("spare") };
    let forecasts = forecasts(&mut taught(&[]), &[task, rest], &[partition("batch"), spare]);
    let why = forecasts.adviser.why(7).expect("it waits");
    assert_eq!(why.holds.first().map(|hold| hold.what), Some(Holder::SharedLimits), "{:?}", why.holds);
    assert_eq!(why.changes, [], "it has the same throttle everywhere");
}

#[test]
fn what_stands_before_a_job_is_counted_in_nodes_and_not_in_tasks() {
    let nodes: Vec<_> = (1..=4).map(|number| node(&format!("a{number}"), 16, &["batch"])).collect();
    let mut busy = running(1, "a[1-4]", 4, NOW.0 - 60);
    (busy.allocated.cpus, busy.exclusive) = (Some(64), Some(true));
    let (mut tasks, mut whole, mut part) = (waiting(2, 1), waiting(3, 3), waiting(4, 1));
    (tasks.layout.tasks, tasks.requested.cpus) = (Some(32), Some(32));
    whole.exclusive = Some(true);
    part.requested.cpus = Some(2);
    let queue = [busy, tasks, whole, part, waiting(5, 1)];
    let situation = situation_on(&nodes, &queue, &[partition("batch")], None);
    let ahead = forecasts_of(&mut taught(&[]), &queue, situation).adviser.why(5).expect("it waits").ahead;
    // 32 tasks on nodes of 16 are two nodes, whole nodes are as many as were asked for, and an eighth of a node is not a node.
    let (tasks, whole, part) = (2 * 3_600, 3 * 3_600, 3_600 / 8);
    assert_eq!((ahead.all.jobs, ahead.all.node_seconds), (3, tasks + whole + part));
    let classes = ahead.classes.iter().map(|class| (class.nodes_from, class.count.jobs, class.count.node_seconds));
    assert_eq!(classes.collect::<Vec<_>>(), [(2, 2, tasks + whole), (1, 1, part)]);
}

/// Two of four nodes are busy for an hour, and ours wants all four, on which it ran for 400 s, on two for 600 s.
#[test]
fn with_half_the_nodes_it_runs_as_long_as_it_does_on_them_or_nothing_is_said_of_it() {
    let mut queue = vec![running(1, "a[1-2]", 2, NOW.0 - 60), waiting(2, 4)];
    for job in &mut queue {
        (job.user, job.name) = ("long".to_owned(), "solve".to_owned());
    }
    queue[1].user = "short".to_owned();
    let halved = |lessons: &[(&str, u64, i64, usize)]| {
        let why = forecasts(&mut taught(lessons), &queue, &[partition("batch")]).adviser.why(2).expect("it waits");
        let is_halved = |change: &&ChangeAdvice| change.change == JobChange::Nodes { from: 4, to: 2 };
        why.changes.iter().find(is_halved).expect("two nodes are free").clone()
    };
    let on_four = [("long", 2, 3_600, 60), ("short", 4, 400, 60)];
    let JobForecast::NoForecast(none) = halved(&on_four).forecast else { panic!("nobody knows how it scales") };
    assert_eq!(none.code, "no_speedup");
    let on_three_widths = [("long", 2, 3_600, 60), ("short", 1, 1_000, 4), ("short", 2, 600, 4), ("short", 4, 400, 56)];
    let advice = halved(&on_three_widths);
    let JobForecast::Estimate(estimate) = &advice.forecast else { panic!("three widths were seen: {advice:?}") };
    assert_eq!(estimate.start.times[4], NOW);
    assert!((590..=610).contains(&estimate.run.spans[4].0), "{:?}", estimate.run);
    let end = estimate.completion.times[4] - NOW;
    assert!((590..=610).contains(&end.0), "{end:?}");
}

#[test]
fn every_partition_is_asked_and_the_default_one_first() {
    let mut long = partition("long");
    long.is_default = false;
    long.limit_max = TimeLimit::Minutes(10_000);
    let forecasts = forecasts(&mut lessons(), &blocked_queue(), &[long, partition("batch")]);
    let job = HypotheticalJob { limit: Some(Seconds(100_000)), ..HypotheticalJob::default() };
    let places = forecasts.adviser.places(&job);
    let told: Vec<(&str, bool)> = places
        .iter()
        .map(|place| (place.partition.as_str(), matches!(place.forecast, JobForecast::Estimate(_))))
        .collect();
    assert_eq!(told, [("batch", false), ("long", true)], "batch takes a day at most");
}

#[test]
fn widths_are_told_by_the_law_that_is_given_or_by_the_one_that_was_seen() {
    let runs = [("short", 1, 1_000, 4), ("short", 2, 600, 4), ("short", 4, 400, 4)];
    let forecasts = forecasts(&mut taught(&runs), &[], &[partition("batch")]);
    let job = HypotheticalJob {
        nodes: Some(2),
        limit: Some(Seconds(3_600)),
        user: Some("short".to_owned()),
        name: Some("solve".to_owned()),
        ..HypotheticalJob::default()
    };
    let given =
        SizeQuestion { law: Some("amdahl:0".parse().expect("a law")), run: Some(Seconds(600)), widths: Vec::new() };
    let advice = forecasts.adviser.widths(&job, &given).expect("a law");
    assert_eq!((advice.unit, advice.asked, &advice.law), (WidthUnit::Nodes, 2, &LawUsed::Given));
    let told: Vec<(u32, i64, i64)> =
        advice.widths.iter().map(|width| (width.width, width.run.0, width.limit.0)).collect();
    assert_eq!(told, [(1, 1_200, 7_200), (2, 600, 3_600), (3, 400, 2_400), (4, 300, 1_800)]);
    let learnt = forecasts.adviser.widths(&job, &SizeQuestion::default()).expect("three widths were seen");
    let LawUsed::Learnt { serial_fraction, runs, widths } = learnt.law else { panic!("{:?}", learnt.law) };
    assert!((serial_fraction - 0.2).abs() < 0.02 && runs == 12 && widths == 3, "{serial_fraction}");
    let stranger = HypotheticalJob { user: Some("somebody".to_owned()), ..job };
    let none = forecasts.adviser.widths(&stranger, &SizeQuestion::default()).expect_err("nothing was seen");
    assert_eq!(none.code, "no_speedup");
}

/// The nodes of `spare` are free, those of `batch` busy for an hour.
fn busy_and_spare() -> (Vec<JobRecord>, Vec<PartitionRecord>) {
    let mut spare = partition("spare");
    spare.is_default = false;
    spare.limit_max = TimeLimit::Minutes(60);
    (blocked_queue()[..2].to_vec(), vec![partition("batch"), spare])
}

#[test]
fn of_several_partitions_the_one_that_lets_it_start_first_counts_and_one_that_takes_it_is_enough() {
    let (queue, partitions) = busy_and_spare();
    let forecasts = forecasts(&mut lessons(), &queue, &partitions);
    let job = |names: &str, hours: i64| HypotheticalJob {
        partition: Some(names.to_owned()),
        limit: Some(Seconds(3_600 * hours)),
        ..HypotheticalJob::default()
    };
    let start = |job: &HypotheticalJob| median_start(&forecasts.adviser.forecast(job));
    assert_eq!(start(&job("batch,spare", 1)), start(&job("batch", 1)).min(start(&job("spare", 1))));
    assert_eq!(start(&job("spare,batch", 2)), start(&job("batch", 2)), "spare takes an hour at most");
    let JobForecast::NoForecast(none) = forecasts.adviser.forecast(&job("spare,nowhere", 2)) else {
        panic!("nobody takes it")
    };
    assert_eq!(none.code, "not_allowed");
    forecasts.adviser.limits(&Subject::Hypothetical(job("batch,spare", 1))).expect("both take it");
}

#[test]
fn nothing_is_said_before_a_job_may_begin_or_before_what_it_waits_for_is_over() {
    let forecasts = forecasts(&mut lessons(), &[], &[partition("batch")]);
    let said = |job: &HypotheticalJob| match forecasts.adviser.forecast(job) {
        JobForecast::Estimate(estimate) => estimate.start.times,
        JobForecast::NoForecast(none) => panic!("{none:?}"),
    };
    let later = HypotheticalJob { begin: Some(NOW + Seconds(7_200)), ..HypotheticalJob::default() };
    assert!(said(&later).iter().all(|start| *start >= NOW + Seconds(7_200)));
    let advice = forecasts.adviser.limits(&Subject::Hypothetical(later)).expect("there is a partition");
    assert!(median_start(&advice.as_asked) >= NOW.0 + 7_200);
    let over = TimeRange { times: std::array::from_fn(|place| NOW + Seconds(1_000 * (1 + place as i64))) };
    let behind = HypotheticalJob { after: Some(over), ..HypotheticalJob::default() };
    let starts = said(&behind);
    assert!(starts[0] >= NOW + Seconds(1_000), "{starts:?}");
    assert!((NOW + Seconds(4_000)..=NOW + Seconds(6_000)).contains(&starts[4]), "{starts:?}");
}

#[test]
fn what_is_not_played_is_named_or_has_no_estimate() {
    let forecasts = forecasts(&mut lessons(), &[], &[partition("batch")]);
    let with = |naming: Naming| HypotheticalJob { naming, ..HypotheticalJob::default() };
    let named = |change: &dyn Fn(&mut Naming)| {
        let mut naming = Naming::default();
        change(&mut naming);
        with(naming)
    };
    let code = |job: &HypotheticalJob| match forecasts.adviser.forecast(job) {
        JobForecast::NoForecast(none) => Some(none.code),
        JobForecast::Estimate(_) => None,
    };
    assert_eq!(code(&named(&|naming| naming.nodes = Some("a1".to_owned()))), None, "it is played");
    assert_eq!(code(&named(&|naming| naming.nodes = Some("z9".to_owned()))), Some("refused"));
    assert_eq!(code(&named(&|naming| naming.reservation = Some("course".to_owned()))), Some("refused"));
    assert_eq!(code(&named(&|naming| naming.licenses = Some("matlab".to_owned()))), Some("licenses"));
    let excluding = named(&|naming| naming.nodes_excluded = Some("a1".to_owned()));
    assert_eq!((code(&excluding), forecasts.adviser.not_modelled(&excluding)), (None, Vec::new()), "it is played");
}

#[test]
fn who_needs_a_license_starts_when_there_are_enough_of_them() {
    let mut busy = running(1, "a1", 1, NOW.0 - 60);
    (busy.licenses, busy.limit) = ("matlab:2".to_owned(), TimeLimit::Minutes(60));
    let needs = |number: u64, licenses: &str| {
        let mut job = waiting(number, 1);
        (job.licenses, job.reason) = (licenses.to_owned(), "Licenses".to_owned());
        job
    };
    let jobs = [busy, needs(2, "matlab:2"), needs(3, "matlab:1"), needs(4, "stata@elsewhere")];
    let settings = ClusterConfiguration { licenses: "matlab:3".to_owned(), ..configuration() };
    let situation = situation_of(&jobs, &[partition("batch")], Some(&settings));
    let forecasts = forecasts_of(&mut lessons(), &jobs, situation);
    assert!(matches!(&forecasts.waiting[2].forecast, JobForecast::NoForecast(none) if none.code == "licenses"));
    let told: Vec<i64> = forecasts.waiting[..2].iter().map(|job| median_start(&job.forecast) - NOW.0).collect();
    assert!(told[0] > 60, "two of three are taken: {told:?}");
    assert!(told[1] < 60, "one is left, and Slurm keeps it for nobody: {told:?}");
    let asking = |licenses: &str| {
        let naming = Naming { licenses: Some(licenses.to_owned()), ..Naming::default() };
        forecasts.adviser.forecast(&HypotheticalJob { naming, ..HypotheticalJob::default() })
    };
    assert!(median_start(&asking("matlab")) > NOW.0 + 60, "the last one is taken before it comes");
    assert!(matches!(asking("matlab:4"), JobForecast::NoForecast(none) if none.code == "refused"));
    assert!(matches!(asking("stata@elsewhere"), JobForecast::NoForecast(none) if none.code == "licenses"));
}

/// Of eight nodes, four have GPUs and are in `gpu` and `debug` only; those of `batch` are busy for so long yet.
fn with_gpus(busy_minutes: u32, gpus: Option<u32>) -> Vec<String> {
    let gpu_node = |name: &str| {
        let mut node = node(name, 1, &["gpu", "debug"]);
        node.configured.gpus = Some(4);
        node
    };
    let nodes: Vec<_> = (1..=4).map(|number| node(&format!("a{number}"), 1, &["batch"])).collect();
    let nodes: Vec<_> = nodes.into_iter().chain((1..=4).map(|number| gpu_node(&format!("g{number}")))).collect();
    let other = |name: &str| PartitionRecord { is_default: false, ..partition(name) };
    let mut busy = running(1, "a[1-4]", 4, NOW.0 - 60);
    busy.limit = TimeLimit::Minutes(busy_minutes);
    // Of whom nothing is known is taken to run up to the limit.
    let mut forecasting = taught(&[]);
    forecasting.learner.learn(StoredJobId(5_001), FactKind::Arrived, &busy);
    let partitions = [partition("batch"), other("gpu"), other("debug")];
    let reading = ClusterReading {
        now: NOW,
        jobs: std::slice::from_ref(&busy),
        nodes: &nodes,
        partitions: &partitions,
        reservations: &[],
        qos: &[],
        associations: &[],
        shares: &[],
        configuration: None,
        reach: &Reach::default(),
    };
    let situation = Situation::of(&reading, |record| forecasting.learner.described(Some(StoredJobId(5_001)), record));
    let job = HypotheticalJob { gpus, limit: Some(Seconds(600)), ..HypotheticalJob::default() };
    forecasting
        .forecast(situation, Patience::ENDLESS)
        .adviser
        .places(&job)
        .into_iter()
        .map(|place| place.partition)
        .collect()
}

#[test]
fn a_gpu_or_debug_partition_is_offered_to_those_who_need_it_or_when_nothing_else_is_near() {
    assert_eq!(with_gpus(30, None), ["batch"], "half an hour is near");
    assert_eq!(with_gpus(30_000, None), ["batch", "gpu", "debug"], "weeks are not");
    assert_eq!(with_gpus(30, Some(1)), ["batch", "gpu"], "batch says why not; debug is for those who name it");
}
