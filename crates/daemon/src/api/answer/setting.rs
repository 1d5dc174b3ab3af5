//! What is said of one job, made an answer: the same shape for a job that waits, one that runs and one that does not exist.
//!
//! Not for: who may see it (`view`).

use queuecast_advise::HypotheticalJob;
use queuecast_forecast::estimate::{JobForecast, NoForecast};
use queuecast_records::{JobPart, array_task_count};
use queuecast_site::adviser::reasons::{ReasonKind, in_words};
use queuecast_site::published::PublishedJob;
use queuecast_workload::{Seconds, Time};

use super::freshness::Freshness;
use super::settled::Settled;
use queuecast_api::forecast::{ForecastResponse, JobResponse, NoForecastResponse, StateResponse, WaitsForResponse};
use queuecast_api::score::RecentAccuracyResponse;
use queuecast_api::time::Moment;

/// What every answer of one moment has in common.
pub(crate) struct Setting<'a> {
    pub cluster: &'a str,
    pub freshness: Freshness,
    /// Nothing is said of starts that may be further away.
    pub horizon: Seconds,
    /// What of the job has no part in what is said of it.
    pub not_modelled: &'a [String],
}

impl Setting<'_> {
    /// Of a job on the board.
    pub fn of_job(&self, job: &PublishedJob, lately: Option<RecentAccuracyResponse>) -> ForecastResponse {
        let state = if job.started.is_some() { StateResponse::Running } else { StateResponse::Waiting };
        let waits_for = in_words(&job.reason).filter(|_| job.started.is_none());
        ForecastResponse {
            waits_for: waits_for
                .map(|reason| WaitsForResponse { kind: kind(reason.kind).to_owned(), description: reason.words }),
            submitted: Some(job.submitted.into()),
            slurm_estimated_start: job.slurm_estimated_start.filter(|_| job.started.is_none()).map(Moment::from),
            stored: job.kept,
            recent_accuracy: lately,
            ..self.answer(published_job(job), state, job.started, &job.forecast)
        }
    }

    /// Of a job that does not exist.
    pub fn of_hypothetical(
        &self,
        job: &HypotheticalJob,
        forecast: &JobForecast,
        lately: Option<RecentAccuracyResponse>,
        not_considered: Vec<String>,
    ) -> ForecastResponse {
        ForecastResponse {
            recent_accuracy: lately,
            not_considered,
            ..self.answer(hypothetical_job(job), StateResponse::Hypothetical, None, forecast)
        }
    }

    fn answer(
        &self,
        job: JobResponse,
        state: StateResponse,
        started: Option<Time>,
        forecast: &JobForecast,
    ) -> ForecastResponse {
        let settled = self.settled(started, forecast);
        let last_task = settled.as_ref().ok().and_then(Settled::last_task);
        let (start, run, completion, no_forecast) = match settled {
            Ok(settled) => (Some(settled.start()), Some(settled.run()), Some(settled.completion()), None),
            Err(reason) => (None, None, None, Some(no_forecast(reason))),
        };
        ForecastResponse {
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
            last_task,
            no_forecast,
            finished: None,
            waits_for: None,
            slurm_estimated_start: None,
            stored: false,
            recent_accuracy: None,
            not_considered: Vec::new(),
            not_modelled: self.not_modelled.to_vec(),
        }
    }

    pub(super) fn settled(&self, started: Option<Time>, forecast: &JobForecast) -> Result<Settled, NoForecast> {
        if let Some(reason) = self.freshness.too_old() {
            return Err(reason);
        }
        let estimate = match forecast {
            JobForecast::Estimate(estimate) => estimate,
            JobForecast::NoForecast(reason) => return Err(reason.clone()),
        };
        let settled = Settled::new(estimate, started, self.freshness.now);
        if settled.latest_start().0.saturating_sub(self.freshness.now.0) > self.horizon.0 {
            let days = self.horizon.0 / 86_400;
            let why = format!(
                "The job may start more than {days} days from now, which is too far ahead for a reliable forecast. Try again \
                 when the queue has moved."
            );
            return Err(NoForecast { code: "beyond_horizon", why });
        }
        Ok(settled)
    }
}

