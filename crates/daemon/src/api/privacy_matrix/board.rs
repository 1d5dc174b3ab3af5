//! A board on which everything that is somebody's bears a mark.
//!
//! A mark is `MARK-owner-field`, or a number that begins with [`NUMBERS`]. Whatever part of it an answer holds can be found, and whose
//! it is.

use std::sync::Arc;

use queuecast_advise::change::Effect;
use queuecast_advise::limit::{Basis, HeavyTail};
use queuecast_forecast::score::{Breakdown, Coverage, Covered, Errors, Figures, SHARES, Score, ScoredForecast};
use queuecast_records::{AdminLevel, JobKey, JobPart, JobRecord, JobState, PrivateData, UserRecord};
use queuecast_workload::{Seconds, Time};

use crate::api::test_board::{NOW, estimate, job, published};
use queuecast_advise::{Adviser, HypotheticalJob};
use queuecast_advise::{
    Ahead, AheadClass, AheadCount, ChangeAdvice, Hold, Holder, JobChange, LawUsed, LimitAdvice, Place, SizeAdvice,
    SizeQuestion, Subject, Why, Width, WidthUnit,
};
use queuecast_forecast::estimate::{JobForecast, NoForecast};
use queuecast_forecast::queue::{Patience, Threads};
use queuecast_site::observed::Observed;
use queuecast_site::past_waits::{Group, PastWaits, Spread, Waits};
use queuecast_site::published::{Published, PublishedJob};
use queuecast_site::roles::Roles;

pub const WORDS: &str = "MARK-";
/// Every marked number is of ten digits, and these are the first.
pub const NUMBERS: u64 = 918_273;

/// What a reservation of others does to a job.
pub const RESERVATION: u64 = 9_182_739_999;

pub const DAEMON: u32 = 990;
pub const ADMINISTRATOR_BY_NUMBER: u32 = 991;

/// Whose jobs there are; accounts are named after whose they are.
pub const OWNERS: [&str; 2] = ["alice", "bob"];

pub fn number_of(owner: &str) -> u32 {
    match owner {
        "alice" => 1_000,
        "bob" => 1_001,
        _ => 1_999,
    }
}

/// The marked number of some field: the owner's place, the job's, and the field's.
fn marked(owner: usize, place: usize, field: u64) -> u64 {
    NUMBERS * 10_000 + (owner as u64 + 1) * 1_000 + place as u64 * 100 + field
}

/// Whose a marked number is.
pub fn owner_of_number(number: u64) -> Option<&'static str> {
    let owner = usize::try_from(number % 10_000 / 1_000).ok()?.checked_sub(1)?;
    OWNERS.get(owner).copied()
}

/// The numbers of an owner's jobs.
pub fn job_ids(owner: &str) -> Vec<u64> {
    let owner = OWNERS.iter().position(|other| *other == owner).expect("an owner");
    (0..4).map(|place| marked(owner, place, 0)).collect()
}

fn jobs() -> Vec<PublishedJob> {
    let mut jobs = Vec::new();
    for (owner, user) in OWNERS.into_iter().enumerate() {
        let mark = |field: &str| format!("{WORDS}{user}-{field}");
        for place in 0..4 {
            let number = |field| marked(owner, place, field);
            let time = |field| Time(i64::try_from(number(field)).expect("ten digits"));
            jobs.push(PublishedJob {
                part: match place {
                    1 => JobPart::ArrayRemainder { array_job_id: number(0), tasks: "1-5".to_owned() },
                    2 => JobPart::HetComponent { het_job_id: number(0), offset: 0 },
                    _ => JobPart::Whole,
                },
                name: mark("name"),
                user: mark("user"),
                user_id: Some(number_of(user)),
                account: mark("account"),
                // A partition that only they use.
                partitions: vec![mark("partition")],
                qos: mark("qos"),
                reason: mark("reason"),
                submitted: time(1),
                slurm_estimated_start: Some(time(2)),
                limit: Some(Seconds(time(3).0)),
                nodes: Some(number(4)),
                cpus: Some(number(5)),
                started: (place == 3).then_some(Time(NOW.0 - 60)),
                forecast: if place == 2 {
                    JobForecast::NoForecast(NoForecast { code: "held", why: mark("why") })
                } else {
                    estimate(600)
                },
                ..job(number(0))
            });
        }
    }
    // Slurm did not say whose this is.
    let unowned = marked(OWNERS.len(), 0, 0);
    jobs.push(PublishedJob {
        user: String::new(),
        user_id: None,
        name: format!("{WORDS}mallory-name"),
        ..job(unowned)
    });
    jobs
}

