//! How many connections every user has open, so that no one of them can keep all the others out.
//!
//! Not for: how often somebody asks; an answer costs less than counting it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The connections open, by user.
#[derive(Clone)]
pub(super) struct ConnectionQuota {
    most: usize,
    open: Arc<Mutex<HashMap<u32, usize>>>,
}

/// A connection that counts for as long as this lives.
pub(crate) struct QuotaShare {
    user: u32,
    open: Arc<Mutex<HashMap<u32, usize>>>,
}

impl ConnectionQuota {
    pub fn new(most: usize) -> Self {
        Self { most, open: Arc::default() }
    }

    /// Another connection of this user, unless there are enough.
    pub fn take(&self, user: u32) -> Option<QuotaShare> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let count = open.entry(user).or_default();
        if *count >= self.most {
            return None;
        }
        *count += 1;
        Some(QuotaShare { user, open: Arc::clone(&self.open) })
    }
}

impl Drop for QuotaShare {
    fn drop(&mut self) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = open.get_mut(&self.user) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.user);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_user_cannot_take_the_places_of_another_and_gets_their_own_back() {
        let quota = ConnectionQuota::new(2);
        let (first, second) = (quota.take(7), quota.take(7));
        assert!(first.is_some() && second.is_some() && quota.take(7).is_none());
        assert!(quota.take(8).is_some());
        drop(first);
        assert!(quota.take(7).is_some());
        drop(second);
        assert!(quota.open.lock().unwrap().is_empty(), "nothing is remembered of who has left");
    }
}
