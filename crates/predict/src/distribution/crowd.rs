//! What many did, without what any one of them did.
//!
//! For: the run times of other people's jobs, which everybody's forecasts rest on where they have no past of their own. Whoever asks about a job of a rare
//! shape must not be told how long the one person's jobs ran who has it; nor may it be read off what changes when one job ends. So jobs of a category that is
//! nobody's own are let out together, when those of several users have ended: the last of each, and its run time in steps.
//!
//! Not for: a user's own jobs, which are theirs to know; who may ask as whom (`queuecast_daemon::api`); waits.

use queuecast_workload::UserId;

/// Jobs are let out when those of so many users have ended: five, and whoever asks may be one of them.
pub const USERS_OF_A_CROWD: usize = 6;
/// Run times are told in steps of this: each is a tenth longer than the one before.
const STEP: f64 = 0.1;

/// The newest of each user, as far as it was let out.
#[derive(Clone, Debug)]
pub struct Crowd<T> {
    /// The newest last, one of each user.
    told: Vec<(Option<UserId>, T)>,
    /// Not let out yet, likewise.
    held_back: Vec<(Option<UserId>, T)>,
}

impl<T> Default for Crowd<T> {
    fn default() -> Self {
        Self { told: Vec::new(), held_back: Vec::new() }
    }
}

impl<T> Crowd<T> {
    /// Something became known of a user. At most so many are remembered. Says whether anything was let out by it. Of whom nothing is known, neither
    /// name nor number, each is somebody else: logs have such people, resource managers hardly.
    pub fn add(&mut self, user: Option<UserId>, what: T, most: usize) -> bool {
        leave_out(&mut self.held_back, user);
        self.held_back.push((user, what));
        let is_crowd = self.held_back.len() >= USERS_OF_A_CROWD;
        if is_crowd {
            for (user, _) in &self.held_back {
                leave_out(&mut self.told, *user);
            }
            self.told.append(&mut self.held_back);
            let too_many = self.told.len().saturating_sub(most.max(USERS_OF_A_CROWD));
            self.told.drain(..too_many);
        }
        is_crowd
    }

    /// What was let out, the newest first.
    pub fn newest_first(&self) -> impl Iterator<Item = &T> {
        self.told.iter().rev().map(|(_, what)| what)
    }
}

fn leave_out<T>(list: &mut Vec<(Option<UserId>, T)>, user: Option<UserId>) {
    list.retain(|(other, _)| other.is_none() || *other != user);
}

/// A run time as it is told to others: up to a tenth longer than it was, so that a job killed at its limit stays at or beyond it.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "beyond the longest is the longest")]
pub fn in_steps(seconds: u32) -> u32 {
    let steps = (f64::from(seconds.max(1)).ln() / STEP).ceil();
    ((steps * STEP).exp().ceil() as u32).max(seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(crowd: &Crowd<u32>) -> Vec<u32> {
        crowd.newest_first().copied().collect()
    }

    #[test]
    fn nothing_is_told_of_five_users_and_of_six_the_last_of_each() {
        let mut crowd = Crowd::default();
        for round in 0..10 {
            for user in 0..5 {
                assert!(!crowd.add(Some(UserId(user)), round, 12));
            }
        }
        assert_eq!(told(&crowd), [0; 0]);
        assert!(crowd.add(Some(UserId(5)), 77, 12));
        assert_eq!(told(&crowd), [77, 9, 9, 9, 9, 9]);
    }

    /// Whoever looks before and after one user's job ends sees no difference, or that of six users at once.
    #[test]
    fn what_is_told_never_changes_by_less_than_a_crowd() {
        let mut crowd = Crowd::default();
        let mut before: Vec<u32> = Vec::new();
        for number in 0..1_000_u32 {
            crowd.add(Some(UserId(number * 7 % 11 * (number % 3))), number, 12);
            let after = told(&crowd);
            let fresh = after.iter().filter(|what| !before.contains(what)).count();
            assert!(fresh == 0 || fresh == USERS_OF_A_CROWD, "{fresh} at once");
            assert!(after.is_empty() || (USERS_OF_A_CROWD..=12).contains(&after.len()));
            before = after;
        }
        assert!(!before.is_empty());
    }

    #[test]
    fn those_who_are_not_known_are_not_taken_for_one() {
        let mut crowd = Crowd::default();
        for number in 0..6 {
            crowd.add(None, number, 12);
        }
        assert_eq!(told(&crowd), [5, 4, 3, 2, 1, 0]);
    }

    #[test]
    fn steps_are_a_tenth_apart_and_never_shorter_than_what_was() {
        assert_eq!([1, 2, 60, 4_242, 4_243, u32::MAX].map(in_steps), [1, 3, 61, 4_448, 4_448, u32::MAX]);
        for seconds in (1..100_000).step_by(37) {
            let told = in_steps(seconds);
            assert!(told >= seconds && f64::from(told) <= f64::from(seconds) * 1.106 + 1.0, "{seconds} {told}");
        }
    }
}