/// What kind of thing holds a job, in a word for programs.
fn kind(kind: ReasonKind) -> &'static str {
    match kind {
        ReasonKind::Queue => "queue",
        ReasonKind::Resources => "resources",
        ReasonKind::ArrayLimit => "array_limit",
        ReasonKind::QosLimit => "qos_limit",
        ReasonKind::AssociationLimit => "association_limit",
        ReasonKind::Partition => "partition",
        ReasonKind::Dependency => "dependency",
        ReasonKind::Begin => "begin",
        ReasonKind::Hold => "hold",
        ReasonKind::Reservation => "reservation",
        ReasonKind::Licenses => "licenses",
        ReasonKind::NotAllowed => "not_allowed",
        ReasonKind::Other => "other",
    }
}

/// A job on the board.
pub(crate) fn published_job(job: &PublishedJob) -> JobResponse {
    let said = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
    JobResponse {
        id: Some(written(job)),
        job_id: Some(job.job_id),
        name: said(&job.name),
        user: said(&job.user),
        account: said(&job.account),
        partitions: job.partitions.clone(),
        qos: said(&job.qos),
        nodes: job.nodes,
        cpus: job.cpus,
        limit_seconds: job.limit.map(|limit| limit.0),
        reason: said(&job.reason).filter(|_| job.started.is_none()),
        array_tasks_waiting: match &job.part {
            JobPart::ArrayRemainder { tasks, .. } => array_task_count(tasks),
            _ => None,
        },
        own: false,
    }
}

/// A job that does not exist.
pub(crate) fn hypothetical_job(job: &HypotheticalJob) -> JobResponse {
    JobResponse {
        name: job.name.clone(),
        user: job.user.clone(),
        account: job.account.clone(),
        partitions: job.partitions().into_iter().map(str::to_owned).collect(),
        qos: job.qos.clone(),
        nodes: job.nodes.map(u64::from),
        cpus: job.cpus.map(u64::from),
        limit_seconds: job.limit.map(|limit| limit.0),
        array_tasks_waiting: job.array.map(|array| u64::from(array.tasks)).filter(|tasks| *tasks > 1),
        ..JobResponse::default()
    }
}

/// Why nothing is said.
pub(super) fn no_forecast(none: NoForecast) -> NoForecastResponse {
    NoForecastResponse { code: none.code.to_owned(), message: none.why }
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
        Setting { cluster: "alpha", freshness, horizon: Seconds(30 * 86_400), not_modelled: &[] }
    }

    #[test]
    fn a_stale_board_says_nothing_whatever_is_on_it() {
        let fresh = setting(NOW.0 - 900).of_job(&job(7), None);
        assert!(fresh.start.is_some() && fresh.no_forecast.is_none(), "{fresh:?}");
        let stale = setting(NOW.0 - 901).of_job(&job(7), None);
        assert_eq!(stale.no_forecast.map(|reason| reason.code).as_deref(), Some("stale"));
        assert!(stale.start.is_none() && stale.run.is_none() && stale.completion.is_none());
        assert_eq!(stale.data_age_seconds, Some(901));
    }

    #[test]
    fn a_start_that_may_be_beyond_the_horizon_is_not_said() {
        let far = PublishedJob { forecast: estimate(31 * 86_400), ..job(7) };
        let answer = setting(NOW.0).of_job(&far, None);
        assert_eq!(answer.no_forecast.map(|reason| reason.code).as_deref(), Some("beyond_horizon"));
    }

    #[test]
    fn a_running_job_has_started_when_it_did_and_no_longer_has_a_plan_or_a_reason() {
        let running = PublishedJob {
            started: Some(Time(NOW.0 - 50)),
            slurm_estimated_start: Some(NOW),
            reason: "Priority".to_owned(),
            ..job(7)
        };
        let answer = setting(NOW.0).of_job(&running, None);
        assert_eq!(
            (answer.state, answer.slurm_estimated_start, answer.job.reason),
            (StateResponse::Running, None, None)
        );
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
