//! What a user may do beyond being one, as Slurm's accounting tells it.
//!
//! For: knowing who is shown the jobs of others.
//!
//! Not for: associations, shares and limits of users.
//!
//! Source: sacctmgr(1) of 22.05, `AdminLevel` and coordinators; what follows from either is in slurm.conf(5), `PrivateData`.

/// How much of the whole cluster a user runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum AdminLevel {
    /// Nothing of it.
    #[default]
    None,
    /// May see and change what everybody has.
    Operator,
    /// May do anything.
    Administrator,
}

impl AdminLevel {
    /// Slurm's word, in any dialect. One that is not known is nothing.
    pub fn of(word: &str) -> Self {
        let is = |level: &str| word.eq_ignore_ascii_case(level);
        if is("Administrator") {
            Self::Administrator
        } else if is("Operator") {
            Self::Operator
        } else {
            Self::None
        }
    }
}

/// One user.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UserRecord {
    /// The name.
    pub name: String,
    /// The number, where this machine knows it. Slurm does not say.
    pub user_id: Option<u32>,
    /// The level.
    pub level: AdminLevel,
    /// The accounts this user coordinates, those below them too.
    pub coordinates: Vec<String>,
}

impl UserRecord {
    /// Whether this user is any more than a user.
    pub fn is_more_than_a_user(&self) -> bool {
        self.level > AdminLevel::None || !self.coordinates.is_empty()
    }
}
