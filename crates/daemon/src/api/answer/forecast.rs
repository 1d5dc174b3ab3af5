//! What is said of one job, as an answer: the same shape for a job that waits, one that runs and one that does not exist.
//!
//! Not for: who may see it (`view`).

use queuecast_records::JobPart;
use queuecast_workload::{Seconds, Time};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::freshness::Freshness;
use super::ranges::{Settled, SpansAnswer, TimesAnswer};
use super::score::LatelyAnswer;
use super::time::Moment;
use queuecast_advise::HypotheticalJob;
use queuecast_forecast::estimate::{JobForecast, NoEstimate};
use queuecast_site::published::PublishedJob;

/// What is said of a job. Either `no_estimate` is `null`, or `start`, `run` and `completion` are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ForecastAnswer {
    /// The cluster's name.
    pub cluster: String,
    /// The job.
    pub job: JobAnswer,
    /// What it does.
    pub state: StateAnswer,
    /// When it was submitted; `null` if it does not exist.
    pub submitted: Option<Moment>,
    /// When it started, if it has.
    pub started: Option<Moment>,
    /// The cluster's time when this was answered: what `seconds_from_now` counts from.
    pub now: Moment,
    /// When the forecast was made.
    pub made: Option<Moment>,
    /// How long ago the queue was last read.
    pub data_age_seconds: Option<i64>,
    /// When it starts; of a running job, when it did.
    pub start: Option<TimesAnswer>,
    /// How long it runs, from its start.
    pub run: Option<SpansAnswer>,
    /// When it ends.
    pub completion: Option<TimesAnswer>,
    /// Why nothing is said.
    pub no_estimate: Option<NoEstimateAnswer>,
    /// When Slurm itself plans to start it, as `squeue --start` shows.
    pub slurm_planned_start: Option<Moment>,
    /// Whether the forecast is kept to be scored.
    pub kept: bool,
    /// How good such forecasts were lately; `null` until there are thirty.
    pub lately: Option<LatelyAnswer>,
    /// What was asked but may not be taken into account, such as another user's name.
    #[serde(default)]
    pub not_considered: Vec<String>,
}

/// What a job does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum StateAnswer {
    /// It waits.
    Waiting,
    /// It runs.
    Running,
    /// It does not exist: somebody thinks of submitting it.
    Hypothetical,
}

/// A job. Names are what users and Slurm made them: escape them wherever they are shown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct JobAnswer {
    /// As Slurm writes it: `123`, `123_4`, `123_[5-9]`, `123+0`; `null` if it does not exist.
    pub id: Option<String>,
    /// The number Slurm itself uses.
    pub number: Option<u64>,
    /// Its name.
    pub name: Option<String>,
    /// Who submitted it.
    pub user: Option<String>,
    /// The account.
    pub account: Option<String>,
    /// The partition, or those it may run in.
    pub partitions: Vec<String>,
    /// The quality of service.
    pub qos: Option<String>,
    /// Nodes it asks for or has.
    pub nodes: Option<u64>,
    /// CPUs it asks for or has.
    pub cpus: Option<u64>,
    /// Its limit.
    pub limit_seconds: Option<i64>,
    /// Why it waits, in Slurm's word.
    pub reason: Option<String>,
}

impl From<&PublishedJob> for JobAnswer {
    fn from(job: &PublishedJob) -> Self {
        let said = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
        Self {
            id: Some(written(job)),
            number: Some(job.job_id),
            name: said(&job.name),
            user: said(&job.user),
            account: said(&job.account),
            partitions: job.partitions.clone(),
            qos: said(&job.qos),
            nodes: job.nodes,
            cpus: job.cpus,
            limit_seconds: job.limit.map(|limit| limit.0),
            reason: said(&job.reason).filter(|_| job.started.is_none()),
        }
    }
}

impl From<&HypotheticalJob> for JobAnswer {
    fn from(job: &HypotheticalJob) -> Self {
        Self {
            name: job.name.clone(),
            user: job.user.clone(),
            account: job.account.clone(),
            partitions: job.partition.iter().cloned().collect(),
            qos: job.qos.clone(),
            nodes: job.nodes.map(u64::from),
            cpus: job.cpus.map(u64::from),
            limit_seconds: job.limit.map(|limit| limit.0),
            ..Self::default()
        }
    }
}

/// Why there is no estimate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NoEstimateAnswer {
    /// One word for programs, such as `held`, `dependency`, `stale`, `beyond_horizon`.
    #[schema(example = "held")]
    pub code: String,
    /// A sentence for people, with what they can do.
    pub why: String,
}

impl From<NoEstimate> for NoEstimateAnswer {
    fn from(none: NoEstimate) -> Self {
        Self { code: none.code.to_owned(), why: none.why }
    }
}

/// What every answer of one moment has in common.
pub(crate) struct Setting<'a> {
    pub cluster: &'a str,
    pub freshness: Freshness,
    /// Nothing is said of starts that may be further away.
    pub horizon: Seconds,
}

