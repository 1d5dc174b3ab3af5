//! How sure an estimate is: half the width of its 90 % interval, under either rule of selection.
//!
//! The paper takes Chebyshev's inequality for a mean (R-S3) and Student's distribution for a regression (R-S4). Such
//! widths cannot be compared (the same spread looks wider under Chebyshev), and a few run times that agree by chance make
//! an interval of no width, which nothing beats: on four logs only 65 to 78 % of jobs stayed within the "90 %" intervals
//! that were chosen (E-S2.8).
//!
//! The shrunk rule takes one interval for all: Chebyshev's factor times the predictive deviation of a normal model whose
//! variance has an inverse-gamma prior. The prior is the template's own spread: how far off its categories have been, job
//! by job, before they were told. It is relative to the estimate, because a template's categories lie orders of
//! magnitude apart. It weighs as much as [`PRIOR_POINTS`]: then 85 to 90 % stay within at the same error after a search;
//! at one point and more the error rises, for two equal run times are in truth a good sign.

use std::sync::Arc;

use super::sums::Fit;
use super::{Estimator, Selection, StudentQuantiles};

/// Chebyshev: nine tenths of anything lie within this many standard deviations of its mean.
const CHEBYSHEV_90: f64 = 3.162_277_660_168_379_5;
/// How many points of a category the prior is worth.
const PRIOR_POINTS: f64 = 0.5;

/// The widths of one template's intervals.
#[derive(Clone, Debug)]
pub enum Widths {
    Smallest(Arc<StudentQuantiles>),
    Shrunk(RelativeSpread),
}

/// How far a template's estimates have been off, as a share of the larger of estimate and truth: an outlier counts as
/// one, and does not fill the sum for ever.
#[derive(Clone, Copy, Debug, Default)]
pub struct RelativeSpread {
    squares: f64,
    count: u32,
}

impl Widths {
    pub fn new(selection: Selection, quantiles: Arc<StudentQuantiles>) -> Self {
        match selection {
            Selection::Smallest => Self::Smallest(quantiles),
            Selection::Shrunk => Self::Shrunk(RelativeSpread::default()),
        }
    }

    /// Half the width of the interval around a fit; `None` where the fit leaves no deviation to judge by.
    pub fn half_width(&self, estimator: Estimator, fit: &Fit) -> Option<f64> {
        if fit.degrees_of_freedom == 0 {
            return None;
        }
        let degrees = f64::from(fit.degrees_of_freedom);
        match self {
            Self::Smallest(quantiles) => {
                let deviation = (fit.residual_squares / degrees).sqrt();
                Some(match estimator {
                    Estimator::Mean | Estimator::Median => CHEBYSHEV_90 * deviation,
                    Estimator::Linear | Estimator::Inverse | Estimator::Logarithmic => {
                        quantiles.quantile_95(fit.degrees_of_freedom) * deviation * fit.leverage.sqrt()
                    }
                })
            }
            Self::Shrunk(spread) => {
                let prior = spread.mean_square()? * fit.value * fit.value;
                let variance = (PRIOR_POINTS * prior + fit.residual_squares) / (PRIOR_POINTS + degrees);
                Some(CHEBYSHEV_90 * (variance * fit.leverage).sqrt())
            }
        }
    }

    /// A job ended at `y` of which its category said `fit`, which is asked for only where it matters.
    pub fn learn(&mut self, fit: impl FnOnce() -> Option<Fit>, y: i64) {
        if let Self::Shrunk(spread) = self
            && let Some(fit) = fit()
        {
            spread.learn(&fit, y as f64);
        }
    }
}

impl RelativeSpread {
    fn learn(&mut self, fit: &Fit, y: f64) {
        let off = (y - fit.value) / y.max(fit.value.abs()).max(1.0);
        // The fit's own uncertainty is not the spread of the points.
        self.squares += off * off / fit.leverage;
        self.count = self.count.saturating_add(1);
    }

    /// `None` before any estimate was put to the test.
    fn mean_square(&self) -> Option<f64> {
        (self.count > 0).then(|| self.squares / f64::from(self.count))
    }
}

#[cfg(test)]
mod tests {
    use super::super::sums::Sums;
    use super::*;

    fn widths(selection: Selection) -> Widths {
        Widths::new(selection, Arc::new(StudentQuantiles::new()))
    }

    fn assert_width(width: Option<f64>, expected: f64) {
        assert!(width.is_some_and(|width| (width - expected).abs() < 1e-4), "{width:?} is not {expected}");
    }

    /// By hand: 2, 4, 9 have variance 26 / 2; k is the root of 10.
    #[test]
    fn a_mean_has_chebyshevs_interval() {
        let fit = Sums::of(&[(0, 2), (0, 4), (0, 9)]).mean().unwrap();
        assert_width(widths(Selection::Smallest).half_width(Estimator::Mean, &fit), 130.0_f64.sqrt());
        let single = Sums::of(&[(0, 2)]).mean().unwrap();
        assert_eq!(widths(Selection::Smallest).half_width(Estimator::Mean, &single), None);
    }

    /// By hand: (1,1), (2,3), (3,2), (4,6) leave squares of 4.2; at 6 the leverage is 3.7; t(2, 0.95) = 2.919986.
    #[test]
    fn a_line_has_students_interval() {
        let fit = Sums::of(&[(1, 1), (2, 3), (3, 2), (4, 6)]).line_at(6).unwrap();
        let expected = 2.919_986 * (4.2_f64 / 2.0 * 3.7).sqrt();
        assert_width(widths(Selection::Smallest).half_width(Estimator::Linear, &fit), expected);
    }

    /// By hand: a job of 100 where one of 60 was expected from two points is off by 0.4, which makes a mean square of
    /// 0.16 / 1.5. Two run times of 30 then have a prior variance of 96 with half a point against one degree.
    #[test]
    fn a_shrunk_interval_has_the_templates_own_spread_where_points_agree() {
        let mut widths = widths(Selection::Shrunk);
        let equal = Sums::of(&[(0, 30), (0, 30)]).mean().unwrap();
        assert_eq!(widths.half_width(Estimator::Mean, &equal), None);
        widths.learn(|| Sums::of(&[(0, 50), (0, 70)]).mean(), 100);
        let expected = (10.0_f64 * (0.5 * 96.0 / 1.5) * 1.5).sqrt();
        assert_width(widths.half_width(Estimator::Mean, &equal), expected);
    }

    #[test]
    fn a_shrunk_interval_is_the_same_for_a_mean_and_a_line_that_say_the_same() {
        let mut widths = widths(Selection::Shrunk);
        widths.learn(|| Sums::of(&[(0, 50), (0, 70)]).mean(), 100);
        let fit = Sums::of(&[(1, 1), (2, 3), (3, 2), (4, 6)]).line_at(6).unwrap();
        assert_eq!(widths.half_width(Estimator::Mean, &fit), widths.half_width(Estimator::Linear, &fit));
    }

    #[test]
    fn with_many_points_the_prior_no_longer_matters() {
        let mut widths = widths(Selection::Shrunk);
        widths.learn(|| Sums::of(&[(0, 1), (0, 1)]).mean(), 1_000_000);
        let many: Vec<(i64, i64)> = (0..100_000).map(|index| (0, 900 + index % 2 * 200)).collect();
        let width = widths.half_width(Estimator::Mean, &Sums::of(&many).mean().unwrap()).unwrap();
        assert!((width / CHEBYSHEV_90 - 100.0).abs() < 0.1, "{width}");
    }
}
