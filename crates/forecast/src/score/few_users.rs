//! How many users a group of forecasts is of, as far as it matters: a group of too few is shown to those only who may see their
//! jobs.
//!
//! For: counting in forty bytes, however many users there are.
//!
//! Not for: who they are; a hash of the name is kept, and of the first five only. Two names with the same hash count as one, which
//! hides a group too many and shows none.

use std::hash::{DefaultHasher, Hash, Hasher};

/// Users are counted up to here.
pub const USERS_COUNTED: usize = 5;

/// Whose a forecast is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct UserMark(u64);

impl UserMark {
    pub fn of(name: &str) -> Self {
        let mut hasher = DefaultHasher::new();
        name.hash(&mut hasher);
        Self(hasher.finish())
    }
}

/// The first few users that were seen.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FewUsers {
    seen: [u64; USERS_COUNTED],
    count: usize,
}

impl FewUsers {
    /// A user was seen.
    pub fn see(&mut self, name: &str) {
        self.add(UserMark::of(name));
    }

    pub(super) fn add(&mut self, user: UserMark) {
        if self.count < USERS_COUNTED && !self.seen[..self.count].contains(&user.0) {
            self.seen[self.count] = user.0;
            self.count += 1;
        }
    }

    /// Those that another has seen too.
    pub(super) fn add_all(&mut self, other: &Self) {
        other.seen[..other.count].iter().for_each(|mark| self.add(UserMark(*mark)));
    }

    /// How many there were, counted up to [`USERS_COUNTED`].
    pub fn count(&self) -> u64 {
        self.count as u64
    }
}
