//! Limits that several jobs share: of a quality of service, of a partition's, of an account and all above it, of a user, of an
//! array's own (`%2`), of a licence.
//!
//! A limit that a quality of service sets takes the place of the association's for the same thing; a partition's quality of service
//! comes before the job's, unless that says otherwise (`OverPartQOS`).
//!
//! Not for: limits on minutes used up (`GrpTRESMins`), which are not played; what one job may ask for (`request`).
//!
//! Source: Slurm's guide to resource limits; `acct_policy.c` of 22.05, read for what it does.

use std::collections::HashMap;

use queuecast_records::{
    AssociationRecord, ClusterConfiguration, JobPart, JobRecord, PartitionRecord, QosRecord, Tres, TresLimits,
};
use queuecast_schedule::slurm::{Amount, Cap, Counts, Load, Things, Work};
use queuecast_workload::Time;

use super::licenses::{any_will_do, licenses};

/// Whose limit.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Whose {
    Qos(String),
    UserOfQos(String, String),
    AccountOfQos(String, String),
    /// By place among the associations: all below it, or its own jobs.
    Below(usize),
    Own(usize),
    Array(u64),
    License(String),
}

/// Who a job belongs to, for limits.
#[derive(Clone, Copy, Debug)]
pub struct Belongs<'a> {
    /// The user.
    pub user: &'a str,
    /// The account.
    pub account: &'a str,
    /// The quality of service.
    pub qos: &'a str,
    /// The partition.
    pub partition: &'a str,
}

impl<'a> Belongs<'a> {
    /// A job's.
    pub fn of(job: &'a JobRecord) -> Self {
        let partition = job.partitions.first().map_or("", String::as_str);
        Self { user: &job.user, account: &job.account, qos: &job.qos, partition }
    }
}

/// The limits of a cluster, made as jobs that they apply to are met.
#[derive(Clone, Debug)]
pub struct Limits {
    qos: HashMap<String, QosRecord>,
    /// The quality of service of each partition that has one.
    qos_of_partition: HashMap<String, String>,
    associations: Associations,
    are_enforced: bool,
    /// How many licences there are, by name.
    licenses: HashMap<String, u64>,
    places: HashMap<Whose, u32>,
    caps: Vec<Cap>,
}

/// Associations, and how to find them.
#[derive(Clone, Debug, Default)]
pub struct Associations {
    records: Vec<AssociationRecord>,
    by_name: HashMap<(String, String, String), usize>,
}

impl Associations {
    /// Those of this cluster; of whatever cluster where its name is not known.
    pub fn of(records: &[AssociationRecord], cluster: Option<&str>) -> Self {
        let here = |record: &&AssociationRecord| {
            cluster.is_none_or(|name| record.cluster.is_empty() || record.cluster.eq_ignore_ascii_case(name))
        };
        let records: Vec<AssociationRecord> = records.iter().filter(here).cloned().collect();
        let name = |record: &AssociationRecord| (record.account.clone(), record.user.clone(), record.partition.clone());
        let by_name = records.iter().enumerate().map(|(place, record)| (name(record), place)).collect();
        Self { records, by_name }
    }

    /// All of them.
    pub fn records(&self) -> &[AssociationRecord] {
        &self.records
    }

    /// A user's in an account, for a partition if there is one for it alone.
    pub fn find(&self, account: &str, user: &str, partition: &str) -> Option<usize> {
        let by_name =
            |partition: &str| self.by_name.get(&(account.to_owned(), user.to_owned(), partition.to_owned())).copied();
        by_name(partition).or_else(|| by_name(""))
    }

    /// The account above; of a user its account.
    pub fn parent(&self, place: usize) -> Option<usize> {
        let record = &self.records[place];
        let above = if record.user.is_empty() { &record.parent } else { &record.account };
        (!above.is_empty()).then(|| self.find(above, "", "")).flatten().filter(|above| *above != place)
    }

    /// It and all above it.
    pub fn up_from(&self, place: usize) -> impl Iterator<Item = usize> + '_ {
        // What was read may be no tree.
        std::iter::successors(Some(place), |place| self.parent(*place)).take(64)
    }
}

