//! What one asker may see of the board: the only way from the interface's routes to what is published.
//!
//! For: authorising in one place. A route gets a [`View`] and nothing else, so one that forgets to ask who asks cannot be
//! written.
//!
//! Not for: how answers look (`answer`).
//!
//! Source: Slurm-web's issue 170, where what one view hid another showed; slurm.conf(5) `PrivateData`.

use std::borrow::Cow;
use std::sync::Arc;

use axum::http::StatusCode;
use queuecast_notify::Seen;
use queuecast_records::{JobRecord, WrittenJobId};
use queuecast_workload::{Seconds, Time};

use super::answer::finished::finished;
use super::answer::freshness::Freshness;
use super::answer::health::{Counts, health};
use super::answer::observed::{for_everybody, without_estimate};
use super::answer::operations::accounts;
use super::answer::problem::Problem;
use super::answer::score::lately;
use super::answer::setting::{Setting, hypothetical_job};
use super::answer::small_groups::LEAST_USERS_OF_A_GROUP;
use super::answer::waits::waits_answer;
use super::awaited::{Awaited, awaited};
use super::limiter::Requester;
use super::permissions::{Permissions, VisibleFields};
use super::silent::Silent;
use crate::board::{BoardIndex, Count};
use crate::notices::Owner;
use crate::watch::published;
use queuecast_advise::{Adviser, HypotheticalJob};
use queuecast_advise::{Holder, JobChange, LimitAdvice, Place, SizeAdvice, Subject, Why, Width};
use queuecast_api::dependency::Dependencies;
use queuecast_api::forecast::{ForecastAnswer, JobAnswer, StateAnswer};
use queuecast_api::health::{HealthAnswer, HealthStatus};
use queuecast_api::limit::LimitAnswer;
use queuecast_api::operations::AccountAnswer;
use queuecast_api::places::PlacesAnswer;
use queuecast_api::queue::{QueueAnswer, QueueQuestion};
use queuecast_api::score::ScoreAnswer;
use queuecast_api::size::WidthsAnswer;
use queuecast_api::time::Moment;
use queuecast_api::waits::{WaitsAnswer, WaitsQuestion};
use queuecast_api::why::WhyAnswer;
use queuecast_forecast::estimate::{JobForecast, NoEstimate};
use queuecast_forecast::queue::Patience;
use queuecast_site::observed::{JobSize, Observed};
use queuecast_site::past_waits::Group;
use queuecast_site::published::{Health, PublishedJob, ReplayCheck};

/// The board as one asker sees it.
#[derive(Clone)]
pub(crate) struct View {
    requester: Requester,
    board: Arc<BoardIndex>,
    permissions: Arc<Permissions>,
    freshness: Freshness,
    horizon: Seconds,
}

/// A hypothetical job that may be asked about, and who forecasts it.
pub(crate) struct Advice {
    pub adviser: Arc<dyn Adviser>,
    pub job: HypotheticalJob,
    not_considered: Vec<String>,
    not_played: Vec<String>,
}

/// A job that may be asked about, and who is asked.
pub(crate) struct JobAdvice {
    pub adviser: Arc<dyn Adviser>,
    pub job: PublishedJob,
}

/// A question that futures are played for.
pub(crate) trait Played {
    /// The same question, played for as long as there is patience.
    fn within(self, patience: Patience) -> Self;
}

impl Played for Advice {
    fn within(self, patience: Patience) -> Self {
        Self { adviser: self.adviser.within(patience), ..self }
    }
}

impl Played for JobAdvice {
    fn within(self, patience: Patience) -> Self {
        Self { adviser: self.adviser.within(patience), ..self }
    }
}

impl JobAdvice {
    pub fn subject(&self) -> Subject {
        Subject::Waiting(self.job.job_id)
    }
}

impl Advice {
    pub fn subject(&self) -> Subject {
        Subject::Hypothetical(self.job.clone())
    }
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
    pub fn job(&self, asked: &str) -> Result<ForecastAnswer, Problem> {
        self.told(self.find(asked)?).ok_or_else(|| Problem::no_such_job(asked))
    }

    /// What is said of a job that has ended, if it is one that the asker may see.
    pub fn past(&self, record: &JobRecord) -> Option<ForecastAnswer> {
        let none = NoEstimate { code: "finished", why: "It has ended.".to_owned() };
        let job = published(record, JobForecast::NoEstimate(none), false);
        let answer = self.told(&job)?;
        Some(ForecastAnswer {
            finished: Some(finished(record)),
            state: StateAnswer::Finished,
            waits_for: None,
            ..answer
        })
    }

