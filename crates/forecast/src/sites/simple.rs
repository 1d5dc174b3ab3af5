//! Choosers that forecast nothing (R-K13).

use queuecast_simulate::SiteChooser;
use queuecast_workload::{Machine, Outcome, Submission, Time};

use super::{SiteStates, least};

/// Jobs go where they were submitted; those that do not fit there to the first site they fit.
#[derive(Clone, Copy, Debug, Default)]
pub struct Static;

impl SiteChooser for Static {
    fn choose(&mut self, _job: &Submission, home: usize, open: &[usize], _now: Time, chosen: &mut Vec<usize>) {
        chosen.extend(if open.contains(&home) { Some(&home) } else { open.first() });
    }
}

/// Jobs go to the site with the least work for its size, or to several of them.
#[derive(Clone, Debug)]
pub struct LeastLoaded {
    states: SiteStates,
    sites: usize,
}

impl LeastLoaded {
    /// To the least loaded of these machines.
    pub fn new(machines: impl IntoIterator<Item = Machine>) -> Self {
        Self::of_several(machines, 1)
    }

    /// To so many of the least loaded at a time: k-distributed.
    pub fn of_several(machines: impl IntoIterator<Item = Machine>, sites: usize) -> Self {
        Self { states: SiteStates::new(machines), sites: sites.max(1) }
    }
}

impl SiteChooser for LeastLoaded {
    fn choose(&mut self, _job: &Submission, _home: usize, open: &[usize], now: Time, chosen: &mut Vec<usize>) {
        if self.sites == 1 {
            chosen.extend(least(open.iter().map(|site| (*site, [self.states.load(*site, now)]))));
            return;
        }
        let mut by_load: Vec<(usize, f64)> = open.iter().map(|site| (*site, self.states.load(*site, now))).collect();
        // Stable: of equals the first.
        by_load.sort_by(|one, other| one.1.total_cmp(&other.1));
        chosen.extend(by_load.iter().take(self.sites).map(|(site, _)| *site));
    }

    fn submitted(&mut self, site: usize, job: &Submission, _now: Time) {
        self.states.submitted(site, job);
    }
    fn started(&mut self, site: usize, job: &Submission, now: Time) {
        self.states.started(site, job, now);
    }
    fn ended(&mut self, site: usize, job: &Submission, _outcome: &Outcome) {
        self.states.ended(site, job);
    }
    fn withdrawn(&mut self, site: usize, job: &Submission, _now: Time) {
        self.states.withdrawn(site, job);
    }
}

/// Jobs go everywhere they fit, and run where they start first: what no site wants, and the bound of the others.
#[derive(Clone, Copy, Debug, Default)]
pub struct Redundant;

impl SiteChooser for Redundant {
    fn choose(&mut self, _job: &Submission, _home: usize, open: &[usize], _now: Time, chosen: &mut Vec<usize>) {
        chosen.extend(open);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use queuecast_testkit::submission;

    fn job(id: u64, processors: u32, limit: i64) -> Submission {
        submission(id, 0, processors, Some(limit))
    }

    fn chosen(chooser: &mut impl SiteChooser, open: &[usize], now: i64) -> Vec<usize> {
        let mut sites = Vec::new();
        chooser.choose(&job(99, 1, 10), 1, open, Time(now), &mut sites);
        sites
    }

    #[test]
    fn load_is_work_for_the_size_of_the_site_and_shrinks_as_jobs_run() {
        let machines = [100, 10].map(|processors| Machine { processors });
        let mut least_loaded = LeastLoaded::new(machines);
        assert_eq!(chosen(&mut least_loaded, &[0, 1], 0), [0], "of equals the first");
        least_loaded.submitted(0, &job(1, 50, 100), Time(0));
        least_loaded.submitted(1, &job(2, 1, 400), Time(0));
        // 5,000 of 100 against 400 of 10.
        assert_eq!(chosen(&mut least_loaded, &[0, 1], 0), [1]);
        assert_eq!(chosen(&mut least_loaded, &[0], 0), [0]);
        least_loaded.started(0, &job(1, 50, 100), Time(0));
        assert_eq!(chosen(&mut least_loaded, &[0, 1], 50), [0]);
        least_loaded.withdrawn(1, &job(2, 1, 400), Time(50));
        assert_eq!(chosen(&mut least_loaded, &[0, 1], 50), [1]);
    }

    #[test]
    fn several_are_the_least_loaded_ones() {
        let mut two = LeastLoaded::of_several([10, 10, 10].map(|processors| Machine { processors }), 2);
        two.submitted(0, &job(1, 1, 100), Time(0));
        assert_eq!(chosen(&mut two, &[0, 1, 2], 0), [1, 2]);
    }

    #[test]
    fn who_does_not_fit_at_home_goes_elsewhere() {
        assert_eq!(chosen(&mut Static, &[0, 1], 0), [1]);
        assert_eq!(chosen(&mut Static, &[2, 3], 0), [2]);
    }
}
