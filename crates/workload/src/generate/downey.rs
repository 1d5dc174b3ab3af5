//! Downey's workload of mouldable jobs (R-D2, R-D3): a Paragon's day, as a model.
//!
//! For: jobs that arrive by day as a Poisson process and not by night, with sequential life times and parallelism that
//! are uniform in their logarithms and a variance in parallelism that is uniform.
//!
//! Not for: weekly cycles or users; see [`crate::generate`] for other models.
//!
//! The jobs can run on any number of processors. [`DowneyJobs::rigid`] reads them as jobs that ask for one number, for
//! what only knows such jobs; that reading is ours, and how the run time depends on the processors is lost in it.

use rand::RngExt;
use rand_pcg::Pcg64;

use crate::log_uniform::LogUniform;
use crate::mouldable::{MouldableJob, Speedup};
use crate::{JobId, Machine, Recorded, Request, Seconds, Status, Submission, Time, TracedJob};

const DAY_SECONDS: f64 = 24.0 * 3_600.0;
/// Jobs arrive in the first half of a day.
const OPEN_SECONDS: f64 = DAY_SECONDS / 2.0;

/// What the workload depends on; the default is the paper's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DowneyParameters {
    /// Processors of the machine that the load is meant for.
    pub processors: u32,
    /// Sequential work that arrives while jobs arrive, over what the machine could do in that time.
    pub load: f64,
    /// Sequential life times.
    pub lifetimes: LogUniform,
    /// Average parallelism, as natural logarithms.
    pub log_parallelism: (f64, f64),
    /// Variance in parallelism.
    pub variance: (f64, f64),
}

impl Default for DowneyParameters {
    fn default() -> Self {
        Self {
            processors: 128,
            load: 0.75,
            lifetimes: LogUniform { ln_shortest: 2.0, ln_longest: 12.0 },
            log_parallelism: (0.0, 128_f64.ln()),
            variance: (0.0, 2.0),
        }
    }
}

impl DowneyParameters {
    /// The paper's workload for another machine: jobs are as parallel as the machine is large, at most.
    pub fn on(machine: Machine, load: f64) -> Self {
        let widest = f64::from(machine.processors.max(1)).ln();
        Self { processors: machine.processors, load, log_parallelism: (0.0, widest), ..Self::default() }
    }

    /// The mean sequential life time: of a variable uniform in its logarithm.
    pub fn mean_lifetime_seconds(&self) -> f64 {
        self.lifetimes.average_beyond(self.lifetimes.ln_shortest)
    }

    /// The mean time between arrivals, while jobs arrive.
    pub fn mean_interarrival_seconds(&self) -> f64 {
        self.mean_lifetime_seconds() / (self.load * f64::from(self.processors))
    }

    /// The jobs of so many days, in order of arrival.
    pub fn jobs(self, days: u32, generator: Pcg64) -> DowneyJobs {
        DowneyJobs { parameters: self, open_until: OPEN_SECONDS * f64::from(days), open_time: 0.0, generator }
    }
}

/// Jobs, one after the other.
#[derive(Clone, Debug)]
pub struct DowneyJobs {
    parameters: DowneyParameters,
    open_until: f64,
    /// Time during which jobs could have arrived: the nights are left out.
    open_time: f64,
    generator: Pcg64,
}

impl DowneyJobs {
    /// The jobs as rigid ones for a machine, numbered from one: each asks for its average parallelism,
    /// rounded up, and runs as long as it takes on that, at least a second.
    pub fn rigid(self, machine: Machine) -> impl Iterator<Item = TracedJob> {
        self.zip(0..).map(move |(job, place)| rigid(&job, machine, place))
    }

    fn uniform(&mut self, (low, high): (f64, f64)) -> f64 {
        low + (high - low) * self.generator.random::<f64>()
    }
}

impl Iterator for DowneyJobs {
    type Item = MouldableJob;

    fn next(&mut self) -> Option<MouldableJob> {
        // One less a uniform number below one is never zero.
        let exponential = -(1.0 - self.generator.random::<f64>()).ln();
        self.open_time += exponential * self.parameters.mean_interarrival_seconds();
        if self.open_time >= self.open_until {
            return None;
        }
        let days = (self.open_time / OPEN_SECONDS).floor();
        #[expect(clippy::cast_possible_truncation, reason = "days of simulated time, far below 2^63 seconds")]
        let submitted = Time((days * DAY_SECONDS + self.open_time - days * OPEN_SECONDS) as i64);
        let LogUniform { ln_shortest, ln_longest } = self.parameters.lifetimes;
        let sequential_seconds = self.uniform((ln_shortest, ln_longest)).exp();
        let parallelism = self.uniform(self.parameters.log_parallelism).exp();
        let variance = self.uniform(self.parameters.variance);
        Some(MouldableJob { submitted, sequential_seconds, speedup: Speedup::new(parallelism, variance) })
    }
}

