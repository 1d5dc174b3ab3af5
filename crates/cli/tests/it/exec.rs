//! Others' programs as methods, as a person or a script meets them: through the built binary. They need python3.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use queuecast_testkit::repository;
use serde_json::Value;

use crate::support::{json, qcast, scratch, written};

/// Forty jobs of three users on four processors, some longer than their limit.
fn log(folder: &Path) -> PathBuf {
    let job = |n: i64| {
        let (submitted, wait, run) = (n * 37, n * 11 % 90, 20 + n * 53 % 200);
        let (processors, limit, user) = (1 + n % 4, 30 + n * 29 % 300, n % 3);
        format!("{n} {submitted} {wait} {run} {processors} -1 -1 {processors} {limit} -1 1 {user} -1 -1 -1 -1 -1 -1\n")
    };
    let jobs: String = (1..=40).map(job).collect();
    written(folder, "small.swf", &format!("; MaxProcs: 4\n{jobs}"))
}

fn example(name: &str) -> String {
    format!("exec:{}", repository().join("examples/exec").join(name).display())
}

/// A program of these lines of Python.
fn python(folder: &Path, lines: &str) -> String {
    format!("exec:python3 {}", written(folder, "program.py", lines).display())
}

/// Everything but who it was.
fn without_names(mut result: Value) -> Value {
    for name in ["predictor", "policy", "provenance"] {
        result.as_object_mut().expect("an object").remove(name);
    }
    result
}

#[test]
fn predict_and_simulate_give_with_the_examples_what_they_give_with_ours() {
    let folder = scratch();
    let log = log(folder.path());
    let cases = [
        ("predict", "--predictor", "recent:n=2,stat=mean", "recent_two.py"),
        ("simulate", "--predictor", "recent:n=2,stat=mean", "recent_two.py"),
        ("simulate", "--policy", "easy-sjbf", "easy_sjbf.py"),
    ];
    for (command, option, ours, theirs) in cases {
        let run = |name: &str| json(qcast().arg(command).arg(&log).args([option, name, "--no-timing"]));
        let (ours, theirs) = (run(ours), run(&example(theirs)));
        assert!(theirs[&option[2..]].as_str().is_some_and(|name| name.starts_with("exec:")), "{theirs}");
        let is_the_same = |figure: &str| ours[figure] == theirs[figure];
        assert!(is_the_same("jobs") && is_the_same("accuracy") && is_the_same("wait"), "{ours}\n{theirs}");
        if option == "--predictor" {
            assert_eq!(without_names(ours), without_names(theirs), "{command} {option}");
        }
    }
}

#[test]
fn compare_sets_a_program_beside_the_others_and_takes_it_for_the_baseline() {
    let folder = scratch();
    let log = log(folder.path());
    let (policy, predictor) = (example("easy_sjbf.py"), example("recent_two.py"));
    let baseline = format!("{policy}/{predictor}");
    let mut command = qcast();
    command.arg("compare").arg(&log).args(["--policy", &policy, "--policy", "easy-sjbf", "--shake", "2"]);
    command.args([
        "--predictor",
        &predictor,
        "--predictor",
        "recent:n=2,stat=mean",
        "--no-bound",
        "--baseline",
        &baseline,
    ]);
    let result = json(&mut command);
    let runs = result["traces"][0]["runs"].as_array().expect("runs");
    assert_eq!((&runs[0]["policy"], &runs[0]["predictor"]), (&Value::from(policy), &Value::from(predictor)));
    assert_eq!(
        (runs.len(), &runs[0]["baseline"], &runs[3]["policy"]),
        (4, &Value::from(true), &Value::from("easy-sjbf"))
    );
    // The programs do what ours do, so nothing changes over the baseline, in no replicate.
    for run in &runs[1..] {
        let wait = &run["figures"]["wait.mean"];
        assert_eq!(wait["shaken"], runs[0]["figures"]["wait.mean"]["shaken"], "{run}");
        assert_eq!(wait["over_baseline"]["mean"], 0.0, "{run}");
    }
}

