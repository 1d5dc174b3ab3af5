//! The example in Python starts whom our own policy starts, when it does.

use queuecast_evaluate::{Configuration, ReplayPolicy};
use queuecast_exec::{ProgramPolicy, caught};
use queuecast_simulate::{FinishedJob, Observer, Overrun};
use queuecast_workload::{Machine, Time, TracedJob};

use crate::support::{example, jobs, python};

#[derive(Default)]
struct Starts(Vec<(i64, Time)>);

impl Observer for Starts {
    fn finished(&mut self, job: &FinishedJob<'_>) {
        self.0.push((job.number, job.outcome.started));
    }
}

fn starts(policy: &ReplayPolicy, predictor: &str, jobs: &[TracedJob]) -> Vec<(i64, Time)> {
    let easy = "easy".parse().expect("a policy");
    let configuration = Configuration {
        policy: policy.clone(),
        overrun: Overrun::RunOn,
        ..Configuration::new(Machine { processors: 16 }, easy, predictor.parse().expect("a predictor"))
    };
    let mut starts = Starts::default();
    configuration.simulate(jobs.iter().copied(), &mut starts);
    starts.0
}

fn of_program(program: queuecast_exec::Program) -> ReplayPolicy {
    ReplayPolicy::Foreign(ProgramPolicy::new(program).into_foreign())
}

#[test]
fn the_example_starts_everybody_when_easy_sjbf_does() {
    let ours = ReplayPolicy::Ours("easy-sjbf".parse().expect("a policy"));
    let easy = ReplayPolicy::Ours("easy".parse().expect("a policy"));
    let theirs = of_program(example("easy_sjbf.py"));
    for (seed, predictor) in (0..6).zip(["estimate", "recent:n=2,stat=mean", "perfect"].into_iter().cycle()) {
        let jobs = jobs(seed, 400);
        let expected = starts(&ours, predictor, &jobs);
        assert_ne!(expected, starts(&easy, predictor, &jobs), "seed {seed}: anybody would pass");
        assert_eq!(starts(&theirs, predictor, &jobs), expected, "seed {seed} with {predictor}");
    }
}

/// A policy whose answer to every pass is made by these lines of Python, from the jobs that wait.
fn deciding(lines: &str) -> ReplayPolicy {
    let text = format!(
        r#"
import json, sys
waiting = []
for line in sys.stdin:
    event = json.loads(line)
    now = event.get("time_seconds")
    if event["event"] == "arrival":
        waiting.append(event["job"])
    if event["event"] == "begin":
        answer = {{"protocol": 1}}
    elif event["event"] == "pass":
        {lines}
    if "question" in event:
        print(json.dumps({{"answer": event["question"], **answer}}), flush=True)
"#
    );
    let written = python(&text);
    let policy = of_program(written.program.clone());
    // For as long as the test runs.
    std::mem::forget(written.folder);
    policy
}

#[test]
fn who_cannot_start_is_not_started() {
    let jobs = jobs(1, 100);
    let cases = [
        ("answer = {'starts': list(waiting)}; waiting.clear()", "processors, but"),
        ("answer = {'starts': [99999]}", "job 99999 is not pending"),
        ("answer = {'starts': [waiting[0], waiting[0]]}", "is not pending"),
        ("answer = {'starts': []}", "no job is running"),
        ("answer = {'starts': [], 'again_at_seconds': now}", "again_at_seconds is"),
    ];
    for (lines, expected) in cases {
        let failure = caught(|| starts(&deciding(lines), "estimate", &jobs)).expect_err(lines).to_string();
        assert!(failure.contains(expected) && failure.contains("\"event\":\"pass\""), "{lines}: {failure}");
    }
}

/// Everybody alone on the machine, and not before an hour has passed.
#[test]
fn a_program_may_ask_to_be_asked_again() {
    let mut jobs = jobs(1, 3);
    for job in &mut jobs {
        job.submission.submitted = Time(1_000);
    }
    let lines = "answer = {'starts': [], 'again_at_seconds': 4600} if now < 4600 else {'starts': [waiting.pop(0)]}";
    let started = starts(&deciding(lines), "perfect", &jobs);
    assert_eq!(started.iter().map(|(_, start)| *start).min(), Some(Time(4_600)), "{started:?}");
}
