//! Groups of few users are not shown to those who may not see the users' jobs, and are not to be had by subtraction either.

use queuecast_forecast::score::USERS_COUNTED;

/// Groups of fewer users are not shown to those who may not see the jobs.
pub const LEAST_USERS_OF_A_GROUP: u64 = USERS_COUNTED as u64;

/// The groups that everybody may be shown. What is left out must not be the difference between all and the rest. Of how many users several small
/// groups are together is not known, so the smallest group that would have been shown goes with them, which alone is of enough; the next
/// too, until one `covers` what is left out.
pub fn without<G>(
    groups: Vec<G>,
    is_large_enough: impl Fn(&G) -> bool,
    jobs: impl Fn(&G) -> u64,
    covers: impl Fn(&G) -> bool,
) -> Vec<G> {
    let before = groups.len();
    let mut shown: Vec<G> = groups.into_iter().filter(is_large_enough).collect();
    let mut is_covered = shown.len() == before;
    while !is_covered {
        let smallest = shown.iter().enumerate().min_by_key(|(_, group)| jobs(group)).map(|(place, _)| place);
        is_covered = smallest.is_none_or(|place| covers(&shown.remove(place)));
    }
    shown
}