impl Limits {
    /// Those of this site. Where its settings are not known, limits count.
    pub fn of(
        qos: &[QosRecord],
        partitions: &[PartitionRecord],
        associations: Associations,
        configuration: Option<&ClusterConfiguration>,
    ) -> Self {
        let of_partition = partitions.iter().filter(|partition| !partition.qos_assigned.is_empty());
        Self {
            qos: qos.iter().map(|record| (record.name.clone(), record.clone())).collect(),
            qos_of_partition: of_partition
                .map(|partition| (partition.name.clone(), partition.qos_assigned.clone()))
                .collect(),
            associations,
            are_enforced: configuration.is_none_or(|configuration| configuration.enforcement.limits),
            licenses: configuration.map_or_else(HashMap::new, |known| licenses(&known.licenses).into_iter().collect()),
            places: HashMap::new(),
            caps: Vec::new(),
        }
    }

    /// Whether the limits of this quality of service are known.
    pub fn knows_qos(&self, qos: &str) -> bool {
        self.qos.contains_key(qos)
    }

    /// A quality of service.
    pub fn qos(&self, name: &str) -> Option<&QosRecord> {
        self.qos.get(name)
    }

    /// Whether any quality of service is known.
    pub fn knows_any_qos(&self) -> bool {
        !self.qos.is_empty()
    }

    /// Whether limits count.
    pub fn are_enforced(&self) -> bool {
        self.are_enforced
    }

    /// Whether any limit counts the jobs that are submitted.
    pub fn count_submitted(&self) -> bool {
        let of_qos =
            |qos: &QosRecord| [qos.group, qos.per_user, qos.per_account].iter().any(|one| one.submitted_jobs.is_some());
        let of_association =
            |record: &AssociationRecord| record.group.submitted_jobs.or(record.own.submitted_jobs).is_some();
        self.are_enforced && (self.qos.values().any(of_qos) || self.associations.records.iter().any(of_association))
    }

    /// Whether the limits of accounts and users are known.
    pub fn knows_associations(&self) -> bool {
        !self.associations.records.is_empty()
    }

    /// The associations.
    pub fn associations(&self) -> &Associations {
        &self.associations
    }

    /// The association a job is charged to.
    pub fn association_of(&self, job: &JobRecord) -> Option<usize> {
        let partition = job.partitions.first().map_or("", String::as_str);
        self.associations.find(&job.account, &job.user, partition)
    }

    /// The limits that a job counts against.
    pub fn of_job(&mut self, job: &JobRecord) -> Vec<Counts> {
        let mut caps = self.of_whom(Belongs::of(job));
        caps.extend(self.of_array(job).map(|cap| Counts::once(cap, Things::ALL)));
        caps.extend(self.of_licenses(&job.licenses));
        caps
    }

    /// Whether it is known how many there are of all licences that a job needs, as Slurm writes them.
    pub fn knows_licenses(&self, needed: &str) -> bool {
        !any_will_do(needed) && licenses(needed).iter().all(|(name, _)| self.licenses.contains_key(name))
    }

    /// The licences that a job needs, as Slurm writes them. Those that are not known are left out.
    pub fn of_licenses(&mut self, needed: &str) -> Vec<Counts> {
        let counts = licenses(needed).into_iter().filter_map(|(name, count)| {
            let all = i64::try_from(*self.licenses.get(&name)?).unwrap_or(Cap::NONE.jobs);
            let cap = self.known(Whose::License(name), Cap { jobs: all, ..Cap::NONE });
            Some(Counts { cap, held_by: Things::JOBS, units: u32::try_from(count).unwrap_or(u32::MAX) })
        });
        counts.collect()
    }

