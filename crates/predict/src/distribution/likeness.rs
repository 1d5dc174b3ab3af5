//! How much a job that has ended is like one that is asked about: which category they share, how long ago, how alike.
//!
//! For: the categories of the back-off, from the user's equal jobs to the whole site, and a code for everything else
//! two jobs have or do not have in common. A weight is learnt for every value of the code
//! ([`super::learned_weights`]).
//!
//! Not for: deciding what any of it is worth.

use queuecast_workload::{GroupId, ProgramId, QueueId, Seconds, Status, Submission, Time, UserId};

use super::runtime_distribution::stored;

/// What the jobs of a category have in common.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is something jobs may have in common")]
pub struct Level {
    pub user: bool,
    pub group: bool,
    pub program: bool,
    pub queue: bool,
    pub limit: bool,
    pub processors: bool,
    /// Which jobs these are, for what is learnt about all such levels together.
    pub kin: Kin,
    /// How much one such job counts before anything is learnt, as a logarithm.
    pub log_weight: f64,
}

/// How near a level is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kin {
    /// The user's equal jobs.
    Equal = 0,
    /// Other jobs of the user.
    User = 1,
    /// Anybody's.
    Site = 2,
}

const ANY: Level = Level {
    user: false,
    group: false,
    program: false,
    queue: false,
    limit: false,
    processors: false,
    kin: Kin::Site,
    log_weight: 0.0,
};

/// From the nearest to the widest. What a log does not know makes no category.
pub const LEVELS: [Level; 11] = [
    Level { user: true, program: true, limit: true, processors: true, kin: Kin::Equal, log_weight: 0.0, ..ANY },
    Level { user: true, program: true, kin: Kin::User, log_weight: -1.5, ..ANY },
    Level { user: true, limit: true, processors: true, kin: Kin::Equal, log_weight: 0.0, ..ANY },
    Level { user: true, limit: true, kin: Kin::User, log_weight: -1.0, ..ANY },
    Level { user: true, processors: true, kin: Kin::User, log_weight: -2.0, ..ANY },
    Level { user: true, kin: Kin::User, log_weight: -2.5, ..ANY },
    Level { group: true, limit: true, log_weight: -4.0, ..ANY },
    Level { queue: true, limit: true, log_weight: -4.5, ..ANY },
    Level { limit: true, processors: true, log_weight: -4.0, ..ANY },
    Level { limit: true, log_weight: -4.5, ..ANY },
    Level { log_weight: -5.5, ..ANY },
];

/// The level that is there before any history: fixed shares of the limit.
pub const PRIOR_LEVEL: usize = LEVELS.len();
/// Levels in which limits differ count a second time, with run times in proportion to the limit.
pub const RELATIVE_LEVELS: [(usize, usize); 4] = [(1, 12), (4, 13), (5, 14), (10, 15)];

/// Run times of which nothing is known, as shares of the limit: near zero are failures, at one are those killed there.
pub const PRIOR_SHARES_OF_LIMIT: [f64; 18] =
    [0.0003, 0.001, 0.003, 0.007, 0.015, 0.03, 0.06, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0];
/// The same without a limit, in seconds up to a month.
pub const PRIOR_SECONDS: [u32; 18] = [
    1, 5, 20, 60, 180, 600, 1_200, 1_800, 3_600, 7_200, 14_400, 28_800, 43_200, 64_800, 86_400, 172_800, 604_800,
    2_592_000,
];

/// A category: a level and what its jobs have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CategoryKey {
    level: u8,
    user: Option<UserId>,
    group: Option<GroupId>,
    program: Option<ProgramId>,
    queue: Option<QueueId>,
    limit: Option<Seconds>,
    processors: Option<u32>,
}

impl Level {
    /// The job's category at this level; `None` if something it goes by is not known of the job.
    pub fn category(&self, index: usize, job: &Submission) -> Option<CategoryKey> {
        let missing = (self.user && job.user.is_none())
            || (self.group && job.group.is_none())
            || (self.program && job.program.is_none())
            || (self.queue && job.queue.is_none())
            || (self.limit && job.limit.is_none());
        (!missing).then(|| CategoryKey {
            level: u8::try_from(index).unwrap_or(u8::MAX),
            user: job.user.filter(|_| self.user),
            group: job.group.filter(|_| self.group),
            program: job.program.filter(|_| self.program),
            queue: job.queue.filter(|_| self.queue),
            limit: job.limit.filter(|_| self.limit),
            processors: self.processors.then_some(job.request.processors),
        })
    }

    /// Whether two jobs of one user share this level.
    pub fn shared_by(&self, one: &Submission, other: &Submission) -> bool {
        (!self.program || (one.program.is_some() && one.program == other.program))
            && (!self.limit || (one.limit.is_some() && one.limit == other.limit))
            && (!self.processors || one.request == other.request)
    }
}

/// A job that has ended, as categories remember it.
#[derive(Clone, Copy, Debug)]
pub struct Ended {
    /// How long it ran, a second at least.
    pub run: u32,
    /// As a share of its limit; not a number where there was none.
    pub share_of_limit: f32,
    pub limit: u32,
    pub processors: u32,
    pub submitted: Time,
    pub status: Status,
}

