//! Several configurations on the same jobs: how much better one is than another, and how sure that is.
//!
//! For: replaying every configuration as the log is and shaken, and setting each figure against the baseline's,
//! replicate by replicate. The same seed shakes every configuration alike, so what is left of a paired difference is
//! the configurations' doing.
//!
//! Not for: choosing what to compare (the command line) or drawing it (`queuecast-report`).

use queuecast_predict::PredictorSpecification;
use queuecast_simulate::{Dropped, Overrun, Replay};
use queuecast_workload::TracedJob;
use rayon::prelude::*;
use serde::Serialize;

use crate::measures::FIGURES;
use crate::{Configuration, Direction, ShakenFigures, Shaking, Spread, Summary};

/// Configurations replayed on the same jobs, one of which is what the others are measured against.
#[derive(Clone, Debug)]
pub struct Comparison {
    compared: Vec<Compared>,
    baseline: usize,
}

/// What one configuration gave.
#[derive(Clone, Debug)]
pub struct Compared {
    /// What was replayed.
    pub configuration: Configuration,
    /// On the log as it is.
    pub summary: Summary,
    /// On every replicate.
    pub shaken: ShakenFigures,
}

/// One figure of one configuration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ComparedFigure {
    /// Its name in JSON and CSV.
    pub name: &'static str,
    /// On the log as it is.
    pub value: f64,
    /// Over the replicates.
    pub shaken: Spread,
    /// Against the baseline; `None` for the baseline itself.
    pub over_baseline: Option<OverBaseline>,
}

/// How a figure changed from the baseline's, paired replicate by replicate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct OverBaseline {
    /// The mean change in per cent of the baseline; not a number where the baseline is zero and this is not.
    pub mean: f64,
    /// Lower end of its 95 % confidence interval (Student's t).
    pub low95: f64,
    /// Upper end.
    pub high95: f64,
    /// The share of replicates in which this is better; `None` for figures that are neither good nor bad.
    pub win_rate: Option<f64>,
}

impl Direction {
    /// Which way the figure of this name is better; `None` where neither is: to backfill much is no merit.
    pub fn of(figure: &str) -> Option<Self> {
        match figure {
            "backfilled" => None,
            "utilisation" | "accuracy.relative" | "accuracy.weighted.relative" | "fairness.jain_index" => {
                Some(Self::MoreIsBetter)
            }
            _ => Some(Self::LessIsBetter),
        }
    }
}

/// The jobs that every one of the configurations can replay, and what was left out: where one predictor needs limits,
/// jobs without one are left out for all, and so are those that one machine cannot hold, since figures of different jobs
/// cannot be compared. Runs are cut at limits only if every configuration does that.
pub fn comparable_jobs(jobs: Vec<TracedJob>, configurations: &[Configuration]) -> (Vec<TracedJob>, Dropped) {
    let smallest =
        configurations.iter().map(|configuration| configuration.machine).min_by_key(|machine| machine.processors);
    let Some(smallest) = smallest else { return (jobs, Dropped::default()) };
    let needs_limit = configurations.iter().any(|configuration| configuration.predictor.needs_limit());
    let all_kill = configurations.iter().all(|configuration| configuration.overrun == Overrun::Kill);
    let overrun = if all_kill { Overrun::Kill } else { Overrun::RunOn };
    let mut replay = Replay::new(jobs.into_iter(), smallest, overrun, needs_limit);
    let usable = replay.by_ref().collect();
    (usable, replay.dropped())
}

impl Comparison {
    /// Replays every configuration once as the log is and once a replicate, as many at a time as the current thread
    /// pool has threads, and calls `on_replayed` after each. The result does not depend on how many run at a time.
    ///
    /// # Panics
    /// If `baseline` is not the place of a configuration.
    pub fn run(
        jobs: &[TracedJob],
        configurations: Vec<Configuration>,
        baseline: usize,
        shaking: Shaking,
        on_replayed: &(dyn Fn() + Sync),
    ) -> Self {
        assert!(baseline < configurations.len(), "there is no configuration {baseline}");
        let compared = configurations.into_par_iter().map(|configuration| {
            let (summary, _) = configuration.replay(jobs.iter().copied(), &mut ());
            on_replayed();
            let shaken = shaking.run(&configuration, jobs, on_replayed);
            Compared { configuration, summary, shaken }
        });
        Self { compared: compared.collect(), baseline }
    }

    /// The configurations in the order they were given.
    pub fn compared(&self) -> &[Compared] {
        &self.compared
    }

    /// The place of the configuration the others are measured against.
    pub fn baseline(&self) -> usize {
        self.baseline
    }

    /// One figure of every configuration, in their order.
    ///
    /// # Panics
    /// If there is no figure of that name.
    pub fn figure(&self, name: &str) -> Vec<ComparedFigure> {
        let place = FIGURES.iter().position(|figure| *figure == name).expect("a figure that exists");
        let name = FIGURES[place];
        let baseline = self.compared[self.baseline].shaken.of(name);
        let of_one = |(index, compared): (usize, &Compared)| {
            let replicates = compared.shaken.of(name);
            let over_baseline = (index != self.baseline).then(|| {
                let Spread { mean, low95, high95, .. } = replicates.percent_over(&baseline).spread();
                let win_rate = Direction::of(name).map(|direction| replicates.win_rate(&baseline, direction));
                OverBaseline { mean, low95, high95, win_rate }
            });
            let (_, value) = compared.summary.figures()[place];
            ComparedFigure { name, value, shaken: replicates.spread(), over_baseline }
        };
        self.compared.iter().enumerate().map(of_one).collect()
    }
}

