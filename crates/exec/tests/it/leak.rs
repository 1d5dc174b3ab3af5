//! No program hears what has not happened, whatever it does with what it hears.
//!
//! The program of these tests answers with a checksum of every byte it was ever told: if one byte depended on what has not happened yet, its
//! answers would. Every run time that is not yet known at some second is replaced by another, and nothing that was said up to then may
//! change.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use queuecast_exec::{Program, ProgramForecaster, caught};
use queuecast_forecast::{ForecastJob, ForecastObserver, WaitForecast, replay_waits};
use queuecast_predict::Correction;
use queuecast_simulate::{FinishedJob, Observer, Overrun, Replay, Rules, SimulatedCluster, simulate};
use queuecast_workload::{JobId, Machine, Outcome, Seconds, Time, TracedJob};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use crate::support::{Overheard, Said, Written, jobs, predictor, python};

const MACHINE: Machine = Machine { processors: 16 };
const WORKLOADS: u64 = 4;

/// What it was told becomes what it says.
const CHECKSUM: &str = r#"
import json, sys, zlib
heard = 0
for line in sys.stdin:
    heard = zlib.crc32(line.encode(), heard)
    event = json.loads(line)
    if event["event"] == "begin":
        answer = {"protocol": 1}
        field = {"predictor": "planned_seconds", "forecaster": "wait_seconds"}[event["kind"]]
    else:
        said = event.get("age_seconds", 0) + 1 + heard % 500
        answer = {field: [said] if field == "wait_seconds" else said}
    if "question" in event:
        print(json.dumps({"answer": event["question"], **answer}), flush=True)
"#;

#[derive(Default)]
struct Outcomes(Vec<(JobId, Outcome)>);

impl Observer for Outcomes {
    fn finished(&mut self, job: &FinishedJob<'_>) {
        self.0.push((job.submission.job, job.outcome));
    }
}

fn overhear(program: &Program, jobs: &[TracedJob]) -> (Said, Vec<Outcome>) {
    let said = Rc::new(RefCell::new(Said::new()));
    let predictor = predictor(program.clone()).build(Correction::Raise, true).0;
    let overheard = Overheard { predictor, said: Rc::clone(&said), events: Rc::default() };
    let policy: queuecast_schedule::PolicySpecification = "easy-sjbf".parse().expect("a policy");
    let mut cluster = SimulatedCluster::new(MACHINE, Rules::Clean, overheard, policy.build(MACHINE));
    let mut outcomes = Outcomes::default();
    simulate(Replay::new(jobs.iter().copied(), MACHINE, Overrun::RunOn, false), &mut cluster, &mut outcomes);
    outcomes.0.sort_by_key(|(job, _)| *job);
    drop(cluster);
    (said.take(), outcomes.0.into_iter().map(|(_, outcome)| outcome).collect())
}

/// Other run times for who has not ended by then; who runs still does.
fn with_another_future(jobs: &[TracedJob], outcomes: &[Outcome], known: Time, random: &mut Pcg64) -> Vec<TracedJob> {
    let mut jobs = jobs.to_vec();
    for (job, outcome) in jobs.iter_mut().zip(outcomes).filter(|(_, outcome)| outcome.ended > known) {
        job.recorded.run = (known - outcome.started).max(Seconds::ZERO) + Seconds(random.random_range(1..400));
    }
    jobs
}

#[test]
fn no_prediction_of_a_program_depends_on_a_run_time_not_yet_known() {
    let Written { program, folder } = python(CHECKSUM);
    for seed in 0..WORKLOADS {
        let random = &mut Pcg64::seed_from_u64(seed);
        let jobs = jobs(seed, 120);
        let (said, outcomes) = overhear(&program, &jobs);
        let known = outcomes[random.random_range(20..100)].started;
        let other = with_another_future(&jobs, &outcomes, known, random);
        let (other_said, _) = overhear(&program, &other);
        let by_then = |said: &Said| said.iter().filter(|(now, ..)| *now <= known).copied().collect::<Said>();
        assert!(by_then(&said).len() > 20 && by_then(&said) == by_then(&other_said), "seed {seed}");
        assert_ne!(said, other_said, "seed {seed}: the program heard nothing at all");
    }
    drop(folder);
}

#[derive(Default)]
struct Forecasts(Vec<(JobId, Time, WaitForecast)>);

impl ForecastObserver for Forecasts {
    fn started(&mut self, job: ForecastJob<'_>) {
        self.0.push((job.submission.job, job.submission.submitted, job.forecast.clone()));
    }
}