#[expect(clippy::cast_possible_truncation, reason = "a life time is e^12 s")]
fn rigid(job: &MouldableJob, machine: Machine, place: u64) -> TracedJob {
    let processors = job.widest(machine.processors);
    TracedJob {
        number: place as i64 + 1,
        submission: Submission {
            job: JobId(place),
            submitted: job.submitted,
            request: Request { processors },
            limit: None,
            user: None,
            group: None,
            program: None,
            queue: None,
            partition: None,
        },
        recorded: Recorded {
            wait: None,
            run: Seconds((job.run_seconds(processors).round() as i64).max(1)),
            status: Status::Completed,
        },
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    fn jobs(days: u32, seed: u64) -> Vec<MouldableJob> {
        DowneyParameters::default().jobs(days, Pcg64::seed_from_u64(seed)).collect()
    }

    /// The text: a mean of 271 minutes and a median of 18.
    #[test]
    fn life_times_have_the_published_mean_and_median() {
        let parameters = DowneyParameters::default();
        assert!((parameters.mean_lifetime_seconds() / 60.0 - 271.2).abs() < 0.1);
        let mut lifetimes: Vec<f64> = jobs(4_000, 1).iter().map(|job| job.sequential_seconds).collect();
        let mean = lifetimes.iter().sum::<f64>() / lifetimes.len() as f64;
        lifetimes.sort_by(f64::total_cmp);
        assert!((mean / 60.0 - 271.2).abs() < 2.0, "{mean}");
        assert!((lifetimes[lifetimes.len() / 2] / 60.0 - 18.3).abs() < 0.3);
    }

    /// The paper's run had 30,421 jobs.
    #[test]
    fn a_hundred_and_twenty_days_at_three_quarters_load_bring_the_published_number_of_jobs() {
        for seed in 0..20 {
            let count = jobs(120, seed).len() as f64;
            assert!((count - 30_421.0).abs() < 0.03 * 30_421.0, "{count} jobs with seed {seed}");
        }
    }

    #[test]
    fn nobody_arrives_by_night_and_all_come_in_order() {
        let jobs = jobs(30, 3);
        assert!(jobs.iter().all(|job| job.submitted.0 % 86_400 < 43_200));
        assert!(jobs.is_sorted_by_key(|job| job.submitted));
    }

    #[test]
    fn parallelism_is_uniform_in_its_logarithm() {
        let jobs = jobs(2_000, 5);
        let below = |bound: f64| {
            let count = jobs.iter().filter(|job| job.speedup.average_parallelism() < bound).count();
            count as f64 / jobs.len() as f64
        };
        assert!((below(128_f64.sqrt()) - 0.5).abs() < 0.005);
        assert!((below(128_f64.powf(0.25)) - 0.25).abs() < 0.005);
    }

    #[test]
    fn the_seed_decides() {
        assert_eq!(jobs(10, 7), jobs(10, 7));
        assert_ne!(jobs(10, 7), jobs(10, 8));
    }

    #[test]
    fn rigid_jobs_ask_for_their_parallelism_and_run_as_long_as_it_takes_on_it() {
        for processors in [1, 20, 128, 4_000] {
            let machine = Machine { processors };
            let parameters = DowneyParameters { processors, ..DowneyParameters::default() };
            let mouldable: Vec<MouldableJob> = parameters.jobs(20, Pcg64::seed_from_u64(9)).collect();
            let rigid: Vec<TracedJob> = parameters.jobs(20, Pcg64::seed_from_u64(9)).rigid(machine).collect();
            assert_eq!(mouldable.len(), rigid.len());
            for (job, (rigid, place)) in mouldable.iter().zip(rigid.iter().zip(0..)) {
                assert_eq!((rigid.submission.job, rigid.number), (JobId(place), place as i64 + 1));
                assert_eq!(rigid.submission.submitted, job.submitted);
                let width = f64::from(rigid.submission.request.processors);
                let parallelism = job.speedup.average_parallelism();
                assert!(width < parallelism + 1.0);
                assert!(width >= parallelism || rigid.submission.request.processors == processors);
                let seconds = job.run_seconds(rigid.submission.request.processors).max(1.0);
                assert!((rigid.recorded.run.as_f64() - seconds).abs() <= 0.5, "{job:?} {rigid:?}");
            }
        }
    }

    /// Half of the day nobody comes, which halves it; processors that a job holds and does not use raise it again. That
    /// the two make 0.71 is measured, not published.
    #[test]
    fn the_load_of_rigid_jobs_over_day_and_night_is_seven_tenths_of_the_load_asked_for() {
        for load in [0.5, 0.75, 1.2] {
            let machine = Machine { processors: 128 };
            let jobs = DowneyParameters::on(machine, load).jobs(4_000, Pcg64::seed_from_u64(10)).rigid(machine);
            let work: f64 =
                jobs.map(|job| f64::from(job.submission.request.processors) * job.recorded.run.as_f64()).sum();
            let offered = crate::describe::offered_load(work, machine, Seconds(4_000 * 86_400)).unwrap();
            assert!((offered / load - 0.71).abs() < 0.02, "{offered} for {load}");
        }
    }
}
