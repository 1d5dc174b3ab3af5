//! The example in Python says what our own predictor says, word by word, and quickly enough.

use std::cell::RefCell;
use std::io::Write;
use std::process::{Command, Stdio};
use std::rc::Rc;
use std::time::Instant;

use queuecast_evaluate::{Configuration, Shaking};
use queuecast_exec::{Program, caught};
use queuecast_predict::{Correction, PredictorSpecification};
use queuecast_simulate::{FinishedJob, Observer, Overrun, Replay, Rules, SimulatedCluster, replay_as_logged, simulate};
use queuecast_testkit::{repository, shared_dir};
use queuecast_workload::{Machine, Seconds, Submission, Time, TracedJob, UserId};

use crate::support::{Overheard, Said, example, jobs, predictor, python, read};

const MACHINE: Machine = Machine { processors: 16 };

fn ours() -> PredictorSpecification {
    "recent:n=2,stat=mean".parse().expect("a predictor")
}

/// Everything that is said in a replay under easy-sjbf.
fn said(predictor: &PredictorSpecification, jobs: &[TracedJob], propagate: bool) -> Said {
    let said = Rc::new(RefCell::new(Said::new()));
    let predictor = predictor.build(Correction::Raise, propagate).0;
    let overheard = Overheard { predictor, said: Rc::clone(&said), events: Rc::default() };
    let policy: queuecast_schedule::PolicySpecification = "easy-sjbf".parse().expect("a policy");
    let mut cluster = SimulatedCluster::new(MACHINE, Rules::Clean, overheard, policy.build(MACHINE));
    simulate(Replay::new(jobs.iter().copied(), MACHINE, Overrun::RunOn, false), &mut cluster, &mut ());
    drop(cluster);
    said.take()
}

#[test]
fn the_example_says_what_ours_says_of_every_job() {
    // With propagation every end asks anew about whoever of the same user waits or runs.
    for (propagate, count) in [(false, 2_000), (true, 400)] {
        let jobs = jobs(1, count);
        let [ours, theirs] = [ours(), predictor(example("recent_two.py"))].map(|who| said(&who, &jobs, propagate));
        assert!(ours.len() as i64 > count + count / 20, "{} predictions", ours.len());
        assert!(ours == theirs, "propagating: {propagate}");
    }
}

#[derive(Default)]
struct Firsts(Vec<(i64, Seconds)>);

impl Observer for Firsts {
    fn finished(&mut self, job: &FinishedJob<'_>) {
        self.0.push((job.number, job.accuracy.first));
    }
}

/// Of this process and of those it has waited for, in hundredths of a second: how fast it is must not depend on who else is busy.
fn processor_seconds() -> f64 {
    let line = std::fs::read_to_string("/proc/self/stat").expect("a system with /proc");
    let (_, fields) = line.rsplit_once(')').expect("a name in parentheses");
    let ticks = fields.split_whitespace().skip(11).take(4).map(|ticks| ticks.parse::<f64>().expect("a number"));
    ticks.sum::<f64>() / 100.0
}

#[test]
fn on_kth_the_example_agrees_with_ours_at_5_000_events_a_second() {
    let Some(shared) = shared_dir() else { return };
    let jobs = read(&shared.join("traces/KTH-SP2-1996-2.1-cln.swf.gz"));
    let replay = |who: &PredictorSpecification| {
        let (said, events) = (Rc::new(RefCell::new(Said::new())), Rc::new(RefCell::new(0)));
        let (begun, busy) = (Instant::now(), processor_seconds());
        let predictor = who.build(Correction::Raise, false).0;
        let overheard = Overheard { predictor, said: Rc::clone(&said), events: Rc::clone(&events) };
        let mut firsts = Firsts::default();
        replay_as_logged(jobs.iter().copied(), Overrun::RunOn, (overheard, None), &mut firsts);
        let seconds = [begun.elapsed().as_secs_f64(), processor_seconds() - busy];
        (said.take(), firsts.0, events.take(), seconds)
    };
    let (our_words, our_firsts, ..) = replay(&ours());
    let (words, firsts, events, seconds) = replay(&predictor(example("recent_two.py")));
    let [a_second, of_processors] = seconds.map(|seconds| events as f64 / seconds);
    println!("{} jobs, {} predictions, {events} events", firsts.len(), words.len());
    println!("{a_second:.0} events a second, {of_processors:.0} a second of processors' time, Python's included");
    assert!(firsts.len() > 28_000 && words == our_words && firsts == our_firsts);
    assert!(of_processors >= 5_000.0, "{of_processors:.0} events a second of processors' time");
}

