//! Estimates made from the run time of the job itself: what the model is compared with.
//!
//! For: the f-model and the phi-model of Mu'alem and Feitelson (R-E11); with a factor of zero, estimates that are exact.
//!
//! Not for: realism. They tell a scheduler which jobs are short, which users' estimates do not.

use rand::RngExt;
use rand_pcg::Pcg64;

use crate::Seconds;

/// Uniform between the run time and `factor` more of it (not below zero): the f-model.
pub fn by_factor(run_times: &[Seconds], factor: f64, generator: &mut Pcg64) -> Vec<Seconds> {
    let factor = factor.max(0.0);
    run_times.iter().map(|run| whole(run.as_f64() * (1.0 + factor * generator.random::<f64>()), *run)).collect()
}

/// The phi-model: a share of the jobs is exact; for the others the run time is a uniform share of the estimate, which is
/// cut at `maximum` or, for a job that runs longer than that, at its run time.
pub fn by_accuracy(run_times: &[Seconds], exact_share: f64, maximum: Seconds, generator: &mut Pcg64) -> Vec<Seconds> {
    let estimate = |run: &Seconds| {
        let (is_exact, accuracy) = (generator.random::<f64>() < exact_share, 1.0 - generator.random::<f64>());
        let estimate = if is_exact { *run } else { whole(run.as_f64() / accuracy, *run) };
        estimate.min(maximum.max(*run))
    };
    run_times.iter().map(estimate).collect()
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

    fn generator() -> Pcg64 {
        Pcg64::seed_from_u64(3)
    }

    fn runs() -> Vec<Seconds> {
        (1..=20_000).map(|run| Seconds(run % 5_000 + 1)).collect()
    }

    #[test]
    fn no_estimate_is_below_its_run_time() {
        for factor in [0.0, 1.0, 300.0, -2.0] {
            let estimates = by_factor(&runs(), factor, &mut generator());
            assert!(estimates.iter().zip(runs()).all(|(estimate, run)| *estimate >= run), "factor {factor}");
        }
        let estimates = by_accuracy(&runs(), 0.1, Seconds(3_000), &mut generator());
        assert!(
            estimates
                .iter()
                .zip(runs())
                .all(|(estimate, run)| *estimate >= run && *estimate <= run.max(Seconds(3_000)))
        );
    }

    #[test]
    fn a_factor_of_zero_is_exact_and_of_four_is_three_times_the_run_time_on_average() {
        assert_eq!(by_factor(&runs(), 0.0, &mut generator()), runs());
        let sum = |times: &[Seconds]| times.iter().map(|time| time.as_f64()).sum::<f64>();
        let ratio = sum(&by_factor(&runs(), 4.0, &mut generator())) / sum(&runs());
        assert!((ratio - 3.0).abs() < 0.03, "{ratio}");
    }

    /// Uncut, the accuracy of those that are not exact is uniform: half of them below one half.
    #[test]
    fn accuracies_are_uniform_beside_the_exact_ones() {
        let runs = vec![Seconds(100_000); 50_000];
        let estimates = by_accuracy(&runs, 0.25, Seconds::MAX, &mut generator());
        let share = |fits: &dyn Fn(f64) -> bool| {
            let count = estimates.iter().filter(|estimate| fits(100_000.0 / estimate.as_f64())).count();
            count as f64 / 50_000.0
        };
        assert!((share(&|accuracy| accuracy >= 1.0) - 0.25).abs() < 0.01);
        assert!((share(&|accuracy| accuracy < 0.5) - 0.375).abs() < 0.01);
    }
}