    /// The limits that whoever this is counts against.
    pub fn of_whom(&mut self, whose: Belongs<'_>) -> Vec<Counts> {
        if !self.are_enforced {
            return Vec::new();
        }
        let mut caps = Vec::new();
        // What is limited already: for all jobs together, for a user's, and for an account's.
        let (mut group, mut per_user, mut per_account) = (Things::NONE, Things::NONE, Things::NONE);
        for qos in self.qos_that_count(whose) {
            let name = || qos.name.clone();
            let of_all = (Whose::Qos(name()), &qos.group, &qos.group_running_minutes, &mut group);
            let of_user = Whose::UserOfQos(name(), whose.user.to_owned());
            let of_user = (of_user, &qos.per_user, &qos.running_minutes_per_user, &mut per_user);
            let of_account = Whose::AccountOfQos(name(), whose.account.to_owned());
            let of_account = (of_account, &qos.per_account, &qos.running_minutes_per_account, &mut per_account);
            for (whose, limits, minutes, set) in [of_all, of_user, of_account] {
                let things = things(limits, minutes);
                caps.extend(self.place(whose, limits, minutes).map(|cap| Counts::once(cap, things.without(*set))));
                *set = set.and(things.without(Things::WORK));
            }
        }
        if let Some(own) = self.associations.find(whose.account, whose.user, whose.partition) {
            let above: Vec<usize> = self.associations.up_from(own).collect();
            for place in &above {
                let record = &self.associations.records[*place];
                let (limits, minutes) = (record.group, record.group_running_minutes);
                let things = things(&limits, &minutes).without(group);
                caps.extend(self.place(Whose::Below(*place), &limits, &minutes).map(|cap| Counts::once(cap, things)));
            }
            // A limit on a user's jobs is a quality of service's, or the association's own.
            let most = above.iter().find_map(|place| self.associations.records[*place].own.jobs);
            let limits = TresLimits { jobs: most, ..TresLimits::default() };
            let cap = self.place(Whose::Own(own), &limits, &Tres::default());
            caps.extend(cap.map(|cap| Counts::once(cap, Things::JOBS.without(per_user))));
        }
        caps
    }

    /// The qualities of service whose limits count, the first before the second.
    fn qos_that_count(&self, whose: Belongs<'_>) -> Vec<QosRecord> {
        self.qos_in_order(whose).into_iter().cloned().collect()
    }

    /// The same, to look at.
    pub fn qos_in_order(&self, whose: Belongs<'_>) -> Vec<&QosRecord> {
        let own = self.qos.get(whose.qos);
        let of_partition = self.qos_of_partition.get(whose.partition).and_then(|name| self.qos.get(name));
        let is_over = |flag: &String| flag.eq_ignore_ascii_case("OverPartQOS") || flag == "OVERRIDE_PARTITION_QOS";
        let own_first = own.is_some_and(|qos| qos.flags.iter().any(is_over));
        let mut both: Vec<&QosRecord> = [of_partition, own].into_iter().flatten().collect();
        if own_first {
            both.reverse();
        }
        both.dedup_by(|one, other| one.name == other.name);
        both
    }

    fn place(&mut self, whose: Whose, limits: &TresLimits, running_minutes: &Tres) -> Option<u32> {
        let things = things(limits, running_minutes);
        if things.is_none() {
            return None;
        }
        let tres = &limits.tres;
        let amount = |limit: Option<u64>, none: i64| limit.map_or(none, |limit| i64::try_from(limit).unwrap_or(none));
        let amounts = |tres: &Tres, times: u64| Amount {
            processors: amount(tres.cpus.map(|most| most * times), Amount::UNLIMITED.processors),
            memory_mebibytes: amount(
                tres.memory_mebibytes.map(|most| most * times),
                Amount::UNLIMITED.memory_mebibytes,
            ),
            gpus: amount(tres.gpus.map(|most| most * times), Amount::UNLIMITED.gpus),
        };
        let is_work = !things.without(Things::ALL.without(Things::WORK)).is_none();
        let cap = Cap {
            jobs: amount(limits.jobs, Cap::NONE.jobs),
            nodes: amount(tres.nodes, Cap::NONE.nodes),
            amount: amounts(tres, 1),
            work: is_work.then(|| Work::of(amounts(running_minutes, 60))),
        };
        Some(self.known(whose, cap))
    }

