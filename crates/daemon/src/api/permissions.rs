//! What who asks may see.
//!
//! For: the one rule of who sees what. `docs/operations/privacy.md` has it as a table.
//!
//! Not for: finding out who asks (`identity`); applying the rule (`view`).
//!
//! Source: slurm.conf(5) `PrivateData`; sacctmgr(1) on operators, administrators and coordinators. Where Slurm hides nothing we
//! still show users their own jobs only, unless a site says `--others-jobs as-slurm`: what is said of a job is more than
//! `squeue` says.

use queuecast_records::{AdminLevel, Hidden, PrivateData};

use super::ApiSettings;
use super::answer::setting::published_job;
use super::answer::waits::Told;
use super::asker::Asker;
use crate::board::BoardIndex;
use queuecast_api::forecast::JobResponse;
use queuecast_site::published::PublishedJob;

/// Whether users are shown the jobs of others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OthersJobs {
    /// Never.
    #[default]
    Hidden,
    /// Where Slurm shows them too: without `jobs` in `PrivateData`.
    AsSlurm,
}

/// What an asker may see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Permissions {
    who: Asker,
    /// Whether nothing is hidden from them.
    everything: bool,
    /// The accounts they coordinate.
    coordinates: Vec<String>,
    others_jobs: OthersJobs,
    private: PrivateData,
}

/// How much of a job is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct VisibleFields {
    pub user: bool,
    pub account: bool,
}

impl VisibleFields {
    const ALL: Self = Self { user: true, account: true };

    /// The job as far as it is shown.
    pub fn named(self, job: &PublishedJob) -> JobResponse {
        let mut named = published_job(job);
        named.user = named.user.filter(|_| self.user);
        named.account = named.account.filter(|_| self.account);
        named
    }
}

impl Permissions {
    /// Root, the daemon's own user and those named by the site see everything, as do Slurm's operators and administrators.
    pub fn of(who: Asker, board: &BoardIndex, settings: &ApiSettings, own_user_id: u32) -> Self {
        let role = board.role(&who);
        let by_number = matches!(who, Asker::Local(user)
            if user == 0 || user == own_user_id || settings.administrators.contains(&user));
        Self {
            everything: by_number || role.is_some_and(|role| role.level >= AdminLevel::Operator),
            coordinates: role.map(|role| role.coordinates.clone()).unwrap_or_default(),
            who,
            others_jobs: settings.others_jobs,
            private: board.published.private_data,
        }
    }

    /// Whether nothing is hidden.
    pub fn everything(&self) -> bool {
        self.everything
    }

    /// Whether it is known who asks, without which nothing is said of any job.
    pub fn is_somebody(&self) -> bool {
        self.who != Asker::Nobody
    }

    /// Whether a forecast of a job that does not exist may be had: it tells how busy others keep the cluster.
    pub fn may_suppose(&self) -> bool {
        self.is_somebody() || !(self.private.hides(Hidden::Jobs) || self.private.hides(Hidden::Usage))
    }

    /// How much of this job is shown, if anything. A job of which Slurm did not say whose it is is nobody's own.
    pub fn job(&self, job: &PublishedJob) -> Option<VisibleFields> {
        let coordinated = || !job.account.is_empty() && self.coordinates.contains(&job.account);
        if self.everything || self.owns(job) || coordinated() {
            Some(VisibleFields::ALL)
        } else if self.sees_others_jobs() {
            Some(VisibleFields {
                user: !self.private.hides(Hidden::Users),
                account: !self.private.hides(Hidden::Accounts),
            })
        } else {
            None
        }
    }

    /// Whether forecasts may be asked for as if one were this user: only as oneself, or else one could learn how long another's jobs of
    /// some name run.
    pub fn may_ask_as(&self, name: Option<&str>, board: &BoardIndex) -> bool {
        self.everything
            || name.is_some_and(|name| self.bears(name, board))
            || (self.sees_others_jobs() && !self.private.hides(Hidden::Users))
    }

    /// Whether this is their own name.
    pub fn bears(&self, name: &str, board: &BoardIndex) -> bool {
        match &self.who {
            Asker::Local(user) => board.bears(*user, name),
            Asker::Named(own) => **own == *name,
            Asker::Nobody => false,
        }
    }

    /// What they are called, where that is known.
    pub fn own_name<'a>(&'a self, board: &'a BoardIndex) -> Option<&'a str> {
        match &self.who {
            Asker::Local(user) => board.name_of(*user),
            Asker::Named(name) => Some(name),
            Asker::Nobody => None,
        }
    }

    /// Whether it may be said what a partition takes and has.
    pub fn partitions(&self) -> bool {
        self.everything || !(self.private.hides(Hidden::Partitions) || self.private.hides(Hidden::Nodes))
    }

    /// How much of how long jobs waited lately may be said: it tells how busy others kept the cluster.
    pub fn past_waits(&self) -> Told {
        if self.everything {
            Told::Everything
        } else if !self.may_suppose() || self.private.hides(Hidden::Usage) {
            Told::Nothing
        } else if self.private.hides(Hidden::Partitions) {
            Told::OfManyWithoutPartitions
        } else {
            Told::OfMany
        }
    }

    /// Whether it may be said that nodes are reserved for others.
    pub fn reservations(&self) -> bool {
        self.everything || !self.private.hides(Hidden::Reservations)
    }

    fn sees_others_jobs(&self) -> bool {
        self.is_somebody() && self.others_jobs == OthersJobs::AsSlurm && !self.private.hides(Hidden::Jobs)
    }

    /// Whether this job is their own.
    pub fn owns(&self, job: &PublishedJob) -> bool {
        self.is(job.user_id, &job.user)
    }

    /// Whether they are this user: by number where the kernel says who they are, by name where a token does.
    pub fn is(&self, user_id: Option<u32>, user: &str) -> bool {
        match &self.who {
            Asker::Local(own) => user_id == Some(*own),
            Asker::Named(name) => !user.is_empty() && *user == **name,
            Asker::Nobody => false,
        }
    }
}
