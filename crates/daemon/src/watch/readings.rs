//! The questions the watcher asks, and what it takes in of the answers.
//!
//! Not for: when they are asked (`timers`); what is said then (`forecasts`).

use std::sync::Arc;
use std::time::Duration;

use queuecast_records::source::{Period, Source, SourceError};

use super::kind::Kind;
use super::watcher::Watcher;
use crate::store::{Fact, ReadingKind, StoreError, VanishingRules};
use queuecast_site::cluster::check;
use queuecast_site::ledger::FactKind;
use queuecast_site::roles::Roles;

impl Watcher {
    /// Asks one question. What it took and whether it failed is noted; that it begins to fail, and that it succeeds again, is said
    /// once on standard error.
    fn ask<T>(
        &mut self,
        kind: Kind,
        question: impl FnOnce(&dyn Source) -> Result<T, SourceError>,
    ) -> Result<(T, Duration), SourceError> {
        let begun = self.clock.watched();
        let source = match self.source.take() {
            Some(source) => Ok(source),
            None => (self.connect)(),
        };
        let answer = source.and_then(|source| {
            let answer = question(&*source);
            // Who refuses may speak another version by now, which is found out anew.
            if !matches!(answer, Err(SourceError::Refused { .. })) {
                self.source = Some(source);
            }
            answer
        });
        let now = self.clock.watched();
        let took = now.saturating_sub(begun);
        self.has_news = true;
        let (health, back_off) = (kind.health(&mut self.health), self.timers.of(kind));
        health.calls += 1;
        health.last_seconds = took.as_secs_f64();
        match answer {
            Ok(answer) => {
                if health.problem.take().is_some() && self.settings.says_what_fails {
                    tracing::info!(question = kind.name(), "Slurm call succeeds again");
                }
                back_off.succeeded(now, took);
                Ok((answer, took))
            }
            Err(error) => {
                if health.problem.replace(error.to_string()).is_none() && self.settings.says_what_fails {
                    tracing::warn!(question = kind.name(), %error, "Slurm call failed; retrying");
                }
                health.failures += 1;
                *health.failures_by_error.entry(error.code()).or_default() += 1;
                back_off.failed(now, took);
                Err(error)
            }
        }
    }

    /// Reads the queue. Says whether it was answered.
    pub(super) fn read_queue(&mut self) -> Result<bool, StoreError> {
        let asked = self.clock.now();
        let answer = self.ask(Kind::Queue, |source| source.queue());
        let Ok((reading, _)) = answer else { return Ok(false) };
        self.health.queue.bad_records = reading.bad_records;
        let facts = self.stored(|store| store.take_in(&reading.records, ReadingKind::Queue, asked))?;
        self.learn(&facts.unwrap_or_default());
        self.confirm_time(&reading.records, asked);
        let before = self.latest.queue.take().map(|(_, jobs)| check::running(&jobs));
        self.latest.queue = Some((asked, reading.records.into()));
        self.health.queue.succeeded = Some(asked);
        let vanished = self.stored(|store| store.vanished(asked, VanishingRules::default()))?;
        self.learn(&vanished.unwrap_or_default());
        if let (Some(before), Some(reading)) = (before, self.latest.reading()) {
            let (learner, identities) = (&mut self.forecasting.learner, &self.identities);
            let described = |record: &_| learner.described(identities.row(record), record);
            let checked = check::check(&reading, &before, &mut self.suspects, described);
            self.replay_check.starts += checked.starts;
            self.replay_check.explained += checked.explained;
            self.replay_check.missing += checked.missing;
        }
        Ok(true)
    }

    pub(super) fn read_nodes(&mut self) {
        let asked = self.clock.now();
        let answer = self.ask(Kind::Nodes, |source| source.nodes());
        if let Ok((reading, _)) = answer {
            self.health.nodes.succeeded = Some(asked);
            self.health.nodes.bad_records = reading.bad_records;
            self.latest.nodes = reading.records;
        }
    }

    /// Reads the next piece of accounting. Says whether there is more to catch up with.
    pub(super) fn read_accounting(&mut self) -> Result<bool, StoreError> {
        let asked = self.clock.now();
        let Some(mark) = self.stored(|store| store.accounting_read_up_to())? else {
            self.timers.accounting.failed(self.clock.watched(), Duration::ZERO);
            return Ok(false);
        };
        let Some(period) = self.catch_up.next_window(mark, asked) else {
            self.timers.accounting.succeeded(self.clock.watched(), Duration::ZERO);
            return Ok(false);
        };
        let Some((records, took)) = self.read_period(period)? else { return Ok(false) };
        self.catch_up.answered(period, records);
        let more = !self.catch_up.is_keeping_up();
        if more {
            self.timers.accounting.again_soon(self.clock.watched(), took);
        }
        Ok(more)
    }

