//! What one job may ask for by its qualities of service and associations, and how many jobs may be submitted.
//!
//! With `DenyOnLimit` in one of its qualities of service a job beyond them is refused; otherwise it is taken and never starts. Too
//! many jobs are always refused. What the first quality of service limits, the second and the associations do not.
//!
//! Not for: what several jobs share while they run (`limits.rs`); limits on billing, and of models of GPUs, which are not read.
//!
//! Source: `acct_policy_validate` of 22.05, read for what it does.

use queuecast_records::{AssociationRecord, QosRecord, Tres};

use super::super::limits::{Belongs, Limits};
use super::submitted::Submitted;

/// A limit that a job does not keep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// Slurm's word for it.
    pub reason: &'static str,
    /// In a sentence.
    pub why: String,
    /// Whether it is refused whatever the qualities of service say.
    pub always_refused: bool,
}

/// A job held against its limits.
#[derive(Clone, Copy, Debug)]
pub struct Judged<'a> {
    pub whose: Belongs<'a>,
    pub tres: &'a Tres,
    /// The time it asks for, or its partition's default; `None` where Slurm gives it what it may have.
    pub minutes: Option<u64>,
    /// How many jobs it is: its tasks.
    pub jobs: u64,
    /// Whether limits in minutes hold back who could use them up (`safe`).
    pub is_safe: bool,
}

const CPUS: usize = 0;
const MEMORY: usize = 1;
const NODES: usize = 2;
const GPUS: usize = 3;
const NAMES: [&str; 4] = ["CPUs", "MiB of memory", "nodes", "GPUs"];

