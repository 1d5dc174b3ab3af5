//! The experts, asked and taught together.

use queuecast_workload::{PartitionId, Submission, UserId};

use super::curve::WaitCurve;
use super::forest::Forest;
use super::recent_waits::RecentWaits;
use super::said_before::{KeptOutcomes, SaidBefore};
use super::word::Word;

/// Their names, in the order of their curves.
pub const EXPERTS: [&str; 8] = [
    "futures",
    "futures:repaired",
    "recent",
    "recent:class",
    "recent:user",
    "said-before",
    "said-before:repaired",
    "forest",
];

/// What they are worth before anything has come: the class is the surest of those that need little.
pub const PRIOR: [f64; EXPERTS.len()] = [0.5, 1.0, 1.0, 3.0, 1.0, 1.0, 1.0, 2.0];

/// The same where the manager tells priorities, limits and nodes, and the model therefore knows who goes first: it is the surest there. What came when
/// it said so made forecasts of jobs that wait worse on all three recorded stretches (`experiments/slurm-site`).
pub const PRIOR_WHERE_PRIORITIES_ARE_TOLD: [f64; EXPERTS.len()] = [4.0, 4.0, 0.25, 0.5, 0.25, 0.0, 0.0, 1.0];

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

/// Who is asked of waits.
#[derive(Clone, Debug, Default)]
pub struct Experts {
    of_partition: RecentWaits<Option<PartitionId>>,
    of_class: RecentWaits<Class>,
    of_user: RecentWaits<UserId>,
    of_all: RecentWaits<()>,
    before: SaidBefore,
    repaired_before: SaidBefore,
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

impl Experts {
    /// The last waits of such jobs.
    pub fn recent(&self, job: &Submission, waited_seconds: f64) -> Recent {
        Recent {
            all: self.of_all.curve(&(), waited_seconds),
            partition: self.of_partition.curve(&job.partition, waited_seconds),
            class: self.of_class.curve(&Class::of(job), waited_seconds),
            user: job.user.and_then(|user| self.of_user.curve(&user, waited_seconds)),
        }
    }

    /// What each says. Who knows nothing says what the next simpler one does, in the end what the model does.
    pub fn said(
        &self,
        recent: &Recent,
        [word, repaired]: &[Word; 2],
        regime: usize,
        forest: Option<&Forest>,
        row: &[f32],
    ) -> [WaitCurve; EXPERTS.len()] {
        let partition = recent.partition.or(recent.all).unwrap_or(repaired.curve);
        let class = recent.class.unwrap_or(partition);
        [
            word.curve,
            repaired.curve,
            partition,
            class,
            recent.user.unwrap_or(class),
            self.before.curve(word, regime).unwrap_or(word.curve),
            self.repaired_before.curve(repaired, regime).unwrap_or(repaired.curve),
            forest.map_or(repaired.curve, |forest| forest.curve(row)),
        ]
    }

    /// A job started, of which the model had said this, and had so long to wait then.
    pub fn learn(&mut self, [word, repaired]: &[Word; 2], regime: usize, wait_seconds: f64) {
        self.before.learn(word, regime, wait_seconds);
        self.repaired_before.learn(repaired, regime, wait_seconds);
    }

    /// What came when the model said so, as it is and repaired, to be kept.
    pub fn kept(&self) -> [KeptOutcomes; 2] {
        [self.before.kept(), self.repaired_before.kept()]
    }

    /// Goes on from what was kept.
    pub fn recall(&mut self, [before, repaired_before]: [KeptOutcomes; 2]) {
        self.before.recall(before);
        self.repaired_before.recall(repaired_before);
    }

    /// A job started after this wait.
    pub fn started(&mut self, job: &Submission, wait_seconds: f64) {
        self.of_all.add((), wait_seconds);
        self.of_partition.add(job.partition, wait_seconds);
        self.of_class.add(Class::of(job), wait_seconds);
        if let Some(user) = job.user {
            self.of_user.add(user, wait_seconds);
        }
    }
}
