//! Whole traces against an independent simulator: 17 stored schedules job by job, and the means of policies whose
//! schedules are not stored. Needs the shared folder.
//!
//! Source: the schedules were made by pyss as extended for Gaussier et al. (SC'15), and are kept by its public forks
//! (dinesh121991/predictsim on GitHub); the means of the other policies by a second simulator that reproduces every one of
//! those schedules.

use std::path::Path;

use queuecast_simulate::{Rules, relative_accuracy};
use queuecast_testkit::shared_dir;
use queuecast_workload::TracedJob;
use queuecast_workload::files::Input;
use queuecast_workload::swf::SwfRecord;

use crate::support::{Finished, Setup, read_log};

/// A golden file: what its simulator was given and what it made of it, in order of submission.
struct Golden {
    processors: u32,
    records: Vec<SwfRecord>,
}

impl Golden {
    /// The file of that name, unless the shared folder is missing.
    fn open(name: &str) -> Option<Self> {
        let path = shared_dir()?.join("golden").join(format!("{name}.swf.gz"));
        let (processors, mut records) = read_log(Input::open(Path::new(&path)).expect("the golden file opens"));
        records.sort_by_key(|record| (record.submit_time, record.job_number));
        Some(Self { processors, records })
    }

    /// The fate of every job, in order of submission.
    fn play(&self, rules: Rules, [policy, predictor, correction]: [&str; 3]) -> Vec<Finished> {
        let setup = Setup {
            predictor: predictor.parse().expect("a predictor"),
            correction: correction.parse().expect("a correction"),
            ..Setup::with_estimates(self.processors, rules, policy)
        };
        let jobs: Vec<TracedJob> =
            self.records.iter().map(|record| record.to_traced().expect("golden jobs are usable")).collect();
        let finished = setup.play_sorted(&jobs);
        assert_eq!(finished.len(), jobs.len(), "every job is played");
        finished
    }
}

