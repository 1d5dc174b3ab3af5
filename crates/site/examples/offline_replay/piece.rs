//! A piece of a log on made-up nodes, and when our model of Slurm starts its jobs.

use std::path::Path;

use queuecast_forecast::forward::{Prospect, RuntimeSampler};
use queuecast_forecast::queue::{PlayableQueue, QueueSettings, RunningHere, WaitingHere, forecast_queue};
use queuecast_schedule::slurm::{Amount, Chunk, Cluster, Demand, Pool, PoolSet, SlurmSettings};
use queuecast_workload::files::Input;
use queuecast_workload::swf::{Line, SwfReader, SwfRecord};
use queuecast_workload::{JobId, Outcome, Request, Seconds, Status, Submission, Time, UserId};

/// As in the lab: as many as the largest of the logs has.
const USERS: i64 = 700;

pub struct Job {
    pub submission: Submission,
    pub run: Seconds,
    pub status: Status,
}

/// A job that had ended when the piece began.
pub struct PastJob {
    pub submission: Submission,
    pub outcome: Outcome,
}

/// What happens to a job; of what happens in one second, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Event {
    Ended,
    Arrived,
    Started,
}

pub struct Piece {
    pub begins: Time,
    pub past: Vec<PastJob>,
    /// Their handles are their places.
    pub jobs: Vec<Job>,
    pub starts: Vec<Time>,
    cluster: Cluster,
}

impl Piece {
    pub fn read(
        log: &Path,
        skip: usize,
        count: usize,
        past: usize,
        nodes: u32,
        processors_per_node: u32,
    ) -> Result<Self, Box<dyn std::error::Error>> {
        let past = past.min(skip);
        let records = usable(log, skip - past, past + count)?;
        let (before, within) = records.split_at(past);
        let begins = Time(within.first().ok_or("the log has no such jobs")?.submit_time);
        let job = |record: &SwfRecord, handle: usize| job(record, handle, nodes, processors_per_node);
        let past = before.iter().enumerate().map(|(place, record)| {
            let Job { submission, run, status } = job(record, count + place);
            let started = submission.submitted + Seconds(record.wait_time.max(0));
            PastJob { submission, outcome: Outcome { started, ended: started + run, status } }
        });
        let mut past: Vec<PastJob> = past.filter(|job| job.outcome.ended < begins).collect();
        past.sort_by_key(|job| job.outcome.ended);
        // As sites run it, and the lab: experiments/slurm-live.
        let settings = SlurmSettings { window: Seconds(7 * 86_400), ..SlurmSettings::default() };
        let cluster =
            Cluster { pools: vec![Pool { node: Amount::processors(1), nodes }], settings, ..Cluster::default() };
        let jobs = within.iter().enumerate().map(|(place, record)| job(record, place)).collect();
        let mut piece = Self { begins, past, jobs, starts: Vec::new(), cluster };
        piece.starts = piece.played();
        Ok(piece)
    }

    /// When everybody starts: the queue played forward once, everything known.
    fn played(&self) -> Vec<Time> {
        let waiting = self.jobs.iter().map(|job| {
            let submitted = job.submission.submitted;
            waiting(&job.submission, Some(submitted).filter(|submitted| *submitted > self.begins))
        });
        let situation = PlayableQueue::new(self.begins, self.cluster.clone(), waiting.collect(), Vec::new());
        let settings = QueueSettings { futures: 1, horizon: Seconds(365 * 86_400), ..QueueSettings::default() };
        let played = forecast_queue(&situation, &mut Truth(self, Vec::new()), &settings);
        played.starts.iter().map(|starts| starts[0].expect("everybody starts within a year")).collect()
    }

    pub fn run_of(&self, job: JobId) -> Seconds {
        self.jobs[usize::try_from(job.0).expect("a place")].run
    }

