//! What one asker may see of figures: the score, the daemon's health, counts, past waits, and what is for operators only.
//!
//! For: figures of so few users that they tell what these do. They are left out here, for every route alike.
//!
//! Not for: how figures are reckoned (`answer`, `board`), or written for Prometheus (`metrics`).

use std::borrow::Cow;

use queuecast_api::health::{HealthResponse, HealthStatus};
use queuecast_api::operations::AccountResponse;
use queuecast_api::score::ScoreResponse;
use queuecast_api::waits::{WaitsRequest, WaitsResponse};
use queuecast_site::observed::{JobSize, Observed};
use queuecast_site::past_waits::Group;
use queuecast_site::published::{Health, ReplayCheck};
use queuecast_workload::Time;

use super::View;
use crate::api::answer::health::{Counts, health};
use crate::api::answer::observed::{for_everybody, without_estimate};
use crate::api::answer::operations::accounts;
use crate::api::answer::problem::Problem;
use crate::api::answer::small_groups::LEAST_USERS_OF_A_GROUP;
use crate::api::answer::waits::waits_answer;
use crate::board::Count;

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
    pub score: &'a ScoreResponse,
    /// Whether whoever asks may see everything.
    pub is_operators: bool,
}

impl View {
    /// The scorecard.
    pub fn score(&self) -> &ScoreResponse {
        if self.permissions.everything() { self.board.score() } else { self.board.coarse_score() }
    }

    /// How the daemon is.
    pub fn health(&self) -> HealthResponse {
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
    pub fn waits(&self, question: WaitsRequest) -> Result<WaitsResponse, Problem> {
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
    pub fn accounts(&self) -> Result<Vec<AccountResponse>, Problem> {
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    use crate::api::ApiSettings;
    use crate::api::asker::Asker;
    use crate::api::limiter::Requester;
    use crate::api::metrics::{self, Messages, Requests};
    use crate::api::permissions::Permissions;
    use crate::api::test_board::{NOW, job, published};
    use crate::board::BoardIndex;
    use queuecast_api::score::{CoverageResponse, FiguresResponse, ScoreGroupResponse};
    use queuecast_site::published::PublishedJob;
    use queuecast_workload::Seconds;

    fn group(name: &str, users: u64) -> ScoreGroupResponse {
        let figures = FiguresResponse {
            forecasts: 200,
            jobs: 100,
            coverage: Some(CoverageResponse { p50: 0.5, p80: 0.8, p90: 0.9, p95: 0.95 }),
            median_absolute_error_seconds: Some(240.0),
            ..FiguresResponse::default()
        };
        ScoreGroupResponse { name: name.to_owned(), users, first: figures.clone(), all: figures }
    }

    /// A board whose every job is in a partition with scored jobs of so many users, and with so many users who wait.
    fn view(users: u64, asker: Asker) -> View {
        let score = ScoreResponse {
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
                let lately = view.job("7").expect("an own job").recent_accuracy;
                assert_eq!(lately.is_some(), is_told, "{users} {asker:?}");
            }
        }
    }
}