impl Setting<'_> {
    /// Of a job on the board.
    pub fn of_job(&self, job: &PublishedJob, lately: Option<LatelyAnswer>) -> ForecastAnswer {
        let state = if job.started.is_some() { StateAnswer::Running } else { StateAnswer::Waiting };
        ForecastAnswer {
            submitted: Some(job.submitted.into()),
            slurm_planned_start: job.slurm_planned_start.filter(|_| job.started.is_none()).map(Moment::from),
            kept: job.kept,
            lately,
            ..self.answer(job.into(), state, job.started, &job.forecast)
        }
    }

    /// Of a job that does not exist.
    pub fn of_hypothetical(
        &self,
        job: &HypotheticalJob,
        forecast: &JobForecast,
        lately: Option<LatelyAnswer>,
        not_considered: Vec<String>,
    ) -> ForecastAnswer {
        ForecastAnswer { lately, not_considered, ..self.answer(job.into(), StateAnswer::Hypothetical, None, forecast) }
    }

    fn answer(
        &self,
        job: JobAnswer,
        state: StateAnswer,
        started: Option<Time>,
        forecast: &JobForecast,
    ) -> ForecastAnswer {
        let (start, run, completion, no_estimate) = match self.settled(started, forecast) {
            Ok(settled) => (Some(settled.start()), Some(settled.run()), Some(settled.completion()), None),
            Err(reason) => (None, None, None, Some(reason.into())),
        };
        ForecastAnswer {
            cluster: self.cluster.to_owned(),
            job,
            state,
            submitted: None,
            started: started.map(Moment::from),
            now: self.freshness.now.into(),
            made: self.freshness.made.map(Moment::from),
            data_age_seconds: self.freshness.data_age().map(|age| age.0),
            start,
            run,
            completion,
            no_estimate,
            slurm_planned_start: None,
            kept: false,
            lately: None,
            not_considered: Vec::new(),
        }
    }

    pub(super) fn settled(&self, started: Option<Time>, forecast: &JobForecast) -> Result<Settled, NoEstimate> {
        if let Some(reason) = self.freshness.too_old() {
            return Err(reason);
        }
        let estimate = match forecast {
            JobForecast::Estimate(estimate) => estimate,
            JobForecast::NoEstimate(reason) => return Err(reason.clone()),
        };
        let settled = Settled::new(estimate, started, self.freshness.now);
        if settled.latest_start().0.saturating_sub(self.freshness.now.0) > self.horizon.0 {
            let days = self.horizon.0 / 86_400;
            let why = format!(
                "It may start more than {days} days from now, and nothing honest can be said so far ahead. Ask again when \
                 the queue has moved."
            );
            return Err(NoEstimate { code: "beyond_horizon", why });
        }
        Ok(settled)
    }
}

/// A job's number as Slurm writes it for people.
fn written(job: &PublishedJob) -> String {
    match &job.part {
        JobPart::Whole => job.job_id.to_string(),
        JobPart::ArrayTask { array_job_id, task } => format!("{array_job_id}_{task}"),
        JobPart::ArrayRemainder { array_job_id, tasks } => format!("{array_job_id}_[{tasks}]"),
        JobPart::HetComponent { het_job_id, offset } => format!("{het_job_id}+{offset}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::test_board::{NOW, estimate, job};

    fn setting(queue_read: i64) -> Setting<'static> {
        let freshness = Freshness { now: NOW, queue_read: Some(Time(queue_read)), made: Some(NOW) };
        Setting { cluster: "alpha", freshness, horizon: Seconds(30 * 86_400) }
    }

    #[test]
    fn a_stale_board_says_nothing_whatever_is_on_it() {
        let fresh = setting(NOW.0 - 900).of_job(&job(7), None);
        assert!(fresh.start.is_some() && fresh.no_estimate.is_none(), "{fresh:?}");
        let stale = setting(NOW.0 - 901).of_job(&job(7), None);
        assert_eq!(stale.no_estimate.map(|reason| reason.code).as_deref(), Some("stale"));
        assert!(stale.start.is_none() && stale.run.is_none() && stale.completion.is_none());
        assert_eq!(stale.data_age_seconds, Some(901));
    }

    #[test]
    fn a_start_that_may_be_beyond_the_horizon_is_not_said() {
        let far = PublishedJob { forecast: estimate(31 * 86_400), ..job(7) };
        let answer = setting(NOW.0).of_job(&far, None);
        assert_eq!(answer.no_estimate.map(|reason| reason.code).as_deref(), Some("beyond_horizon"));
    }

    #[test]
    fn a_running_job_has_started_when_it_did_and_no_longer_has_a_plan_or_a_reason() {
        let running = PublishedJob {
            started: Some(Time(NOW.0 - 50)),
            slurm_planned_start: Some(NOW),
            reason: "Priority".to_owned(),
            ..job(7)
        };
        let answer = setting(NOW.0).of_job(&running, None);
        assert_eq!((answer.state, answer.slurm_planned_start, answer.job.reason), (StateAnswer::Running, None, None));
        let start = answer.start.expect("an estimate");
        assert_eq!((start.median.unix, start.seconds_from_now), (NOW.0 - 50, -50));
    }

    #[test]
    fn numbers_are_written_as_slurm_writes_them() {
        let with = |part| written(&PublishedJob { part, ..job(9) });
        assert_eq!(with(JobPart::Whole), "9");
        assert_eq!(with(JobPart::ArrayTask { array_job_id: 5, task: 4 }), "5_4");
        assert_eq!(with(JobPart::ArrayRemainder { array_job_id: 5, tasks: "6-9%2".to_owned() }), "5_[6-9%2]");
        assert_eq!(with(JobPart::HetComponent { het_job_id: 8, offset: 1 }), "8+1");
    }
}
