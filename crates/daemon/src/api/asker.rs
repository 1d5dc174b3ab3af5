//! Who asks, and what that lets them see.
//!
//! For: the one rule of who sees which jobs. On the unix socket the kernel says who is at the other end; over TCP nobody
//! knows.
//!
//! Not for: applying it (`view`).
//!
//! Source: unix(7) `SO_PEERCRED`; slurm.conf(5) `PrivateData`, value `jobs`.

/// Who is at the other end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asker {
    /// A user of this machine, by number.
    User(u32),
    /// Somebody over TCP, or somebody the kernel did not name.
    Nobody,
}

/// Which jobs an asker may see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sees {
    /// Every job.
    Everything,
    /// Those of the user with this number.
    Own(u32),
    /// None.
    Nothing,
}

impl Asker {
    /// What this asker sees, where jobs are private or not.
    pub fn sees(self, jobs_are_private: bool, own_user_id: u32, administrators: &[u32]) -> Sees {
        match self {
            _ if !jobs_are_private => Sees::Everything,
            Self::User(user) if user == 0 || user == own_user_id || administrators.contains(&user) => Sees::Everything,
            Self::User(user) => Sees::Own(user),
            Self::Nobody => Sees::Nothing,
        }
    }
}
