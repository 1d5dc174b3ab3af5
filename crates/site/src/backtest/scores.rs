//! Forecasts of a history sorted into groups, and the waits that there were.

use std::collections::BTreeMap;

use queuecast_forecast::score::{BetterForAMonth, Errors, Figures, MEDIAN, SHARES, Score, ScoredForecast, Scorekeeper};
use queuecast_workload::{Seconds, Time};
use serde::Serialize;

use super::contest::Contests;
use super::past_job::PastJob;
use super::replay::MadeForecast;

/// The longest limit of each class but the last.
const LIMIT_BOUNDS: [(u32, &str); 5] = [
    (3_600, "up to 1 h"),
    (14_400, "up to 4 h"),
    (43_200, "up to 12 h"),
    (86_400, "up to 1 d"),
    (259_200, "up to 3 d"),
];
/// The most processors of each class but the last.
const SIZE_BOUNDS: [(u32, &str); 5] =
    [(1, "1"), (8, "2 to 8"), (32, "9 to 32"), (128, "33 to 128"), (512, "129 to 512")];

/// The class of a limit, by place, with its name.
pub fn limit_class(limit: Option<Seconds>) -> (usize, &'static str) {
    let Some(Seconds(limit)) = limit else { return (LIMIT_BOUNDS.len() + 1, "no limit") };
    let place = LIMIT_BOUNDS.iter().filter(|(bound, _)| limit > i64::from(*bound)).count();
    (place, LIMIT_BOUNDS.get(place).map_or("over 3 d", |(_, name)| name))
}

/// The class of a number of processors, by place, with its name.
pub fn size_class(processors: u32) -> (usize, &'static str) {
    let place = SIZE_BOUNDS.iter().filter(|(bound, _)| processors > *bound).count();
    (place, SIZE_BOUNDS.get(place).map_or("over 512", |(_, name)| name))
}

/// What the jobs of a group have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum GroupKind {
    /// Nothing: all of them.
    Overall,
    /// The partition.
    Partition,
    /// The class of limit and the class of size.
    Class,
    /// How long the wait was that was left when the forecast was made.
    WaitLeft,
}

/// How good forecasts of a group were, ours, the plan's and the last waits'.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Group {
    /// What it is a group of.
    pub kind: GroupKind,
    /// Its name.
    pub name: String,
    /// Ours, and the plan as `slurm`.
    pub figures: Figures,
    /// The errors of the last waits.
    pub last_waits: Option<Errors>,
}

/// How often starts came by the time that was said for each of [`SHARES`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reliability {
    /// Forecasts.
    pub forecasts: u64,
    /// By share: starts by then.
    pub came: [u64; SHARES.len()],
}

/// How long jobs of a class waited.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Waits {
    /// The class of limit.
    pub limit: &'static str,
    /// The class of processors.
    pub processors: &'static str,
    /// Jobs.
    pub jobs: u64,
    /// Their mean wait.
    pub mean_seconds: f64,
    /// Their median wait.
    pub median_seconds: f64,
}

/// Adds up a back-test.
#[derive(Debug, Default)]
pub struct BacktestScores {
    plan: Sorted,
    last_waits: Sorted,
    contests: Contests,
    first: Reliability,
    all: Reliability,
    waits: BTreeMap<(usize, usize), Vec<u32>>,
}

/// The same forecasts by partition and by class, against one other.
#[derive(Debug, Default)]
struct Sorted {
    by_partition: Scorekeeper,
    by_class: Scorekeeper,
}

impl Sorted {
    fn add(&mut self, forecast: &mut ScoredForecast, class: &str) {
        self.by_partition.add(forecast);
        let partition = std::mem::replace(&mut forecast.partition, class.to_owned());
        self.by_class.add(forecast);
        forecast.partition = partition;
    }
}

impl Reliability {
    fn add(&mut self, forecast: &MadeForecast, started: Time) {
        self.forecasts += 1;
        for (came, said) in self.came.iter_mut().zip(forecast.said) {
            *came += u64::from(started <= said.max(forecast.made));
        }
    }
}

impl BacktestScores {
    /// A job of a partition started of which this was said.
    pub fn started(&mut self, job: &PastJob, partition: &str, forecasts: &[MadeForecast]) {
        let class = class_name(job);
        for made in forecasts {
            let mut scored = ScoredForecast {
                partition: partition.to_owned(),
                user: job.user.to_string(),
                submitted: job.arrived,
                made: made.made,
                first: made.first,
                said: made.said,
                raw: made.raw,
                slurm_said: made.plan,
                experts: Some(made.experts.map(|said| said[MEDIAN])),
                started: job.started(),
            };
            self.plan.add(&mut scored, &class);
            scored.slurm_said = made.last_waits;
            self.last_waits.add(&mut scored, &class);
            self.contests.add(job, partition, made);
            self.all.add(made, job.started());
            if made.first {
                self.first.add(made, job.started());
            }
        }
    }

    /// A job of the days looked at started.
    pub fn waited(&mut self, job: &PastJob) {
        let class = (limit_class(job.limit()).0, size_class(job.asked.processors).0);
        self.waits.entry(class).or_default().push(job.wait_seconds);
    }

    /// How often starts came by what was said: of first forecasts, and of all.
    pub fn reliability(&self) -> (Reliability, Reliability) {
        (self.first, self.all)
    }

