//! `qcast reproduce kumar`.

use queuecast_evaluate::Shaking;
use queuecast_forecast::Libsvm;
use queuecast_reproduce::kumar::sites::DAYS;
use queuecast_reproduce::kumar::waits::{JOBS, TEACHING_JOBS};
use queuecast_reproduce::kumar::{self, Logs, sites, waits};
use queuecast_reproduce::{Effort, Heading};

use super::{ReproduceArgs, Reproduced};
use crate::failure::{Failure, say};
use crate::input::progress::{SharedProgress, Unit};

pub fn run(arguments: &ReproduceArgs) -> Result<Reproduced, Failure> {
    let logs = Logs { waits: arguments.read(&waits::LOGS)?, sites: arguments.read(&sites::LOGS)? };
    let effort = arguments.effort();
    let Effort { shaking: Shaking { replicates, seed, .. }, futures, .. } = effort;
    let scenario_jobs = sites::scenario_jobs(effort);
    let machines = match Libsvm::of_this_machine() {
        Ok(libsvm) => format!("libsvm {}", libsvm.version()),
        Err(error) => {
            say(format_args!("warning: Figure 2 is not tested, because it needs support vector machines: {error}"));
            say(format_args!("hint: {}", error.hint()));
            "no libsvm: Figure 2 is not tested".to_owned()
        }
    };
    let progress = SharedProgress::new(Unit::Replays, kumar::steps(&logs, effort));
    let (tables, pictures) = kumar::reproduce(&logs, effort, &|| progress.advance());
    progress.finish();
    let part = arguments.part();
    let heading = Heading {
        title: "Kumar, Vadhiyar: prediction of queue waiting times for metascheduling".to_owned(),
        about: vec![
            format!(
                "The logs' own waits: each job is forecast when it arrives. The methods learn its wait when it starts and its run time \
                 when it ends. Jobs {} to {JOBS} in the order of submission are scored; earlier jobs are for training only. Intervals \
                 are 95 %, from resampled weeks of a log; the intervals for single logs are in tables.json. Classes are waits of up to 1, \
                 3, 6, 12 and 24 h, and longer. Every share of classes is compared with the majority answer, which the paper does \
                 not give.",
                TEACHING_JOBS + 1
            ),
            "The class of QBETS is that of its 95 % bound; the paper leaves this open. knn is the paper's dynamic nearest neighbours \
             with distances as printed, in seconds; its two or three classes come from the shares of classes among the neighbours. \
             knn-svm is the paper's range forecaster: the same point, and the classes around it from a support vector machine with a \
             radial kernel (knn-svm:polynomial and knn-svm:sigmoid have other kernels; the paper names none). It decides Figure 2 \
             and the claims about two classes; one and three classes follow from the point alone. svm is the support vector machine \
             alone. knn, in days is knn with times in days: the printed distance adds processors, seconds and processor-seconds, so it \
             depends on their units. knn:heom divides every number by its range and names the most frequent class of the neighbours. \
             forward simulates EASY, even if the site had another policy. best is boosted trees on that and on recent events. pooled is \
             the forecaster of qcast wait, backtest and serve: it weights forward, recent waits and a forest by their past accuracy."
                .to_owned(),
            format!(
                "Waits under EASY are simulated with users' limits, and runs are cut at them. The first {JOBS} jobs of each log are \
                 used; all but the first hundredth are scored. forward simulates the same policy with run times of similar jobs, \
                 forward:oracle with the actual ones. A table has either the logs' own waits or waits under EASY."
            ),
            format!(
                "The experiments with several sites use {DAYS} days of each log, or {scenario_jobs} jobs of each synthetic scenario, and \
                 {replicates} replicates. Every site uses EASY with users' limits, and histories start empty. least-predicted is the \
                 paper's rule, with class probabilities from the neighbours. least-wait:forward sends a job once, to the site where \
                 forward expects the shortest wait."
            ),
            format!("qcast {}, {machines}, {futures} simulations per forecast, seed {seed}{part}.", env!("CARGO_PKG_VERSION")),
        ],
        command: "qcast reproduce kumar --report experiments/kumar".to_owned(),
    };
    Ok(Reproduced { heading, tables, pictures })
}
