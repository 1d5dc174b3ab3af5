//! When will so many more processors be free? Downey's predictors from the ages of running jobs (R-D4 to R-D7).
//!
//! For: the median (A) and the mean (B) of the time until running jobs have released what is needed, given a distribution
//! of run times that is uniform in its logarithm.
//!
//! Not for: queues with backfilling or jobs ahead; this asks for the head of a strict queue.
//!
//! Readings: a completed job counts by its probability of completion, not of survival (E-S3.1); a benefactor has at
//! least as many processors as are needed (E-S3.3); run times are wall-clock times (E-S3.4). Of E-S3.2 both readings are
//! here ([`Interpretation`]), since the paper's tables follow the wrong one.

use queuecast_workload::log_uniform::LogUniform;

/// A running job: what it will give back, and how long it has run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunningJob {
    /// Processors it holds.
    pub processors: u32,
    /// Seconds since it started.
    pub age_seconds: f64,
}

/// What the time of equation 5 is, when it is used in equations 6 to 10.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Interpretation {
    /// The age and the queue time together: a job of age `a` has completed within `t` if its run time is at most `a + t`.
    #[default]
    Right,
    /// The queue time alone, as the equations are printed: nobody ends before its age has passed once more, and queue
    /// times come out too long. What the paper reports comes out with this one.
    AsPrinted,
}

/// With fewer jobs than this that could satisfy the request alone, the mean is taken instead of the median.
const BENEFACTORS_LEAST: usize = 2;
/// An answer is looked for until it is known to a millisecond or so closely.
const PRECISION_SECONDS: f64 = 1e-3;
const PRECISION: f64 = 1e-9;

/// The running jobs of a moment, and when they may end.
#[derive(Clone, Debug, Default)]
pub struct QueueTimes {
    jobs: Vec<Releasing>,
    held: u64,
    /// By then everybody has ended.
    latest_seconds: f64,
}

#[derive(Clone, Copy, Debug)]
struct Releasing {
    processors: u32,
    /// What is added to a queue time to get the time of equation 5.
    offset_seconds: f64,
    ln_age: f64,
    ln_per_share: f64,
}

impl QueueTimes {
    /// Of these jobs.
    pub fn new(
        running: impl IntoIterator<Item = RunningJob>,
        run_times: LogUniform,
        interpretation: Interpretation,
    ) -> Self {
        let mut queue_times = Self::default();
        queue_times.set(running, run_times, interpretation);
        queue_times
    }

    /// Of these jobs instead, keeping the memory.
    pub fn set(
        &mut self,
        running: impl IntoIterator<Item = RunningJob>,
        run_times: LogUniform,
        interpretation: Interpretation,
    ) {
        self.jobs.clear();
        (self.held, self.latest_seconds) = (0, 0.0);
        for RunningJob { processors, age_seconds } in running {
            let ln_age = age_seconds.ln().max(run_times.ln_shortest);
            let ln_longest = run_times.ln_longest_beyond(ln_age);
            let offset_seconds = match interpretation {
                Interpretation::Right => age_seconds.max(0.0),
                Interpretation::AsPrinted => 0.0,
            };
            self.jobs.push(Releasing {
                processors,
                offset_seconds,
                ln_age,
                ln_per_share: (ln_longest - ln_age).recip(),
            });
            self.held += u64::from(processors);
            self.latest_seconds = self.latest_seconds.max(ln_longest.exp() * (1.0 + PRECISION));
        }
    }

    /// Predictor A, exactly: the median of the time until `needed` processors have been released. All outcomes are counted
    /// (equations 6 to 8), by adding up jobs one by one rather than by listing them. `None` if the jobs together hold less.
    pub fn median_exact(&self, needed: u32) -> Option<f64> {
        self.solve(needed, f64::INFINITY, |more| self.satisfied_probability(needed, more) - 0.5)
    }

    /// Predictor A, approximately: the median of the time until the first of the jobs ends that could satisfy the request
    /// alone (equation 9). `None` if there is no such job, or if that is later than `at_most_seconds`.
    pub fn median_approximate(&self, needed: u32, at_most_seconds: f64) -> Option<f64> {
        self.benefactors(needed).next()?;
        self.solve(needed, at_most_seconds, |more| {
            0.5 - self.benefactors(needed).map(|job| 1.0 - job.completes_within(more)).product::<f64>()
        })
    }