/// Names partitions and nodes in what it says, as any adviser might.
struct Gossip;

impl Adviser for Gossip {
    fn within(self: Arc<Self>, _patience: Patience, _threads: Threads) -> Arc<dyn Adviser> {
        self
    }

    fn forecast(&self, job: &HypotheticalJob) -> JobForecast {
        let asked = format!("{}{}", job.user.as_deref().unwrap_or(""), job.name.as_deref().unwrap_or(""));
        let why = format!("{WORDS}adviser-partition {WORDS}adviser-nodes as={asked}");
        JobForecast::NoForecast(NoForecast { code: "does_not_fit", why })
    }

    fn limits(&self, subject: &Subject) -> Result<LimitAdvice, NoForecast> {
        let as_asked = match subject {
            Subject::Waiting(_) => estimate(600),
            Subject::Hypothetical(job) => match self.forecast(job) {
                JobForecast::NoForecast(none) => return Err(none),
                said @ JobForecast::Estimate(_) => said,
            },
        };
        // Figures that are nobody else's business, as any adviser has them.
        let (runs, usual) = (40, Seconds(60));
        Ok(LimitAdvice {
            asked: Seconds(600),
            risk: 0.0,
            as_asked,
            choices: Vec::new(),
            lowest_risk: None,
            basis: Some(Basis { own: true, runs, usual }),
            heavy_tail: Some(HeavyTail { runs, longer: 2, usual }),
        })
    }

    fn places(&self, job: &HypotheticalJob) -> Vec<Place> {
        vec![Place { partition: format!("{WORDS}adviser-partition"), forecast: self.forecast(job) }]
    }

    fn partitions(&self) -> Vec<&str> {
        vec!["MARK-adviser-partition"]
    }

    fn widths(&self, job: &HypotheticalJob, _question: &SizeQuestion) -> Result<SizeAdvice, NoForecast> {
        let width = Width { width: 1, run: Seconds(60), limit: Seconds(60), forecast: self.forecast(job) };
        Ok(SizeAdvice { unit: WidthUnit::Nodes, asked: 1, law: LawUsed::Given, widths: vec![width] })
    }

    /// Two users stand before it, a reservation holds it, and another partition would help.
    fn why(&self, _job_id: u64) -> Result<Why, NoForecast> {
        let effect = |seconds: u64| {
            let earlier = Seconds(i64::try_from(seconds).expect("ten digits"));
            Effect { earlier_median: earlier, earlier_low: earlier, earlier_high: earlier, share_earlier: 1.0 }
        };
        let marked = marked(OWNERS.len(), 0, 0);
        let count = AheadCount { jobs: marked, users: 2, node_seconds: 3_600 * marked };
        let class = AheadClass { nodes_from: 1, nodes_to: None, limit_to: None, count };
        Ok(Why {
            ahead: Ahead { all: count, own_jobs: 0, classes: vec![class] },
            holds: vec![Hold { what: Holder::Reservations, effect: effect(RESERVATION) }],
            changes: vec![ChangeAdvice {
                change: JobChange::Partition { from: Vec::new(), to: format!("{WORDS}adviser-partition") },
                effect: effect(60),
                forecast: estimate(600),
            }],
            futures: 50,
        })
    }
}

