//! The last waits of the kinds a job belongs to: all jobs, its partition, its class, its user.

use queuecast_workload::{PartitionId, Submission, UserId};

use super::curve::WaitCurve;
use super::recent_waits::RecentWaits;

/// The most processors of each class of size but the last, and the longest limit of each class of limits.
const SIZES: [u32; 5] = [1, 4, 16, 64, 256];
const LIMITS_SECONDS: [i64; 5] = [900, 3_600, 14_400, 43_200, 86_400];

/// Jobs that are alike in size and limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Class {
    size: usize,
    limit: Option<usize>,
}

impl Class {
    /// The class of a job.
    pub fn of(job: &Submission) -> Self {
        Self {
            size: SIZES.iter().filter(|most| job.request.processors > **most).count(),
            limit: job.limit.map(|limit| LIMITS_SECONDS.iter().filter(|longest| limit.0 > **longest).count()),
        }
    }
}

/// The last waits of all jobs, and by what they have in common.
#[derive(Clone, Debug, Default)]
pub struct RecentByKind {
    partition: RecentWaits<Option<PartitionId>>,
    class: RecentWaits<Class>,
    user: RecentWaits<UserId>,
    all: RecentWaits<()>,
}

/// The last waits of the kinds a job belongs to; `None` where too little is known.
#[derive(Clone, Copy, Debug)]
pub struct Recent {
    /// Of all jobs.
    pub all: Option<WaitCurve>,
    /// Of its partition.
    pub partition: Option<WaitCurve>,
    /// Of its class.
    pub class: Option<WaitCurve>,
    /// Of its user.
    pub user: Option<WaitCurve>,
}

impl RecentByKind {
    /// The last waits of such jobs.
    pub fn of(&self, job: &Submission, waited_seconds: f64) -> Recent {
        Recent {
            all: self.all.curve(&(), waited_seconds),
            partition: self.partition.curve(&job.partition, waited_seconds),
            class: self.class.curve(&Class::of(job), waited_seconds),
            user: job.user.and_then(|user| self.user.curve(&user, waited_seconds)),
        }
    }

    /// A job started after this wait.
    pub fn started(&mut self, job: &Submission, wait_seconds: f64) {
        self.all.add((), wait_seconds);
        self.partition.add(job.partition, wait_seconds);
        self.class.add(Class::of(job), wait_seconds);
        if let Some(user) = job.user {
            self.user.add(user, wait_seconds);
        }
    }
}
