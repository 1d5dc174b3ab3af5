//! The kinds of question that Slurm is asked.

use queuecast_site::published::{Health, ReadingHealth};

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Who waits and runs.
    Queue,
    /// The nodes.
    Nodes,
    /// What became of jobs.
    Accounting,
    /// Partitions, reservations, qualities of service, settings.
    Settings,
    /// Who is more than a user.
    Users,
    /// How deep backfill gets.
    Backfill,
    /// Who has used how much.
    Shares,
}

impl Kind {
    /// As people are told.
    pub fn name(self) -> &'static str {
        match self {
            Self::Queue => "queue",
            Self::Nodes => "nodes",
            Self::Accounting => "accounting",
            Self::Settings => "settings",
            Self::Users => "users",
            Self::Backfill => "backfill",
            Self::Shares => "shares",
        }
    }

    /// How it is.
    pub fn health(self, health: &mut Health) -> &mut ReadingHealth {
        match self {
            Self::Queue => &mut health.queue,
            Self::Nodes => &mut health.nodes,
            Self::Accounting => &mut health.accounting,
            Self::Settings => &mut health.settings,
            Self::Users => &mut health.users,
            Self::Backfill => &mut health.backfill,
            Self::Shares => &mut health.shares,
        }
    }
}
