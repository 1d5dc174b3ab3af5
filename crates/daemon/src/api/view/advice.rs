//! What one asker may ask of whoever plays futures, and what of the answer they are told.
//!
//! For: jobs that do not exist, and what would help those that wait. Whom one may ask as, and what is left out of answers, is decided here.
//!
//! Not for: the playing (`queuecast_advise::Adviser`), or how often somebody may ask for it (`desk`).

use std::sync::Arc;

use queuecast_advise::{
    Adviser, Holder, HypotheticalJob, JobChange, LimitAdvice, Place, SizeAdvice, Subject, TableRow, Why, Width,
};
use queuecast_api::dependency::Dependencies;
use queuecast_api::forecast::ForecastResponse;
use queuecast_api::limit::LimitResponse;
use queuecast_api::places::PartitionsResponse;
use queuecast_api::size::SizesResponse;
use queuecast_api::table::TableResponse;
use queuecast_api::why::WhyResponse;
use queuecast_forecast::estimate::{JobForecast, NoForecast};
use queuecast_forecast::queue::{Patience, Threads};
use queuecast_site::published::PublishedJob;

use super::View;
use crate::api::answer::problem::Problem;
use crate::api::answer::score::lately;
use crate::api::answer::setting::{Setting, hypothetical_job};
use crate::api::awaited::{Awaited, awaited};
use crate::api::silent::Silent;

/// A hypothetical job that may be asked about, and who forecasts it.
pub(crate) struct Advice {
    pub adviser: Arc<dyn Adviser>,
    pub job: HypotheticalJob,
    not_considered: Vec<String>,
    not_modelled: Vec<String>,
}

/// A job that may be asked about, and who is asked.
pub(crate) struct JobAdvice {
    pub adviser: Arc<dyn Adviser>,
    pub job: PublishedJob,
}

/// A question that futures are played for.
pub(crate) trait Played {
    /// The same question, played for as long as there is patience, on these threads.
    fn within(self, patience: Patience, threads: Threads) -> Self;
}

impl Played for Advice {
    fn within(self, patience: Patience, threads: Threads) -> Self {
        Self { adviser: self.adviser.within(patience, threads), ..self }
    }
}

impl Played for JobAdvice {
    fn within(self, patience: Patience, threads: Threads) -> Self {
        Self { adviser: self.adviser.within(patience, threads), ..self }
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
        let mut not_modelled: Vec<String> = adviser.not_modelled(&job).into_iter().map(str::to_owned).collect();
        match self.awaited(&job) {
            Ok(Awaited { over, is_whole }) => {
                job.after = over;
                not_modelled.extend((!is_whole).then(|| "dependency".to_owned()));
            }
            Err(none) => adviser = Arc::new(Silent(none)),
        }
        Ok(Advice { adviser, job, not_considered, not_modelled })
    }

    /// When what a job would wait for is over. Jobs that the asker may not see are as if they were not there.
    fn awaited(&self, job: &HypotheticalJob) -> Result<Awaited, NoForecast> {
        let Some(written) = &job.naming.dependency else { return Ok(Awaited::NOTHING) };
        let Ok(dependencies) = Dependencies::parse(written) else { return Ok(Awaited::NOTHING) };
        let of_same_name =
            |other: &PublishedJob| self.permissions.owns(other) && job.name.as_ref() == Some(&other.name);
        awaited(&dependencies, &self.board, |other| self.may_see(other), of_same_name)
    }

