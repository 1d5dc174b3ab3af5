//! Who waits longest, by account, for those who run the cluster.

use std::collections::BTreeMap;

use queuecast_api::operations::AccountResponse;
use queuecast_forecast::estimate::JobForecast;
use queuecast_site::published::PublishedJob;
use queuecast_workload::Time;

/// So many accounts are told.
const ACCOUNTS_MOST: usize = 50;

/// Accounts whose jobs wait and could start, the one whose job has waited longest first.
pub(crate) fn accounts(jobs: &[PublishedJob], now: Time) -> Vec<AccountResponse> {
    let mut waits: BTreeMap<&str, Vec<i64>> = BTreeMap::new();
    for job in jobs.iter().filter(|job| job.started.is_none() && matches!(job.forecast, JobForecast::Estimate(_))) {
        waits.entry(&job.account).or_default().push((now - job.submitted).0.max(0));
    }
    let mut accounts: Vec<AccountResponse> = waits
        .into_iter()
        .filter_map(|(account, mut waits)| {
            waits.sort_unstable();
            Some(AccountResponse {
                account: account.to_owned(),
                jobs: waits.len() as u64,
                longest_wait_seconds: *waits.last()?,
                median_wait_seconds: waits[(waits.len() - 1) / 2],
            })
        })
        .collect();
    accounts.sort_by_key(|account| std::cmp::Reverse(account.longest_wait_seconds));
    accounts.truncate(ACCOUNTS_MOST);
    accounts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::test_board::{NOW, job};
    use queuecast_forecast::estimate::NoForecast;

    #[test]
    fn the_account_that_has_waited_longest_comes_first_and_who_is_held_does_not_wait_for_the_cluster() {
        let waiting = |account: &str, ago: i64| PublishedJob {
            account: account.to_owned(),
            submitted: Time(NOW.0 - ago),
            ..job(7)
        };
        let held = PublishedJob {
            forecast: JobForecast::NoForecast(NoForecast { code: "held", why: String::new() }),
            ..waiting("math", 90_000)
        };
        let running = PublishedJob { started: Some(NOW), ..waiting("math", 80_000) };
        let jobs = [waiting("math", 60), waiting("art", 10), waiting("art", 900), waiting("art", 30), held, running];
        let told: Vec<_> = accounts(&jobs, NOW)
            .into_iter()
            .map(|told| (told.account, told.jobs, told.longest_wait_seconds, told.median_wait_seconds))
            .collect();
        assert_eq!(told, [("art".to_owned(), 3, 900, 30), ("math".to_owned(), 1, 60, 60)]);
    }
}