    /// A job of the asker's own that waits, and whose it is by Slurm's word. Nobody is told of another's, whatever they may see.
    pub fn own_waiting_job(&self, asked: &str) -> Result<(ForecastAnswer, Owner), Problem> {
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
    pub fn queue(&self, question: &QueueQuestion) -> Result<QueueAnswer, Problem> {
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
        Ok(QueueAnswer {
            cluster: self.board.published.cluster.clone(),
            now: self.freshness.now.into(),
            made: self.freshness.made.map(Moment::from),
            data_age_seconds: self.freshness.data_age().map(|age| age.0),
            jobs: found.into_iter().filter_map(|job| self.told(job)).collect(),
            next_after,
        })
    }

    /// Who forecasts this job that does not exist. Whose it is and what it is called count only as far as one may ask as that user.
    pub fn advice(&self, mut job: HypotheticalJob) -> Result<Advice, Problem> {
        if !self.permissions.may_suppose() {
            return Err(Problem::jobs_are_private());
        }
        let mut adviser = self.board.published.adviser.clone().ok_or_else(Problem::not_ready)?;
        let mut not_considered = Vec::new();
        // Whoever names nobody asks for themselves, by the number that the kernel tells.
        job.user = job.user.or_else(|| self.permissions.own_name(&self.board).map(str::to_owned));
        if !self.permissions.may_ask_as(job.user.as_deref(), &self.board) {
            for (field, value) in [("user", &mut job.user), ("name", &mut job.name)] {
                not_considered.extend(value.take().map(|_| field.to_owned()));
            }
        }
        let mut not_played: Vec<String> = adviser.not_played(&job).into_iter().map(str::to_owned).collect();
        match self.awaited(&job) {
            Ok(Awaited { over, is_whole }) => {
                job.after = over;
                not_played.extend((!is_whole).then(|| "dependency".to_owned()));
            }
            Err(none) => adviser = Arc::new(Silent(none)),
        }
        Ok(Advice { adviser, job, not_considered, not_played })
    }

    /// When what a job would wait for is over. Jobs that the asker may not see are as if they were not there.
    fn awaited(&self, job: &HypotheticalJob) -> Result<Awaited, NoEstimate> {
        let Some(written) = &job.naming.dependency else { return Ok(Awaited::NOTHING) };
        let Ok(dependencies) = Dependencies::parse(written) else { return Ok(Awaited::NOTHING) };
        let of_same_name =
            |other: &PublishedJob| self.permissions.owns(other) && job.name.as_ref() == Some(&other.name);
        awaited(&dependencies, &self.board, |other| self.may_see(other), of_same_name)
    }

    /// What is said of a job that does not exist.
    pub fn advised(&self, advice: &Advice, forecast: &JobForecast) -> ForecastAnswer {
        let partitions: Vec<String> = advice.job.partitions().into_iter().map(str::to_owned).collect();
        let lately = lately(self.score(), &partitions);
        let forecast = self.discreet_forecast(forecast.clone());
        self.setting_of(advice).of_hypothetical(&advice.job, &forecast, lately, advice.not_considered.clone())
    }

    /// Whom to ask about a job.
    pub fn job_advice(&self, asked: &str) -> Result<JobAdvice, Problem> {
        let job = self.find(asked)?.clone();
        let adviser = self.board.published.adviser.clone().ok_or_else(Problem::not_ready)?;
        Ok(JobAdvice { adviser, job })
    }

    /// Limits for a job that does not exist.
    pub fn limits_of_hypothetical(&self, advice: &Advice, found: Result<LimitAdvice, NoEstimate>) -> LimitAnswer {
        let found = found.map_err(|none| self.discreet(none));
        let is_own = advice.job.user.as_deref().is_none_or(|name| self.permissions.bears(name, &self.board));
        let answer =
            self.setting_of(advice).limits(hypothetical_job(&advice.job), advice.not_considered.clone(), found);
        self.limits(answer, is_own)
    }

    /// Limits for a job.
    pub fn limits_of_job(&self, advice: &JobAdvice, found: Result<LimitAdvice, NoEstimate>) -> LimitAnswer {
        let named = self.permissions.job(&advice.job).map(|fields| fields.named(&advice.job)).unwrap_or_default();
        self.limits(self.setting().limits(named, Vec::new(), found), self.permissions.owns(&advice.job))
    }

    /// How promises were kept, and how many runs of anybody there are, is told of five users or more, like the score; how many runs of one
    /// user there are and how long they take, to that user.
    fn limits(&self, mut answer: LimitAnswer, is_own: bool) -> LimitAnswer {
        if self.permissions.everything() {
            return answer;
        }
        if self.score().overall.is_none() {
            for choice in &mut answer.choices {
                (choice.advised_jobs, choice.killed) = (None, None);
            }
            answer.basis = answer.basis.filter(|basis| basis.own);
        }
        if !is_own {
            answer.basis = answer.basis.filter(|basis| !basis.own);
            answer.heavy_tail = None;
        }
        answer
    }

    /// Where a job that does not exist could run. Where partitions are hidden, only those the asker names or has jobs in.
    pub fn places(&self, advice: &Advice, mut found: Vec<Place>) -> PlacesAnswer {
        if !self.permissions.partitions() {
            let jobs = &self.board.published.jobs;
            let has =
                |name: &String| jobs.iter().any(|job| self.permissions.owns(job) && job.partitions.contains(name));
            let named = advice.job.partitions();
            found.retain(|place| named.contains(&place.partition.as_str()) || has(&place.partition));
        }
        let found = found
            .into_iter()
            .map(|place| Place { forecast: self.discreet_forecast(place.forecast), ..place })
            .collect();
        self.setting_of(advice).places(hypothetical_job(&advice.job), advice.not_considered.clone(), found)
    }

    /// How wide a job that does not exist could run.
    pub fn widths(&self, advice: &Advice, found: Result<SizeAdvice, NoEstimate>) -> WidthsAnswer {
        let found = found.map_err(|none| self.discreet(none)).map(|found| {
            let widths = found.widths.into_iter();
            let widths = widths.map(|width| Width { forecast: self.discreet_forecast(width.forecast), ..width });
            SizeAdvice { widths: widths.collect(), ..found }
        });
        self.setting_of(advice).widths(hypothetical_job(&advice.job), advice.not_considered.clone(), found)
    }

    /// What holds a job. Reservations and other partitions are not named where they are hidden.
    pub fn why(&self, advice: &JobAdvice, found: Result<Why, NoEstimate>) -> Result<WhyAnswer, Problem> {
        let forecast = self.told(&advice.job).ok_or_else(|| Problem::no_such_job(&advice.job.job_id.to_string()))?;
        let found = found.map(|mut why| {
            why.holds.retain(|hold| hold.what != Holder::Reservations || self.permissions.reservations());
            why.changes
                .retain(|told| self.permissions.partitions() || !matches!(told.change, JobChange::Partition { .. }));
            why
        });
        Ok(self.setting().why(forecast, found, self.permissions.everything()))
    }

    fn discreet_forecast(&self, forecast: JobForecast) -> JobForecast {
        match forecast {
            JobForecast::NoEstimate(none) => JobForecast::NoEstimate(self.discreet(none)),
            estimate @ JobForecast::Estimate(_) => estimate,
        }
    }

    /// Why nothing is said, without what partitions take and have where that is hidden.
    fn discreet(&self, none: NoEstimate) -> NoEstimate {
        let is_telling = matches!(none.code, "refused" | "not_allowed" | "does_not_fit" | "partition_down");
        if is_telling && !self.permissions.partitions() {
            NoEstimate { why: DISCREET.to_owned(), ..none }
        } else {
            none
        }
    }

    /// The scorecard.
    pub fn score(&self) -> &ScoreAnswer {
        if self.permissions.everything() { self.board.score() } else { self.board.coarse_score() }
    }

    /// How the daemon is.
    pub fn health(&self) -> HealthAnswer {
        health(&self.board.published, self.freshness, self.permissions.everything(), self.counts())
    }

    /// Counts that name nobody, for metrics.
    pub fn figures(&self) -> Figures<'_> {
        let published = &self.board.published;
        let is_operators = self.permissions.everything();
        let observed = if is_operators {
            Cow::Borrowed(&*published.observed)
        } else {
            Cow::Owned(for_everybody(&published.observed, published.private_data))
        };
        Figures {
            cluster: &published.cluster,
            health: &published.health,
            status: self.health().status,
            now: self.freshness.now,
            counts: self.counts(),
            without_estimate: without_estimate(&published.jobs, is_operators),
            observed,
            replay_check: published.replay_check,
            score: self.score(),
            is_operators,
        }
    }