#[test]
fn no_forecast_of_a_program_depends_on_what_has_not_happened() {
    let Written { program, folder } = python(CHECKSUM);
    let said = |jobs: &[TracedJob]| {
        let mut forecasts = Forecasts::default();
        replay_waits(jobs.iter().copied(), MACHINE, &mut ProgramForecaster::begin(&program, MACHINE), &mut forecasts);
        forecasts.0.sort_by_key(|(job, ..)| *job);
        forecasts.0
    };
    for seed in 0..WORKLOADS {
        let random = &mut Pcg64::seed_from_u64(seed);
        let jobs = jobs(seed, 120);
        let cut = jobs[random.random_range(30..110)].submission.submitted;
        let mut other = jobs.clone();
        for job in &mut other {
            let started = job.submission.submitted + job.recorded.wait.expect("a wait");
            if started >= cut {
                let earliest = (cut - job.submission.submitted).max(Seconds::ZERO);
                job.recorded.wait = Some(earliest + Seconds(random.random_range(0..5_000)));
                job.recorded.run = Seconds(random.random_range(1..5_000));
            } else if started + job.recorded.run > cut {
                job.recorded.run = (cut - started) + Seconds(random.random_range(1..5_000));
            }
        }
        let [mut one, mut another] = [said(&jobs), said(&other)];
        assert!(one != another, "seed {seed}: the program heard nothing at all");
        for forecasts in [&mut one, &mut another] {
            forecasts.retain(|(_, submitted, _)| *submitted <= cut);
        }
        assert!(one.len() > 20 && one == another, "seed {seed}");
    }
    drop(folder);
}

/// Writes down every line it hears.
const DIARY: &str = r#"
import json, sys
with open(sys.argv[1] + "/diary", "w") as diary:
    for line in sys.stdin:
        diary.write(line)
        event = json.loads(line)
        if event["event"] == "begin":
            print(json.dumps({"answer": event["question"], "protocol": 1}), flush=True)
        elif "question" in event:
            print(json.dumps({"answer": event["question"], "planned_seconds": None}), flush=True)
"#;

#[test]
fn an_arrival_tells_what_is_known_then_and_only_an_end_tells_a_run_time() {
    let Written { program, folder } = python(DIARY);
    let jobs = jobs(1, 60);
    let (_, outcomes) = overhear(&program, &jobs);
    let diary = std::fs::read_to_string(folder.path().join("diary")).expect("a diary");
    let known =
        "event group job limit_seconds partition processors program question queue submitted_seconds time_seconds user";
    let mut ended = BTreeSet::new();
    for line in diary.lines() {
        let event: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let fields: BTreeSet<&str> = event.as_object().expect("an object").keys().map(String::as_str).collect();
        let fields: Vec<&str> = fields.into_iter().collect();
        match event["event"].as_str().expect("a name") {
            "begin" => assert_eq!(line, r#"{"event":"begin","protocol":1,"kind":"predictor","question":1}"#),
            "arrival" | "predict" => assert_eq!(fields.join(" "), known),
            "start" => assert_eq!(fields, ["event", "job", "time_seconds"]),
            "end" => {
                let job = event["job"].as_u64().expect("a number");
                let outcome = outcomes[usize::try_from(job).expect("a place")];
                assert_eq!(event["time_seconds"], outcome.ended.0);
                assert_eq!(event["run_seconds"], outcome.run().0);
                assert!(ended.insert(job), "job {job} ended twice");
            }
            "outlived" => assert!(!line.contains("run_seconds"), "{line}"),
            other => panic!("nobody is told {other}"),
        }
    }
    assert_eq!(ended.len(), jobs.len(), "whoever ends last is told of, too");
}

/// Asks for outcomes, or answers before it is asked: it hears nothing for it and is out.
#[test]
fn who_asks_or_answers_before_its_time_is_refused_and_learns_nothing() {
    let cheats = [
        r#"print(json.dumps({"ask": "outcome", "job": event["job"]}), flush=True)"#,
        r#"print(json.dumps({"answer": event["question"], "planned_seconds": 5, "tell": "run_seconds"}), flush=True)"#,
        r#"print(json.dumps({"answer": event["question"], "planned_seconds": 5}) + "\n" + json.dumps({"answer": event["question"] + 1, "planned_seconds": 5}), flush=True)"#,
        r#"print(json.dumps({"answer": event["question"] + 1, "planned_seconds": 5}), flush=True)"#,
    ];
    for cheat in cheats {
        let text = DIARY
            .replace(r#"print(json.dumps({"answer": event["question"], "planned_seconds": None}), flush=True)"#, cheat);
        assert_ne!(text, DIARY);
        let Written { program, folder } =
            python(&text.replace("diary.write(line)", "diary.write(line); diary.flush()"));
        let failure = caught(|| overhear(&program, &jobs(1, 60))).expect_err(cheat);
        assert!(failure.question.is_some() || failure.to_string().contains("without a pending question"), "{failure}");
        let diary = std::fs::read_to_string(folder.path().join("diary")).expect("a diary");
        assert_eq!(diary.lines().count(), 2, "{cheat} heard more than its first question:\n{diary}");
        assert!(!diary.contains("run_seconds"), "{diary}");
    }
}