/// Every job waits as long as in the file and, where the file tells, is first predicted the same and outlives as many
/// predictions.
fn assert_reproduced(file: &str, rules: Rules, policy: [&str; 3]) {
    let Some(golden) = Golden::open(file) else { return };
    let finished = golden.play(rules, policy);
    let tells_predictions = file.ends_with("easy-plus-plus");
    let wrong = finished.iter().zip(&golden.records).filter_map(|(job, record)| {
        // Field 18 holds the first prediction. Field 17 counts the predictions outlived from -1 for none, 0 for one.
        let stated = (record.wait_time, record.think_time, record.preceding_job + 1);
        let wait = job.outcome.started - job.submission.submitted;
        let (first, misses) = (job.accuracy.first.0, i64::from(job.accuracy.misses));
        let ours = if tells_predictions { (wait.0, first, misses) } else { (wait.0, stated.1, stated.2) };
        (ours != stated).then(|| format!("job {}: {ours:?}, not {stated:?}", job.number))
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(
        wrong.is_empty(),
        "{} of {} jobs differ in wait, first prediction or misses; the first is {}",
        wrong.len(),
        finished.len(),
        wrong[0]
    );
}

/// Over all jobs.
fn mean(finished: &[Finished], value: impl Fn(&Finished) -> f64) -> f64 {
    finished.iter().map(value).sum::<f64>() / finished.len() as f64
}

fn bounded_slowdown(job: &Finished) -> f64 {
    let (stay, run) = (job.outcome.ended - job.submission.submitted, job.outcome.run());
    (stay.as_f64() / run.as_f64().max(10.0)).max(1.0)
}

fn first_error(job: &Finished) -> f64 {
    (job.outcome.run() - job.accuracy.first).as_f64().abs()
}

/// Mean wait, mean bounded slowdown and mean absolute error of the first prediction, to the last digit stated.
fn assert_means(trace: &str, rules: Rules, policy: [&str; 3], stated: &str) {
    let Some(golden) = Golden::open(&format!("{trace}.easy")) else { return };
    let finished = golden.play(rules, policy);
    let means = [
        mean(&finished, |job| (job.outcome.started - job.submission.submitted).as_f64()),
        mean(&finished, bounded_slowdown),
        mean(&finished, first_error),
    ];
    let written: Vec<String> =
        stated.split(" / ").zip(means).map(|(stated, mean)| as_precisely_as(stated, mean)).collect();
    assert_eq!(written.join(" / "), stated, "{trace}, {policy:?}, {rules} rules");
}

/// The value in the notation and with the digits of another.
fn as_precisely_as(stated: &str, value: f64) -> String {
    let mantissa = stated.split_once('e').map(|(mantissa, _)| mantissa);
    let (_, decimals) = mantissa.unwrap_or(stated).split_once('.').expect("every golden mean has decimals");
    let digits = decimals.len();
    if mantissa.is_some() { format!("{value:.digits$e}") } else { format!("{value:.digits$}") }
}

// Policy, predictor and correction.
const FCFS: [&str; 3] = ["fcfs", "estimate", "steps"];
const EASY: [&str; 3] = ["easy", "estimate", "steps"];
const EASY_PERFECT: [&str; 3] = ["easy", "perfect", "raise"];
const EASY_LAST_TWO_OFFSET_STEPS: [&str; 3] = ["easy", "recent:n=2,stat=mean", "offset-steps"];
const EASY_LAST_TWO_RAISE: [&str; 3] = ["easy", "recent:n=2,stat=mean", "raise"];
const SJBF: [&str; 3] = ["easy-sjbf", "estimate", "steps"];
const SJBF_PERFECT: [&str; 3] = ["easy-sjbf", "perfect", "raise"];
const EASY_PLUS_PLUS: [&str; 3] = ["easy-sjbf", "recent:n=2,stat=mean", "offset-steps"];
const SJBF_LAST_TWO_RAISE: [&str; 3] = ["easy-sjbf", "recent:n=2,stat=mean", "raise"];
const SJBF_LAST_THREE_RAISE: [&str; 3] = ["easy-sjbf", "recent:n=3,stat=median", "raise"];
const SJBF_SECOND: [&str; 3] = ["easy-sjbf", "constant:1", "offset-steps"];
const SJBF_SESSION: [&str; 3] = ["easy-sjbf", "session:criteria=PE/P/E/*,search=dfs,depth=all", "raise"];
const CONSERVATIVE: [&str; 3] = ["conservative", "estimate", "steps"];

macro_rules! schedules {
    ($claim:ident, $rules:ident { $($test:ident: $file:literal, $policy:ident;)* }) => {
        mod $claim {$(
            #[test]
            fn $test() {
                super::assert_reproduced($file, queuecast_simulate::Rules::$rules, super::$policy);
            }
        )*}
    };
}

macro_rules! means {
    ($claim:ident, $rules:ident { $($test:ident: $trace:literal, $policy:ident, $stated:literal;)* }) => {
        mod $claim {$(
            #[test]
            fn $test() {
                super::assert_means($trace, queuecast_simulate::Rules::$rules, super::$policy, $stated);
            }
        )*}
    };
}

schedules!(every_wait_is_reproduced, Pyss {
    kth_sp2_easy: "KTH-SP2.easy", EASY;
    kth_sp2_easy_perfect: "KTH-SP2.easy-perfect", EASY_PERFECT;
    kth_sp2_sjbf_perfect: "KTH-SP2.sjbf-perfect", SJBF_PERFECT;
    kth_sp2_easy_plus_plus: "KTH-SP2.easy-plus-plus", EASY_PLUS_PLUS;
    ctc_sp2_easy: "CTC-SP2.easy", EASY;
    ctc_sp2_easy_perfect: "CTC-SP2.easy-perfect", EASY_PERFECT;
    ctc_sp2_sjbf_perfect: "CTC-SP2.sjbf-perfect", SJBF_PERFECT;
    ctc_sp2_easy_plus_plus: "CTC-SP2.easy-plus-plus", EASY_PLUS_PLUS;
    sdsc_sp2_easy: "SDSC-SP2.easy", EASY;
    sdsc_sp2_easy_perfect: "SDSC-SP2.easy-perfect", EASY_PERFECT;
    sdsc_sp2_sjbf_perfect: "SDSC-SP2.sjbf-perfect", SJBF_PERFECT;
    sdsc_sp2_easy_plus_plus: "SDSC-SP2.easy-plus-plus", EASY_PLUS_PLUS;
    sdsc_blue_easy: "SDSC-BLUE.easy", EASY;
    sdsc_blue_easy_perfect: "SDSC-BLUE.easy-perfect", EASY_PERFECT;
    sdsc_blue_sjbf_perfect: "SDSC-BLUE.sjbf-perfect", SJBF_PERFECT;
    sdsc_blue_easy_plus_plus: "SDSC-BLUE.easy-plus-plus", EASY_PLUS_PLUS;
    cea_curie_easy: "CEA-curie.easy", EASY;
});

// The place to start: in arrival order with perfect run times the rules make no difference.
schedules!(perfect_easy_is_the_same_under_clean_rules, Clean {
    kth_sp2: "KTH-SP2.easy-perfect", EASY_PERFECT;
    ctc_sp2: "CTC-SP2.easy-perfect", EASY_PERFECT;
    sdsc_sp2: "SDSC-SP2.easy-perfect", EASY_PERFECT;
    sdsc_blue: "SDSC-BLUE.easy-perfect", EASY_PERFECT;
});

means!(means_are_those_of_pyss, Pyss {
    kth_sp2_easy: "KTH-SP2", EASY, "6836.8721 / 92.576540 / 4818.39";
    ctc_sp2_easy: "CTC-SP2", EASY, "14272.5945 / 49.571290 / 13139.39";
    sdsc_sp2_easy: "SDSC-SP2", EASY, "20497.7610 / 87.870324 / 9409.86";
    sdsc_blue_easy: "SDSC-BLUE", EASY, "7690.8443 / 36.523364 / 5489.45";
    kth_sp2_easy_perfect: "KTH-SP2", EASY_PERFECT, "6327.6816 / 71.722385";
    ctc_sp2_easy_perfect: "CTC-SP2", EASY_PERFECT, "13581.7165 / 37.165401";
    sdsc_sp2_easy_perfect: "SDSC-SP2", EASY_PERFECT, "17337.1056 / 70.477942";
    sdsc_blue_easy_perfect: "SDSC-BLUE", EASY_PERFECT, "7336.3152 / 30.621454";
    kth_sp2_sjbf: "KTH-SP2", SJBF, "5904.0766 / 69.405401";
    ctc_sp2_sjbf: "CTC-SP2", SJBF, "11768.9661 / 30.041070";
    sdsc_sp2_sjbf: "SDSC-SP2", SJBF, "20793.5946 / 84.888945";
    sdsc_blue_sjbf: "SDSC-BLUE", SJBF, "5821.7507 / 19.826012";
    kth_sp2_sjbf_perfect: "KTH-SP2", SJBF_PERFECT, "5436.0208 / 49.847719";
    ctc_sp2_sjbf_perfect: "CTC-SP2", SJBF_PERFECT, "10004.9610 / 17.571687";
    sdsc_sp2_sjbf_perfect: "SDSC-SP2", SJBF_PERFECT, "16307.0783 / 56.836221";
    sdsc_blue_sjbf_perfect: "SDSC-BLUE", SJBF_PERFECT, "5114.0672 / 13.177588";
    kth_sp2_easy_plus_plus: "KTH-SP2", EASY_PLUS_PLUS, "6235.8539 / 63.500677 / 5252.17";
    ctc_sp2_easy_plus_plus: "CTC-SP2", EASY_PLUS_PLUS, "38845.7025 / 85.767172 / 7186.57";
    sdsc_sp2_easy_plus_plus: "SDSC-SP2", EASY_PLUS_PLUS, "25505.5338 / 79.396282 / 4258.80";
    sdsc_blue_easy_plus_plus: "SDSC-BLUE", EASY_PLUS_PLUS, "7778.3353 / 20.986431 / 2378.06";
    kth_sp2_sjbf_last_two_raise: "KTH-SP2", SJBF_LAST_TWO_RAISE, "5653.7605 / 62.856883 / 5238.23";
    ctc_sp2_sjbf_last_two_raise: "CTC-SP2", SJBF_LAST_TWO_RAISE, "11199.7391 / 26.533786 / 7030.67";
    sdsc_sp2_sjbf_last_two_raise: "SDSC-SP2", SJBF_LAST_TWO_RAISE, "18436.0094 / 65.063601 / 4158.34";
    sdsc_blue_sjbf_last_two_raise: "SDSC-BLUE", SJBF_LAST_TWO_RAISE, "5166.4809 / 16.826861 / 2336.67";
    kth_sp2_easy_last_two_offset_steps: "KTH-SP2", EASY_LAST_TWO_OFFSET_STEPS, "7181.5929 / 85.442906";
    ctc_sp2_easy_last_two_offset_steps: "CTC-SP2", EASY_LAST_TWO_OFFSET_STEPS, "25283.7250 / 64.647429";
    sdsc_sp2_easy_last_two_offset_steps: "SDSC-SP2", EASY_LAST_TWO_OFFSET_STEPS, "24186.6176 / 100.018265";
    sdsc_blue_easy_last_two_offset_steps: "SDSC-BLUE", EASY_LAST_TWO_OFFSET_STEPS, "9018.1895 / 33.548497";
    kth_sp2_easy_last_two_raise: "KTH-SP2", EASY_LAST_TWO_RAISE, "5787.2127 / 65.723589";
    ctc_sp2_easy_last_two_raise: "CTC-SP2", EASY_LAST_TWO_RAISE, "11621.2491 / 35.323961";
    sdsc_sp2_easy_last_two_raise: "SDSC-SP2", EASY_LAST_TWO_RAISE, "18772.1145 / 79.212088";
    sdsc_blue_easy_last_two_raise: "SDSC-BLUE", EASY_LAST_TWO_RAISE, "6287.5942 / 26.583610";
    kth_sp2_fcfs: "KTH-SP2", FCFS, "3.53776e5 / 6.81497e3";
    ctc_sp2_fcfs: "CTC-SP2", FCFS, "6.55557e5 / 3.65157e3";
    sdsc_sp2_fcfs: "SDSC-SP2", FCFS, "1.53557e6 / 1.38235e4";
    sdsc_blue_fcfs: "SDSC-BLUE", FCFS, "3.60208e5 / 3.28036e3";
    kth_sp2_conservative: "KTH-SP2", CONSERVATIVE, "7310.55 / 88.997";
});

means!(means_are_those_of_the_clean_rules, Clean {
    kth_sp2_easy: "KTH-SP2", EASY, "6834.5873 / 92.687654";
    ctc_sp2_easy: "CTC-SP2", EASY, "13943.0070 / 48.836986";
    sdsc_sp2_easy: "SDSC-SP2", EASY, "20570.8754 / 87.805503";
    sdsc_blue_easy: "SDSC-BLUE", EASY, "7870.0566 / 37.410196";
    kth_sp2_sjbf_perfect: "KTH-SP2", SJBF_PERFECT, "5435.8135 / 49.847242";
    ctc_sp2_sjbf_perfect: "CTC-SP2", SJBF_PERFECT, "10004.9625 / 17.571696";
    sdsc_sp2_sjbf_perfect: "SDSC-SP2", SJBF_PERFECT, "16307.0783 / 56.836221";
    sdsc_blue_sjbf_perfect: "SDSC-BLUE", SJBF_PERFECT, "5119.3922 / 13.150070";
});

/// Mean bounded slowdowns that a second simulator gave, stated to two decimals (R-T2, R-T9).
#[test]
fn recent_history_and_one_second_give_the_stated_slowdowns() {
    for (trace, last_three, second) in [
        ("KTH-SP2", "61.48", Some("71.45")),
        ("CTC-SP2", "26.79", Some("29.57")),
        ("SDSC-SP2", "65.52", Some("84.77")),
        ("SDSC-BLUE", "16.33", None),
    ] {
        let Some(golden) = Golden::open(&format!("{trace}.easy")) else { return };
        for (policy, stated) in [(SJBF_LAST_THREE_RAISE, Some(last_three)), (SJBF_SECOND, second)] {
            let Some(stated) = stated else { continue };
            let slowdown = mean(&golden.play(Rules::Pyss, policy), bounded_slowdown);
            assert_eq!(as_precisely_as(stated, slowdown), stated, "{trace}, {policy:?}");
        }
    }
}

/// Session-based first predictions beat the mean of the last two on both accuracies, on every trace, and reach the
/// relative accuracies an independent prototype had.
#[test]
fn sessions_predict_better_than_the_last_two_jobs() {
    for (trace, relative) in [("KTH-SP2", 0.56), ("CTC-SP2", 0.58), ("SDSC-SP2", 0.60), ("SDSC-BLUE", 0.60)] {
        let Some(golden) = Golden::open(&format!("{trace}.easy")) else { return };
        let accuracy = |policy| {
            let finished = golden.play(Rules::Pyss, policy);
            let relative = mean(&finished, |job| relative_accuracy(job.outcome.run(), job.accuracy.first));
            (mean(&finished, first_error), relative)
        };
        let (session, last_two) = (accuracy(SJBF_SESSION), accuracy(SJBF_LAST_TWO_RAISE));
        assert!(session.0 < last_two.0 && session.1 > last_two.1, "{trace}: {session:?}, last two {last_two:?}");
        assert!(session.1 >= relative, "{trace}: {}", session.1);
    }
}
