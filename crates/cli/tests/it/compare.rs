//! `qcast compare` as a person or a script meets it: through the built binary.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;

use crate::support::{assert_well_formed, json, qcast, scratch, without_provenance, written};

const FIGURES: usize = 21;

/// A made-up log: four processors, seven users, limits three times the run times.
fn busy_log() -> String {
    let jobs = (0..300).map(|job| {
        let (submit, run, wide) = (job * 37 % 5_000, 1 + job * 7919 % 900, 1 + job % 4);
        format!("{job} {submit} -1 {run} {wide} -1 -1 {wide} {} -1 1 {} -1 -1 -1 -1 -1 -1\n", run * 3, job % 7)
    });
    format!("; MaxProcs: 4\n{}", jobs.collect::<String>())
}

fn compare(log: &Path) -> Command {
    let mut command = qcast();
    command.arg("compare").arg(log).args(["--shake", "4"]);
    command
}

fn run_of<'a>(trace: &'a Value, policy: &str, predictor: &str) -> &'a Value {
    let runs = trace["runs"].as_array().expect("runs");
    let found = runs.iter().find(|run| run["policy"] == policy && run["predictor"] == predictor);
    found.unwrap_or_else(|| panic!("{policy}/{predictor} in {trace}"))
}

fn names(trace: &Value) -> Vec<String> {
    let runs = trace["runs"].as_array().expect("runs").iter();
    runs.map(|run| format!("{}/{}", run["policy"].as_str().unwrap(), run["predictor"].as_str().unwrap())).collect()
}

#[test]
fn any_number_of_threads_gives_the_same_bytes_and_the_same_page() {
    let folder = scratch();
    let log = written(folder.path(), "busy.swf", &busy_log());
    let run = |threads: &str, page: &str| {
        let page = folder.path().join(page);
        let mut command = compare(&log);
        command.args(["--format", "json", "--threads", threads, "--html"]).arg(&page);
        let printed = serde_json::from_slice(&command.assert().success().get_output().stdout).expect("JSON");
        (without_provenance(printed).to_string(), fs::read(page).expect("the page was written"))
    };
    let (once, page) = run("1", "one.html");
    let (again, page_again) = run("2", "two.html");
    assert_eq!(once, again);
    assert!(page == page_again, "the pages differ");
}

#[test]
fn every_policy_meets_every_predictor_on_every_trace() {
    let folder = scratch();
    let one = written(folder.path(), "one.swf", &busy_log());
    let other = written(folder.path(), "other.swf", &busy_log().replace("; MaxProcs: 4", "; MaxProcs: 6"));
    let result = json(compare(&one).arg(&other));
    let traces = result["traces"].as_array().expect("a list of traces");
    assert_eq!(traces.len(), 2);
    assert_eq!((&traces[0]["processors"], &traces[1]["processors"]), (&4.into(), &6.into()));
    for trace in traces {
        assert_eq!((&trace["jobs"], &trace["replicates"], &trace["seed"]), (&300.into(), &4.into(), &1.into()));
        let expected = [
            "easy/estimate",
            "easy/recent:n=2,stat=mean",
            "easy/perfect",
            "easy-sjbf/estimate",
            "easy-sjbf/recent:n=2,stat=mean",
            "easy-sjbf/perfect",
        ];
        assert_eq!(names(trace), expected);
        assert_eq!(run_of(trace, "easy", "estimate")["correction"], "steps");
        assert_eq!(run_of(trace, "easy", "recent:n=2,stat=mean")["correction"], "raise");
    }
}

#[test]
fn every_figure_has_its_interval_and_its_change_over_the_baseline() {
    let folder = scratch();
    let log = written(folder.path(), "busy.swf", &busy_log());
    let result = json(&mut compare(&log));
    for run in result["traces"][0]["runs"].as_array().expect("runs") {
        let figures = run["figures"].as_object().expect("figures by name");
        assert_eq!(figures.len(), FIGURES);
        for (name, figure) in figures {
            let number = |value: &Value| value.as_f64().unwrap_or_else(|| panic!("{name}: {figure}"));
            let shaken = &figure["shaken"];
            number(&figure["value"]);
            assert!(number(&shaken["low95"]) <= number(&shaken["mean"]), "{name}: {figure}");
            assert!(number(&shaken["mean"]) <= number(&shaken["high95"]), "{name}: {figure}");
            assert!(number(&shaken["sd"]) >= 0.0, "{name}: {figure}");
            let over = &figure["over_baseline"];
            assert_eq!(over.is_null(), run["baseline"] == true, "{name}: {figure}");
            if let Some(rate) = over["win_rate"].as_f64() {
                assert!((0.0..=1.0).contains(&rate), "{name}: {figure}");
            }
        }
    }
    let baselines: Vec<_> =
        result["traces"][0]["runs"].as_array().unwrap().iter().map(|run| run["baseline"] == true).collect();
    assert_eq!(baselines, [true, false, false, false, false, false]);
}

