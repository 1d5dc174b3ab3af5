//! A distribution whose cdf is a straight line over the logarithm of time, and what to expect of a job of some age.
//!
//! For: the formulas of Downey as Smith, Foster and Taylor give them (section 4), read as in E-S2.6: both are total run
//! times, ages below the shortest run time count as that, and every logarithm is natural. [`LogHistogram`] fits it.
//!
//! Not for: what is predicted from it (`queuecast-predict`, `queuecast-schedule`).

mod histogram;

pub use histogram::LogHistogram;

/// Run times spread evenly over the logarithm of time, from a shortest to a longest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LogUniform {
    /// Where the cdf is zero: `-b0 / b1` of the cdf `b0 + b1 ln t`.
    pub ln_shortest: f64,
    /// Where the cdf is one: `(1 - b0) / b1`; not below `ln_shortest`.
    pub ln_longest: f64,
}

impl LogUniform {
    /// What the run time of a job that has come to this age is at most, as a logarithm.
    ///
    /// Beyond the longest run time the model has nothing to say, and a job that gets there would be taken to end at once,
    /// for as long as it goes on (E-S3.4). A job may therefore always become e times as old as it is.
    pub fn ln_longest_beyond(self, ln_age: f64) -> f64 {
        self.ln_longest.max(ln_age + 1.0)
    }

    /// The run time, in seconds, that half of the jobs exceed that exceed the age.
    pub fn median_beyond(self, ln_age: f64) -> f64 {
        f64::midpoint(self.clamped(ln_age), self.ln_longest).exp()
    }

    /// The average run time, in seconds, of the jobs that exceed the age.
    pub fn average_beyond(self, ln_age: f64) -> f64 {
        let ln_age = self.clamped(ln_age);
        let ln_span = self.ln_longest - ln_age;
        // (longest - age) / (ln longest - ln age), without the difference of two large numbers over a small one.
        if ln_span > 0.0 { ln_age.exp() * (ln_span.exp_m1() / ln_span) } else { ln_age.exp() }
    }

    /// Below the shortest run time nothing ends, beyond the longest nothing is left.
    fn clamped(self, ln_age: f64) -> f64 {
        ln_age.max(self.ln_shortest).min(self.ln_longest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The shortest may be below a second here, as a fitted line's may.
    fn between(shortest: f64, longest: f64) -> LogUniform {
        LogUniform { ln_shortest: shortest.ln(), ln_longest: longest.ln() }
    }

    fn assert_near(value: f64, expected: f64) {
        assert!((value - expected).abs() < 1e-9 * expected, "{value} instead of {expected}");
    }

    #[test]
    fn the_median_is_the_geometric_mean_of_age_and_longest() {
        assert_near(between(0.5, 10_000.0).median_beyond(0.0), 100.0);
        assert_near(between(0.5, 10_000.0).median_beyond(100.0_f64.ln()), 1_000.0);
    }

    #[test]
    fn a_job_that_outlived_the_model_may_become_e_times_as_old() {
        let distribution = between(0.5, 10_000.0);
        assert_near(distribution.ln_longest_beyond(100.0_f64.ln()).exp(), 10_000.0);
        assert_near(distribution.ln_longest_beyond(20_000.0_f64.ln()).exp(), 20_000.0 * 1.0_f64.exp());
    }

    #[test]
    fn the_average_is_the_span_over_its_logarithm() {
        assert_near(between(0.5, 1_000.0).average_beyond(0.0), 999.0 / 1_000.0_f64.ln());
    }

    #[test]
    fn an_age_below_the_shortest_counts_as_the_shortest() {
        assert_near(between(500.0, 2_000.0).median_beyond(0.0), 1_000.0);
        assert_near(between(500.0, 2_000.0).average_beyond(0.0), 1_500.0 / 4.0_f64.ln());
    }

    #[test]
    fn without_any_span_everything_is_the_one_run_time() {
        let same = LogUniform { ln_shortest: 5.0, ln_longest: 5.0 };
        let nearly_same = LogUniform { ln_shortest: 5.0, ln_longest: 5.0 + 1e-14 };
        for distribution in [same, nearly_same] {
            for ln_age in [0.0, 5.0, 9.0] {
                assert_near(distribution.median_beyond(ln_age), 5.0_f64.exp());
                assert_near(distribution.average_beyond(ln_age), 5.0_f64.exp());
            }
        }
    }
}
