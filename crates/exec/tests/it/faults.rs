//! Whatever a program does wrong is told with its name, its line, what was expected and its last words; and nobody waits for it, or stays.

use std::time::{Duration, Instant};

use queuecast_exec::{ExecFailure, Fault, Program, caught};
use queuecast_predict::Correction;
use queuecast_workload::{Seconds, Time};

use crate::support::{jobs, predictor, python};

/// What becomes of one question to a program.
fn failure(program: Program) -> Box<ExecFailure> {
    let asked = caught(|| {
        let mut predictor = predictor(program).build(Correction::Raise, false).0;
        let job = jobs(1, 1)[0].submission;
        let mut planned = Seconds::ZERO;
        for _ in 0..3 {
            planned = predictor.on_arrival(&job, Time(1_000), &mut queuecast_predict::Revisions::default());
        }
        planned
    });
    asked.expect_err("it does something wrong")
}

/// Agrees on the protocol, hears the first question, and then does this.
fn answering(lines: &str) -> Box<ExecFailure> {
    answering_within(Duration::from_mins(1), lines)
}

/// Long enough for Python to start on a machine that has much to do.
const SHORT: Duration = Duration::from_secs(5);

fn answering_within(patience: Duration, lines: &str) -> Box<ExecFailure> {
    let begin = r#"
import json, os, subprocess, sys, time
print(json.dumps({"answer": json.loads(input())["question"], "protocol": 1}), flush=True)
event = json.loads(input())
"#;
    let written = python(&format!("{begin}{lines}\n"));
    failure(written.program.with_patience(patience))
}

#[test]
fn who_hangs_is_waited_for_no_longer_than_its_patience() {
    let begun = Instant::now();
    let failure = answering_within(SHORT, "print('thinking', file=sys.stderr, flush=True); time.sleep(600)");
    assert!(matches!(failure.fault, Fault::Silent { .. }) && begun.elapsed() < Duration::from_mins(1), "{failure}");
    let told = failure.to_string();
    for part in [
        "program.py",
        "no answer within 5 s",
        "\"event\":\"arrival\"",
        "{\"answer\":2,\"planned_seconds\":",
        "thinking",
    ] {
        assert!(told.contains(part), "{part} is not in: {told}");
    }
    assert!(failure.hint().is_some_and(|hint| hint.contains("flush=True")));
}

#[test]
fn who_never_answers_the_first_line_is_not_waited_for_either() {
    let written = python("import time; time.sleep(600)");
    let failure = failure(written.program.with_patience(Duration::from_secs(1)));
    assert!(matches!(failure.fault, Fault::Silent { .. }), "{failure}");
    assert!(failure.to_string().contains("expected {\"answer\":1,\"protocol\":1}"), "{failure}");
}

#[test]
fn who_dies_is_told_with_how_and_with_its_last_words() {
    let failure = answering("print('first', file=sys.stderr); raise ValueError('no such user')");
    let told = failure.to_string();
    assert!(matches!(failure.fault, Fault::Ended { status: Some(_) }), "{told}");
    assert!(told.contains("exit status: 1") && told.contains("ValueError: no such user"), "{told}");
    let killed = answering("os.kill(os.getpid(), 9)").to_string();
    assert!(killed.contains("signal: 9"), "{killed}");
}