#[test]
fn wait_scores_a_program_beside_ours() {
    let folder = scratch();
    let log = log(folder.path());
    let method = example("recent_waits.py");
    let result =
        json(qcast().arg("wait").arg(&log).args(["--method", &method, "--method", "recent"]).arg("--no-timing"));
    assert_eq!(result["methods"][0]["method"], method.as_str());
    assert_eq!(result["methods"][0]["jobs"], result["methods"][1]["jobs"]);
    assert!(result["methods"][0]["crps"].as_f64().is_some_and(|crps| crps > 0.0), "{result}");
}

#[test]
fn whatever_a_program_does_wrong_ends_with_seven_and_without_figures() {
    let folder = scratch();
    let log = log(folder.path());
    let not_executable = written(folder.path(), "mine.py", "#!/usr/bin/env python3\n");
    let cases = [
        ("exec:/no/such/program".to_owned(), "hint: use the path of a file"),
        (format!("exec:{}", not_executable.display()), "hint: make the file executable: chmod +x"),
    ];
    let programs = [
        ("hang", "import time; time.sleep(600)", "no answer within 1 s"),
        ("die", "raise SystemExit('no model here')", "last output on standard error: \"no model here\""),
        ("rubbish", "input(); print('hello', flush=True); input()", "the program wrote \"hello\""),
    ];
    let programs = programs.map(|(name, lines, expected)| {
        let own = folder.path().join(name);
        fs::create_dir(&own).expect("a folder");
        (python(&own, lines), expected)
    });
    for (program, expected) in cases.into_iter().chain(programs) {
        for arguments in [["predict", "--predictor"], ["simulate", "--policy"], ["wait", "--method"]] {
            let mut command = qcast();
            command.arg(arguments[0]).arg(&log).args([arguments[1], &program]);
            if expected.starts_with("no answer") {
                command.env("QCAST_EXEC_TIMEOUT", "1");
            }
            let output = command.assert().code(7).get_output().clone();
            let told = String::from_utf8(output.stderr).expect("text");
            assert!(told.starts_with("error: ") && told.contains(expected), "{arguments:?} {program}: {told}");
            assert!(output.stdout.is_empty(), "{arguments:?} {program}");
            assert!(!told.contains("panicked"), "{told}");
        }
    }
}

#[test]
fn what_names_no_program_is_wrong_usage() {
    let folder = scratch();
    let log = log(folder.path());
    qcast().arg("predict").arg(&log).args(["--predictor", "exec:"]).assert().code(2);
    qcast()
        .arg("predict")
        .arg(&log)
        .args(["--predictor", "exec:./a"])
        .env("QCAST_EXEC_TIMEOUT", "soon")
        .assert()
        .code(2);
    // Only our own policies can be played forward.
    qcast().arg("wait").arg(&log).args(["--waits", "exec:./a"]).assert().code(2);
}

fn living(mark: &str) -> usize {
    let processes = fs::read_dir("/proc").expect("a system with /proc").flatten();
    let bears = |environment: Vec<u8>| environment.windows(mark.len()).any(|part| part == mark.as_bytes());
    processes.filter(|process| fs::read(process.path().join("environ")).is_ok_and(bears)).count()
}

#[test]
fn whoever_ends_us_ends_the_program_and_what_it_has_begun() {
    let folder = scratch();
    let log = log(folder.path());
    let lines = "import subprocess, time; subprocess.Popen(['sleep', '600']); open('begun', 'w'); time.sleep(600)";
    let program = python(folder.path(), lines);
    let mark = format!("QCAST_TEST_ENDED={}", std::process::id());
    let (name, value) = mark.split_once('=').expect("a variable");
    let mut command = Command::new(env!("CARGO_BIN_EXE_qcast"));
    command.arg("predict").arg(&log).args(["--predictor", &program]).current_dir(folder.path()).env(name, value);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
    let patience = Instant::now() + Duration::from_mins(1);
    let waited_for = |what: &str, is_so: &dyn Fn() -> bool| {
        while !is_so() {
            assert!(Instant::now() < patience, "{what}: {} live", living(&mark));
            std::thread::sleep(Duration::from_millis(10));
        }
    };
    waited_for("begun", &|| folder.path().join("begun").exists());
    let kill = Command::new("kill").arg(child.id().to_string()).status().expect("kill is there");
    assert!(kill.success());
    child.wait().expect("it ends");
    waited_for("ended", &|| living(&mark) == 0);
}
