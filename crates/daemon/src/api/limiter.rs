//! How often one user may ask: thirty times at once, and twice a second for as long as they like.
//!
//! For: one user's loop that must not slow down the answers of others.
//!
//! Not for: how many connections one has open (`listener`); operators, administrators and root, who are not limited.
//!
//! Source: the token bucket of slurmctld's `rl_enable`: 30 tokens, 2 a second, a table of 8,192 users (slurm.conf(5),
//! `SlurmctldParameters`). The clock is passed in.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::asker::Asker;
use super::identity::Peer;

/// Nobody is told to wait longer, not even where buckets are not filled again at all.
const LONGEST_WAIT: Duration = Duration::from_hours(1);
/// So many users are remembered.
const MOST_USERS: usize = 8_192;

/// Whose requests are counted together.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Requester {
    /// A user of this machine.
    User(u32),
    /// Somebody who has proved their name.
    Name(Arc<str>),
    /// Nobody, from there.
    Peer(Peer),
    /// Nobody, from there, who asks how the daemon is.
    Watcher(Peer),
    /// Somebody from there who was not believed.
    NotBelieved(Peer),
}

/// What a request is, to whoever counts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// An answer.
    Answer,
    /// Figures of the daemon itself: whoever watches it must not be kept from it by others who ask from the same address.
    Figures,
    /// Nothing: whoever asks is not believed. They must not take the places of others from the same address, nor try keys for ever.
    Refusal,
}

impl Requester {
    /// Who asks, from there.
    pub fn of(asker: &Asker, peer: Peer) -> Self {
        match asker {
            Asker::Local(user) => Self::User(*user),
            Asker::Named(name) => Self::Name(Arc::clone(name)),
            Asker::Nobody => Self::Peer(neighbourhood(peer)),
        }
    }
}

struct Bucket {
    left: f64,
    filled: Instant,
}

/// The buckets of all.
pub(crate) struct Limiter {
    /// So many requests at once.
    at_once: f64,
    /// So many a second after that.
    per_second: f64,
    buckets: Mutex<HashMap<Requester, Bucket>>,
}

impl Limiter {
    pub fn new(at_once: u32, per_second: u32) -> Self {
        Self { at_once: f64::from(at_once), per_second: f64::from(per_second), buckets: Mutex::default() }
    }

    /// One request of this asker; or how long to wait for the next.
    pub fn take(&self, asker: &Asker, peer: Peer, purpose: Purpose, now: Instant) -> Result<(), Duration> {
        let requester = match (asker, purpose) {
            (_, Purpose::Refusal) => Requester::NotBelieved(neighbourhood(peer)),
            (Asker::Nobody, Purpose::Figures) => Requester::Watcher(neighbourhood(peer)),
            _ => Requester::of(asker, peer),
        };
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MOST_USERS && !buckets.contains_key(&requester) {
            self.make_room(&mut buckets, now);
        }
        let bucket = buckets.entry(requester).or_insert(Bucket { left: self.at_once, filled: now });
        bucket.left = self.left_in(bucket, now);
        bucket.filled = now;
        if bucket.left >= 1.0 {
            bucket.left -= 1.0;
            return Ok(());
        }
        let wait = Duration::try_from_secs_f64((1.0 - bucket.left) / self.per_second);
        Err(wait.map_or(LONGEST_WAIT, |wait| wait.min(LONGEST_WAIT)))
    }

    fn left_in(&self, bucket: &Bucket, now: Instant) -> f64 {
        let passed = now.saturating_duration_since(bucket.filled).as_secs_f64();
        (bucket.left + passed * self.per_second).min(self.at_once)
    }

    /// Forgets whose bucket is full again, which changes nothing; if there is none, who has asked for the longest time not at all.
    fn make_room(&self, buckets: &mut HashMap<Requester, Bucket>, now: Instant) {
        buckets.retain(|_, bucket| self.left_in(bucket, now) < self.at_once);
        if buckets.len() >= MOST_USERS {
            let idlest = buckets.iter().min_by_key(|(_, bucket)| bucket.filled).map(|(requester, _)| requester.clone());
            idlest.and_then(|requester| buckets.remove(&requester));
        }
    }
}

