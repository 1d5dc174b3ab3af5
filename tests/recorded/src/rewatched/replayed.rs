//! The model put back to the truth at every reading: told who ends and who comes until the next, whom does it start meanwhile?
//!
//! For: the model of Slurm alone, over ten minutes, where a twin's first mistake is carried on to the end. The daemon's own replay check
//! (`queuecast_site::cluster::check`) asks less: whom would one pass start now, with everything that happened since the last reading taken
//! to have happened at once.
//!
//! Not for: forecasts, which are not told who ends and who comes.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use anyhow::Result;
use queuecast_records::source::Source;
use queuecast_records::{BaseState, JobKey, JobPart, JobRecord};
use queuecast_site::cluster::{ClusterReading, Reach};
use queuecast_site::twin::{TrueJob, starts_from, to_come};
use queuecast_workload::{Seconds, Time};

use super::clock::RecordedClock;
use super::source::{Asked, RecordedSource};
use crate::judged::ReplayCheck;

/// Slurm's backfill comes round every half minute, and reading the queue takes some seconds: a start so near the end of an interval may be on
/// either side of it.
const EDGE: Seconds = Seconds(60);

/// Nobody ends who has not ended in the recording.
const FOR_EVER: Seconds = Seconds(365 * 86_400);

/// What came of all intervals.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Replayed {
    /// Starts by Slurm of jobs that the model was told of.
    pub starts: usize,
    /// Those that the model made too, in the same interval.
    pub made: usize,
    /// Starts that the model made, and Slurm did not until a minute after the end of the interval.
    pub only_model: usize,
    /// Both kinds of difference, for looking at.
    pub differences: Vec<Difference>,
}

/// A job that one of the two started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// When the interval began.
    pub reading: Time,
    /// The job.
    pub job_id: u64,
    /// Its partition, and the reason Slurm gave last.
    pub partition: String,
    /// Slurm's reason for its waiting at that reading.
    pub reason: String,
    /// When Slurm started it, if it did meanwhile.
    pub slurm: Option<Time>,
    /// When the model did, or why not.
    pub model: Result<Time, String>,
}

/// Plays every interval of a recording.
pub fn replay(recording: &Path) -> Result<Replayed> {
    let source = RecordedSource::open(recording)?;
    let attempts = Attempts::of(source.attempts());
    let clock = RecordedClock::at(source.moments().first().copied().unwrap_or_default());
    let asked = source.at(clock.clone());
    let mut replayed = Replayed::default();
    for (readings, begun) in source.moments().windows(2).zip(source.begun().windows(2)) {
        clock.turn_to(readings[1]);
        let later = asked.queue()?.records;
        clock.turn_to(readings[0]);
        replayed.add_interval(&asked, &attempts, &later, begun[0], begun[1])?;
    }
    Ok(replayed)
}

impl Replayed {
    /// The counts alone.
    pub fn counts(&self) -> ReplayCheck {
        let [starts, explained, missing] = [self.starts, self.made, self.only_model].map(|count| count as u64);
        ReplayCheck { starts, explained, missing }
    }

