//! One line, once the first forecasts were made: what the daemon sees of the cluster, and what it does not.
//!
//! For: an administrator who has just started it. What is likely a mistake is said as a warning.

use std::collections::BTreeSet;

use queuecast_records::{Hidden, PrivateData};

use super::watcher::Watcher;

/// Whether it was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FirstSight {
    /// Not yet.
    ToTell,
    /// It was.
    Told,
}

impl Watcher {
    /// Says it, the first time that there are forecasts.
    pub(super) fn say_what_is_seen(&mut self) {
        let Some((_, jobs)) = self.latest.queue.as_ref().filter(|_| self.forecast_made.is_some()) else { return };
        if std::mem::replace(&mut self.first_sight, FirstSight::Told) == FirstSight::Told
            || !self.settings.says_what_fails
        {
            return;
        }
        let configuration = self.latest.configuration.as_ref();
        let users: BTreeSet<&str> = jobs.iter().map(|job| &*job.user).collect();
        let private = configuration.map_or(PrivateData::NOTHING, |configuration| configuration.private_data);
        let hidden: Vec<_> =
            Hidden::ALL.into_iter().filter(|hidden| private.hides(*hidden)).map(Hidden::word).collect();
        let failing = self.health.readings().into_iter().filter(|(_, reading)| reading.problem.is_some());
        let failing: Vec<_> = failing.map(|(name, _)| name).collect();
        tracing::info!(
            cluster = self.cluster(),
            slurm = configuration.map_or("unknown", |configuration| &configuration.slurm_version),
            jobs = jobs.len(),
            users = users.len(),
            nodes = self.latest.nodes.len(),
            partitions = self.latest.partitions.len(),
            jobs_stored = self.store.job_count(),
            training_jobs = self.forecasting.learner.learnt(),
            private_data = hidden.join(","),
            not_answered = failing.join(","),
            "first forecasts published"
        );
        let said = configuration.map(|configuration| configuration.cluster_name.as_str());
        if let (Some(named), Some(said)) = (self.settings.cluster.as_deref(), said)
            && named != said
        {
            tracing::warn!(named, said, "Slurm reports another cluster name than the configuration; check SLURM_CONF");
        }
        // Every user but one who may see everything sees their own jobs alone, and a daemon has none.
        if private.hides(Hidden::Jobs) && jobs.is_empty() {
            tracing::warn!(
                "queue is empty and PrivateData hides other users' jobs; make the daemon's user a Slurm operator (see qcast doctor)"
            );
        }
    }
}