/// What Slurm calls a limit, for CPUs, memory, nodes and GPUs.
type Reasons = [&'static str; 4];

const QOS_PER_ACCOUNT: Reasons = ["MaxCpuPerAccount", "MaxMemoryPerAccount", "MaxNodePerAccount", "MaxGRESPerAccount"];
const QOS_PER_USER: Reasons =
    ["QOSMaxCpuPerUserLimit", "QOSMaxMemoryPerUser", "QOSMaxNodePerUserLimit", "QOSMaxGRESPerUser"];
const QOS_GROUP: Reasons = ["QOSGrpCpuLimit", "QOSGrpMemLimit", "QOSGrpNodeLimit", "QOSGrpGRES"];
const QOS_PER_JOB: Reasons =
    ["QOSMaxCpuPerJobLimit", "QOSMaxMemoryPerJob", "QOSMaxNodePerJobLimit", "QOSMaxGRESPerJob"];
const QOS_PER_NODE: Reasons = ["QOSMaxCpuPerNode", "QOSMaxMemoryPerNode", "QOSMaxNodePerNode", "QOSMaxGRESPerNode"];
const QOS_MIN: Reasons = ["QOSMinCpuNotSatisfied", "QOSMinMemory", "QOSMinNode", "QOSMinGRES"];
const QOS_MINUTES_PER_JOB: Reasons =
    ["QOSMaxCpuMinutesPerJobLimit", "QOSMaxMemoryMinutesPerJob", "QOSMaxNodeMinutesPerJob", "QOSMaxGRESMinutesPerJob"];
const QOS_MINUTES: Reasons = ["QOSGrpCPUMinutesLimit", "QOSGrpMemoryMinutes", "QOSGrpNodeMinutes", "QOSGrpGRESMinutes"];
const QOS_RUNNING_MINUTES: Reasons =
    ["QOSGrpCPURunMinutesLimit", "QOSGrpMemoryRunMinutes", "QOSGrpNodeRunMinutes", "QOSGrpGRESRunMinutes"];
const GROUP: Reasons = ["AssocGrpCpuLimit", "AssocGrpMemLimit", "AssocGrpNodeLimit", "AssocGrpGRES"];
const MINUTES: Reasons =
    ["AssocGrpCPUMinutesLimit", "AssocGrpMemMinutes", "AssocGrpNodeMinutes", "AssocGrpGRESMinutes"];
const RUNNING_MINUTES: Reasons =
    ["AssocGrpCPURunMinutesLimit", "AssocGrpMemRunMinutes", "AssocGrpNodeRunMinutes", "AssocGrpGRESRunMinutes"];
const PER_JOB: Reasons =
    ["AssocMaxCpuPerJobLimit", "AssocMaxMemPerJob", "AssocMaxNodePerJobLimit", "AssocMaxGRESPerJob"];
const PER_NODE: Reasons = ["AssocMaxCpuPerNode", "AssocMaxMemPerNode", "AssocMaxNodePerNode", "AssocMaxGRESPerNode"];
const MINUTES_PER_JOB: Reasons = [
    "AssocMaxCpuMinutesPerJobLimit",
    "AssocMaxMemMinutesPerJob",
    "AssocMaxNodeMinutesPerJob",
    "AssocMaxGRESMinutesPerJob",
];

type Amounts = [Option<u64>; 4];

fn amounts(tres: &Tres) -> Amounts {
    let mut amounts = [None; 4];
    (amounts[CPUS], amounts[MEMORY]) = (tres.cpus, tres.memory_mebibytes);
    (amounts[NODES], amounts[GPUS]) = (tres.nodes, tres.gpus);
    amounts
}

/// What the qualities of service have limited already.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "limits, each by itself")]
struct Set {
    per_account: Amounts,
    per_user: Amounts,
    group: Amounts,
    per_job: Amounts,
    per_node: Amounts,
    least: Amounts,
    minutes_per_job: Amounts,
    minutes: Amounts,
    running_minutes: Amounts,
    wall: bool,
    group_wall: bool,
    group_submitted: bool,
    submitted: bool,
}

/// Every limit that it does not keep, in Slurm's order; and whether Slurm refuses such a job.
pub fn broken(job: &Judged<'_>, limits: &Limits, submitted: &Submitted) -> (Vec<Broken>, bool) {
    let qualities = limits.qos_in_order(job.whose);
    let denies = |qos: &&QosRecord| {
        qos.flags.iter().any(|flag| flag.eq_ignore_ascii_case("DenyOnLimit") || flag == "DENY_LIMIT")
    };
    let refuses = qualities.is_empty() || qualities.iter().any(denies);
    let mut found = Found { job, refuses, broken: Vec::new() };
    let mut set = Set::default();
    for qos in &qualities {
        found.by_qos(qos, &mut set, submitted);
    }
    let factor = qualities.iter().find_map(|qos| qos.limit_factor);
    let associations = limits.associations();
    if let Some(own) = associations.find(job.whose.account, job.whose.user, job.whose.partition) {
        let records = associations.records();
        let up: Vec<usize> = associations.up_from(own).collect();
        for place in &up {
            found.by_group(&records[*place], submitted.of_association(*place), factor, &set);
        }
        let nearest: Vec<&AssociationRecord> = up.iter().map(|place| &records[*place]).collect();
        found.by_association(&nearest, submitted.of_association(own), factor, &set);
    }
    (found.broken, refuses)
}

struct Found<'a> {
    job: &'a Judged<'a>,
    refuses: bool,
    broken: Vec<Broken>,
}