    /// How long jobs waited lately.
    pub fn waits(&self, question: WaitsQuestion) -> Result<WaitsAnswer, Problem> {
        let size = question.size.map(|name| JobSize::named(&name).ok_or_else(Problem::no_such_size)).transpose()?;
        let group = Group { partition: question.partition, size };
        let published = &self.board.published;
        Ok(waits_answer(&published.cluster, &published.past_waits, &group, self.permissions.past_waits()))
    }

    /// Without which nothing is said that is for those who run the cluster.
    pub fn is_for_operators(&self) -> Result<(), Problem> {
        if self.permissions.everything() { Ok(()) } else { Err(Problem::for_operators()) }
    }

    /// Who waits longest, by account, for those who run the cluster.
    pub fn accounts(&self) -> Result<Vec<AccountAnswer>, Problem> {
        self.is_for_operators()?;
        Ok(accounts(&self.board.published.jobs, self.freshness.now))
    }

    /// How many wait and run. Of a few users even a count tells what they do.
    fn counts(&self) -> Counts {
        let told = |count: Count| {
            let is_told = self.permissions.everything() || count.users >= LEAST_USERS_OF_A_GROUP;
            is_told.then_some(count.jobs)
        };
        Counts { waiting: told(self.board.waiting()), running: told(self.board.running()) }
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
            not_played: &[],
        }
    }

    /// The same of a job that does not exist, of which something may have no part in what is said.
    fn setting_of<'a>(&'a self, advice: &'a Advice) -> Setting<'a> {
        Setting { not_played: &advice.not_played, ..self.setting() }
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
    fn told(&self, job: &PublishedJob) -> Option<ForecastAnswer> {
        let fields = self.permissions.job(job)?;
        let answer = self.setting().of_job(job, lately(self.score(), &job.partitions));
        let job = JobAnswer { own: self.permissions.owns(job), ..fields.named(job) };
        Some(ForecastAnswer { job, ..answer })
    }
}