impl Compared {
    /// Whether this shows what perfect knowledge of run times would bring: the bound beside which results are read.
    pub fn is_bound(&self) -> bool {
        matches!(self.configuration.predictor, PredictorSpecification::Perfect)
    }
}

impl Spread {
    /// Half the width of the interval: what stands behind a plus-minus sign.
    pub fn half_width(&self) -> f64 {
        (self.high95 - self.low95) / 2.0
    }
}

impl OverBaseline {
    /// Half the width of the interval: what stands behind a plus-minus sign.
    pub fn half_width(&self) -> f64 {
        (self.high95 - self.low95) / 2.0
    }

    /// Whether the whole interval lies on one side of no change.
    pub fn is_clear(&self) -> bool {
        self.low95 > 0.0 || self.high95 < 0.0
    }
}

#[cfg(test)]
mod tests {
    use queuecast_workload::{JobId, Machine, Recorded, Request, Seconds, Status, Submission, Time, UserId};

    use super::*;

    fn job(number: i64, submitted: i64, run: i64, processors: u32, limit: Option<i64>) -> TracedJob {
        TracedJob {
            number,
            submission: Submission {
                job: JobId(0),
                submitted: Time(submitted),
                request: Request { processors },
                limit: limit.map(Seconds),
                user: Some(UserId(1)),
                group: None,
                program: None,
                queue: None,
                partition: None,
            },
            recorded: Recorded { wait: None, run: Seconds(run), status: Status::Completed },
        }
    }

    /// Narrow and wide, short and long, some of them longer than their limit.
    fn mixed_jobs(count: u32) -> Vec<TracedJob> {
        let mixed =
            |n: u32| job(n.into(), i64::from(n) * 3, (1 + n * 7 % 40).into(), 1 + n % 4, Some((20 + n % 9).into()));
        (0..count).map(mixed).collect()
    }

    fn configurations(names: &[(&str, &str)]) -> Vec<Configuration> {
        let parsed = names.iter().map(|(policy, predictor)| {
            let (policy, predictor) = (policy.parse().expect("a policy"), predictor.parse().expect("a predictor"));
            Configuration::new(Machine { processors: 4 }, policy, predictor)
        });
        parsed.collect()
    }

    #[test]
    fn jobs_one_predictor_cannot_use_are_left_out_for_all() {
        let jobs = vec![job(1, 0, 10, 1, Some(20)), job(2, 1, 10, 1, None), job(3, 2, 10, 5, Some(20))];
        let limits_needed = configurations(&[("easy", "perfect"), ("easy", "estimate")]);
        let (usable, dropped) = comparable_jobs(jobs.clone(), &limits_needed);
        assert_eq!(usable.iter().map(|job| job.number).collect::<Vec<_>>(), [1]);
        assert_eq!((dropped.no_limit, dropped.over_wide), (1, 1));
        let (usable, dropped) = comparable_jobs(jobs, &limits_needed[..1]);
        assert_eq!((usable.len(), dropped.no_limit), (2, 0));
    }

    #[test]
    fn machines_and_limits_that_differ_leave_the_jobs_of_the_smallest_and_cut_nothing_for_those_that_run_on() {
        let mut two = configurations(&[("easy", "perfect"), ("easy", "perfect")]);
        two[0].machine = Machine { processors: 8 };
        let jobs = vec![job(1, 0, 30, 1, Some(20)), job(2, 2, 10, 5, Some(20))];
        let runs = |configurations: &[Configuration]| {
            let (usable, dropped) = comparable_jobs(jobs.clone(), configurations);
            (usable.iter().map(|job| job.recorded.run.0).collect::<Vec<_>>(), dropped.over_wide)
        };
        assert_eq!(runs(&two), (vec![20], 1), "both kill at the limit");
        two[1].overrun = Overrun::RunOn;
        assert_eq!(runs(&two), (vec![30], 1), "each cuts for itself");
    }

    #[test]
    fn comparable_jobs_are_replayed_without_a_further_loss() {
        let jobs = mixed_jobs(50);
        let configurations = configurations(&[("easy", "estimate"), ("easy-sjbf", "recent:n=2,stat=mean")]);
        let (usable, _) = comparable_jobs(jobs, &configurations);
        for configuration in &configurations {
            let (summary, dropped) = configuration.replay(usable.iter().copied(), &mut ());
            assert_eq!((summary.jobs, dropped), (usable.len() as u64, Dropped::default()));
        }
    }

    #[test]
    fn a_configuration_compared_with_its_equal_never_differs() {
        let jobs = mixed_jobs(80);
        let configurations = configurations(&[("easy", "estimate"), ("easy", "estimate"), ("fcfs", "estimate")]);
        let shaking = Shaking { replicates: 5, jitter: Seconds(10), seed: 7 };
        let comparison = Comparison::run(&jobs, configurations, 0, shaking, &|| {});
        let wait = comparison.figure("wait.mean");
        assert_eq!(wait[0].over_baseline, None);
        let equal = wait[1].over_baseline.expect("not the baseline");
        assert_eq!((equal.mean, equal.low95, equal.high95, equal.win_rate), (0.0, 0.0, 0.0, Some(0.0)));
        let strict_order = wait[2].over_baseline.expect("not the baseline");
        assert!(strict_order.mean > 0.0 && strict_order.is_clear(), "{strict_order:?}");
        assert_eq!(strict_order.win_rate, Some(0.0));
    }

    #[test]
    fn every_figure_has_a_direction_but_backfilling() {
        let without: Vec<_> = FIGURES.iter().filter(|figure| Direction::of(figure).is_none()).collect();
        assert_eq!(without, [&"backfilled"]);
    }
}