impl Found<'_> {
    fn by_qos(&mut self, qos: &QosRecord, set: &mut Set, submitted: &Submitted) {
        let whose = format!("QOS {}", qos.name);
        let asked = amounts(self.job.tres);
        let per_account = newly(&mut set.per_account, &amounts(&qos.per_account.tres));
        self.most(&asked, &per_account, QOS_PER_ACCOUNT, &whose);
        // A resource that an earlier one limits for all or for a user is not looked at again.
        let taken: Vec<bool> = (0..4).map(|place| set.group[place].or(set.per_user[place]).is_some()).collect();
        let not_taken =
            |limits: Amounts| -> Amounts { std::array::from_fn(|place| limits[place].filter(|_| !taken[place])) };
        let (user, group) = (not_taken(amounts(&qos.per_user.tres)), not_taken(amounts(&qos.group.tres)));
        newly(&mut set.per_user, &user);
        newly(&mut set.group, &group);
        self.most(&asked, &user, QOS_PER_USER, &whose);
        self.most(&asked, &group, QOS_GROUP, &whose);
        if !set.group_submitted
            && let Some(most) = qos.group.submitted_jobs
        {
            set.group_submitted = true;
            self.too_many(submitted.of_qos(&qos.name), most, "QOSGrpSubmitJobsLimit", &whose);
        }
        let per_job = newly(&mut set.minutes_per_job, &amounts(&qos.minutes_per_job));
        self.minutes(&per_job, QOS_MINUTES_PER_JOB, &whose);
        let minutes = newly(&mut set.minutes, &amounts(&qos.group_minutes));
        let running = newly(&mut set.running_minutes, &amounts(&qos.group_running_minutes));
        if self.refuses || self.job.is_safe {
            self.minutes(&minutes, QOS_MINUTES, &whose);
        }
        self.minutes(&running, QOS_RUNNING_MINUTES, &whose);
        if !set.wall
            && let Some(most) = qos.wall.seconds()
        {
            set.wall = true;
            self.longer(minutes_of(most), "QOSMaxWallDurationPerJobLimit", &whose);
        }
        if !set.group_wall
            && let Some(most) = qos.group_wall.seconds()
        {
            set.group_wall = true;
            if self.refuses || self.job.is_safe {
                self.longer(minutes_of(most), "QOSGrpWallLimit", &whose);
            }
        }
        let per_job = newly(&mut set.per_job, &amounts(&qos.per_job));
        self.most(&asked, &per_job, QOS_PER_JOB, &whose);
        let per_node = newly(&mut set.per_node, &amounts(&qos.per_node));
        self.most(&self.of_a_node(), &per_node, QOS_PER_NODE, &whose);
        if !set.submitted
            && let Some(most) = qos.per_account.submitted_jobs
        {
            self.too_many(
                submitted.of_account(&qos.name, self.job.whose.account),
                most,
                "MaxSubmitJobsPerAccount",
                &whose,
            );
        }
        if !set.submitted
            && let Some(most) = qos.per_user.submitted_jobs
        {
            self.too_many(
                submitted.of_user(&qos.name, self.job.whose.user),
                most,
                "QOSMaxSubmitJobPerUserLimit",
                &whose,
            );
        }
        set.submitted |= qos.per_account.submitted_jobs.or(qos.per_user.submitted_jobs).is_some();
        let least = newly(&mut set.least, &amounts(&qos.min_per_job));
        for place in 0..4 {
            if let Some(least) = least[place].filter(|least| asked[place].unwrap_or(0) < *least) {
                let why = format!("The minimum of {whose} is {least} {} per job.", NAMES[place]);
                self.broken.push(Broken { reason: QOS_MIN[place], why, always_refused: false });
            }
        }
    }

    /// Limits for all below an association.
    fn by_group(&mut self, association: &AssociationRecord, submitted: u64, factor: Option<f64>, set: &Set) {
        let whose = format!("account {}", association.account);
        let asked = amounts(self.job.tres);
        let group = beyond(&set.group, &amounts(&association.group.tres));
        self.most(&asked, &times(group, factor), GROUP, &whose);
        if let Some(most) = association.group.submitted_jobs.filter(|_| !set.group_submitted) {
            self.too_many(submitted, most, "AssocGrpSubmitJobsLimit", &whose);
        }
        if self.refuses || self.job.is_safe {
            self.minutes(&beyond(&set.minutes, &amounts(&association.group_minutes)), MINUTES, &whose);
            if let Some(most) = association.group_wall.seconds().filter(|_| !set.group_wall) {
                self.longer(minutes_of(most), "AssocGrpWallLimit", &whose);
            }
        }
        let running = beyond(&set.running_minutes, &amounts(&association.group_running_minutes));
        self.minutes(&running, RUNNING_MINUTES, &whose);
    }

    /// Limits for a job of an association: its own, or the next above it that sets one.
    fn by_association(&mut self, nearest: &[&AssociationRecord], submitted: u64, factor: Option<f64>, set: &Set) {
        let whose = format!("user {} in account {}", self.job.whose.user, self.job.whose.account);
        let first = |of: fn(&AssociationRecord) -> &Tres| -> Amounts {
            let all: Vec<Amounts> = nearest.iter().map(|record| amounts(of(record))).collect();
            std::array::from_fn(|place| all.iter().find_map(|limits| limits[place]))
        };
        let asked = amounts(self.job.tres);
        let per_job = times(beyond(&set.per_job, &first(|record| &record.per_job)), factor);
        self.most(&asked, &per_job, PER_JOB, &whose);
        let per_node = beyond(&set.per_node, &first(|record| &record.per_node));
        self.most(&self.of_a_node(), &per_node, PER_NODE, &whose);
        let most = nearest.iter().find_map(|record| record.own.submitted_jobs).filter(|_| !set.submitted);
        if let Some(most) = most {
            self.too_many(submitted, most, "AssocMaxSubmitJobLimit", &whose);
        }
        let minutes = beyond(&set.minutes_per_job, &first(|record| &record.minutes_per_job));
        self.minutes(&minutes, MINUTES_PER_JOB, &whose);
        let wall = nearest.iter().find_map(|record| record.wall.seconds()).filter(|_| !set.wall);
        if let Some(most) = wall {
            self.longer(minutes_of(most), "AssocMaxWallDurationPerJobLimit", &whose);
        }
    }

    fn of_a_node(&self) -> Amounts {
        let nodes = self.job.tres.nodes.unwrap_or(1).max(1);
        amounts(self.job.tres).map(|amount| amount.map(|amount| amount / nodes))
    }

    fn most(&mut self, asked: &Amounts, limits: &Amounts, reasons: Reasons, whose: &str) {
        for place in 0..4 {
            if let Some(most) = limits[place].filter(|most| asked[place].unwrap_or(0) > *most) {
                let why = format!("The limit of {whose} is {most} {}.", NAMES[place]);
                self.broken.push(Broken { reason: reasons[place], why, always_refused: false });
            }
        }
    }

    fn minutes(&mut self, limits: &Amounts, reasons: Reasons, whose: &str) {
        let Some(minutes) = self.job.minutes else { return };
        let asked = amounts(self.job.tres);
        for place in 0..4 {
            let amount = asked[place].unwrap_or(0);
            // As Slurm rounds it: the time that is left for so much.
            if let Some(most) = limits[place].filter(|most| amount > 0 && minutes > most / amount) {
                let why = format!(
                    "The limit of {whose} is {most} for the time limit in minutes multiplied by the number of {}.",
                    NAMES[place]
                );
                self.broken.push(Broken { reason: reasons[place], why, always_refused: false });
            }
        }
    }

    fn longer(&mut self, most: u64, reason: &'static str, whose: &str) {
        if self.job.minutes.is_some_and(|minutes| minutes > most) {
            let why = format!("The limit of {whose} is {most} minutes of run time.");
            self.broken.push(Broken { reason, why, always_refused: false });
        }
    }

    fn too_many(&mut self, submitted: u64, most: u64, reason: &'static str, whose: &str) {
        if self.job.jobs > 0 && submitted.saturating_add(self.job.jobs) > most {
            let why =
                format!("The limit of {whose} is {most} submitted jobs at once; {submitted} are already submitted.");
            self.broken.push(Broken { reason, why, always_refused: true });
        }
    }
}

/// Of these limits those for what is not limited yet, which it is from now on.
fn newly(set: &mut Amounts, limits: &Amounts) -> Amounts {
    let left = beyond(set, limits);
    for place in 0..4 {
        set[place] = set[place].or(left[place]);
    }
    left
}

fn beyond(set: &Amounts, limits: &Amounts) -> Amounts {
    std::array::from_fn(|place| limits[place].filter(|_| set[place].is_none()))
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "limits are far below 2^53"
)]
fn times(limits: Amounts, factor: Option<f64>) -> Amounts {
    let Some(factor) = factor.filter(|factor| *factor > 0.0) else { return limits };
    limits.map(|limit| limit.map(|limit| (limit as f64 * factor) as u64))
}

fn minutes_of(seconds: queuecast_workload::Seconds) -> u64 {
    seconds.0.unsigned_abs() / 60
}
