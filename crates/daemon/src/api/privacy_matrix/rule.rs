//! Who may see which mark, written down once more and apart from the code that decides it: `docs/operations/privacy.md` as a function.

use queuecast_records::{Hidden, PrivateData};

use super::board::{ADMINISTRATOR_BY_NUMBER, DAEMON, number_of};
use crate::api::OthersJobs;
use crate::api::asker::Asker;

/// Everybody who may come, and as what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    Anonymous,
    /// The owner of the jobs of this name.
    Owner(&'static str),
    /// The same, by name and not by number.
    OwnerByName(&'static str),
    Stranger,
    /// Of alice's account.
    Coordinator,
    CoordinatorElsewhere,
    Operator,
    Administrator,
    AdministratorByNumber,
    Daemon,
    Root,
}

pub const EVERYBODY: [Who; 12] = [
    Who::Anonymous,
    Who::Owner("alice"),
    Who::Owner("bob"),
    Who::OwnerByName("alice"),
    Who::Stranger,
    Who::Coordinator,
    Who::CoordinatorElsewhere,
    Who::Operator,
    Who::Administrator,
    Who::AdministratorByNumber,
    Who::Daemon,
    Who::Root,
];

impl Who {
    pub fn asker(self) -> Asker {
        let named = |name: &str| Asker::Named(name.into());
        match self {
            Self::Anonymous => Asker::Nobody,
            Self::Owner(owner) => Asker::Local(number_of(owner)),
            Self::OwnerByName(owner) => named(&format!("MARK-{owner}-user")),
            Self::Stranger => Asker::Local(4_444),
            Self::Coordinator => Asker::Local(2_000),
            Self::CoordinatorElsewhere => named("elsewhere"),
            Self::Operator => Asker::Local(2_002),
            Self::Administrator => named("administrator"),
            Self::AdministratorByNumber => Asker::Local(ADMINISTRATOR_BY_NUMBER),
            Self::Daemon => Asker::Local(DAEMON),
            Self::Root => Asker::Local(0),
        }
    }

    pub fn runs_the_cluster(self) -> bool {
        matches!(self, Self::Operator | Self::Administrator | Self::AdministratorByNumber | Self::Daemon | Self::Root)
    }

    /// Whether the jobs of this owner are theirs, or in their care.
    fn has(self, owner: &str) -> bool {
        match self {
            Self::Owner(own) | Self::OwnerByName(own) => own == owner,
            Self::Coordinator => owner == "alice",
            _ => false,
        }
    }
}

/// A site, as far as it matters.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    pub private: PrivateData,
    pub others_jobs: OthersJobs,
}

impl Site {
    fn hides(self, hidden: Hidden) -> bool {
        self.private.hides(hidden)
    }

    /// Whether this user is shown jobs that are not theirs.
    fn shows_others_to(self, who: Who) -> bool {
        who != Who::Anonymous && self.others_jobs == OthersJobs::AsSlurm && !self.hides(Hidden::Jobs)
    }

    /// Whether an answer to this asker may hold the mark of this owner and field.
    pub fn allows(self, who: Who, owner: &str, field: &str) -> bool {
        if who.runs_the_cluster() {
            return true;
        }
        match (owner, field) {
            ("slurm", "words") | ("next", "score") => false,
            ("many", "score") => !self.hides(Hidden::Partitions) && !self.hides(Hidden::Usage),
            ("reservations", _) => who != Who::Anonymous && !self.hides(Hidden::Reservations),
            ("adviser", _) => {
                let may_suppose = who != Who::Anonymous || !(self.hides(Hidden::Jobs) || self.hides(Hidden::Usage));
                may_suppose && !self.hides(Hidden::Partitions) && !self.hides(Hidden::Nodes)
            }
            _ if who.has(owner) => true,
            (_, "user") => self.shows_others_to(who) && !self.hides(Hidden::Users),
            (_, "account") => self.shows_others_to(who) && !self.hides(Hidden::Accounts),
            _ => self.shows_others_to(who),
        }
    }

    /// Whether it may be told how many runs of this owner there are, and how long they take.
    #[expect(clippy::unused_self, reason = "no site shows them to others")]
    pub fn allows_own_runs(self, who: Who, owner: &str) -> bool {
        who.runs_the_cluster() || matches!(who, Who::Owner(own) | Who::OwnerByName(own) if own == owner)
    }

    /// Whether a hypothetical job may be supposed to be this owner's.
    pub fn allows_asking_as(self, who: Who, owner: &str) -> bool {
        who.runs_the_cluster()
            || matches!(who, Who::Owner(own) | Who::OwnerByName(own) if own == owner)
            || (self.shows_others_to(who) && !self.hides(Hidden::Users))
    }
}