    /// Predictor B: the time after which the processors released are `needed` on average (equation 10). `None` if the jobs
    /// together hold less, or if that is later than `at_most_seconds`.
    pub fn mean(&self, needed: u32, at_most_seconds: f64) -> Option<f64> {
        self.solve(needed, at_most_seconds, |more| {
            let released = self.jobs.iter().map(|job| f64::from(job.processors) * job.completes_within(more));
            released.sum::<f64>() - f64::from(needed)
        })
    }

    /// Both: A where there are benefactors enough, else B (R-D7). `None` also if that is later than `at_most_seconds`,
    /// which takes one look instead of a search.
    pub fn combined(&self, needed: u32, at_most_seconds: f64) -> Option<f64> {
        if self.benefactors(needed).nth(BENEFACTORS_LEAST - 1).is_some() {
            self.median_approximate(needed, at_most_seconds)
        } else {
            self.mean(needed, at_most_seconds)
        }
    }

    fn benefactors(&self, needed: u32) -> impl Iterator<Item = &Releasing> {
        self.jobs.iter().filter(move |job| job.processors >= needed)
    }

    /// The probability that at least `needed` processors have been released within `more` seconds.
    fn satisfied_probability(&self, needed: u32, more_seconds: f64) -> f64 {
        let needed = needed as usize;
        // By released processors; everything from `needed` on in the last.
        let mut probability = vec![0.0; needed + 1];
        probability[0] = 1.0;
        for job in &self.jobs {
            let completes = job.completes_within(more_seconds);
            for released in (0..=needed).rev() {
                let moved = probability[released] * completes;
                probability[released] -= moved;
                probability[(released + job.processors as usize).min(needed)] += moved;
            }
        }
        probability[needed]
    }

    /// Where a function that grows with time passes zero, if it does within `at_most_seconds`.
    fn solve(&self, needed: u32, at_most_seconds: f64, above_zero: impl Fn(f64) -> f64) -> Option<f64> {
        if needed == 0 {
            return Some(0.0);
        }
        let (mut early, mut late) = (0.0, self.latest_seconds.min(at_most_seconds));
        if self.held < u64::from(needed) || above_zero(late) < 0.0 {
            return None;
        }
        while late - early > PRECISION_SECONDS.max(PRECISION * late) {
            let middle = f64::midpoint(early, late);
            if above_zero(middle) >= 0.0 {
                late = middle;
            } else {
                early = middle;
            }
        }
        Some(late)
    }
}