/// Figures of so many users, of which one is marked.
fn figures(users: u64, marked: u64) -> Figures {
    let covered = Covered { share: 0.5, low: 0.4, high: 0.6 };
    let errors = Errors { median_seconds: marked as f64, mean_seconds: 1.0, within_ten_minutes: 0.5 };
    Figures {
        forecasts: 1_000,
        jobs: 500,
        users,
        coverage: Some(Coverage { range50: covered, range80: covered, range90: covered, range95: covered }),
        errors: Some(errors),
        ..Figures::default()
    }
}

/// Partitions of few users and of many, and one that must go with those of few.
fn score() -> Score {
    let mut breakdown = Breakdown { overall: figures(5, 77), ..Breakdown::default() };
    for (name, users, jobs) in [("alice-partition", 1, 9_000), ("many-score", 5, 500), ("next-score", 5, 400)] {
        let figures = Figures { jobs, ..figures(users, 88) };
        breakdown.by_partition.insert(format!("{WORDS}{name}"), figures);
    }
    breakdown.by_wait_left[0] = figures(5, 99);
    Score { first: breakdown.clone(), all: breakdown }
}

/// Starts and scored forecasts of the same partitions.
fn observed() -> Observed {
    let mut observed = Observed::since(Time(0));
    for (name, users, jobs) in [("alice-partition", 1, 90), ("many-score", 5, 50), ("next-score", 5, 40)] {
        let partition = format!("{WORDS}{name}");
        for place in 0..jobs {
            let user = format!("user{}", place % users);
            let (cluster, part, submitted) = (String::new(), JobPart::Whole, Time(0));
            let key = JobKey { cluster, job_id: 7, part, submitted, sluid: None };
            let record = JobRecord {
                user: user.clone(),
                partitions: vec![partition.clone()],
                ..JobRecord::new(key, JobState::default())
            };
            observed.started(&record, Time(100));
            let said = [Time(90); SHARES.len()];
            observed.scored(&ScoredForecast {
                partition: partition.clone(),
                user,
                submitted,
                made: submitted,
                first: true,
                said,
                raw: said,
                slurm_said: None,
                experts: None,
                started: Time(100),
            });
        }
    }
    observed
}

/// Waits of a partition of one user, and of one of many.
fn past_waits() -> PastWaits {
    let waits = |users| {
        let spread = Some(Spread { median: Seconds(60), nine_of_ten: Seconds(600), users });
        Waits { all: spread, by_hour: [spread; 24], ..Waits::default() }
    };
    let group = |name: &str| Group { partition: Some(format!("{WORDS}{name}")), size: None };
    let groups =
        vec![(Group::default(), waits(5)), (group("alice-partition"), waits(1)), (group("many-score"), waits(5))];
    PastWaits { period: Some((Time(0), NOW)), groups: groups.into_iter().collect() }
}

fn user(name: &str, user_id: Option<u32>, level: AdminLevel, account: &str) -> UserRecord {
    let coordinates = Some(account).filter(|account| !account.is_empty()).map(str::to_owned);
    UserRecord { name: name.to_owned(), user_id, level, coordinates: coordinates.into_iter().collect() }
}

/// The board of a site that hides this.
pub fn board(private_data: PrivateData) -> Published {
    let roles = Roles::of([
        user("coordinator", Some(2_000), AdminLevel::None, "MARK-alice-account"),
        user("elsewhere", None, AdminLevel::None, "chemistry"),
        user("operator", Some(2_002), AdminLevel::Operator, ""),
        user("administrator", None, AdminLevel::Administrator, ""),
    ]);
    let mut board = Published {
        private_data,
        roles: Arc::new(roles),
        adviser: Some(Arc::new(Gossip)),
        score: Arc::new(score()),
        observed: Arc::new(observed()),
        past_waits: Arc::new(past_waits()),
        ..published(jobs())
    };
    let said = "Slurm complained of MARK-slurm-words";
    for reading in [&mut board.health.queue, &mut board.health.users, &mut board.health.backfill] {
        reading.problem = Some(said.to_owned());
    }
    board
}