    /// What happens, in order of time.
    pub fn events(&self) -> Vec<(Time, Event, usize)> {
        let mut events: Vec<_> = (self.jobs.iter().zip(&self.starts).enumerate())
            .flat_map(|(place, (job, start))| {
                [
                    (job.submission.submitted, Event::Arrived, place),
                    (*start, Event::Started, place),
                    (*start + job.run, Event::Ended, place),
                ]
            })
            .collect();
        events.sort_unstable();
        events
    }

    /// Who waits and runs at this time, and the places of those who wait; if asked, with those who are to come behind them.
    pub fn situation(&self, now: Time, with_arrivals: bool) -> (PlayableQueue, Vec<usize>) {
        let there = |place: &usize| self.jobs[*place].submission.submitted <= now;
        let places: Vec<usize> = (0..self.jobs.len()).filter(there).filter(|place| self.starts[*place] > now).collect();
        let mut queue: Vec<WaitingHere> =
            places.iter().map(|place| waiting(&self.jobs[*place].submission, None)).collect();
        if with_arrivals {
            let to_come = self.jobs.iter().filter(|job| job.submission.submitted > now);
            queue.extend(to_come.map(|job| waiting(&job.submission, Some(job.submission.submitted))));
        }
        let runs = |place: &usize| self.starts[*place] <= now && now < self.starts[*place] + self.jobs[*place].run;
        let running = (0..self.jobs.len()).filter(runs).map(|place| {
            let (submission, started) = (self.jobs[place].submission, self.starts[place]);
            let holds = vec![(0, Amount::processors(i64::from(submission.request.processors)))];
            RunningHere::new(submission, started, started + limit(&submission), holds)
        });
        (PlayableQueue::new(now, self.cluster.clone(), queue, running.collect()), places)
    }
}

/// Every run time as it will be.
struct Truth<'a>(&'a Piece, Vec<Prospect>);

impl RuntimeSampler for Truth<'_> {
    fn prepare(&mut self, prospects: &[Prospect], _now: Time) {
        self.1 = prospects.to_vec();
    }
    fn sample(&self, place: usize, _uniform: f64) -> Seconds {
        self.0.run_of(self.1[place].submission.job)
    }
}

fn limit(submission: &Submission) -> Seconds {
    submission.limit.expect("jobs without a limit are left out")
}

fn waiting(submission: &Submission, not_before: Option<Time>) -> WaitingHere {
    let demand = Demand::of(submission.request.processors, Chunk::WholeNode, PoolSet(1));
    let planned = limit(submission);
    WaitingHere { not_before, ..WaitingHere::new(*submission, demand, planned) }
}

fn job(record: &SwfRecord, handle: usize, nodes: u32, processors_per_node: u32) -> Job {
    let processors = u32::try_from(record.processors().unwrap_or(1)).unwrap_or(u32::MAX);
    let limit = (record.requested_time + 59) / 60 * 60;
    let run = record.run_time.min(limit);
    let submission = Submission {
        job: JobId(handle as u64),
        submitted: Time(record.submit_time),
        request: Request { processors: processors.div_ceil(processors_per_node).clamp(1, nodes) },
        limit: Some(Seconds(limit)),
        user: Some(UserId(u32::try_from((record.user.max(1) - 1) % USERS).unwrap_or(0))),
        group: None,
        program: None,
        queue: None,
        partition: None,
    };
    Job {
        submission,
        run: Seconds(run),
        status: if run < record.run_time { Status::Cancelled } else { Status::Completed },
    }
}

/// So many jobs behind the first few that ran and have a limit.
fn usable(log: &Path, skip: usize, count: usize) -> Result<Vec<SwfRecord>, Box<dyn std::error::Error>> {
    let mut reader = SwfReader::new(Input::open(log)?)?;
    let mut records = Vec::new();
    let mut seen = 0;
    while records.len() < count {
        let Some(line) = reader.next_line()? else { return Err("the log is too short".into()) };
        let Line::Job(record) = line else { continue };
        if record.processors().is_none() || record.run_time <= 0 || record.requested_time <= 0 {
            continue;
        }
        seen += 1;
        if seen > skip {
            records.push(record);
        }
    }
    Ok(records)
}
