//! Whether some users pay for the others: the measures of users rather than of jobs.

use queuecast_workload::UserId;
use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::sums::Sums;

/// Sums for each user; jobs of unknown user count as one user's.
#[derive(Clone, Debug, Default)]
pub struct UserSums {
    /// By number: logs number their users from one on.
    low: Vec<Sums>,
    other: FxHashMap<Option<UserId>, Sums>,
}

/// User numbers below this have a place in a table.
const LOW: u32 = 1 << 16;

/// How evenly users are served. Every user counts the same, however many jobs they have.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FairnessSummary {
    /// How many users had jobs.
    pub users: u64,
    /// The mean over users of their mean wait, in seconds.
    pub wait_mean_of_users: f64,
    /// The largest mean wait of any user, in seconds.
    pub wait_worst_user: f64,
    /// The mean over users of their mean bounded slowdown.
    pub bounded_slowdown_mean_of_users: f64,
    /// Jain's index of the users' mean bounded slowdowns: 1 if all are equal, 1/users if one bears everything.
    pub jain_index: f64,
}

impl UserSums {
    pub fn add(&mut self, user: Option<UserId>, wait: f64, slowdown: f64) {
        let sums = match user {
            Some(UserId(number)) if number < LOW => {
                let index = number as usize;
                if index >= self.low.len() {
                    self.low.resize(index + 1, Sums::default());
                }
                &mut self.low[index]
            }
            other => self.other.entry(other).or_default(),
        };
        sums.add(wait, slowdown);
    }

    pub fn summary(&self) -> FairnessSummary {
        // Sorted, because sums of reals depend on their order and two runs must give the same bytes.
        let mut other: Vec<_> = self.other.iter().collect();
        other.sort_unstable_by_key(|(user, _)| **user);
        let others = other.into_iter().map(|(_, sums)| sums);
        let users: Vec<&Sums> = self.low.iter().filter(|sums| sums.jobs > 0).chain(others).collect();
        let mut summary = FairnessSummary {
            users: users.len() as u64,
            wait_mean_of_users: 0.0,
            wait_worst_user: 0.0,
            bounded_slowdown_mean_of_users: 0.0,
            jain_index: 1.0,
        };
        if users.is_empty() {
            return summary;
        }
        let count = users.len() as f64;
        let mut slowdown_squares = 0.0;
        for sums in users {
            let (wait, slowdown) = (sums.wait_mean(), sums.slowdown_mean());
            summary.wait_mean_of_users += wait / count;
            summary.wait_worst_user = summary.wait_worst_user.max(wait);
            summary.bounded_slowdown_mean_of_users += slowdown / count;
            slowdown_squares += slowdown * slowdown / count;
        }
        summary.jain_index = summary.bounded_slowdown_mean_of_users.powi(2) / slowdown_squares;
        summary
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_count_the_same_however_many_jobs_they_have() {
        let mut users = UserSums::default();
        for _ in 0..99 {
            users.add(Some(UserId(1)), 0.0, 1.0);
        }
        users.add(Some(UserId(4_000_000_000)), 100.0, 3.0);
        let summary = users.summary();
        assert!((summary.wait_mean_of_users - 50.0).abs() < 1e-9);
        assert!((summary.wait_worst_user - 100.0).abs() < 1e-9);
        assert!((summary.bounded_slowdown_mean_of_users - 2.0).abs() < 1e-9);
        assert!((summary.jain_index - 4.0 / 5.0).abs() < 1e-9);
    }
}