    fn add_interval(
        &mut self,
        asked: &Asked,
        attempts: &Attempts,
        later: &[JobRecord],
        began: Time,
        ended: Time,
    ) -> Result<()> {
        let here = asked.queue()?.records;
        let is_here: HashSet<_> = here.iter().map(array_or_job).collect();
        let is_new = |job: &&JobRecord| job.key.submitted > began && !is_here.contains(&array_or_job(job));
        let come = arrived(later.iter().filter(is_new));
        let jobs: Vec<TrueJob> = (here.iter().cloned().chain(come))
            .map(|record| TrueJob { run: attempts.run(&record, began), record })
            .collect();
        let configuration = asked.configuration()?;
        let reading = ClusterReading {
            now: began,
            jobs: &[],
            nodes: &asked.nodes()?.records,
            partitions: &asked.partitions()?.records,
            reservations: &asked.reservations()?.records,
            qos: &asked.qos()?.records,
            associations: &asked.associations()?.records,
            shares: &asked.shares()?.records,
            configuration: Some(&configuration),
            reach: &Reach::default(),
        };
        let played = starts_from(&reading, &jobs, ended - began + EDGE);
        for (job, model) in jobs.iter().zip(played) {
            let record = &job.record;
            if record.state.base != BaseState::Pending {
                continue;
            }
            let slurm = attempts.next(record, began).map(|(start, _)| start);
            let slurm_meanwhile = slurm.filter(|start| *start <= ended);
            self.starts += usize::from(slurm_meanwhile.is_some());
            let is_made = slurm_meanwhile.is_some() && model.is_ok();
            let is_only_model =
                model.as_ref().is_ok_and(|start| *start <= ended) && slurm.is_none_or(|start| start > ended + EDGE);
            self.made += usize::from(is_made);
            self.only_model += usize::from(is_only_model);
            if is_only_model || slurm_meanwhile.is_some() && !is_made {
                self.differences.push(Difference {
                    reading: began,
                    job_id: record.key.job_id,
                    partition: record.partitions.join(","),
                    reason: record.reason.clone(),
                    slurm: slurm_meanwhile,
                    model,
                });
            }
        }
        Ok(())
    }
}

/// Who came, as they came: the tasks of an array, of which some run by now, as one.
fn arrived<'a>(jobs: impl Iterator<Item = &'a JobRecord>) -> Vec<JobRecord> {
    let mut come: BTreeMap<(u64, u64), JobRecord> = BTreeMap::new();
    for job in jobs {
        let (number, tasks) = match &job.key.part {
            JobPart::ArrayTask { array_job_id, task } => (*array_job_id, task.to_string()),
            JobPart::ArrayRemainder { array_job_id, tasks } => (*array_job_id, tasks.clone()),
            JobPart::HetComponent { .. } | JobPart::Whole => {
                come.insert((job.key.job_id, 0), to_come(job));
                continue;
            }
        };
        let all = come.entry((number, 1)).or_insert_with(|| {
            let part = JobPart::ArrayRemainder { array_job_id: number, tasks: String::new() };
            JobRecord { key: JobKey { part, ..job.key.clone() }, ..to_come(job) }
        });
        if let JobPart::ArrayRemainder { tasks: known, .. } = &mut all.key.part {
            let comma = if known.is_empty() { "" } else { "," };
            *known = format!("{tasks}{comma}{known}");
        }
        all.throttle = all.throttle.or(job.throttle);
    }
    come.into_values().collect()
}

/// The number an array is known by, or a job.
fn array_or_job(job: &JobRecord) -> u64 {
    match &job.key.part {
        JobPart::ArrayTask { array_job_id, .. } | JobPart::ArrayRemainder { array_job_id, .. } => *array_job_id,
        JobPart::HetComponent { .. } | JobPart::Whole => job.key.job_id,
    }
}

/// The number of a job or an array, and the task.
type Key = (u64, Option<u32>);

/// When everybody started and ended, as often as it did.
struct Attempts(BTreeMap<Key, Vec<(Time, Time)>>);

impl Attempts {
    /// Who still ran when the recording ended is taken to run on.
    fn of(jobs: &[JobRecord]) -> Self {
        let mut attempts: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for job in jobs {
            let Some(start) = job.started else { continue };
            let end = job.ended.unwrap_or(start + FOR_EVER);
            let task = match job.key.part {
                JobPart::ArrayTask { task, .. } => Some(task),
                _ => None,
            };
            attempts.entry((array_or_job(job), task)).or_default().push((start, end));
        }
        for attempts in attempts.values_mut() {
            attempts.sort_unstable();
        }
        Self(attempts)
    }

