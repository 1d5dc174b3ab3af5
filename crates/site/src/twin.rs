//! A twin of a real Slurm: given the true submissions and run times of a stretch, whom does our model start when?
//!
//! For: measuring the model by itself. What it is told is what nobody knows live (who will come, how long everybody runs), so what is
//! left of the difference to the real starts is the model's own.
//!
//! Not for: forecasts, which must do without.

use queuecast_forecast::forward::{Prospect, RuntimeSampler};
use queuecast_forecast::queue::{QueueSettings, forecast_queue};
use queuecast_records::{BaseState, JobRecord, JobState};
use queuecast_workload::{JobId, Request, Seconds, Submission, Time};

use crate::cluster::{ClusterReading, Situation};

/// A job as it was submitted, and how long it truly runs.
#[derive(Clone, Debug)]
pub struct TrueJob {
    /// What was asked for; what became of it is left out of account.
    pub record: JobRecord,
    /// From start to end, if nobody stops it.
    pub run: Seconds,
}

/// When each job starts first in the model, or why it is not played. The reading says what there was at the beginning; its own jobs
/// are not looked at.
pub fn starts(reading: &ClusterReading<'_>, jobs: &[TrueJob], horizon: Seconds) -> Vec<Result<Time, String>> {
    let jobs: Vec<TrueJob> = jobs.iter().map(|job| TrueJob { record: to_come(&job.record), run: job.run }).collect();
    starts_from(reading, &jobs, horizon)
}

/// The same of a cluster where jobs wait and run: each begins as its record has it. Who is to come waits, and is eligible when it comes
/// ([`to_come`]). The reading's own jobs are not looked at.
pub fn starts_from(reading: &ClusterReading<'_>, jobs: &[TrueJob], horizon: Seconds) -> Vec<Result<Time, String>> {
    let records: Vec<JobRecord> = jobs.iter().map(|job| job.record.clone()).collect();
    let mut handle = 0;
    let mut numbers = std::collections::HashMap::new();
    let situation = Situation::of(&ClusterReading { jobs: &records, ..*reading }, |record| {
        handle += 1;
        numbers.insert((record.key.job_id, record.key.part.clone()), handle);
        submission(record, handle)
    });
    let run_of = |record: &JobRecord| numbers.get(&(record.key.job_id, record.key.part.clone())).copied();
    let runs = jobs.iter().filter_map(|job| Some((run_of(&job.record)?, job.run))).collect();
    let mut truth = Truth { runs, drawn: Vec::new() };
    let settings = QueueSettings { futures: 1, horizon, ..QueueSettings::default() };
    let played = forecast_queue(&situation.core, &mut truth, &settings);
    let start = |place: usize| played.starts[place][0].ok_or_else(|| "not before the horizon".to_owned());
    let mut found: Vec<Result<Time, String>> = vec![Err("it does not wait".to_owned()); jobs.len()];
    for job in &situation.waiting {
        found[job.record] = job.place.clone().map_err(|none| none.code.to_owned()).and_then(start);
    }
    found
}

/// The same job before anything became of it: it waits, and comes when it was submitted.
pub fn to_come(record: &JobRecord) -> JobRecord {
    let mut job = record.clone();
    job.state = JobState { base: BaseState::Pending, ..JobState::default() };
    job.eligible = Some(job.eligible.unwrap_or(job.key.submitted).max(job.key.submitted));
    (job.started, job.ended, job.planned_start, job.priority) = (None, None, None, None);
    (job.reason, job.nodes) = (String::new(), String::new());
    job
}

fn submission(record: &JobRecord, handle: u64) -> Submission {
    let cpus = record.requested.cpus.unwrap_or(1);
    Submission {
        job: JobId(handle),
        submitted: record.key.submitted,
        request: Request { processors: u32::try_from(cpus).unwrap_or(u32::MAX) },
        limit: record.limit.seconds(),
        user: None,
        group: None,
        program: None,
        queue: None,
        partition: None,
    }
}

/// Knows how long everybody runs.
struct Truth {
    runs: std::collections::HashMap<u64, Seconds>,
    drawn: Vec<Seconds>,
}

impl RuntimeSampler for Truth {
    fn prepare(&mut self, prospects: &[Prospect], _now: Time) {
        let run = |prospect: &Prospect| self.runs.get(&prospect.submission.job.0).copied().unwrap_or(Seconds(1));
        self.drawn = prospects.iter().map(run).collect();
    }

    fn sample(&self, place: usize, _uniform: f64) -> Seconds {
        self.drawn[place]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::Reach;
    use crate::cluster::test_cluster::{node, partition, waiting};

    #[test]
    fn jobs_come_when_they_were_submitted_and_run_as_long_as_they_truly_do() {
        let nodes = [node("a1", 1, &["batch"]), node("a2", 1, &["batch"])];
        let reading = ClusterReading {
            now: Time(1_000),
            jobs: &[],
            nodes: &nodes,
            partitions: &[partition("batch")],
            reservations: &[],
            qos: &[],
            associations: &[],
            shares: &[],
            configuration: None,
            reach: &Reach::default(),
        };
        let job = |number: u64, submitted: i64, nodes: u64, run: i64| {
            let mut record = waiting(number, nodes);
            record.key.submitted = Time(submitted);
            TrueJob { record, run: Seconds(run) }
        };
        let jobs = [job(1, 1_000, 1, 500), job(2, 1_100, 2, 100), job(3, 1_200, 3, 10)];
        let found = starts(&reading, &jobs, Seconds(100_000));
        assert_eq!(found, [Ok(Time(1_000)), Ok(Time(1_500)), Err("does_not_fit".to_owned())]);
    }
}