/// Whoever has one address of IPv6 has the 2^64 beside it as well.
pub(crate) fn neighbourhood(peer: Peer) -> Peer {
    match peer {
        Peer::Address(address) => Peer::Address(match address.to_canonical() {
            IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)),
            v4 @ IpAddr::V4(_) => v4,
        }),
        Peer::Local(_) | Peer::Unknown => peer,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: Peer = Peer::Unknown;

    fn after(start: Instant, seconds: f64) -> Instant {
        start + Duration::from_secs_f64(seconds)
    }

    #[test]
    fn thirty_at_once_two_a_second_after_that_and_never_more_than_thirty_saved_up() {
        let (limiter, start) = (Limiter::new(30, 2), Instant::now());
        let taken = |seconds: f64| {
            let take = || limiter.take(&Asker::Local(7), HERE, Purpose::Answer, after(start, seconds));
            (0..100).take_while(|_| take().is_ok()).count()
        };
        assert_eq!(taken(0.0), 30);
        assert_eq!(limiter.take(&Asker::Local(7), HERE, Purpose::Answer, start), Err(Duration::from_millis(500)));
        assert_eq!((taken(0.4), taken(0.5), taken(10.5), taken(1_000.0)), (0, 1, 20, 30));
        assert_eq!(taken(999.0), 0, "a clock that goes back gives nothing");
    }

    #[test]
    fn everybody_has_a_bucket_of_their_own_and_nobody_one_for_each_address() {
        let (limiter, start) = (Limiter::new(30, 2), Instant::now());
        let address = |text: &str| Peer::Address(text.parse().expect("an address"));
        let empty = |asker: &Asker, peer| while limiter.take(asker, peer, Purpose::Answer, start).is_ok() {};
        empty(&Asker::Local(7), HERE);
        empty(&Asker::Nobody, address("192.0.2.1"));
        empty(&Asker::Nobody, address("2001:db8::1"));
        assert!(limiter.take(&Asker::Local(8), HERE, Purpose::Answer, start).is_ok());
        assert!(limiter.take(&Asker::Named(Arc::from("alice")), address("192.0.2.1"), Purpose::Answer, start).is_ok());
        assert!(limiter.take(&Asker::Nobody, address("192.0.2.2"), Purpose::Answer, start).is_ok());
        assert!(limiter.take(&Asker::Nobody, address("::ffff:192.0.2.1"), Purpose::Answer, start).is_err());
        assert!(
            limiter.take(&Asker::Nobody, address("2001:db8::2"), Purpose::Answer, start).is_err(),
            "the same network"
        );
        assert!(limiter.take(&Asker::Nobody, address("2001:db8:0:1::1"), Purpose::Answer, start).is_ok());
    }

    #[test]
    fn who_is_not_believed_takes_nobodys_place_and_has_few_of_their_own() {
        let (limiter, start) = (Limiter::new(30, 2), Instant::now());
        let here = Peer::Address("127.0.0.1".parse().expect("an address"));
        let taken =
            |purpose| (0..100).take_while(|_| limiter.take(&Asker::Nobody, here, purpose, start).is_ok()).count();
        assert_eq!(taken(Purpose::Refusal), 30);
        assert_eq!((taken(Purpose::Answer), taken(Purpose::Figures)), (30, 30));
        assert_eq!(taken(Purpose::Refusal), 0);
    }

    #[test]
    fn the_table_does_not_grow_and_a_crowd_does_not_empty_the_bucket_of_who_asks_now() {
        let (limiter, start) = (Limiter::new(30, 2), Instant::now());
        let pushy = Asker::Local(u32::MAX);
        while limiter.take(&pushy, HERE, Purpose::Answer, start).is_ok() {}
        for user in 0..20_000_u32 {
            let now = start + Duration::from_micros(u64::from(user));
            assert!(limiter.take(&Asker::Local(user), HERE, Purpose::Answer, now).is_ok());
            assert!(limiter.take(&pushy, HERE, Purpose::Answer, now).is_err(), "after {user} others");
        }
        assert!(limiter.buckets.lock().unwrap().len() <= MOST_USERS);
        let _ = limiter.take(&Asker::Local(1), HERE, Purpose::Answer, after(start, 60.0));
        let _ = limiter.take(&Asker::Local(20_001), HERE, Purpose::Answer, after(start, 60.0));
        assert!(limiter.buckets.lock().unwrap().len() <= 3, "whose bucket is full again is forgotten");
    }
}