/// Strict order of arrival does not look at predictions, so nothing but the accuracy can differ.
#[test]
fn what_does_not_depend_on_the_predictor_does_not_change_with_it() {
    let folder = scratch();
    let log = written(folder.path(), "busy.swf", &busy_log());
    let result = json(compare(&log).args(["--policy", "fcfs", "--predictor", "estimate"]));
    let oracle = run_of(&result["traces"][0], "fcfs", "perfect");
    let wait = &oracle["figures"]["wait.mean"]["over_baseline"];
    for name in ["mean", "low95", "high95", "win_rate"] {
        assert_eq!(wait[name], 0.0, "{name}");
    }
    let accuracy = &oracle["figures"]["accuracy.relative"]["over_baseline"];
    assert!(accuracy["low95"].as_f64().unwrap() > 0.0 && accuracy["win_rate"] == 1.0, "{accuracy}");
}

#[test]
fn a_figure_is_what_simulate_says_it_is() {
    let folder = scratch();
    let log = written(folder.path(), "busy.swf", &busy_log());
    let options = ["--predictor", "recent:n=2,stat=mean", "--propagate", "--seed", "9", "--jitter", "30"];
    let compared = json(compare(&log).args(["--policy", "easy-sjbf"]).args(options));
    let mut simulate = qcast();
    simulate.arg("simulate").arg(&log).args(["--policy", "easy-sjbf", "--shake", "4"]).args(options);
    let simulated = json(&mut simulate);
    let figures = &run_of(&compared["traces"][0], "easy-sjbf", "recent:n=2,stat=mean")["figures"];
    assert_eq!(figures["wait.mean"]["value"], simulated["wait"]["mean"]);
    for name in ["mean", "sd", "low95", "high95"] {
        assert_eq!(figures["wait.mean"]["shaken"][name], simulated["wait"]["shaken"][name], "{name}");
    }
}

#[test]
fn the_oracle_stands_beside_every_policy_unless_it_is_sent_away() {
    let folder = scratch();
    let log = written(folder.path(), "busy.swf", &busy_log());
    let one = ["--policy", "easy", "--policy", "easy", "--policy", "fcfs", "--predictor", "constant:60"];
    let with = json(compare(&log).args(one));
    assert_eq!(names(&with["traces"][0]), ["easy/constant:60", "easy/perfect", "fcfs/constant:60", "fcfs/perfect"]);
    let bounds: Vec<_> = with["traces"][0]["runs"].as_array().unwrap().iter().map(|run| run["bound"] == true).collect();
    assert_eq!(bounds, [false, true, false, true]);
    let without = json(compare(&log).args(one).arg("--no-bound"));
    assert_eq!(names(&without["traces"][0]), ["easy/constant:60", "fcfs/constant:60"]);
}

#[test]
fn the_baseline_can_be_chosen_among_what_is_compared() {
    let folder = scratch();
    let log = written(folder.path(), "busy.swf", &busy_log());
    let result = json(compare(&log).args(["--baseline", "easy-sjbf/recent:n=2,stat=mean"]));
    assert_eq!(run_of(&result["traces"][0], "easy-sjbf", "recent:n=2,stat=mean")["baseline"], true);
    assert_eq!(run_of(&result["traces"][0], "easy", "estimate")["baseline"], false);
    let refused = compare(&log).args(["--baseline", "easy/constant:9"]).assert().code(2);
    let said = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
    assert!(said.contains("easy-sjbf/estimate") && said.contains("hint: "), "{said}");
}

#[test]
fn jobs_that_one_predictor_cannot_use_are_left_out_for_all() {
    let folder = scratch();
    let unlimited = "900 5000 -1 50 1 -1 -1 1 -1 -1 1 1 -1 -1 -1 -1 -1 -1\n";
    let log = written(folder.path(), "some.swf", &format!("{}{unlimited}", busy_log()));
    let mut command = compare(&log);
    let result = json(command.args(["--predictor", "perfect", "--predictor", "estimate"]));
    assert_eq!((&result["traces"][0]["jobs"], &result["traces"][0]["dropped"]["no_limit"]), (&300.into(), &1.into()));
    let said = String::from_utf8_lossy(&command.assert().get_output().stderr).into_owned();
    assert!(said.contains("some.swf: 1 jobs left out for all configurations: 1 without the limit"), "{said}");
    let result = json(compare(&log).args(["--predictor", "constant:60"]));
    assert_eq!((&result["traces"][0]["jobs"], &result["traces"][0]["dropped"]["no_limit"]), (&301.into(), &0.into()));
}

#[test]
fn csv_has_a_row_a_figure_and_nothing_that_is_not_a_number() {
    let folder = scratch();
    let log = written(folder.path(), "busy.swf", &busy_log());
    let csv = compare(&log).args(["--format", "csv"]).assert().success();
    let csv = String::from_utf8_lossy(&csv.get_output().stdout).into_owned();
    let mut lines = csv.lines();
    let header = lines.next().expect("a header");
    assert!(header.starts_with("trace,run,policy,predictor,baseline,bound,figure,value,shaken_mean,"), "{header}");
    assert_eq!(lines.count(), 6 * FIGURES);
    assert!(!csv.contains("NaN") && !csv.contains("inf"), "{csv}");
    let table = compare(&log).assert().success();
    let table = String::from_utf8_lossy(&table.get_output().stdout).into_owned();
    assert!(table.contains("easy-sjbf/perfect") && table.contains("bound") && table.contains('±'), "{table}");
}

