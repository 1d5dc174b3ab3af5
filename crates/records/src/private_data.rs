//! What a site hides from its users (`PrivateData`), as a set.
//!
//! For: telling nobody more than Slurm itself would.
//!
//! Not for: who is exempt from it ([`super::UserRecord`]); what follows from it for answers, which is the asker's to say.
//!
//! Source: slurm.conf(5) of 22.05, `PrivateData`. `cloud` shows something instead of hiding it and is passed over, as is a word
//! that is not known. `all` is not in the manual, but Slurm reads it.

/// One thing that may be hidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Hidden {
    /// Definitions of accounts.
    Accounts,
    /// What happened to nodes.
    Events,
    /// Jobs of others.
    Jobs,
    /// How nodes are.
    Nodes,
    /// How partitions are.
    Partitions,
    /// Reservations that one cannot use.
    Reservations,
    /// What others have used.
    Usage,
    /// Who else there is.
    Users,
}

impl Hidden {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Accounts,
        Self::Events,
        Self::Jobs,
        Self::Nodes,
        Self::Partitions,
        Self::Reservations,
        Self::Usage,
        Self::Users,
    ];

    /// Slurm's word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Accounts => "accounts",
            Self::Events => "events",
            Self::Jobs => "jobs",
            Self::Nodes => "nodes",
            Self::Partitions => "partitions",
            Self::Reservations => "reservations",
            Self::Usage => "usage",
            Self::Users => "users",
        }
    }
}

/// What is hidden.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PrivateData(u8);

impl PrivateData {
    /// Nothing is hidden.
    pub const NOTHING: Self = Self(0);
    /// Everything is: what to take it for while nobody has said.
    pub const EVERYTHING: Self = Self(u8::MAX);

    /// As Slurm writes it: words with commas between them.
    pub fn parse(text: &str) -> Self {
        let words = text.split(',').map(str::trim);
        words.fold(Self::NOTHING, |all, word| {
            if word.eq_ignore_ascii_case("all") {
                return Self::EVERYTHING;
            }
            let hidden = Hidden::ALL.into_iter().find(|hidden| word.eq_ignore_ascii_case(hidden.word()));
            hidden.map_or(all, |hidden| all.and(hidden))
        })
    }

    /// This too.
    #[must_use]
    pub fn and(self, hidden: Hidden) -> Self {
        Self(self.0 | 1 << hidden as u8)
    }

    /// Whether this is hidden.
    pub fn hides(self, hidden: Hidden) -> bool {
        self.0 & 1 << hidden as u8 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_hides_what_it_says_and_nothing_else() {
        for hidden in Hidden::ALL {
            let read = PrivateData::parse(&format!("cloud, {},frobnicate", hidden.word().to_uppercase()));
            assert_eq!(Hidden::ALL.map(|other| read.hides(other)), Hidden::ALL.map(|other| other == hidden));
        }
        for nothing in ["", "none", "cloud", "job", "jobsusage"] {
            assert_eq!(PrivateData::parse(nothing), PrivateData::NOTHING, "{nothing}");
        }
        assert_eq!(PrivateData::parse("all"), PrivateData::EVERYTHING);
        let all = Hidden::ALL.into_iter().fold(PrivateData::NOTHING, PrivateData::and);
        assert_eq!(all, PrivateData::EVERYTHING);
    }
}
