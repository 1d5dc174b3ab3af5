//! When will so many more processors be free? Downey's predictors from the ages of running jobs (R-D4 to R-D7).
//!
//! For: the median (A) and the mean (B) of the time until running jobs have released what is needed, given a distribution
//! of run times that is uniform in its logarithm.
//!
//! Not for: queues with backfilling or jobs ahead; this asks for the head of a strict queue.
//!
//! Readings of 1.G: a completed job counts by its probability of completion, not of survival (E-S3.1); a job of age `a`
//! has completed within `t` if its run time is at most `a + t` (E-S3.2); a benefactor has at least as many processors as
//! are needed (E-S3.3); run times are wall-clock times (E-S3.4).

/// Run times uniform in their logarithm between two bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UniformLog {
    log_shortest: f64,
    log_longest: f64,
}

/// A running job: what it will give back, and how long it has run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunningJob {
    /// Processors it holds.
    pub processors: u32,
    /// Seconds since it started.
    pub age_seconds: f64,
}

/// With fewer jobs than this that could satisfy the request alone, the mean is taken instead of the median.
const BENEFACTORS_LEAST: usize = 2;
/// Halvings of the span that hold the answer: to a millisecond of the longest run time there is.
const HALVINGS: usize = 60;

impl UniformLog {
    /// Between two run times in seconds; the shortest counts as a second at least, the longest as more than that.
    pub fn new(shortest_seconds: f64, longest_seconds: f64) -> Self {
        let log_shortest = shortest_seconds.max(1.0).ln();
        Self { log_shortest, log_longest: longest_seconds.max(1.0).ln().max(log_shortest + 1e-9) }
    }

    /// The longest run time.
    pub fn longest_seconds(&self) -> f64 {
        self.log_longest.exp()
    }

    /// The probability that a job of this age has ended within `more` seconds (equation 5, as a completion). A job that
    /// has outlived the model is taken to end at once.
    pub fn completes_within(&self, age_seconds: f64, more_seconds: f64) -> f64 {
        let age = age_seconds.max(self.log_shortest.exp());
        let (now, then) = (age.ln(), (age_seconds.max(0.0) + more_seconds).max(age).ln());
        if now >= self.log_longest {
            return 1.0;
        }
        ((then - now) / (self.log_longest - now)).clamp(0.0, 1.0)
    }
}

/// Predictor A, exactly: the median of the time until `needed` processors have been released. All outcomes are counted
/// (equations 6 to 8), by adding up jobs one by one rather than by listing them. `None` if the jobs together hold less.
pub fn median_exact(running: &[RunningJob], needed: u32, run_times: UniformLog) -> Option<f64> {
    solve(running, needed, run_times, |more| satisfied_probability(running, needed, run_times, more) - 0.5)
}

/// Predictor A, approximately: the median of the time until the first of the jobs ends that could satisfy the request
/// alone (equation 9). `None` if there is no such job.
pub fn median_approximate(running: &[RunningJob], needed: u32, run_times: UniformLog) -> Option<f64> {
    let benefactors: Vec<RunningJob> = running.iter().filter(|job| job.processors >= needed).copied().collect();
    solve(&benefactors, needed, run_times, |more| {
        let none_ended: f64 =
            benefactors.iter().map(|job| 1.0 - run_times.completes_within(job.age_seconds, more)).product();
        0.5 - none_ended
    })
}

/// Predictor B: the time after which the processors released are `needed` on average (equation 10). `None` if the jobs
/// together hold less.
pub fn mean(running: &[RunningJob], needed: u32, run_times: UniformLog) -> Option<f64> {
    solve(running, needed, run_times, |more| {
        let released =
            running.iter().map(|job| f64::from(job.processors) * run_times.completes_within(job.age_seconds, more));
        released.sum::<f64>() - f64::from(needed)
    })
}

/// Both: A where there are benefactors enough, else B (R-D7).
pub fn combined(running: &[RunningJob], needed: u32, run_times: UniformLog) -> Option<f64> {
    let benefactors = running.iter().filter(|job| job.processors >= needed).count();
    if benefactors >= BENEFACTORS_LEAST {
        median_approximate(running, needed, run_times)
    } else {
        mean(running, needed, run_times)
    }
}

/// The probability that at least `needed` processors have been released within `more` seconds.
fn satisfied_probability(running: &[RunningJob], needed: u32, run_times: UniformLog, more_seconds: f64) -> f64 {
    let needed = needed as usize;
    // By released processors; everything from `needed` on in the last.
    let mut probability = vec![0.0; needed + 1];
    probability[0] = 1.0;
    for job in running {
        let completes = run_times.completes_within(job.age_seconds, more_seconds);
        for released in (0..=needed).rev() {
            let moved = probability[released] * completes;
            probability[released] -= moved;
            probability[(released + job.processors as usize).min(needed)] += moved;
        }
    }
    probability[needed]
}