    fn of_array(&mut self, job: &JobRecord) -> Option<u32> {
        match &job.key.part {
            JobPart::ArrayRemainder { array_job_id, .. } => {
                let jobs = job.throttle.or_else(|| job.key.part.task_limit())?;
                Some(self.known(Whose::Array(*array_job_id), Cap { jobs: i64::from(jobs), ..Cap::NONE }))
            }
            // A task that runs counts if the rest of its array has a limit, which is met before it.
            JobPart::ArrayTask { array_job_id, .. } => match job.throttle {
                Some(jobs) => Some(self.known(Whose::Array(*array_job_id), Cap { jobs: i64::from(jobs), ..Cap::NONE })),
                None => self.places.get(&Whose::Array(*array_job_id)).copied(),
            },
            JobPart::Whole | JobPart::HetComponent { .. } => None,
        }
    }

    /// Those among these that are throttles of arrays: they hold an array in whatever partition it is.
    pub fn throttles(&self, counts: &[Counts]) -> Vec<Counts> {
        let is_throttle = |counts: &&Counts| {
            self.places.iter().any(|(whose, cap)| *cap == counts.cap && matches!(whose, Whose::Array(_)))
        };
        counts.iter().filter(is_throttle).copied().collect()
    }

    fn known(&mut self, whose: Whose, cap: Cap) -> u32 {
        let next = u32::try_from(self.caps.len()).expect("fewer than 2^32 limits");
        let place = *self.places.entry(whose).or_insert(next);
        if place == next {
            self.caps.push(cap);
        }
        place
    }

    /// A running job holds so much of these until its planned end.
    pub fn hold(&mut self, caps: &[Counts], amount: Amount, nodes: u32, planned_end: Time) {
        for counts in caps {
            self.caps[counts.cap as usize].begin(Load { units: counts.units, nodes, amount }, planned_end);
        }
    }

    /// What is left of them.
    pub fn left(&self) -> Vec<Cap> {
        self.caps.clone()
    }
}

