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
            say(format_args!("warning: no support vector machines, so Figure 2 is not tested: {error}"));
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
                "The logs' own waits, as they happened: each job is asked about when it arrives, waits are told when jobs \
                 start, run times when they end. Jobs {} to {JOBS} in the order of submission are scored, those before only \
                 teach. Intervals are 95 %, from \
                 resampling the weeks of a log; those on each log are in tables.json. Classes are waits of up to 1, 3, 6, \
                 12, 24 h and more. The majority answer, which the paper does not give, stands beside every share of classes.",
                TEACHING_JOBS + 1
            ),
            "QBETS is read as the class of its 95 % bound; the paper does not say. knn is the paper's dynamic \
             nearest neighbours with distances as printed, in seconds, and the two or three classes by the neighbours' own \
             shares; knn-svm is the paper's range forecaster, the same point with the classes around it by a support vector \
             machine with a radial kernel (knn-svm:polynomial and knn-svm:sigmoid with others; the paper names none), and by it \
             Figure 2 and what is said of two classes are judged (one and three follow from the point alone); svm is that machine alone. knn, in days is knn \
             with times in days: the printed distance adds processors, seconds and processor-seconds, so that it depends on \
             their units. knn:heom has every number over its range and names the class most neighbours are in. forward plays \
             EASY forward, whatever policy the site had. best learns boosted trees from that and from what lately happened; pooled \
             is what qcast wait, backtest and serve answer with: it weighs forward, recent waits and a forest by how good they have been."
                .to_owned(),
            format!(
                "Where EASY decides the waits (users' limits, runs cut at them) the first {JOBS} jobs of each log are taken, \
                 all but the first hundredth scored; forward plays the same policy with run times of similar jobs, \
                 forward:oracle with the real ones. The two regimes are never mixed in a table."
            ),
            format!(
                "Where sites are chosen, {DAYS} days of each log, or {scenario_jobs} jobs of each synthetic scenario, {replicates} \
                 replicates; EASY with users' limits at every site; histories begin empty. least-predicted is the paper's rule, \
                 with neighbours' own class probabilities; least-wait:forward sends a job, once, where forward expects the \
                 shortest wait."
            ),
            format!("qcast {}, {machines}, {futures} futures a forecast, seed {seed}{part}.", env!("CARGO_PKG_VERSION")),
        ],
        command: "qcast reproduce kumar --report experiments/kumar".to_owned(),
    };
    Ok(Reproduced { heading, tables, pictures })
}
