//! What one asker may see of the board: the only way from the interface's routes to what is published.
//!
//! For: authorising in one place. A route gets a [`View`] and nothing else, so one that forgets to ask who asks cannot be
//! written.
//!
//! Jobs and the queue are here, with what is common; `advice` and `figures` have the rest. All of them see the board only through [`View`].
//!
//! Not for: how answers look (`answer`).
//!
//! Source: Slurm-web's issue 170, where what one view hid another showed; slurm.conf(5) `PrivateData`.

mod advice;
mod figures;

use std::sync::Arc;

use axum::http::StatusCode;
use queuecast_notify::Seen;
use queuecast_records::{JobRecord, WrittenJobId};
use queuecast_workload::{Seconds, Time};

pub(crate) use self::advice::Played;
pub(crate) use self::figures::Figures;
use super::answer::finished::finished;
use super::answer::freshness::Freshness;
use super::answer::problem::Problem;
use super::answer::score::lately;
use super::answer::setting::Setting;
use super::limiter::Requester;
use super::permissions::{Permissions, VisibleFields};
use crate::board::BoardIndex;
use crate::notices::Owner;
use crate::watch::published;
use queuecast_api::forecast::{ForecastResponse, JobResponse, StateResponse};
use queuecast_api::queue::{QueueRequest, QueueResponse};
use queuecast_api::time::Moment;
use queuecast_forecast::estimate::{JobForecast, NoForecast};
use queuecast_site::published::PublishedJob;

/// The board as one asker sees it.
#[derive(Clone)]
pub(crate) struct View {
    requester: Requester,
    board: Arc<BoardIndex>,
    permissions: Arc<Permissions>,
    freshness: Freshness,
    horizon: Seconds,
}

impl View {
    pub fn new(
        requester: Requester,
        board: Arc<BoardIndex>,
        permissions: Permissions,
        now: Time,
        horizon: Seconds,
    ) -> Self {
        let freshness = Freshness::of(&board.published, now);
        Self { requester, board, permissions: Arc::new(permissions), freshness, horizon }
    }

    /// What is said of a job. That it is somebody else's looks like that it does not exist.
    pub fn job(&self, asked: &str) -> Result<ForecastResponse, Problem> {
        self.told(self.find(asked)?).ok_or_else(|| Problem::no_such_job(asked))
    }

    /// What is said of a job that has ended, if it is one that the asker may see.
    pub fn past(&self, record: &JobRecord) -> Option<ForecastResponse> {
        let none = NoForecast { code: "finished", why: "The job has ended.".to_owned() };
        let job = published(record, JobForecast::NoForecast(none), false);
        let answer = self.told(&job)?;
        Some(ForecastResponse {
            finished: Some(finished(record)),
            state: StateResponse::Finished,
            waits_for: None,
            ..answer
        })
    }

    /// A job of the asker's own that waits, and whose it is by Slurm's word. Nobody is told of another's, whatever they may see.
    pub fn own_waiting_job(&self, asked: &str) -> Result<(ForecastResponse, Owner), Problem> {
        let job = self.find(asked)?;
        if !self.permissions.owns(job) {
            return Err(Problem::not_your_job(asked));
        }
        if job.started.is_some() {
            return Err(Problem::has_started(asked));
        }
        let answer = self.told(job).ok_or_else(|| Problem::no_such_job(asked))?;
        Ok((answer, Owner { user_id: job.user_id, user: job.user.clone() }))
    }

    /// What becomes of a job, for whoever is told of it. That it is not there is believed of a queue that was read.
    pub fn seen(&self, asked: &str) -> Seen {
        match self.job(asked) {
            Ok(answer) => Seen::There(Box::new(answer)),
            Err(problem) if problem.status == StatusCode::NOT_FOUND => {
                let was_read = self.board.published.health.queue.succeeded.is_some();
                if was_read { Seen::Gone } else { Seen::Unknown }
            }
            Err(_) => Seen::Unknown,
        }
    }

    /// Whether a notice of this user's is shown to the asker, and may be cancelled by them.
    pub fn may_see_notices_of(&self, owner: &Owner) -> bool {
        self.permissions.everything() || self.permissions.is(owner.user_id, &owner.user)
    }

    fn find(&self, asked: &str) -> Result<&PublishedJob, Problem> {
        self.knows_who_asks()?;
        self.is_ready()?;
        let id = WrittenJobId::parse(asked.as_bytes()).filter(|id| !id.is_step).ok_or_else(Problem::not_a_job_id)?;
        self.board.find(&id, |job| self.may_see(job)).ok_or_else(|| Problem::no_such_job(asked))
    }

    /// The jobs that wait, or run. What is not shown of a job is not searched by either.
    pub fn queue(&self, question: &QueueRequest) -> Result<QueueResponse, Problem> {
        self.knows_who_asks()?;
        self.is_ready()?;
        let page = question.page()?;
        let jobs = &self.board.published.jobs;
        let from = question.after.map_or(0, |after| jobs.partition_point(|job| job.job_id <= after));
        let wanted = |job: &&PublishedJob| {
            let is_users =
                |fields: VisibleFields| question.user.as_ref().is_none_or(|user| fields.user && job.user == *user);
            question.state.lists(job.started.is_some())
                && (!question.me || self.permissions.owns(job))
                && question.partition.as_ref().is_none_or(|partition| job.partitions.contains(partition))
                && self.permissions.job(job).is_some_and(is_users)
        };
        // One more than asked for tells whether there is another page.
        let mut found: Vec<&PublishedJob> = jobs[from..].iter().filter(wanted).take(page + 1).collect();
        let is_last = found.len() <= page;
        found.truncate(page);
        let next_after = if is_last { None } else { found.last().map(|job| job.job_id) };
        Ok(QueueResponse {
            cluster: self.board.published.cluster.clone(),
            now: self.freshness.now.into(),
            made: self.freshness.made.map(Moment::from),
            data_age_seconds: self.freshness.data_age().map(|age| age.0),
            jobs: found.into_iter().filter_map(|job| self.told(job)).collect(),
            next_after,
        })
    }