    /// Reads a piece of accounting. Says how many records it had and how long that took, if it was answered.
    pub(super) fn read_period(&mut self, period: Period) -> Result<Option<(usize, Duration)>, StoreError> {
        let asked = self.clock.now();
        let answer = self.ask(Kind::Accounting, |source| source.accounting(period));
        let (reading, took) = match answer {
            Ok(answer) => answer,
            Err(SourceError::TooMuch { .. } | SourceError::TooLate { .. }) => {
                self.catch_up.too_large();
                return Ok(None);
            }
            Err(_) => return Ok(None),
        };
        self.health.accounting.succeeded = Some(asked);
        self.health.accounting.bad_records = reading.bad_records;
        let Some(facts) =
            self.stored(|store| store.take_in(&reading.records, ReadingKind::Accounting(period), asked))?
        else {
            return Ok(None);
        };
        self.learn(&facts);
        self.confirm_time(&reading.records, asked);
        Ok(Some((reading.records.len(), took)))
    }

    /// Reads what seldom changes. What is not to be had is done without, and the last answer stands.
    pub(super) fn read_settings(&mut self) {
        let asked = self.clock.now();
        let configuration = self.ask_settings(|source| source.configuration());
        let partitions = self.ask_settings(|source| source.partitions());
        let reservations = self.ask_settings(|source| source.reservations());
        let qos = self.ask_settings(|source| source.qos());
        let associations = self.ask_settings(|source| source.associations());
        if [configuration.is_some(), partitions.is_some(), reservations.is_some(), qos.is_some()].contains(&true) {
            self.health.settings.succeeded = Some(asked);
        }
        let latest = &mut self.latest;
        latest.configuration = configuration.or(latest.configuration.take());
        if let Some(partitions) = partitions {
            latest.partitions = partitions.records;
        }
        if let Some(reservations) = reservations {
            latest.reservations = reservations.records;
        }
        if let Some(qos) = qos {
            latest.qos = qos.records;
        }
        if let Some(associations) = associations {
            latest.associations = associations.records;
        }
    }

    /// Reads who is more than a user. Who was one is one no longer while it fails: nobody can say that they still are.
    pub(super) fn read_users(&mut self) {
        let asked = self.clock.now();
        let answer = self.ask(Kind::Users, |source| source.users());
        self.latest.roles = Arc::new(match answer {
            Ok((reading, _)) => {
                self.health.users.succeeded = Some(asked);
                self.health.users.bad_records = reading.bad_records;
                Roles::of(reading.records)
            }
            Err(_) => Roles::default(),
        });
    }

    pub(super) fn read_backfill(&mut self) {
        let asked = self.clock.now();
        if let Ok((said, _)) = self.ask(Kind::Backfill, |source| source.diagnostics()) {
            self.health.backfill.succeeded = Some(asked);
            self.latest.reach.see(&said);
            self.health.backfill_reach_jobs = self.latest.reach.jobs().map(|jobs| jobs as u64);
        }
    }

    /// Reads who has used how much, where priorities depend on it.
    pub(super) fn read_shares(&mut self) {
        let asked = self.clock.now();
        let configuration = self.latest.configuration.as_ref();
        let counts = configuration.map(|configuration| &configuration.priority);
        if !counts.is_some_and(|priority| priority.multifactor && priority.weights.fair_share > 0) {
            self.timers.shares.succeeded(self.clock.watched(), Duration::ZERO);
            return;
        }
        if let Ok((reading, _)) = self.ask(Kind::Shares, |source| source.shares()) {
            self.health.shares.succeeded = Some(asked);
            self.health.shares.bad_records = reading.bad_records;
            self.latest.shares = reading.records;
        }
    }

    fn ask_settings<T>(&mut self, question: impl FnOnce(&dyn Source) -> Result<T, SourceError>) -> Option<T> {
        let answer = self.ask(Kind::Settings, question);
        answer.ok().map(|(answer, _)| answer)
    }

    fn learn(&mut self, facts: &[Fact]) {
        for fact in facts {
            self.forecasting.learner.learn(fact.job, fact.kind, &fact.record);
            self.identities.note(fact);
            if let FactKind::Started { at } = fact.kind
                && self.observed.counts_start(&fact.record, at)
            {
                Arc::make_mut(&mut self.observed).started(&fact.record, at);
            }
            if !self.people.knows(&fact.record) {
                Arc::make_mut(&mut self.people).see(&fact.record);
            }
            if !matches!(fact.kind, FactKind::Arrived | FactKind::Returned) {
                self.last_kept.remove(&fact.job);
            }
        }
    }
}