/// Where a function that grows with time passes zero. Within the longest run time every job has ended.
fn solve(running: &[RunningJob], needed: u32, run_times: UniformLog, above_zero: impl Fn(f64) -> f64) -> Option<f64> {
    if needed == 0 {
        return Some(0.0);
    }
    let held: u64 = running.iter().map(|job| u64::from(job.processors)).sum();
    if held < u64::from(needed) {
        return None;
    }
    let (mut early, mut late) = (0.0, run_times.longest_seconds());
    if above_zero(early) >= 0.0 {
        return Some(early);
    }
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(early, late);
        if above_zero(middle) >= 0.0 {
            late = middle;
        } else {
            early = middle;
        }
    }
    Some(late)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(processors: u32, age_seconds: f64) -> RunningJob {
        RunningJob { processors, age_seconds }
    }

    fn hours() -> UniformLog {
        UniformLog::new(1.0, 36_000.0)
    }

    fn assert_close(one: Option<f64>, other: f64) {
        let one = one.expect("a queue time");
        assert!((one - other).abs() < 1e-3 * other.max(1.0), "{one} and {other}");
    }

    /// Half of the survivors of age a are gone at sqrt(a * longest): the conditional median (E-S2.6), less the age.
    #[test]
    fn a_single_job_is_waited_for_until_its_conditional_median() {
        let expected = (100.0_f64 * 36_000.0).sqrt() - 100.0;
        for predicted in [median_exact(&[job(8, 100.0)], 8, hours()), median_approximate(&[job(8, 100.0)], 8, hours())]
        {
            assert_close(predicted, expected);
        }
        // On average half of eight processors are back by then.
        assert_close(mean(&[job(8, 100.0)], 4, hours()), expected);
    }

    /// The slow and obvious way: every outcome of every job, as the equations list them.
    fn listed(running: &[RunningJob], needed: u32, more_seconds: f64) -> f64 {
        (0..1_u32 << running.len())
            .map(|outcome| {
                let ended = |index: usize| outcome >> index & 1 == 1;
                let released: u32 = (0..running.len()).filter(|&i| ended(i)).map(|i| running[i].processors).sum();
                let probability: f64 = running
                    .iter()
                    .enumerate()
                    .map(|(index, job)| {
                        let completes = hours().completes_within(job.age_seconds, more_seconds);
                        if ended(index) { completes } else { 1.0 - completes }
                    })
                    .product();
                if released >= needed { probability } else { 0.0 }
            })
            .sum()
    }

    #[test]
    fn adding_up_jobs_counts_every_outcome_once() {
        let running = [job(4, 10.0), job(1, 500.0), job(7, 3_000.0), job(2, 40.0), job(4, 9_000.0), job(16, 1.0)];
        for needed in [1, 4, 5, 9, 20, 34] {
            for more in [1.0, 60.0, 900.0, 7_200.0, 30_000.0] {
                let fast = satisfied_probability(&running, needed, hours(), more);
                assert!((fast - listed(&running, needed, more)).abs() < 1e-12, "{needed} within {more}");
            }
        }
    }

    #[test]
    fn the_approximation_leaves_out_what_small_jobs_do_together() {
        let running = [job(8, 100.0), job(8, 2_000.0), job(3, 50.0), job(5, 60.0)];
        let exact = median_exact(&running, 8, hours()).unwrap();
        let approximate = median_approximate(&running, 8, hours()).unwrap();
        assert!(exact < approximate, "{exact} and {approximate}");
        let alone = [job(8, 100.0), job(8, 2_000.0)];
        assert_close(median_exact(&alone, 8, hours()), median_approximate(&alone, 8, hours()).unwrap());
    }

    #[test]
    fn one_benefactor_is_not_enough_for_the_median() {
        let running = [job(8, 100.0), job(2, 50.0), job(2, 60.0)];
        assert_eq!(combined(&running, 8, hours()), mean(&running, 8, hours()));
        assert_eq!(combined(&running, 2, hours()), median_approximate(&running, 2, hours()));
    }

    #[test]
    fn nothing_is_needed_at_once_and_too_much_never() {
        assert_close(combined(&[job(8, 100.0)], 0, hours()), 0.0);
        assert_eq!(combined(&[job(8, 100.0)], 9, hours()), None);
        assert_eq!(median_exact(&[], 1, hours()), None);
        assert_eq!(median_approximate(&[job(1, 5.0), job(1, 5.0)], 2, hours()), None, "no benefactor");
    }

    #[test]
    fn a_job_that_outlived_the_model_is_taken_to_end_at_once() {
        assert_close(median_exact(&[job(8, 1e9)], 8, hours()), 0.0);
        assert_close(mean(&[job(8, 1e9)], 8, hours()), 0.0);
    }
}