    /// Whose questions are counted together with this one.
    pub fn requester(&self) -> Requester {
        self.requester.clone()
    }

    /// Whether this asker may ask as often as they like.
    pub fn is_unlimited(&self) -> bool {
        self.permissions.everything()
    }

    fn setting(&self) -> Setting<'_> {
        Setting {
            cluster: &self.board.published.cluster,
            freshness: self.freshness,
            horizon: self.horizon,
            not_modelled: &[],
        }
    }

    /// Without which nothing is said of anybody.
    pub fn knows_who_asks(&self) -> Result<(), Problem> {
        if self.permissions.is_somebody() { Ok(()) } else { Err(Problem::jobs_are_private()) }
    }

    /// That a job is not there is said only of a queue that was read.
    fn is_ready(&self) -> Result<(), Problem> {
        if self.board.published.forecast.is_some() { Ok(()) } else { Err(Problem::not_ready()) }
    }

    fn may_see(&self, job: &PublishedJob) -> bool {
        self.permissions.job(job).is_some()
    }

    /// What is said of a job to this asker.
    fn told(&self, job: &PublishedJob) -> Option<ForecastResponse> {
        let fields = self.permissions.job(job)?;
        let answer = self.setting().of_job(job, lately(self.score(), &job.partitions));
        let job = JobResponse { own: self.permissions.owns(job), ..fields.named(job) };
        Some(ForecastResponse { job, ..answer })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::ApiSettings;
    use crate::api::asker::Asker;
    use crate::api::test_board::{NOW, job, published};
    use queuecast_api::score::ScoreResponse;
    use queuecast_records::JobPart;

    /// What a local user sees of a board without a score.
    pub(super) fn view_of(published: queuecast_site::published::Published, user: u32) -> View {
        let board = BoardIndex::with_score(published, ScoreResponse::default());
        let permissions = Permissions::of(Asker::Local(user), &board, &ApiSettings::default(), 990);
        View::new(Requester::User(0), Arc::new(board), permissions, NOW, Seconds(86_400))
    }

    #[test]
    fn one_s_own_jobs_are_those_of_one_s_number_whatever_they_are_called() {
        let other = PublishedJob { user_id: Some(1_001), ..job(8) };
        let question = QueueRequest { me: true, ..QueueRequest::default() };
        let listed = |user: u32| {
            let answer = view_of(published(vec![job(7), other.clone()]), user).queue(&question).expect("somebody");
            answer.jobs.into_iter().filter_map(|job| Some((job.job.job_id?, job.job.own))).collect::<Vec<_>>()
        };
        assert_eq!((listed(1_000), listed(1_001), listed(0)), (vec![(7, true)], vec![(8, true)], vec![]));
    }

    #[test]
    fn an_array_by_its_number_waits_until_nothing_of_it_does_and_has_started_then() {
        let task = |number, task| PublishedJob {
            part: JobPart::ArrayTask { array_job_id: 20, task },
            started: Some(Time(NOW.0 - 60)),
            ..job(number)
        };
        let remainder = JobPart::ArrayRemainder { array_job_id: 20, tasks: "3-5".to_owned() };
        let rest = PublishedJob { part: remainder, ..job(20) };
        let state = |jobs| match view_of(published(jobs), 1_000).seen("20") {
            Seen::There(answer) => Some(answer.state),
            Seen::Gone | Seen::Unknown => None,
        };
        assert_eq!(state(vec![rest, task(21, 1)]), Some(StateResponse::Waiting));
        assert_eq!(state(vec![task(21, 1), task(22, 2)]), Some(StateResponse::Running));
        assert_eq!(state(vec![job(7)]), None);
    }

    #[test]
    fn a_queue_that_was_not_read_has_no_jobs_missing() {
        let mut board = published(Vec::new());
        board.forecast = None;
        let view = view_of(board, 1_000);
        let codes = [view.job("7").err(), view.queue(&QueueRequest::default()).err()];
        for problem in codes {
            let told = format!("{:?}", problem.expect("not ready"));
            assert!(told.contains("not_ready") && told.contains("retry_after_seconds: Some(10)"), "{told}");
        }
    }

    #[test]
    fn a_job_that_has_ended_is_told_to_its_owner_and_to_nobody_else() {
        let mut record = crate::store::test_records::ended(7, NOW.0 - 900, NOW.0 - 800, NOW.0 - 500);
        (record.user, record.user_id) = ("alice".to_owned(), Some(1_000));
        let view = |user| view_of(published(Vec::new()), user);
        let told = view(1_000).past(&record).expect("it is alice's");
        let finished = told.finished.expect("it has ended");
        assert_eq!(told.state, StateResponse::Finished);
        assert_eq!((finished.state.as_str(), finished.ended.map(|at| at.unix)), ("COMPLETED", Some(NOW.0 - 500)));
        assert!(view(1_001).past(&record).is_none());
    }

    #[test]
    fn what_slurm_says_holds_a_job_is_told_in_words() {
        let limited = PublishedJob { reason: "QOSGrpCpuLimit".to_owned(), ..job(7) };
        let told = view_of(published(vec![limited]), 1_000).job("7").expect("an own job");
        let held = told.waits_for.expect("a known word");
        assert_eq!(held.kind, "qos_limit");
        assert!(held.description.contains("QOS"), "{}", held.description);
    }
}