/// Why nothing is said of a hypothetical job, where what partitions take and have is hidden.
const DISCREET: &str = "As it is asked for it could not start now: too large, too long, or no such partition. This cluster does not \
                        tell what its partitions take and have.";

/// Counts that name nobody.
pub(crate) struct Figures<'a> {
    pub cluster: &'a str,
    pub health: &'a Health,
    pub status: HealthStatus,
    pub now: Time,
    pub counts: Counts,
    /// Jobs of which nothing is said, by why.
    pub without_estimate: Vec<(&'static str, u64)>,
    pub observed: Cow<'a, Observed>,
    pub replay_check: ReplayCheck,
    pub score: &'a ScoreAnswer,
    /// Whether whoever asks may see everything.
    pub is_operators: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::ApiSettings;
    use crate::api::asker::Asker;
    use crate::api::metrics::{self, Messages, Requests};
    use crate::api::test_board::{NOW, job, published};
    use queuecast_api::score::{CoverageAnswer, FiguresAnswer, ScoreGroupAnswer};
    use queuecast_records::JobPart;

    fn group(name: &str, users: u64) -> ScoreGroupAnswer {
        let figures = FiguresAnswer {
            forecasts: 200,
            jobs: 100,
            coverage: Some(CoverageAnswer { p50: 0.5, p80: 0.8, p90: 0.9, p95: 0.95 }),
            median_absolute_error_seconds: Some(240.0),
            ..FiguresAnswer::default()
        };
        ScoreGroupAnswer { name: name.to_owned(), users, first: figures.clone(), all: figures }
    }

    /// A board whose every job is in a partition with scored jobs of so many users, and with so many users who wait.
    fn view(users: u64, asker: Asker) -> View {
        let score = ScoreAnswer {
            overall: Some(group("all", users)),
            by_partition: vec![group("batch", users)],
            by_class: vec![group("up to 1 h", users)],
            better_for_a_month: Vec::new(),
        };
        let jobs = (0..users).map(|user| PublishedJob { user: format!("user{user}"), ..job(7 + user) }).collect();
        let board = BoardIndex::with_score(published(jobs), score);
        let permissions = Permissions::of(asker, &board, &ApiSettings::default(), 990);
        View::new(Requester::User(0), Arc::new(board), permissions, NOW, Seconds(86_400))
    }

    fn view_of(published: queuecast_site::published::Published, user: u32) -> View {
        let board = BoardIndex::with_score(published, ScoreAnswer::default());
        let permissions = Permissions::of(Asker::Local(user), &board, &ApiSettings::default(), 990);
        View::new(Requester::User(0), Arc::new(board), permissions, NOW, Seconds(86_400))
    }

    #[test]
    fn one_s_own_jobs_are_those_of_one_s_number_whatever_they_are_called() {
        let other = PublishedJob { user_id: Some(1_001), ..job(8) };
        let question = QueueQuestion { me: true, ..QueueQuestion::default() };
        let listed = |user: u32| {
            let answer = view_of(published(vec![job(7), other.clone()]), user).queue(&question).expect("somebody");
            answer.jobs.into_iter().filter_map(|job| Some((job.job.number?, job.job.own))).collect::<Vec<_>>()
        };
        assert_eq!((listed(1_000), listed(1_001), listed(0)), (vec![(7, true)], vec![(8, true)], vec![]));
    }

    #[test]
    fn one_s_own_past_counts_by_number_whether_or_not_one_has_a_job_queued() {
        let mut board = published(Vec::new());
        board.adviser = Some(Arc::new(Silent(NoEstimate { code: "none", why: String::new() })));
        Arc::make_mut(&mut board.people).add(1_000, "alice");
        let named = HypotheticalJob { name: Some("solve".to_owned()), ..HypotheticalJob::default() };
        let advice =
            view_of(board.clone(), 1_000).advice(named.clone()).unwrap_or_else(|problem| panic!("{problem:?}"));
        assert_eq!((advice.job.user.as_deref(), advice.not_considered.len()), (Some("alice"), 0));
        let as_alice = HypotheticalJob { user: Some("alice".to_owned()), ..named };
        let stranger = view_of(board, 1_001).advice(as_alice).unwrap_or_else(|problem| panic!("{problem:?}"));
        assert_eq!((stranger.job.user, stranger.not_considered.len()), (None, 2), "nobody may ask as alice");
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
        assert_eq!(state(vec![rest, task(21, 1)]), Some(StateAnswer::Waiting));
        assert_eq!(state(vec![task(21, 1), task(22, 2)]), Some(StateAnswer::Running));
        assert_eq!(state(vec![job(7)]), None);
    }

    #[test]
    fn a_queue_that_was_not_read_has_no_jobs_missing() {
        let mut board = published(Vec::new());
        board.forecast = None;
        let view = view_of(board, 1_000);
        let codes = [view.job("7").err(), view.queue(&QueueQuestion::default()).err()];
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
        assert_eq!(told.state, StateAnswer::Finished);
        assert_eq!((finished.state.as_str(), finished.ended.map(|at| at.unix)), ("COMPLETED", Some(NOW.0 - 500)));
        assert!(view(1_001).past(&record).is_none());
    }

    #[test]
    fn what_slurm_says_holds_a_job_is_told_in_words() {
        let limited = PublishedJob { reason: "QOSGrpCpuLimit".to_owned(), ..job(7) };
        let told = view_of(published(vec![limited]), 1_000).job("7").expect("an own job");
        let held = told.waits_for.expect("a known word");
        assert_eq!(held.kind, "qos_limit");
        assert!(held.words.contains("QOS"), "{}", held.words);
    }

    #[test]
    fn the_score_of_a_few_users_is_in_no_answer_to_those_who_may_not_see_their_jobs() {
        for (users, asker, is_told) in [
            (4, Asker::Local(0), true),
            (4, Asker::Local(1_000), false),
            (4, Asker::Nobody, false),
            (5, Asker::Local(1_000), true),
            (5, Asker::Nobody, true),
        ] {
            let view = view(users, asker.clone());
            assert_eq!(view.score().overall.is_some(), is_told, "{users} {asker:?}");
            assert_eq!(!view.score().by_partition.is_empty(), is_told, "{users} {asker:?}");
            let metrics = metrics::text(&view.figures(), &Requests::default(), &Messages::default());
            for line in [
                r#"queuecast_range80_coverage_ratio{cluster="alpha"} 0.8"#.to_owned(),
                r#"queuecast_median_absolute_error_seconds{cluster="alpha"} 240.0"#.to_owned(),
                format!("queuecast_jobs_waiting{{cluster=\"alpha\"}} {users}.0"),
            ] {
                assert_eq!(metrics.contains(&line), is_told, "{line} {asker:?} {metrics}");
            }
            if asker != Asker::Nobody {
                let lately = view.job("7").expect("an own job").lately;
                assert_eq!(lately.is_some(), is_told, "{users} {asker:?}");
            }
        }
    }
}
