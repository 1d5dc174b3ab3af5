//! Which jobs of a stretch are asked about before they are submitted.
//!
//! For: questions over all partitions, many users and the whole stretch, the same ones for the same stretch.
//!
//! Not for: asking (`watch.rs`).

use std::collections::BTreeMap;

use super::stretch::StretchJob;

/// Two of them are at least this far apart, in lab seconds: an answer takes the machine some real tenths of a second.
const APART_SECONDS: u32 = 90;

/// Chooses so many, none submitted before `from_seconds`: one half in equal parts over the partitions, the other over all jobs as they come; of
/// those that could be next the one of the user with the fewest so far, and among these the one farthest from all chosen.
pub fn choose(jobs: &[StretchJob], wanted: usize, from_seconds: u32) -> Vec<&StretchJob> {
    let mut by_partition: BTreeMap<&str, Vec<&StretchJob>> = BTreeMap::new();
    let usable: Vec<&StretchJob> = jobs.iter().filter(|job| job.submit_offset_seconds >= from_seconds).collect();
    for job in &usable {
        by_partition.entry(&job.partition).or_default().push(job);
    }
    let groups: Vec<Vec<&StretchJob>> = by_partition.into_values().collect();
    let mut chosen: Vec<&StretchJob> = Vec::new();
    let in_groups = groups.iter().cycle().take(groups.len() * wanted.div_ceil(2 * groups.len().max(1)));
    for group in in_groups.chain(std::iter::repeat_n(&usable, wanted)) {
        if chosen.len() < wanted {
            chosen.extend(next(group, &chosen));
        }
    }
    chosen.sort_by_key(|job| job.submit_offset_seconds);
    chosen
}

fn next<'a>(group: &[&'a StretchJob], chosen: &[&StretchJob]) -> Option<&'a StretchJob> {
    let nearest = |job: &StretchJob| {
        let apart = |other: &&StretchJob| other.submit_offset_seconds.abs_diff(job.submit_offset_seconds);
        chosen.iter().map(apart).min().unwrap_or(u32::MAX)
    };
    let of_user = |job: &StretchJob| chosen.iter().filter(|other| other.user == job.user).count();
    let free = group.iter().filter(|job| nearest(job) >= APART_SECONDS);
    free.copied().min_by_key(|job| (of_user(job), u32::MAX - nearest(job)))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::stretch::StretchPlan;
    use super::*;
    use crate::replay::ReplayJob;

    #[test]
    fn probes_are_of_all_partitions_many_users_and_apart() {
        let job = |index: u32| ReplayJob {
            submit_offset_seconds: index * 110,
            run_seconds: 60 + (index * index * 977) % 30_000,
            nodes: 1 + (index * 31) % 40 * (index % 3),
            limit_minutes: [15, 60, 240, 1_080][index as usize % 4],
            user: 1 + (index * 7) % 90,
        };
        let log: Vec<ReplayJob> = (0..600).map(job).collect();
        let jobs = StretchPlan { seed: 3, hours: 20, load: 1.2 }.jobs(&log);
        let chosen = choose(&jobs, 60, 600);
        assert_eq!(chosen.len(), 60);
        let partitions = |jobs: &[&StretchJob]| jobs.iter().map(|job| job.partition.clone()).collect::<BTreeSet<_>>();
        assert_eq!(partitions(&chosen), partitions(&jobs.iter().collect::<Vec<_>>()));
        assert!(chosen.iter().map(|job| &job.user).collect::<BTreeSet<_>>().len() >= 30);
        assert!(chosen.iter().all(|job| job.submit_offset_seconds >= 600));
        let close =
            |pair: &[&StretchJob]| pair[1].submit_offset_seconds - pair[0].submit_offset_seconds < APART_SECONDS;
        assert!(!chosen.windows(2).any(close));
    }

    #[test]
    fn where_there_are_few_jobs_there_are_few_probes() {
        assert!(choose(&[], 60, 0).is_empty());
    }
}