/// The things that are limited here.
fn things(limits: &TresLimits, running_minutes: &Tres) -> Things {
    let tres = &limits.tres;
    let work = running_minutes.cpus.or(running_minutes.memory_mebibytes).or(running_minutes.gpus);
    [
        (limits.jobs, Things::JOBS),
        (tres.nodes, Things::NODES),
        (tres.cpus, Things::PROCESSORS),
        (tres.memory_mebibytes, Things::MEMORY),
        (tres.gpus, Things::GPUS),
        (work, Things::WORK),
    ]
    .into_iter()
    .filter(|(limit, _)| limit.is_some())
    .fold(Things::NONE, |all, (_, thing)| all.and(thing))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::test_cluster::waiting;

    fn limits(qos: &[QosRecord], associations: &[AssociationRecord]) -> Limits {
        Limits::of(qos, &[], Associations::of(associations, None), None)
    }

    #[test]
    fn jobs_of_one_user_share_what_is_left_of_that_users_limit() {
        let per_user = TresLimits { jobs: Some(3), ..TresLimits::default() };
        let qos = [QosRecord { name: "normal".to_owned(), per_user, ..QosRecord::default() }];
        let mut limits = limits(&qos, &[]);
        let (mut one, mut other) = (waiting(1, 1), waiting(2, 1));
        (one.qos, one.user) = ("normal".to_owned(), "ada".to_owned());
        (other.qos, other.user) = ("normal".to_owned(), "alan".to_owned());
        let of_one = limits.of_job(&one);
        assert_eq!(limits.of_job(&one), of_one);
        assert_ne!(limits.of_job(&other), of_one);
        limits.hold(&of_one, Amount::processors(1), 1, Time(0));
        assert_eq!(limits.left().iter().map(|cap| cap.jobs).collect::<Vec<_>>(), [2, 3]);
    }

    #[test]
    fn the_tasks_of_an_array_that_run_count_against_its_own_limit() {
        let mut limits = limits(&[], &[]);
        let mut rest = waiting(7, 1);
        rest.key.part = JobPart::ArrayRemainder { array_job_id: 7, tasks: "3-9%2".to_owned() };
        let mut task = waiting(8, 1);
        task.key.part = JobPart::ArrayTask { array_job_id: 7, task: 2 };
        let of_rest = limits.of_job(&rest);
        assert_eq!(limits.of_job(&task), of_rest);
        limits.hold(&of_rest[..1], Amount::NONE, 1, Time(0));
        assert_eq!(limits.left()[0].jobs, 1);
    }

    #[test]
    fn limits_of_every_account_above_count_and_a_quality_of_service_takes_their_place() {
        let cpus =
            |cpus: u64| TresLimits { tres: Tres { cpus: Some(cpus), ..Tres::default() }, ..TresLimits::default() };
        let account = |name: &str, parent: &str, group: TresLimits| AssociationRecord {
            account: name.to_owned(),
            parent: parent.to_owned(),
            group,
            ..AssociationRecord::default()
        };
        let user = AssociationRecord {
            account: "lab".to_owned(),
            user: "ada".to_owned(),
            own: TresLimits { jobs: Some(4), ..TresLimits::default() },
            ..AssociationRecord::default()
        };
        let tree = [
            account("root", "", TresLimits::default()),
            account("physics", "root", cpus(100)),
            account("lab", "physics", cpus(40)),
            user,
        ];
        let qos = [
            QosRecord { name: "normal".to_owned(), ..QosRecord::default() },
            QosRecord { name: "wide".to_owned(), group: cpus(500), ..QosRecord::default() },
        ];
        let mut limits = limits(&qos, &tree);
        let mut job = waiting(1, 1);
        (job.user, job.account, job.qos) = ("ada".to_owned(), "lab".to_owned(), "normal".to_owned());
        let found = |limits: &mut Limits, job: &JobRecord| -> Vec<(i64, i64, Things)> {
            let caps = limits.of_job(job);
            let cap = |counts: &Counts| {
                let cap = limits.left()[counts.cap as usize];
                (cap.amount.processors, cap.jobs, counts.held_by)
            };
            caps.iter().map(cap).collect()
        };
        let (none, any) = (Amount::UNLIMITED.processors, Cap::NONE.jobs);
        let (jobs, cpus, only_counts) = (Things::JOBS, Things::PROCESSORS, Things::NONE);
        assert_eq!(found(&mut limits, &job), [(40, any, cpus), (100, any, cpus), (none, 4, jobs)]);
        job.qos = "wide".to_owned();
        let wide = [(500, any, cpus), (40, any, only_counts), (100, any, only_counts), (none, 4, jobs)];
        assert_eq!(found(&mut limits, &job), wide, "it counts against those that do not hold it");
    }

    #[test]
    fn licenses_are_taken_by_number_and_those_of_other_clusters_are_not_known() {
        let known = HashMap::from([("matlab".to_owned(), 3), ("x".to_owned(), 1)]);
        let mut limits = Limits { licenses: known, are_enforced: false, ..limits(&[], &[]) };
        let mut job = waiting(1, 1);
        job.licenses = "matlab:2,x".to_owned();
        let of_job = limits.of_job(&job);
        assert_eq!(of_job.iter().map(|counts| counts.units).collect::<Vec<_>>(), [2, 1]);
        limits.hold(&of_job, Amount::NONE, 1, Time(0));
        assert_eq!(limits.left().iter().map(|cap| cap.jobs).collect::<Vec<_>>(), [1, 0]);
        assert!(limits.knows_licenses("matlab:9") && limits.knows_licenses(""));
        assert!(!limits.knows_licenses("x,stata@elsewhere") && !limits.knows_licenses("matlab|x"));
    }

    #[test]
    fn what_is_not_enforced_holds_nobody() {
        let per_user = TresLimits { jobs: Some(3), ..TresLimits::default() };
        let qos = [QosRecord { name: "normal".to_owned(), per_user, ..QosRecord::default() }];
        let mut limits = Limits { are_enforced: false, ..limits(&qos, &[]) };
        let mut job = waiting(1, 1);
        job.qos = "normal".to_owned();
        assert!(limits.of_job(&job).is_empty());
    }
}