    /// The first of a job, or of a task of what is left of an array, that began after this.
    fn next(&self, job: &JobRecord, after: Time) -> Option<(Time, Time)> {
        let number = array_or_job(job);
        let is_one = |task: &Option<u32>| match job.key.part {
            JobPart::ArrayTask { task: one, .. } => *task == Some(one),
            _ => true,
        };
        let all = self.0.range((number, None)..=(number, Some(u32::MAX)));
        let all = all.filter(|((_, task), _)| is_one(task)).flat_map(|(_, attempts)| attempts);
        all.filter(|(start, _)| *start > after).min().copied()
    }

    /// How long it runs: the attempt it is in, or the next.
    fn run(&self, job: &JobRecord, now: Time) -> Seconds {
        let since = match job.started.filter(|_| job.state.base != BaseState::Pending) {
            Some(started) => started - Seconds(1),
            None => now,
        };
        self.next(job, since).map_or(FOR_EVER, |(start, end)| end - start)
    }
}

#[cfg(test)]
mod tests {
    use queuecast_records::JobState;

    use super::*;

    fn job(number: u64, part: JobPart, times: Option<(i64, i64)>) -> JobRecord {
        let key = JobKey { cluster: String::new(), job_id: number, part, submitted: Time(1), sluid: None };
        let base = if times.is_some() { BaseState::Completed } else { BaseState::Pending };
        JobRecord {
            started: times.map(|(start, _)| Time(start)),
            ended: times.map(|(_, end)| Time(end)),
            ..JobRecord::new(key, JobState { base, ..JobState::default() })
        }
    }

    fn task(number: u64, array_job_id: u64, task: u32, times: Option<(i64, i64)>) -> JobRecord {
        job(number, JobPart::ArrayTask { array_job_id, task }, times)
    }

    fn rest(number: u64, tasks: &str) -> JobRecord {
        job(number, JobPart::ArrayRemainder { array_job_id: number, tasks: tasks.to_owned() }, None)
    }

    #[test]
    fn an_array_of_which_some_run_by_now_came_as_one() {
        let mut throttled = rest(7, "3-9");
        throttled.throttle = Some(2);
        let later =
            [job(5, JobPart::Whole, None), task(8, 7, 1, Some((10, 20))), task(9, 7, 2, Some((10, 20))), throttled];
        let come = arrived(later.iter());
        assert_eq!(come.len(), 2);
        assert_eq!(come[0].key.part, JobPart::Whole);
        assert_eq!(come[1].key.part, JobPart::ArrayRemainder { array_job_id: 7, tasks: "3-9,2,1".to_owned() });
        assert_eq!((come[1].throttle, come[1].started, come[1].state.base), (Some(2), None, BaseState::Pending));
    }

    #[test]
    fn the_next_attempt_is_of_the_task_asked_about_or_of_any_that_is_left() {
        let ended = [
            task(8, 7, 1, Some((100, 150))),
            task(9, 7, 2, Some((120, 180))),
            // Task 1 was requeued.
            task(8, 7, 1, Some((300, 330))),
        ];
        let attempts = Attempts::of(&ended);
        assert_eq!(attempts.next(&rest(7, "1-2"), Time(0)), Some((Time(100), Time(150))));
        assert_eq!(attempts.next(&rest(7, "1-2"), Time(100)), Some((Time(120), Time(180))), "strictly after");
        assert_eq!(attempts.next(&task(8, 7, 1, None), Time(100)), Some((Time(300), Time(330))));
        assert_eq!(attempts.next(&rest(7, "1-2"), Time(300)), None);
        assert_eq!(attempts.run(&ended[0], Time(110)), Seconds(50), "the attempt it is in");
        assert_eq!(attempts.run(&rest(8, "1"), Time(0)), FOR_EVER, "of another array nothing is known");
    }

    #[test]
    fn who_still_runs_when_the_recording_ends_has_started_too() {
        let mut running = job(5, JobPart::Whole, Some((100, 0)));
        running.ended = None;
        let attempts = Attempts::of(&[running]);
        assert_eq!(attempts.next(&job(5, JobPart::Whole, None), Time(0)).map(|(start, _)| start), Some(Time(100)));
    }
}