/// Each replicate starts a program of its own, in whichever thread it runs.
#[test]
fn shaken_in_parallel_it_gives_the_figures_that_ours_gives() {
    let jobs = jobs(2, 400);
    let shaking = Shaking { replicates: 4, jitter: Seconds(30), seed: 3 };
    let figures = |predictor| {
        let configuration = Configuration::new(MACHINE, "easy-sjbf".parse().expect("a policy"), predictor);
        shaking.run(&configuration, &jobs, &|| {})
    };
    assert_eq!(figures(ours()), figures(predictor(example("recent_two.py"))));
}

/// Its own plan for a job that outlived one, never above the limit; whatever it leaves open is corrected as ever.
#[test]
fn a_program_may_plan_anew_for_who_outlives_its_plan() {
    let written = python(
        r#"
import json, sys
for line in sys.stdin:
    event = json.loads(line)
    if event["event"] == "begin":
        print(json.dumps({"answer": event["question"], "protocol": 1}), flush=True)
    elif event["event"] == "outlived":
        print(json.dumps({"answer": event["question"], "planned_seconds": event["age_seconds"] * 2.0}), flush=True)
    elif "question" in event:
        print(json.dumps({"answer": event["question"], "planned_seconds": 10}), flush=True)
"#,
    );
    let mut jobs = jobs(1, 1);
    jobs[0].recorded.run = Seconds(100);
    jobs[0].submission.limit = Some(Seconds(50));
    let said = said(&predictor(written.program), &jobs, false);
    let planned: Vec<i64> = said.iter().map(|(.., planned)| planned.0).collect();
    assert_eq!(planned, [10, 20, 40, 50, 100]);
}

#[test]
fn a_failure_in_any_thread_comes_out_as_one() {
    let written = python("raise SystemExit('no model')");
    let jobs = jobs(2, 50);
    let shaking = Shaking { replicates: 4, jitter: Seconds(30), seed: 3 };
    let policy = "easy".parse().expect("a policy");
    let configuration = Configuration::new(MACHINE, policy, predictor(written.program));
    let failure = caught(|| shaking.run(&configuration, &jobs, &|| {})).expect_err("it dies at once");
    assert!(failure.to_string().contains("no model"), "{failure}");
}

/// What the page shows as a conversation is one: the example answers those lines so, and we write such lines.
#[test]
fn the_conversation_of_the_page_takes_place() {
    let page = std::fs::read_to_string(repository().join("docs/guides/own-methods.md")).expect("the page");
    let of =
        |sign: &str| page.lines().filter_map(|line| line.strip_prefix(sign)).collect::<Vec<&str>>().join("\n") + "\n";
    let mut child = Command::new(repository().join("examples/exec/recent_two.py"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    child.stdin.take().expect("a pipe").write_all(of("> ").as_bytes()).expect("it reads");
    let answers = child.wait_with_output().expect("it ends").stdout;
    assert_eq!(String::from_utf8_lossy(&answers), of("< "));

    let written = python(
        r#"
import subprocess, sys
example = subprocess.Popen([sys.argv[2]], stdin=subprocess.PIPE, text=True)
with open(sys.argv[1] + "/diary", "w") as diary:
    for line in sys.stdin:
        diary.write(line)
        example.stdin.write(line)
        example.stdin.flush()
"#,
    );
    let named = format!("{} {}", written.program, repository().join("examples/exec/recent_two.py").display());
    let mut jobs = jobs(1, 3);
    for (job, (submitted, run)) in jobs.iter_mut().zip([(0, 100), (200, 120), (400, 130)]) {
        let limit = Some(Seconds(3_600));
        job.submission = Submission { limit, user: Some(UserId(7)), ..Submission::new(Time(submitted), 4) };
        job.recorded.run = Seconds(run);
    }
    said(&predictor(Program::named(&named).expect("a program")), &jobs, false);
    let diary = std::fs::read_to_string(written.folder.path().join("diary")).expect("a diary");
    assert!(diary.starts_with(&of("> ")), "{diary}");
}
