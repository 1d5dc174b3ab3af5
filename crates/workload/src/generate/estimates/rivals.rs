//! Estimates made from each job by itself: what the model is compared with.
//!
//! For: the f-model and the phi-model of Mu'alem and Feitelson; with a factor of zero, estimates that are exact; and
//! the user's own estimate doubled (R-E11).
//!
//! Not for: realism. They tell a scheduler which jobs are short, which users' estimates do not.

use rand::RngExt;
use rand_pcg::Pcg64;

use crate::Seconds;

/// Uniform between the run time and `factor` more of it (not below zero): the f-model.
pub fn by_factor(run_time: Seconds, factor: f64, generator: &mut Pcg64) -> Seconds {
    whole(run_time.as_f64() * (1.0 + factor.max(0.0) * generator.random::<f64>()), run_time)
}

/// The phi-model: a share of the jobs is exact; for the others the run time is a uniform share of the estimate, which
/// is cut at `maximum` or, for a job that runs longer than that, at its run time.
pub fn by_accuracy(run_time: Seconds, exact_share: f64, maximum: Seconds, generator: &mut Pcg64) -> Seconds {
    let (is_exact, accuracy) = (generator.random::<f64>() < exact_share, 1.0 - generator.random::<f64>());
    let estimate = if is_exact { run_time } else { whole(run_time.as_f64() / accuracy, run_time) };
    estimate.min(maximum.max(run_time))
}

/// Twice the user's own estimate, or the run time where that is longer: not a model, but what some schedulers plan
/// with.
pub fn doubled(run_time: Seconds, estimate: Seconds) -> Seconds {
    Seconds(estimate.0.saturating_mul(2)).min(Seconds::MAX).max(run_time)
}

/// In whole seconds, and not below the run time.
fn whole(seconds: f64, run: Seconds) -> Seconds {
    #[expect(clippy::cast_possible_truncation, reason = "the cast saturates, and what it saturates to is cut")]
    Seconds(seconds.floor() as i64).clamp(run, Seconds::MAX.max(run))
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    fn runs() -> Vec<Seconds> {
        (1..=20_000).map(|run| Seconds(run % 5_000 + 1)).collect()
    }

    fn each(runs: &[Seconds], mut estimate: impl FnMut(Seconds, &mut Pcg64) -> Seconds) -> Vec<Seconds> {
        let mut generator = Pcg64::seed_from_u64(3);
        runs.iter().map(|&run| estimate(run, &mut generator)).collect()
    }

    #[test]
    fn no_estimate_is_below_its_run_time() {
        for factor in [0.0, 1.0, 300.0, -2.0] {
            let estimates = each(&runs(), |run, generator| by_factor(run, factor, generator));
            assert!(estimates.iter().zip(runs()).all(|(estimate, run)| *estimate >= run), "factor {factor}");
        }
        let estimates = each(&runs(), |run, generator| by_accuracy(run, 0.1, Seconds(3_000), generator));
        let within = |(estimate, run): (&Seconds, Seconds)| *estimate >= run && *estimate <= run.max(Seconds(3_000));
        assert!(estimates.iter().zip(runs()).all(within));
    }

    #[test]
    fn a_factor_of_zero_is_exact_and_of_four_is_three_times_the_run_time_on_average() {
        assert_eq!(each(&runs(), |run, generator| by_factor(run, 0.0, generator)), runs());
        let sum = |times: &[Seconds]| times.iter().map(|time| time.as_f64()).sum::<f64>();
        let ratio = sum(&each(&runs(), |run, generator| by_factor(run, 4.0, generator))) / sum(&runs());
        assert!((ratio - 3.0).abs() < 0.03, "{ratio}");
    }

    /// Uncut, the accuracy of those that are not exact is uniform: half of them below one half.
    #[test]
    fn accuracies_are_uniform_beside_the_exact_ones() {
        let runs = vec![Seconds(100_000); 50_000];
        let estimates = each(&runs, |run, generator| by_accuracy(run, 0.25, Seconds::MAX, generator));
        let share = |fits: &dyn Fn(f64) -> bool| {
            let count = estimates.iter().filter(|estimate| fits(100_000.0 / estimate.as_f64())).count();
            count as f64 / 50_000.0
        };
        assert!((share(&|accuracy| accuracy >= 1.0) - 0.25).abs() < 0.01);
        assert!((share(&|accuracy| accuracy < 0.5) - 0.375).abs() < 0.01);
    }

    #[test]
    fn a_doubled_estimate_is_twice_the_users_or_the_run_time() {
        assert_eq!(doubled(Seconds(100), Seconds(60)), Seconds(120));
        assert_eq!(doubled(Seconds(130), Seconds(60)), Seconds(130));
        assert_eq!(doubled(Seconds(1), Seconds(i64::MAX)), Seconds::MAX);
    }
}