/// What is weighed: four codes, for each of which there is a table of weights. Their product is the weight.
pub type Code = [u8; 4];
/// How many values each code can take.
pub const CODES: usize = 128;
/// How many values the code of habits takes.
pub const HABITS: usize = 10;
/// Beside the kinds of kin: run times in proportion to the limit, and the prior.
const RELATIVE_KIN: usize = 3;
const PRIOR_KIN: usize = 4;
/// How many values nearness takes.
const NEARNESSES: u8 = 12;
/// Where nearness is that of run times in proportion to the limit.
const RELATIVE_NEARNESS_CODE: u8 = 3 * NEARNESSES;
/// Where the code of likeness is that of a point of the prior.
const PRIOR_CODE: usize = 64;
/// The same without a limit.
pub const PRIOR_WITHOUT_LIMIT_CODE: usize = PRIOR_CODE + PRIOR_SHARES_OF_LIMIT.len();

/// Which parts of the code are used; for measuring what each is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is an independent switch")]
pub struct Distinctions {
    /// How near processors and limit are where they are not equal.
    pub nearness: bool,
    /// How the other job ended.
    pub status: bool,
    /// Whether it was submitted at the same time of day.
    pub time_of_day: bool,
    /// Whether it was submitted together with the job.
    pub burst: bool,
}

/// The bucket of a rank counted from zero, the newest: 0, 1, 2, to 4, to 8, to 16, to 32, beyond.
pub fn rank_bucket(rank: usize) -> usize {
    match rank {
        0..=2 => rank,
        3..=4 => 3,
        5..=8 => 4,
        9..=16 => 5,
        17..=32 => 6,
        _ => 7,
    }
}

/// The code of the level and rank alone.
pub fn place_code(level: usize, rank: usize) -> u8 {
    u8::try_from(level * 8 + rank_bucket(rank)).unwrap_or(u8::MAX)
}

/// The code of what users differ in: whether they do the same again, and whether the very same as just now.
fn habit_code(kin: usize, rank: usize) -> u8 {
    u8::try_from(kin * 2 + usize::from(rank > 1)).unwrap_or(u8::MAX)
}

/// The code of a point of the prior, with or without a limit.
pub fn prior_code(point: usize, limited: bool) -> Code {
    let first = if limited { PRIOR_CODE } else { PRIOR_WITHOUT_LIMIT_CODE };
    [place_code(PRIOR_LEVEL, 0), habit_code(PRIOR_KIN, 0), u8::try_from(first + point).unwrap_or(u8::MAX), 127]
}

/// The code of an ended job for a job asked about.
pub fn code((level, kin): (usize, Kin), rank: usize, ended: &Ended, job: &Submission, uses: Distinctions) -> Code {
    let kin = kin as usize;
    let nearness = if uses.nearness {
        let limit = job.limit.map_or(0, |limit| nearness_bucket(stored(limit), ended.limit));
        limit * 3 + nearness_bucket(job.request.processors, ended.processors).min(2)
    } else {
        0
    };
    let status = match ended.status {
        _ if !uses.status => 0,
        Status::Completed => 0,
        Status::Failed => 1,
        Status::Cancelled => 2,
        Status::Partial | Status::Unknown => 3,
    };
    let apart = (job.submitted - ended.submitted).0;
    let burst = usize::from(uses.burst && apart < 600);
    let other_time_of_day = usize::from(uses.time_of_day && (14_400..72_000).contains(&apart.rem_euclid(86_400)));
    let byte = |code: usize| u8::try_from(code).unwrap_or(u8::MAX);
    [
        place_code(level, rank),
        habit_code(kin, rank),
        byte(kin * usize::from(NEARNESSES) + nearness),
        byte(((kin * 4 + status) * 2 + burst) * 2 + other_time_of_day),
    ]
}

/// The code of the same job where its run time counts in proportion to the limit: how near limits are matters
/// differently then.
pub fn relative_code(code: Code, relative_level: usize, rank: usize) -> Code {
    let nearness = code[2] % NEARNESSES + RELATIVE_NEARNESS_CODE;
    [place_code(relative_level, rank), habit_code(RELATIVE_KIN, rank), nearness, code[3]]
}

/// Equal, within a factor of two, of five, farther.
fn nearness_bucket(one: u32, other: u32) -> usize {
    let (less, more) = (u64::from(one.min(other)), u64::from(one.max(other)));
    usize::from(less != more) + usize::from(less * 2 < more) + usize::from(less * 5 < more)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearness_goes_by_ratios() {
        let pairs = [(60, 60), (60, 61), (60, 120), (121, 60), (60, 300), (301, 60), (0, 60)];
        assert_eq!(pairs.map(|(one, other)| nearness_bucket(one, other)), [0, 1, 1, 2, 2, 3, 3]);
    }

    #[test]
    fn every_code_has_a_place_in_its_table() {
        let widest = [PRIOR_LEVEL, LEVELS.len() - 1].into_iter().chain(RELATIVE_LEVELS.map(|(_, relative)| relative));
        assert!(widest.map(|level| usize::from(place_code(level, usize::MAX))).all(|code| code < CODES));
        for limited in [true, false] {
            let prior = prior_code(PRIOR_SECONDS.len() - 1, limited).map(usize::from);
            assert!(prior.into_iter().all(|code| code < CODES) && prior[1] < HABITS);
        }
        assert!(usize::from(RELATIVE_NEARNESS_CODE + NEARNESSES) <= PRIOR_CODE);
        assert!(usize::from(habit_code(PRIOR_KIN, 99)) < HABITS);
    }

    #[test]
    fn what_is_not_known_of_a_job_makes_no_category() {
        let job = crate::submissions::job_of(1);
        let levels = |job: &Submission| {
            let known = LEVELS.iter().enumerate().filter(|(index, level)| level.category(*index, job).is_some());
            known.map(|(index, _)| index).collect::<Vec<usize>>()
        };
        assert_eq!(levels(&job), [2, 3, 4, 5, 8, 9, 10]);
        assert_eq!(levels(&Submission { user: None, limit: None, ..job }), [10]);
    }
}
