//! What the scheduler plans with: limits, or what the site's own predictor says.
//!
//! Not for: when jobs end. That is drawn; the scheduler does not know it.
//!
//! A plan that a job outlives is raised as in the simulator (R-SIM-5). With plans from limits that needs no memory: the
//! steps taken so far follow from the job's age.

use queuecast_predict::{Correction, Outlived};
use queuecast_workload::{Outcome, Seconds, Submission, Time};

/// What is planned for a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// What was planned first.
    pub first: Seconds,
    /// What is planned now, from start to end.
    pub planned: Seconds,
    /// How many plans it has outlived.
    pub misses: u32,
}

/// Says what the scheduler plans.
pub trait Planner {
    /// What is planned for a job that waits (no age), or runs for that long; beyond its age, at least a second.
    fn plan(&self, job: &Submission, age: Option<Seconds>) -> Plan;

    /// How a plan that was outlived is raised.
    fn correction(&self) -> Correction;

    /// A job arrived; told before it is planned.
    fn on_arrival(&mut self, _job: &Submission, _now: Time) {}

    /// A job started.
    fn on_start(&mut self, _job: &Submission, _now: Time) {}

    /// A job ended.
    fn on_end(&mut self, _job: &Submission, _outcome: &Outcome) {}
}

/// Every job is planned for its limit; beyond it by steps, as the simulator does with the predictor `estimate`. Jobs
/// without a limit hold their processors for ever.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LimitPlanner;

impl Planner for LimitPlanner {
    fn plan(&self, job: &Submission, age: Option<Seconds>) -> Plan {
        let first = job.limit.unwrap_or(Seconds::MAX).max(Seconds(1));
        let mut plan = Plan { first, planned: first, misses: 0 };
        plan.outlive(age.unwrap_or(Seconds::ZERO), self.correction(), job.limit);
        plan
    }

    fn correction(&self) -> Correction {
        Correction::Steps
    }
}

impl Plan {
    /// Raises the plan, miss by miss, until it lies beyond the age.
    pub fn outlive(&mut self, age: Seconds, correction: Correction, limit: Option<Seconds>) {
        while self.planned <= age {
            let miss =
                Outlived { age: self.planned, first: self.first, previous: self.planned, earlier_misses: self.misses };
            self.planned = correction.correct(&miss, limit);
            self.misses += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use queuecast_testkit::submission;

    #[test]
    fn a_plan_of_a_running_job_lies_beyond_its_age() {
        let job = submission(0, 0, 1, Some(100));
        let planned = |age: i64| LimitPlanner.plan(&job, Some(Seconds(age))).planned.0;
        assert_eq!([0, 99, 100, 159, 160, 459, 460].map(planned), [100, 100, 160, 160, 460, 460, 1_360]);
        assert_eq!(LimitPlanner.plan(&submission(0, 0, 1, None), None).planned, Seconds::MAX);
    }
}
