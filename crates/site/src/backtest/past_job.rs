//! A job that is over, in a few bytes: a million of them are to fit into memory beside everything else.

use queuecast_schedule::slurm::Amount;
use queuecast_workload::{
    GroupId, JobId, Outcome, PartitionId, ProgramId, QueueId, Request, Seconds, Status, Submission, Time, UserId,
};

/// What became of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It started and ended.
    Ended,
    /// It started, and has not ended where the history does.
    RunsOn,
    /// It left without having started.
    Withdrawn,
    /// It still waits where the history ends.
    WaitsOn,
}

/// A job of a history. Numbers of users and the like are zero where they are not known, so is a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PastJob {
    /// Its number in the log or in Slurm; a label.
    pub number: i64,
    /// When it could first have been started: it came, and depended on nothing any more.
    pub arrived: Time,
    /// Seconds from then until it started, or left.
    pub wait_seconds: u32,
    /// Seconds from start to end.
    pub run_seconds: u32,
    /// Its limit in seconds.
    pub limit_seconds: u32,
    /// Its priority.
    pub priority: u32,
    /// What it asked for.
    pub asked: Resources,
    /// What it held, if it started.
    pub held: Resources,
    /// Who submitted it.
    pub user: u32,
    /// The account.
    pub group: u32,
    /// What it runs.
    pub program: u32,
    /// The quality of service or queue.
    pub queue: u32,
    /// The partition.
    pub partition: u32,
    /// What became of it.
    pub fate: Fate,
    /// How it ended.
    pub status: Status,
}

/// So much of each kind, in all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Resources {
    /// Nodes; zero if not known.
    pub nodes: u32,
    /// Processors.
    pub processors: u32,
    /// GPUs.
    pub gpus: u32,
}

impl Resources {
    /// As the scheduler counts it.
    pub fn amount(self) -> Amount {
        Amount { gpus: i64::from(self.gpus), ..Amount::processors(i64::from(self.processors)) }
    }
}

impl PastJob {
    /// Whether it started.
    pub fn has_started(&self) -> bool {
        matches!(self.fate, Fate::Ended | Fate::RunsOn)
    }

    /// When it started, or left.
    pub fn started(&self) -> Time {
        self.arrived + self.wait()
    }

    /// How long it waited.
    pub fn wait(&self) -> Seconds {
        Seconds(i64::from(self.wait_seconds))
    }

    /// How long it ran. Whatever ran beyond its limit is counted up to it.
    pub fn run(&self) -> Seconds {
        Seconds(i64::from(self.run_seconds)).min(self.limit().unwrap_or(Seconds::MAX))
    }

    /// When it ended, a second after its start at the least.
    pub fn ended(&self) -> Time {
        self.started() + Seconds(i64::from(self.run_seconds)).max(Seconds(1))
    }

    /// Its limit.
    pub fn limit(&self) -> Option<Seconds> {
        (self.limit_seconds > 0).then_some(Seconds(i64::from(self.limit_seconds)))
    }

    /// What was known when it came, under this handle.
    pub fn submission(&self, place: u32) -> Submission {
        let known = |number: u32| (number > 0).then_some(number);
        Submission {
            job: JobId(u64::from(place)),
            submitted: self.arrived,
            request: Request { processors: self.asked.processors.max(1) },
            limit: self.limit(),
            user: known(self.user).map(UserId),
            group: known(self.group).map(GroupId),
            program: known(self.program).map(ProgramId),
            queue: known(self.queue).map(QueueId),
            partition: known(self.partition).map(PartitionId),
        }
    }

    /// What is learnt when it ends.
    pub fn outcome(&self) -> Outcome {
        let started = self.started();
        Outcome { started, ended: started + self.run(), status: self.status }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_million_jobs_are_less_than_a_hundred_megabytes() {
        assert!(size_of::<PastJob>() <= 100, "{}", size_of::<PastJob>());
    }
}
