//! When what a job would wait for is over, by what is said of those jobs.
//!
//! For: `--dependency` of a job that does not exist. Of several things all count, the latest at each share, or where any is enough the
//! earliest. A job that is not there, as far as the asker may see, is taken for one that has ended, and that is told.
//!
//! Not for: jobs that wait already, whose dependencies are played with them (`queuecast_site::cluster`).
//!
//! Source: sbatch(1) `--dependency`.

use queuecast_api::dependency::{Dependencies, Dependency, DependencyKind};
use queuecast_forecast::estimate::{JobForecast, NoForecast, TimeRange};
use queuecast_forecast::score::SHARES;
use queuecast_site::published::PublishedJob;
use queuecast_workload::{Seconds, Time};

use crate::board::BoardIndex;

/// What became of looking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Awaited {
    /// When it is over; `None` if it is.
    pub over: Option<TimeRange>,
    /// Whether every job that is named was found.
    pub is_whole: bool,
}

impl Awaited {
    /// Nothing is waited for.
    pub const NOTHING: Self = Self { over: None, is_whole: true };
}

/// Looks.
pub(crate) fn awaited(
    dependencies: &Dependencies,
    board: &BoardIndex,
    may_see: impl Fn(&PublishedJob) -> bool,
    is_of_same_name: impl Fn(&PublishedJob) -> bool,
) -> Result<Awaited, NoForecast> {
    let mut is_whole = true;
    // Of each thing, when it is over; none if it is.
    let mut overs: Vec<Option<TimeRange>> = Vec::new();
    for dependency in &dependencies.all {
        match dependency {
            Dependency::Singleton => {
                let same = board.published.jobs.iter().filter(|job| is_of_same_name(job));
                overs.push(latest(same.map(|job| over(job, DependencyKind::AfterAny, 0)))?);
            }
            Dependency::Job { kind, job_id, task, minutes } => {
                playable(*kind)?;
                let mut named = board.all(*job_id, *task);
                named.retain(|job| may_see(job));
                is_whole &= !named.is_empty();
                overs.push(latest(named.into_iter().map(|job| over(job, *kind, *minutes)))?);
            }
        }
    }
    let over = if dependencies.any_is_enough {
        // One that is over is enough.
        let all: Option<Vec<TimeRange>> = overs.into_iter().collect();
        all.and_then(|all| all.into_iter().reduce(|one, other| combined(&one, &other, Time::min)))
    } else {
        overs.into_iter().flatten().reduce(|one, other| combined(&one, &other, Time::max))
    };
    Ok(Awaited { over, is_whole })
}

fn playable(kind: DependencyKind) -> Result<(), NoForecast> {
    let why = match kind {
        DependencyKind::AfterNotOk => "The job starts only if another job fails, which cannot be predicted.",
        DependencyKind::AfterBurstBuffer => "The job waits for a burst buffer, which is not simulated.",
        DependencyKind::Expand => "The job would take over another job's nodes, which is not simulated.",
        DependencyKind::After
        | DependencyKind::AfterAny
        | DependencyKind::AfterOk
        | DependencyKind::AfterCorrespond => {
            return Ok(());
        }
    };
    Err(NoForecast { code: "dependency", why: why.to_owned() })
}

/// The latest at each share; none if nothing is left to happen.
fn latest(overs: impl Iterator<Item = Result<Option<TimeRange>, NoForecast>>) -> Result<Option<TimeRange>, NoForecast> {
    let overs: Vec<Option<TimeRange>> = overs.collect::<Result<_, _>>()?;
    Ok(overs.into_iter().flatten().reduce(|one, other| combined(&one, &other, Time::max)))
}

fn combined(one: &TimeRange, other: &TimeRange, choose: impl Fn(Time, Time) -> Time) -> TimeRange {
    TimeRange { times: std::array::from_fn(|place| choose(one.times[place], other.times[place])) }
}

/// When what is waited for of this job has happened.
fn over(job: &PublishedJob, kind: DependencyKind, minutes: u32) -> Result<Option<TimeRange>, NoForecast> {
    let JobForecast::Estimate(estimate) = &job.forecast else {
        let why = "The job depends on another job that has no forecast.";
        return Err(NoForecast { code: "dependency", why: why.to_owned() });
    };
    let range = match (kind, job.started, &estimate.last_task) {
        (DependencyKind::After, Some(_), _) if minutes == 0 => return Ok(None),
        (DependencyKind::After, Some(started), _) => TimeRange { times: [started; SHARES.len()] },
        (DependencyKind::After, None, Some(last)) => last.start,
        (DependencyKind::After, None, None) => estimate.start,
        (_, _, Some(last)) => last.completion,
        (..) => estimate.completion,
    };
    let later = Seconds(60 * i64::from(minutes));
    Ok(Some(TimeRange { times: range.times.map(|time| time + later) }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::test_board::{NOW, estimate, job, published};
    use crate::board::Board;
    use queuecast_records::JobPart;

    /// Job 7 starts in 1,000 s and ends in 4,600; 8 runs and ends in 3,600; of array 20 two tasks wait; of 9 nothing is said.
    fn board() -> Board {
        let running = PublishedJob { started: Some(Time(NOW.0 - 60)), forecast: estimate(0), ..job(8) };
        let held = JobForecast::NoForecast(NoForecast { code: "held", why: String::new() });
        let task = |number, task, seconds| PublishedJob {
            part: JobPart::ArrayTask { array_job_id: 20, task },
            forecast: estimate(seconds),
            ..job(number)
        };
        let first = PublishedJob { forecast: estimate(1_000), ..job(7) };
        Board::new(published(vec![
            first,
            running,
            PublishedJob { forecast: held, ..job(9) },
            task(21, 1, 0),
            task(22, 2, 9_000),
        ]))
    }

    fn median(text: &str) -> Result<(Option<i64>, bool), &'static str> {
        let dependencies = Dependencies::parse(text).expect(text);
        let found = awaited(&dependencies, &board().read(), |job| job.job_id != 22, |job| job.job_id == 8);
        let told = |found: Awaited| (found.over.map(|over| over.times[4].0 - NOW.0), found.is_whole);
        found.map(told).map_err(|none| none.code)
    }

    #[test]
    fn the_latest_of_all_counts_and_of_a_choice_the_earliest() {
        assert_eq!(median("afterok:7"), Ok((Some(4_600), true)));
        assert_eq!(median("after:7+10"), Ok((Some(1_600), true)));
        assert_eq!(median("after:8"), Ok((None, true)), "it has started");
        assert_eq!(median("afterany:7:8"), Ok((Some(4_600), true)));
        assert_eq!(median("afterany:7?afterany:8"), Ok((Some(3_600), true)));
        assert_eq!(median("singleton"), Ok((Some(3_600), true)));
        assert_eq!(median("afterok:20_1"), Ok((Some(3_600), true)));
    }

    #[test]
    fn a_job_that_is_not_there_or_not_the_askers_is_taken_for_ended_and_that_is_known() {
        assert_eq!(median("afterok:99"), Ok((None, false)));
        assert_eq!(median("afterok:22"), Ok((None, false)), "the same words for somebody else's");
        assert_eq!(median("afterok:99,afterok:7"), Ok((Some(4_600), false)));
    }

    #[test]
    fn what_nobody_can_say_has_no_estimate() {
        assert_eq!(median("afterok:9"), Err("dependency"));
        assert_eq!(median("afternotok:7"), Err("dependency"));
    }
}