    /// Ours beside the experts.
    pub fn contests(&self) -> &Contests {
        &self.contests
    }

    /// Simple answers that were nearer than ours in the last month: of first forecasts, and of all.
    pub fn better_for_a_month(&self) -> [Vec<BetterForAMonth>; 2] {
        let score = self.plan.by_partition.score();
        [score.first.better_for_a_month, score.all.better_for_a_month]
    }

    /// The groups, of first forecasts and of all.
    pub fn groups(&self) -> (Vec<Group>, Vec<Group>) {
        let scores =
            [&self.plan, &self.last_waits].map(|sorted| (sorted.by_partition.score(), sorted.by_class.score()));
        (groups(&scores, |score| &score.first), groups(&scores, |score| &score.all))
    }

    /// The waits, by class of limit and then of processors.
    pub fn waits(&self) -> Vec<Waits> {
        let name = |classes: &[(u32, &'static str)], place: usize, beyond: [&'static str; 2]| {
            classes.get(place).map_or(beyond[usize::from(place > classes.len())], |(_, name)| *name)
        };
        let waits = self.waits.iter().map(|((limit, size), waits)| {
            let mut sorted = waits.clone();
            sorted.sort_unstable();
            let middle = |place: usize| f64::from(sorted[place]);
            Waits {
                limit: name(&LIMIT_BOUNDS, *limit, ["over 3 d", "no limit"]),
                processors: name(&SIZE_BOUNDS, *size, ["over 512"; 2]),
                jobs: sorted.len() as u64,
                mean_seconds: sorted.iter().map(|wait| f64::from(*wait)).sum::<f64>() / sorted.len() as f64,
                median_seconds: f64::midpoint(middle((sorted.len() - 1) / 2), middle(sorted.len() / 2)),
            }
        });
        waits.collect()
    }
}

/// A class of limit and one of size.
pub fn in_words(limit: &str, processors: &str) -> String {
    let limit = if limit.starts_with("no ") { limit.to_owned() } else { format!("limit {limit}") };
    format!("{limit}, {processors} processor{}", if processors == "1" { "" } else { "s" })
}

fn class_name(job: &PastJob) -> String {
    let (limit, size) = (limit_class(job.limit()), size_class(job.asked.processors));
    // The places in front put the names in order.
    format!("{}{}{}", limit.0, size.0, in_words(limit.1, size.1))
}

fn groups(
    [(plan, plan_classes), (last_waits, last_waits_classes)]: &[(Score, Score); 2],
    of: impl Fn(&Score) -> &queuecast_forecast::score::Breakdown,
) -> Vec<Group> {
    let group = |kind, name: &str, figures: &Figures, last_waits: Option<&Figures>| Group {
        kind,
        name: name.to_owned(),
        figures: figures.clone(),
        last_waits: last_waits.and_then(|figures| figures.slurm.errors),
    };
    let (plan, last_waits) = (of(plan), of(last_waits));
    let mut groups = vec![group(GroupKind::Overall, "all", &plan.overall, Some(&last_waits.overall))];
    let partitions = plan.by_partition.iter();
    groups.extend(
        partitions.map(|(name, figures)| group(GroupKind::Partition, name, figures, last_waits.by_partition.get(name))),
    );
    let (classes, last_waits_classes) = (&of(plan_classes).by_partition, &of(last_waits_classes).by_partition);
    groups.extend(
        classes
            .iter()
            .map(|(name, figures)| group(GroupKind::Class, &name[2..], figures, last_waits_classes.get(name))),
    );
    let wait_left = plan.by_wait_left.iter().zip(&last_waits.by_wait_left).enumerate();
    groups.extend(wait_left.map(|(place, (figures, last_waits))| {
        group(GroupKind::WaitLeft, &queuecast_forecast::class_name(place), figures, Some(last_waits))
    }));
    groups.retain(|group| group.figures.forecasts > 0);
    groups
}

#[cfg(test)]
mod tests {
    use super::super::test_jobs::job;
    use super::*;

    #[test]
    fn a_bound_belongs_to_its_class() {
        assert_eq!([1, 2, 8, 9, 512, 513].map(|size| size_class(size).0), [0, 1, 1, 2, 4, 5]);
        assert_eq!(limit_class(Some(Seconds(3_600))), (0, "up to 1 h"));
        assert_eq!(limit_class(Some(Seconds(3_601))), (1, "up to 4 h"));
        assert_eq!((limit_class(Some(Seconds(259_201))).1, limit_class(None).1), ("over 3 d", "no limit"));
    }

    #[test]
    fn waits_are_those_of_their_class() {
        let mut scores = BacktestScores::default();
        for wait in [10, 20, 60] {
            scores.waited(&job(0, wait, 1));
        }
        scores.waited(&PastJob { limit_seconds: 0, ..job(0, 7, 1) });
        let waits = scores.waits();
        assert_eq!((waits[0].limit, waits[0].processors, waits[0].jobs), ("up to 1 h", "1", 3));
        assert_eq!((waits[0].mean_seconds, waits[0].median_seconds), (30.0, 20.0));
        assert_eq!((waits[1].limit, waits[1].median_seconds), ("no limit", 7.0));
    }
}