impl Releasing {
    /// The probability that the job has ended within so many seconds (equation 5, as a completion and not a survival).
    fn completes_within(&self, more_seconds: f64) -> f64 {
        let ln_then = (self.offset_seconds + more_seconds).ln();
        ((ln_then - self.ln_age) * self.ln_per_share).clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(processors: u32, age_seconds: f64) -> RunningJob {
        RunningJob { processors, age_seconds }
    }

    /// Run times from a second to ten hours.
    fn of(running: &[RunningJob]) -> QueueTimes {
        let run_times = LogUniform { ln_shortest: 0.0, ln_longest: 36_000_f64.ln() };
        QueueTimes::new(running.iter().copied(), run_times, Interpretation::Right)
    }

    fn assert_close(one: Option<f64>, other: f64) {
        let one = one.expect("a queue time");
        assert!((one - other).abs() < 1e-3 * other.max(2.0), "{one} and {other}");
    }

    /// Half of the survivors of age a are gone at sqrt(a * longest): the conditional median (E-S2.6), less the age.
    #[test]
    fn a_single_job_is_waited_for_until_its_conditional_median() {
        let expected = (100.0_f64 * 36_000.0).sqrt() - 100.0;
        let queue_times = of(&[job(8, 100.0)]);
        assert_close(queue_times.median_exact(8), expected);
        assert_close(queue_times.median_approximate(8, f64::INFINITY), expected);
        // On average half of eight processors are back by then.
        assert_close(queue_times.mean(4, f64::INFINITY), expected);
    }

    #[test]
    fn as_printed_the_age_has_to_pass_once_more() {
        let run_times = LogUniform { ln_shortest: 0.0, ln_longest: 36_000_f64.ln() };
        let printed = QueueTimes::new([job(8, 100.0)], run_times, Interpretation::AsPrinted);
        assert_close(printed.median_exact(8), (100.0_f64 * 36_000.0).sqrt());
    }

    /// The slow and obvious way: every outcome of every job, as the equations list them.
    fn listed(running: &[RunningJob], needed: u32, more_seconds: f64) -> f64 {
        let queue_times = of(running);
        (0..1_u32 << running.len())
            .map(|outcome| {
                let ended = |index: usize| outcome >> index & 1 == 1;
                let released: u32 = (0..running.len()).filter(|&i| ended(i)).map(|i| running[i].processors).sum();
                let each = queue_times.jobs.iter().enumerate().map(|(index, job)| {
                    let completes = job.completes_within(more_seconds);
                    if ended(index) { completes } else { 1.0 - completes }
                });
                if released >= needed { each.product() } else { 0.0 }
            })
            .sum()
    }

    #[test]
    fn adding_up_jobs_counts_every_outcome_once() {
        let running = [job(4, 10.0), job(1, 500.0), job(7, 3_000.0), job(2, 40.0), job(4, 9_000.0), job(16, 1.0)];
        for needed in [1, 4, 5, 9, 20, 34] {
            for more in [1.0, 60.0, 900.0, 7_200.0, 30_000.0] {
                let fast = of(&running).satisfied_probability(needed, more);
                assert!((fast - listed(&running, needed, more)).abs() < 1e-12, "{needed} within {more}");
            }
        }
    }

    #[test]
    fn the_approximation_leaves_out_what_small_jobs_do_together() {
        let queue_times = of(&[job(8, 100.0), job(8, 2_000.0), job(3, 50.0), job(5, 60.0)]);
        let exact = queue_times.median_exact(8).unwrap();
        let approximate = queue_times.median_approximate(8, f64::INFINITY).unwrap();
        assert!(exact < approximate, "{exact} and {approximate}");
        let alone = of(&[job(8, 100.0), job(8, 2_000.0)]);
        assert_close(alone.median_exact(8), alone.median_approximate(8, f64::INFINITY).unwrap());
    }

    #[test]
    fn one_benefactor_is_not_enough_for_the_median() {
        let queue_times = of(&[job(8, 100.0), job(2, 50.0), job(2, 60.0)]);
        let at_most = f64::INFINITY;
        assert_eq!(queue_times.combined(8, at_most), queue_times.mean(8, at_most));
        assert_eq!(queue_times.combined(2, at_most), queue_times.median_approximate(2, at_most));
    }

    #[test]
    fn what_is_later_than_asked_for_is_not_answered_and_what_is_earlier_is_the_same() {
        let queue_times = of(&[job(8, 100.0), job(2, 50.0), job(2, 60.0)]);
        for needed in 1..=12 {
            let seconds = queue_times.combined(needed, f64::INFINITY).unwrap();
            assert_eq!(queue_times.combined(needed, seconds * 0.99), None, "{needed} processors");
            assert_close(queue_times.combined(needed, seconds * 1.01), seconds);
        }
    }

    #[test]
    fn nothing_is_needed_at_once_and_too_much_never() {
        let queue_times = of(&[job(8, 100.0)]);
        assert_close(queue_times.combined(0, f64::INFINITY), 0.0);
        assert_eq!(queue_times.combined(9, f64::INFINITY), None);
        assert_eq!(of(&[]).median_exact(1), None);
        assert_eq!(of(&[job(1, 5.0), job(1, 5.0)]).median_approximate(2, f64::INFINITY), None, "no benefactor");
    }

    /// It has become older than the model thinks possible, and is not taken to end at once.
    #[test]
    fn a_job_that_outlived_the_model_is_waited_for_by_its_age() {
        assert_close(of(&[job(8, 1e6)]).median_exact(8), 1e6 * (0.5_f64.exp() - 1.0));
    }
}
