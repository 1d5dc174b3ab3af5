//! How many connections everybody has open, so that nobody can keep all the others out: neither one, nor a few together.
//!
//! For: users on the socket and addresses over TCP (of IPv6, networks of 64 bits). The last places are for whoever has hardly any.
//!
//! Not for: how often somebody asks (`limiter`).

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::api::identity::Peer;
use crate::api::limiter::neighbourhood;

/// Of all places so many in ten are for those who have hardly any connections: whoever watches the daemon is one of them.
const KEPT_FREE_TENTHS: usize = 1;
/// Whoever has so many has more than hardly any.
const HARDLY_ANY: usize = 4;

/// The connections open, by whom.
#[derive(Clone)]
pub(super) struct ConnectionQuota {
    places: usize,
    most: usize,
    open: Arc<Mutex<Open>>,
}

#[derive(Default)]
struct Open {
    all: usize,
    by_peer: HashMap<Peer, usize>,
}

/// A connection that counts for as long as this lives.
pub(crate) struct QuotaShare {
    peer: Peer,
    open: Arc<Mutex<Open>>,
}

impl ConnectionQuota {
    /// Of so many places everybody has so many at most.
    pub fn new(places: usize, most: usize) -> Self {
        Self { places, most, open: Arc::default() }
    }

    /// Another connection from there, unless there are enough.
    pub fn take(&self, peer: Peer) -> Option<QuotaShare> {
        let peer = neighbourhood(peer);
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let theirs = open.by_peer.get(&peer).copied().unwrap_or(0);
        let is_nearly_full = open.all >= self.places - self.places * KEPT_FREE_TENTHS / 10;
        if theirs >= self.most || (is_nearly_full && theirs >= HARDLY_ANY) {
            return None;
        }
        open.all += 1;
        *open.by_peer.entry(peer).or_default() += 1;
        Some(QuotaShare { peer, open: Arc::clone(&self.open) })
    }
}

impl Drop for QuotaShare {
    fn drop(&mut self) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.all -= 1;
        if let Some(count) = open.by_peer.get_mut(&self.peer) {
            *count -= 1;
            if *count == 0 {
                open.by_peer.remove(&self.peer);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> Peer {
        Peer::Address(text.parse().expect("an address"))
    }

    #[test]
    fn one_user_cannot_take_the_places_of_another_and_gets_their_own_back() {
        let quota = ConnectionQuota::new(100, 2);
        let user = Peer::Local(7);
        let (first, second) = (quota.take(user), quota.take(user));
        assert!(first.is_some() && second.is_some() && quota.take(user).is_none());
        assert!(quota.take(Peer::Local(8)).is_some());
        drop(first);
        assert!(quota.take(user).is_some());
        drop(second);
        assert!(quota.open.lock().unwrap().by_peer.is_empty(), "nothing is remembered of who has left");
    }

    /// The attack of the audit: one address over TCP took all 1,000 places, and four users did on the socket.
    #[test]
    fn neither_one_address_nor_a_few_users_together_take_the_last_places() {
        let quota = ConnectionQuota::new(1_000, 250);
        let all = |peer: Peer| std::iter::from_fn(|| quota.take(peer)).collect::<Vec<QuotaShare>>();
        let one = all(address("192.0.2.7"));
        assert_eq!((one.len(), quota.take(address("::ffff:192.0.2.7")).is_none()), (250, true));
        let users: Vec<_> = (1..=10).map(|user| all(Peer::Local(user))).collect();
        let taken = one.len() + users.iter().map(Vec::len).sum::<usize>();
        assert!(taken <= 1_000 - 60, "{taken} are taken by eleven");
        let late: Vec<_> = (0..15).map(|user| quota.take(Peer::Local(5_000 + user))).collect();
        assert!(late.iter().all(Option::is_some) && quota.take(address("2001:db8::1")).is_some());
    }
}