#[test]
fn what_is_no_answer_is_told_with_its_line() {
    let cases = [
        ("print('rubbish', flush=True)", "\"rubbish\""),
        ("print('', flush=True)", "line 2"),
        ("print('\\x1b[2J', flush=True)", "\\u{1b}[2J"),
        ("print(json.dumps([1, 2]), flush=True)", "line 2"),
        ("print(json.dumps({'answer': 2}), flush=True)", "planned_seconds"),
        ("print(json.dumps({'answer': 2, 'planned_seconds': 'soon'}), flush=True)", "soon"),
        ("print(json.dumps({'answer': 2, 'planned_seconds': -1}), flush=True)", "expected 0 to"),
        ("print(json.dumps({'answer': 2, 'planned_seconds': 1e300}), flush=True)", "expected 0 to"),
        ("print(json.dumps({'answer': 2, 'planned_seconds': float('nan')}), flush=True)", "NaN"),
        (
            "print(json.dumps({'answer': 7, 'planned_seconds': 5}), flush=True)",
            "the answer is for question 7; expected 2",
        ),
        ("print(json.dumps({'answer': 2, 'planned': 5}), flush=True)", "unknown field"),
    ];
    for (lines, expected) in cases {
        let failure = answering(&format!("{lines}\ntime.sleep(60)"));
        let told = failure.to_string();
        assert!(matches!(failure.fault, Fault::NotUnderstood { line: 2, .. }), "{lines}: {told}");
        assert!(told.contains(expected) && told.contains("expected {\"answer\":2,"), "{lines}: {told}");
        assert!(!told.contains('\u{1b}'), "{told:?}");
    }
}

#[test]
fn a_line_without_end_is_cut_off() {
    let failure = answering("while True: sys.stdout.write('x' * 65536)");
    assert!(matches!(failure.fault, Fault::TooLong { line: 2, .. }), "{failure}");
}

#[test]
fn another_version_of_the_protocol_is_refused() {
    let written = python("import time; input(); print('{\"answer\":1,\"protocol\":2}', flush=True); time.sleep(60)");
    let failure = failure(written.program).to_string();
    assert!(failure.contains("qcast uses protocol 1, the program uses 2"), "{failure}");
}

#[test]
fn who_cannot_be_started_is_told_why_and_what_to_do() {
    let folder = tempfile::tempdir().expect("a folder");
    let not_executable = folder.path().join("mine.py");
    std::fs::write(&not_executable, "#!/usr/bin/env python3\n").expect("a file");
    let not_executable = not_executable.display().to_string();
    let cases = [("/no/such/program", "the path of a file"), (&*not_executable, "chmod +x")];
    for (path, hint) in cases {
        let failure = failure(Program::named(&format!("exec:{path}")).expect("a name"));
        assert!(matches!(failure.fault, Fault::NotStarted(_)), "{failure}");
        assert!(failure.to_string().starts_with(path), "{failure}");
        assert!(failure.hint().is_some_and(|told| told.contains(hint)), "{failure}");
    }
}

#[test]
fn complaints_without_end_hold_nobody_up() {
    let written = python(
        r#"
import json, sys
for line in sys.stdin:
    event = json.loads(line)
    print("x" * 300000, file=sys.stderr, flush=True)
    answer = {"protocol": 1} if event["event"] == "begin" else {"planned_seconds": 7}
    print(json.dumps({"answer": event["question"], **answer}), flush=True)
"#,
    );
    let mut predictor = predictor(written.program).build(Correction::Raise, false).0;
    let mut job = jobs(1, 1)[0].submission;
    job.limit = None;
    assert_eq!(predictor.on_arrival(&job, Time(0), &mut queuecast_predict::Revisions::default()), Seconds(7));
}

/// How many processes there are whose environment has this in it.
fn living(mark: &str) -> usize {
    let processes = std::fs::read_dir("/proc").expect("a system with /proc").flatten();
    let bears = |environment: Vec<u8>| environment.windows(mark.len()).any(|part| part == mark.as_bytes());
    processes.filter(|process| std::fs::read(process.path().join("environ")).is_ok_and(bears)).count()
}

#[test]
fn who_is_out_is_ended_with_all_that_it_has_begun() {
    let mark = format!("QCAST_EXEC_MARK={}", std::process::id());
    for lines in ["print('rubbish', flush=True); time.sleep(600)", "time.sleep(600)", "sys.exit(3)"] {
        let (name, value) = mark.split_once('=').expect("a variable");
        let begins = format!("subprocess.Popen(['sleep', '600'], env={{**os.environ, '{name}': '{value}'}})");
        answering_within(SHORT, &format!("{begins}\n{lines}"));
        let patience = Instant::now() + Duration::from_secs(10);
        while living(&mark) > 0 {
            assert!(Instant::now() < patience, "{lines}: {} live on", living(&mark));
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}
