//! Limits that several jobs share: of a quality of service, of a user or account in it, of an array's own (`%2`).
//!
//! Not for: limits of accounts and users themselves (associations), which this does not read; limits on nodes, which are
//! counted in processors only.

use std::collections::HashMap;

use queuecast_records::{JobPart, JobRecord, QosRecord, Tres, TresLimits};
use queuecast_schedule::slurm::{Amount, Cap};

/// Whose limit.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Whose {
    Qos(String),
    User(String, String),
    Account(String, String),
    Array(u64),
}

/// The limits of a cluster, made as jobs that they apply to are met.
#[derive(Debug)]
pub struct Limits<'a> {
    qos: HashMap<&'a str, &'a QosRecord>,
    places: HashMap<Whose, u32>,
    caps: Vec<Cap>,
}

impl<'a> Limits<'a> {
    /// Those of these qualities of service.
    pub fn of(qos: &'a [QosRecord]) -> Self {
        let qos = qos.iter().map(|record| (record.name.as_str(), record)).collect();
        Self { qos, places: HashMap::new(), caps: Vec::new() }
    }

    /// Whether the limits of this quality of service are known.
    pub fn knows(&self, qos: &str) -> bool {
        self.qos.contains_key(qos)
    }

    /// The limits that apply to a job, by place.
    pub fn of_job(&mut self, job: &JobRecord) -> Vec<u32> {
        let mut caps = Vec::new();
        if let Some(qos) = self.qos.get(job.qos.as_str()).copied() {
            let name = || qos.name.clone();
            caps.extend(self.place(Whose::Qos(name()), &qos.group));
            caps.extend(self.place(Whose::User(name(), job.user.clone()), &qos.per_user));
            caps.extend(self.place(Whose::Account(name(), job.account.clone()), &qos.per_account));
        }
        caps.extend(self.of_array(job));
        caps
    }

    fn place(&mut self, whose: Whose, limits: &TresLimits) -> Option<u32> {
        let is_limit = |tres: &Tres| tres.cpus.or(tres.memory_mebibytes).or(tres.gpus).is_some();
        if limits.jobs.is_none() && !is_limit(&limits.tres) {
            return None;
        }
        let amount = |limit: Option<u64>, none: i64| limit.map_or(none, |limit| i64::try_from(limit).unwrap_or(none));
        let cap = Cap {
            jobs: limits.jobs.map_or(u32::MAX, |jobs| u32::try_from(jobs).unwrap_or(u32::MAX)),
            amount: Amount {
                processors: amount(limits.tres.cpus, Amount::UNLIMITED.processors),
                memory_mebibytes: amount(limits.tres.memory_mebibytes, Amount::UNLIMITED.memory_mebibytes),
                gpus: amount(limits.tres.gpus, Amount::UNLIMITED.gpus),
            },
        };
        Some(self.known(whose, cap))
    }

    fn of_array(&mut self, job: &JobRecord) -> Option<u32> {
        match &job.key.part {
            JobPart::ArrayRemainder { array_job_id, .. } => {
                let jobs = job.key.part.task_limit()?;
                Some(self.known(Whose::Array(*array_job_id), Cap { jobs, amount: Amount::UNLIMITED }))
            }
            // A task that runs counts if the rest of its array has a limit, which is met before it.
            JobPart::ArrayTask { array_job_id, .. } => self.places.get(&Whose::Array(*array_job_id)).copied(),
            JobPart::Whole | JobPart::HetComponent { .. } => None,
        }
    }

    fn known(&mut self, whose: Whose, cap: Cap) -> u32 {
        *self.places.entry(whose).or_insert_with(|| {
            self.caps.push(cap);
            u32::try_from(self.caps.len() - 1).expect("fewer than 2^32 limits")
        })
    }

    /// A running job holds so much of its limits.
    pub fn hold(&mut self, places: &[u32], amount: Amount) {
        for place in places {
            let cap = &mut self.caps[*place as usize];
            cap.jobs = cap.jobs.saturating_sub(1);
            cap.amount -= amount;
        }
    }

    /// What is left of them.
    pub fn left(self) -> Vec<Cap> {
        self.caps
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::test_cluster::waiting;

    #[test]
    fn jobs_of_one_user_share_what_is_left_of_that_users_limit() {
        let per_user = TresLimits { jobs: Some(3), ..TresLimits::default() };
        let qos = [QosRecord { name: "normal".to_owned(), per_user, ..QosRecord::default() }];
        let mut limits = Limits::of(&qos);
        let (mut one, mut other) = (waiting(1, 1), waiting(2, 1));
        (one.qos, one.user) = ("normal".to_owned(), "ada".to_owned());
        (other.qos, other.user) = ("normal".to_owned(), "alan".to_owned());
        let of_one = limits.of_job(&one);
        assert_eq!(limits.of_job(&one), of_one);
        assert_ne!(limits.of_job(&other), of_one);
        limits.hold(&of_one, Amount::processors(1));
        assert_eq!(limits.left().iter().map(|cap| cap.jobs).collect::<Vec<_>>(), [2, 3]);
    }

    #[test]
    fn the_tasks_of_an_array_that_run_count_against_its_own_limit() {
        let mut limits = Limits::of(&[]);
        let mut rest = waiting(7, 1);
        rest.key.part = JobPart::ArrayRemainder { array_job_id: 7, tasks: "3-9%2".to_owned() };
        let mut task = waiting(8, 1);
        task.key.part = JobPart::ArrayTask { array_job_id: 7, task: 2 };
        let of_rest = limits.of_job(&rest);
        assert_eq!(limits.of_job(&task), of_rest);
        limits.hold(&of_rest, Amount::NONE);
        assert_eq!(limits.left()[0].jobs, 1);
    }
}