#[test]
fn the_page_is_well_formed_and_needs_nothing_from_elsewhere() {
    let folder = scratch();
    let log = written(folder.path(), "<i>hostile & \"quoted\".swf", &busy_log());
    let path = folder.path().join("page.html");
    compare(&log).arg("--html").arg(&path).assert().success();
    let page = fs::read_to_string(&path).expect("the page was written");
    assert_well_formed(&page);
    for foreign in ["http", "<script", "src=", "url(", "@import", "<link", "<i>hostile"] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    for expected in [
        "&lt;i&gt;hostile &amp; &quot;quoted&quot;.swf",
        "baseline",
        "bound",
        "<title>",
        "--seed 1",
        "--policy easy-sjbf",
        "prefers-color-scheme: dark",
        env!("CARGO_PKG_VERSION"),
    ] {
        assert!(page.contains(expected), "{expected}");
    }
}

#[test]
fn a_log_of_one_job_has_a_page_too() {
    let folder = scratch();
    let log = written(folder.path(), "one.swf", "; MaxProcs: 1\n1 0 -1 5 1 -1 -1 1 5 -1 1 1 -1 -1 -1 -1 -1 -1\n");
    let path = folder.path().join("page.html");
    compare(&log).arg("--html").arg(&path).assert().success();
    let page = fs::read_to_string(&path).expect("the page was written");
    assert_well_formed(&page);
    assert!(!page.contains("NaN") && !page.contains("inf%"), "a place that is no number");
}

#[test]
fn what_cannot_be_done_is_said_before_anything_is_replayed() {
    let folder = scratch();
    let log = written(folder.path(), "busy.swf", &busy_log());
    let path = folder.path().join("page.html");
    compare(&log).arg(folder.path().join("missing.swf")).arg("--html").arg(&path).assert().code(3);
    assert!(!path.exists(), "a page was written of half a comparison");
    compare(&log).arg("--html").arg(folder.path().join("no/such/page.html")).assert().code(4);
    compare(&log).args(["--html", "-"]).assert().code(2);
    let interval_of_one = qcast().arg("compare").arg(&log).args(["--shake", "1"]).assert().code(2);
    assert!(String::from_utf8_lossy(&interval_of_one.get_output().stderr).contains("2 replicates or more"));
    let headless = written(folder.path(), "headless.swf", &busy_log().replace("; MaxProcs: 4\n", ""));
    let machine = compare(&headless).assert().code(2);
    assert!(String::from_utf8_lossy(&machine.get_output().stderr).contains("--processors"));
}

#[test]
fn a_log_without_a_usable_job_is_refused_by_name() {
    let folder = scratch();
    let log = written(folder.path(), "wide.swf", "; MaxProcs: 1\n1 0 -1 5 9 -1 -1 9 5 -1 1 1 -1 -1 -1 -1 -1 -1\n");
    let refused = compare(&log).assert().code(3);
    let said = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
    assert!(said.contains("wide.swf: no usable jobs: "), "{said}");
    assert!(said.contains("1 wider than the machine"), "{said}");
}

#[test]
fn a_machine_is_resized_by_the_name_of_its_log_and_by_no_other() {
    let folder = scratch();
    let one = written(folder.path(), "KTH-SP2.swf", &busy_log());
    let other = written(folder.path(), "CTC-SP2.swf", &busy_log());
    let short = ["--policy", "fcfs", "--predictor", "constant:60", "--no-bound", "--processors"];
    let sizes = |size: &str| {
        let result = json(compare(&one).arg(&other).args(short).arg(size));
        [0, 1].map(|place| result["traces"][place]["processors"].as_u64().expect("a size"))
    };
    assert_eq!(sizes("CTC=8"), [4, 8]);
    assert_eq!(sizes("CTC=8,KTH-SP2=6"), [6, 8]);
    assert_eq!(sizes("6,8"), [6, 8]);
    for (size, told) in [("8", "--processors KTH-SP2=8"), ("SDSC=8", "the logs are KTH-SP2.swf, CTC-SP2.swf")] {
        let refused = compare(&one).arg(&other).args(short).arg(size).assert().code(2);
        let said = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
        assert!(said.contains(told), "{said}");
    }
    assert_eq!(json(compare(&one).args(short).arg("8"))["traces"][0]["processors"], 8, "there is but one log to mean");
    let page = folder.path().join("page.html");
    compare(&one).arg(&other).args(short).arg("CTC=8").arg("--html").arg(&page).assert().success();
    assert!(fs::read_to_string(&page).unwrap().contains("--processors CTC=8"), "the command that makes it again");
}
