//! Waits and slowdowns of some of the jobs, added up.

/// The sums for one class of jobs or one user.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sums {
    pub jobs: u64,
    wait: f64,
    slowdown: f64,
}

impl Sums {
    pub fn add(&mut self, wait: f64, slowdown: f64) {
        self.jobs += 1;
        self.wait += wait;
        self.slowdown += slowdown;
    }

    /// In seconds; zero if there are no jobs.
    pub fn wait_mean(&self) -> f64 {
        self.wait / (self.jobs as f64).max(1.0)
    }

    /// Zero if there are no jobs.
    pub fn slowdown_mean(&self) -> f64 {
        self.slowdown / (self.jobs as f64).max(1.0)
    }
}
