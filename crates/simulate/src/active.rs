//! The jobs in the system, waiting or running, in a table whose places are reused.

use queuecast_schedule::JobKey;
use queuecast_workload::{JobId, Seconds, Status, Submission, Time};

use crate::accuracy::AccuracyTrack;

/// A job in the system. `run` and `status` are the trace's; nobody but the loop looks at them before the end.
#[derive(Clone, Copy, Debug)]
pub struct ActiveJob {
    pub submission: Submission,
    pub number: i64,
    pub run: Seconds,
    pub status: Status,
    pub planned: Seconds,
    pub started: Option<Time>,
    pub ended: bool,
    pub backfilled: bool,
    pub promised: Option<Time>,
    pub misses: u32,
    pub track: AccuracyTrack,
}

/// Jobs by key, with the way from a handle to its key.
#[derive(Clone, Debug)]
pub struct ActiveJobs {
    jobs: Vec<ActiveJob>,
    vacant: Vec<JobKey>,
    /// The key of the job with handle h at h modulo the length, a power of two. Handles come in order of arrival, so
    /// as long as no job stays while as many others arrive as this is long, no two in the system share a place; it
    /// is doubled when two would.
    keys: Vec<JobKey>,
}

/// In `keys`, where no job has been yet.
const NOWHERE: JobKey = JobKey(u32::MAX);

impl Default for ActiveJobs {
    fn default() -> Self {
        Self { jobs: Vec::new(), vacant: Vec::new(), keys: vec![NOWHERE; 1 << 10] }
    }
}

impl ActiveJobs {
    /// Takes a job in.
    pub fn insert(&mut self, job: ActiveJob) -> JobKey {
        let id = job.submission.job;
        let key = if let Some(key) = self.vacant.pop() {
            self.jobs[key.0 as usize] = job;
            key
        } else {
            self.jobs.push(job);
            JobKey(u32::try_from(self.jobs.len() - 1).expect("fewer than 2^32 jobs are in the system"))
        };
        while self.is_in_the_way(id) {
            self.double_keys();
        }
        let place = self.place(id);
        self.keys[place] = key;
        key
    }

    /// Lets an ended job go.
    pub fn remove(&mut self, key: JobKey) {
        self.jobs[key.0 as usize].ended = true;
        self.vacant.push(key);
    }

    /// Where a job is; `None` once it has ended.
    pub fn find(&self, id: JobId) -> Option<JobKey> {
        let key = self.keys[self.place(id)];
        self.jobs.get(key.0 as usize).filter(|job| job.submission.job == id && !job.ended).map(|_| key)
    }

    pub fn get(&self, key: JobKey) -> &ActiveJob {
        &self.jobs[key.0 as usize]
    }

    pub fn get_mut(&mut self, key: JobKey) -> &mut ActiveJob {
        &mut self.jobs[key.0 as usize]
    }

    #[expect(clippy::cast_possible_truncation, reason = "only the lowest bits are wanted")]
    fn place(&self, id: JobId) -> usize {
        id.0 as usize & (self.keys.len() - 1)
    }

    /// Whether another job in the system has the place where `id` belongs.
    fn is_in_the_way(&self, id: JobId) -> bool {
        let place = self.place(id);
        let Some(other) = self.jobs.get(self.keys[place].0 as usize) else { return false };
        !other.ended && other.submission.job != id && self.place(other.submission.job) == place
    }

    fn double_keys(&mut self) {
        self.keys = vec![NOWHERE; self.keys.len() * 2];
        for (key, job) in (0..).zip(&self.jobs).filter(|(_, job)| !job.ended) {
            let place = self.place(job.submission.job);
            self.keys[place] = JobKey(key);
        }
    }
}

#[cfg(test)]
mod tests {
    use queuecast_workload::Request;

    use super::*;

    fn job(id: u64) -> ActiveJob {
        ActiveJob {
            submission: Submission {
                job: JobId(id),
                submitted: Time(0),
                request: Request { processors: 1 },
                limit: None,
                user: None,
                group: None,
                program: None,
                queue: None,
                partition: None,
            },
            number: 0,
            run: Seconds(1),
            status: Status::Completed,
            planned: Seconds(1),
            started: None,
            ended: false,
            backfilled: false,
            promised: None,
            misses: 0,
            track: AccuracyTrack::new(Seconds(1), Time(0)),
        }
    }

    #[test]
    fn a_job_is_found_however_many_arrive_after_it_and_not_once_it_ended() {
        let mut active = ActiveJobs::default();
        let patient = active.insert(job(0));
        for id in 1..100_000 {
            let key = active.insert(job(id));
            assert_eq!(active.find(JobId(id)), Some(key));
            if id % 100 != 0 {
                active.remove(key);
                assert_eq!(active.find(JobId(id)), None);
            }
        }
        assert_eq!(active.find(JobId(0)), Some(patient));
        for id in (100..100_000).step_by(100) {
            assert!(active.find(JobId(id)).is_some_and(|key| active.get(key).submission.job == JobId(id)), "{id}");
        }
        active.remove(patient);
        assert_eq!(active.find(JobId(0)), None);
    }
}