    /// What is said of a job that does not exist.
    pub fn advised(&self, advice: &Advice, forecast: &JobForecast) -> ForecastResponse {
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
    pub fn limits_of_hypothetical(&self, advice: &Advice, found: Result<LimitAdvice, NoForecast>) -> LimitResponse {
        let found = found.map_err(|none| self.discreet(none));
        let is_own = advice.job.user.as_deref().is_none_or(|name| self.permissions.bears(name, &self.board));
        let answer =
            self.setting_of(advice).limits(hypothetical_job(&advice.job), advice.not_considered.clone(), found);
        self.limits(answer, is_own)
    }

    /// Limits for a job.
    pub fn limits_of_job(&self, advice: &JobAdvice, found: Result<LimitAdvice, NoForecast>) -> LimitResponse {
        let named = self.permissions.job(&advice.job).map(|fields| fields.named(&advice.job)).unwrap_or_default();
        self.limits(self.setting().limits(named, Vec::new(), found), self.permissions.owns(&advice.job))
    }

    /// How promises were kept, and how many runs of anybody there are, is told of five users or more, like the score; how many runs of one
    /// user there are and how long they take, to that user.
    fn limits(&self, mut answer: LimitResponse, is_own: bool) -> LimitResponse {
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
    pub fn places(&self, advice: &Advice, mut found: Vec<Place>) -> PartitionsResponse {
        found.retain(|place| self.may_name(&place.partition, advice));
        let found = found
            .into_iter()
            .map(|place| Place { forecast: self.discreet_forecast(place.forecast), ..place })
            .collect();
        self.setting_of(advice).places(hypothetical_job(&advice.job), advice.not_considered.clone(), found)
    }

    /// Whether the asker may hear of this partition: it is not hidden, or they name it, or have jobs in it.
    fn may_name(&self, partition: &str, advice: &Advice) -> bool {
        let has_jobs = || {
            let mut jobs = self.board.published.jobs.iter();
            jobs.any(|job| self.permissions.owns(job) && job.partitions.iter().any(|name| name == partition))
        };
        self.permissions.partitions() || advice.job.partitions().contains(&partition) || has_jobs()
    }

    /// How wide a job that does not exist could run.
    pub fn widths(&self, advice: &Advice, found: Result<SizeAdvice, NoForecast>) -> SizesResponse {
        let found = found.map_err(|none| self.discreet(none)).map(|found| {
            let widths = found.widths.into_iter();
            let widths = widths.map(|width| Width { forecast: self.discreet_forecast(width.forecast), ..width });
            SizeAdvice { widths: widths.collect(), ..found }
        });
        self.setting_of(advice).widths(hypothetical_job(&advice.job), advice.not_considered.clone(), found)
    }

    /// What would be said of a job that does not exist with many sizes and limits. Partitions that are hidden are left out.
    pub fn table(&self, advice: &Advice, found: Result<Vec<TableRow>, NoForecast>) -> TableResponse {
        let found = found.map_err(|none| self.discreet(none)).map(|mut rows| {
            rows.retain(|row| row.partition.as_deref().is_none_or(|name| self.may_name(name, advice)));
            for cell in rows.iter_mut().flat_map(|row| &mut row.cells) {
                cell.forecast = self.discreet_forecast(cell.forecast.clone());
            }
            rows
        });
        self.setting_of(advice).table(hypothetical_job(&advice.job), advice.not_considered.clone(), found)
    }

    /// What holds a job. Reservations and other partitions are not named where they are hidden.
    pub fn why(&self, advice: &JobAdvice, found: Result<Why, NoForecast>) -> Result<WhyResponse, Problem> {
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
            JobForecast::NoForecast(none) => JobForecast::NoForecast(self.discreet(none)),
            estimate @ JobForecast::Estimate(_) => estimate,
        }
    }

    /// Why nothing is said, without what partitions take and have where that is hidden.
    fn discreet(&self, none: NoForecast) -> NoForecast {
        let is_telling = matches!(none.code, "refused" | "not_allowed" | "does_not_fit" | "partition_down");
        if is_telling && !self.permissions.partitions() {
            NoForecast { why: DISCREET.to_owned(), ..none }
        } else {
            none
        }
    }

    /// The same of a job that does not exist, of which something may have no part in what is said.
    fn setting_of<'a>(&'a self, advice: &'a Advice) -> Setting<'a> {
        Setting { not_modelled: &advice.not_modelled, ..self.setting() }
    }
}

/// Why nothing is said of a hypothetical job, where what partitions take and have is hidden.
const DISCREET: &str = "The job could not start now as requested: too large, too long, or no such partition. This cluster hides \
                        the limits and resources of its partitions.";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::test_board::published;
    use crate::api::view::tests::view_of;

    #[test]
    fn one_s_own_past_counts_by_number_whether_or_not_one_has_a_job_queued() {
        let mut board = published(Vec::new());
        board.adviser = Some(Arc::new(Silent(NoForecast { code: "none", why: String::new() })));
        Arc::make_mut(&mut board.people).add(1_000, "alice");
        let named = HypotheticalJob { name: Some("solve".to_owned()), ..HypotheticalJob::default() };
        let advice =
            view_of(board.clone(), 1_000).advice(named.clone()).unwrap_or_else(|problem| panic!("{problem:?}"));
        assert_eq!((advice.job.user.as_deref(), advice.not_considered.len()), (Some("alice"), 0));
        let as_alice = HypotheticalJob { user: Some("alice".to_owned()), ..named };
        let stranger = view_of(board, 1_001).advice(as_alice).unwrap_or_else(|problem| panic!("{problem:?}"));
        assert_eq!((stranger.job.user, stranger.not_considered.len()), (None, 2), "nobody may ask as alice");
    }
}
