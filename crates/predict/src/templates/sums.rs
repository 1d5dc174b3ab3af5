//! Exact running sums of a category's points, and the mean or the line through them.
//!
//! A point is a pair of whole numbers (fixed-point for ratios, inverses and logarithms), so a point taken out leaves
//! exactly the sums there would be had it never been in: nothing drifts however long a service runs, and an estimate
//! costs the same whatever the history. Bounds: coordinates up to 2^36 and up to 2^26 points keep every product here
//! below 2^124.

/// The largest magnitude of a coordinate.
pub const COORDINATE_MAX: i64 = 1 << 36;
/// The most points that are summed.
pub const COUNT_MAX: u32 = 1 << 26;

/// What is remembered of a job: `y` over `x`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// What the run time may depend on; always zero where it is not asked for.
    pub x: i64,
    /// The run time, in the template's units.
    pub y: i64,
}

/// The sums over a set of points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    count: u32,
    x: i64,
    y: i64,
    xx: i128,
    xy: i128,
    yy: i128,
}

/// What the points say about a new one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// The mean, or the line at the new point.
    pub value: f64,
    /// Sum of the squared distances of the points from the mean or the line.
    pub residual_squares: f64,
    /// Points less fitted parameters.
    pub degrees_of_freedom: u32,
    /// How many times the variance of a single point a new one lies off, the fit being uncertain itself.
    pub leverage: f64,
}

impl Sums {
    /// How many points there are.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Puts a point in. Not beyond [`COUNT_MAX`] points, nor with a coordinate beyond [`COORDINATE_MAX`].
    pub fn add(&mut self, point: Point) {
        debug_assert!(self.count < COUNT_MAX && point.x.abs().max(point.y.abs()) <= COORDINATE_MAX);
        let (x, y) = (i128::from(point.x), i128::from(point.y));
        self.count += 1;
        self.x += point.x;
        self.y += point.y;
        self.xx += x * x;
        self.xy += x * y;
        self.yy += y * y;
    }

    /// Takes out a point that is in.
    pub fn remove(&mut self, point: Point) {
        debug_assert!(self.count > 0);
        let (x, y) = (i128::from(point.x), i128::from(point.y));
        self.count -= 1;
        self.x -= point.x;
        self.y -= point.y;
        self.xx -= x * x;
        self.xy -= x * y;
        self.yy -= y * y;
    }

    /// The mean; `None` of no points.
    pub fn mean(&self) -> Option<Fit> {
        let degrees_of_freedom = self.count.checked_sub(1)?;
        let count = f64::from(self.count);
        Some(Fit {
            value: self.y as f64 / count,
            residual_squares: self.deviation(self.yy, self.y, self.y) as f64 / count,
            degrees_of_freedom,
            leverage: 1.0 + 1.0 / count,
        })
    }

    /// The line of least squares at `x`; `None` of fewer than three points, and where all have the same `x`.
    pub fn line_at(&self, x: i64) -> Option<Fit> {
        let degrees_of_freedom = self.count.checked_sub(2).filter(|degrees| *degrees > 0)?;
        let xx = self.deviation(self.xx, self.x, self.x);
        if xx == 0 {
            return None;
        }
        let xy = self.deviation(self.xy, self.x, self.y) as f64;
        let yy = self.deviation(self.yy, self.y, self.y) as f64;
        let (xx, count) = (xx as f64, f64::from(self.count));
        let from_mean = (i128::from(self.count) * i128::from(x) - i128::from(self.x)) as f64;
        Some(Fit {
            value: (self.y as f64 + xy / xx * from_mean) / count,
            // Points on a line leave a difference of rounding errors, of either sign.
            residual_squares: ((yy - xy / xx * xy) / count).max(0.0),
            degrees_of_freedom,
            leverage: 1.0 + 1.0 / count + from_mean / xx * from_mean / count,
        })
    }

    /// `count` times the sum of products of deviations from the means: a whole number.
    fn deviation(&self, products: i128, one: i64, other: i64) -> i128 {
        i128::from(self.count) * products - i128::from(one) * i128::from(other)
    }
}

#[cfg(test)]
impl Sums {
    /// Of these points.
    pub fn of(points: &[(i64, i64)]) -> Self {
        let mut sums = Self::default();
        for &(x, y) in points {
            sums.add(Point { x, y });
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::super::naive;
    use super::*;

    fn assert_close(one: f64, other: f64, what: &str) {
        assert!((one - other).abs() <= 1e-9 * other.abs().max(1.0), "{what}: {one} and {other}");
    }

    /// By hand: 2, 4, 9 have mean 5 and squared deviations 9 + 1 + 16.
    #[test]
    fn a_mean_has_the_deviations_of_its_points() {
        let fit = Sums::of(&[(0, 2), (0, 4), (0, 9)]).mean().unwrap();
        assert_close(fit.value, 5.0, "value");
        assert_close(fit.residual_squares, 26.0, "squares");
        assert_close(fit.leverage, 4.0 / 3.0, "leverage");
        assert_eq!(fit.degrees_of_freedom, 2);
        assert!(Sums::of(&[]).mean().is_none());
    }

    /// By hand: (1,1), (2,3), (3,2), (4,6) have the line -0.5 + 1.4 x with residuals 0.1, 0.7, -1.7, 0.9.
    #[test]
    fn a_line_has_the_residuals_of_its_points() {
        let fit = Sums::of(&[(1, 1), (2, 3), (3, 2), (4, 6)]).line_at(6).unwrap();
        assert_close(fit.value, 7.9, "value");
        assert_close(fit.residual_squares, 4.2, "squares");
        assert_close(fit.leverage, 1.0 + 0.25 + 3.5 * 3.5 / 5.0, "leverage");
        assert_eq!(fit.degrees_of_freedom, 2);
    }

    #[test]
    fn there_is_no_line_through_two_points_or_through_one_place() {
        assert!(Sums::of(&[(1, 1), (2, 3)]).line_at(1).is_none());
        assert!(Sums::of(&[(4, 1), (4, 3), (4, 5), (4, 9)]).line_at(4).is_none());
    }

    #[test]
    fn points_on_a_line_leave_no_residual_to_speak_of() {
        let fit = Sums::of(&[(1, 7_000_001), (3, 21_000_001), (7, 49_000_001)]).line_at(100).unwrap();
        assert_close(fit.value, 700_000_001.0, "value");
        assert!(fit.residual_squares < 1.0, "{}", fit.residual_squares);
    }

    #[test]
    fn the_largest_sums_do_not_overflow() {
        let mut largest = Sums::default();
        let end = Point { x: COORDINATE_MAX, y: COORDINATE_MAX };
        largest.add(end);
        // What COUNT_MAX additions would give.
        let times = i64::from(COUNT_MAX);
        largest = Sums {
            count: COUNT_MAX,
            x: largest.x * times,
            y: largest.y * times,
            xx: largest.xx * i128::from(times),
            xy: largest.xy * i128::from(times),
            yy: largest.yy * i128::from(times),
        };
        assert_close(largest.mean().unwrap().value, COORDINATE_MAX as f64, "value");
        assert!(largest.line_at(0).is_none());
        largest.remove(end);
        largest.add(Point { x: 0, y: 0 });
        assert!(largest.line_at(COORDINATE_MAX).unwrap().value.is_finite());
    }

    /// The naive computation sees the points that are left; the sums have seen thousands come and go.
    #[test]
    fn sums_agree_with_a_naive_computation_after_any_number_of_evictions() {
        let mut generator = Pcg64::seed_from_u64(1);
        for round in 0..200 {
            let history = generator.random_range(1..40_usize);
            let (mut sums, mut points) = (Sums::default(), Vec::new());
            for _ in 0..generator.random_range(1..300) {
                let point = Point { x: generator.random_range(1..6), y: generator.random_range(0..100_000) };
                if points.len() == history {
                    sums.remove(points.remove(0));
                }
                sums.add(point);
                points.push(point);
                let x = generator.random_range(0..10);
                for (fit, naive) in [(sums.mean(), naive::mean(&points)), (sums.line_at(x), naive::line_at(&points, x))]
                {
                    let what = format!("round {round}, {points:?} at {x}");
                    assert_eq!(fit.is_some(), naive.is_some(), "{what}");
                    let (Some(fit), Some(naive)) = (fit, naive) else { continue };
                    assert_close(fit.value, naive.value, &what);
                    assert!((fit.residual_squares - naive.residual_squares).abs() < 1e-3, "{what}: {fit:?} {naive:?}");
                    assert_close(fit.leverage, naive.leverage, &what);
                    assert_eq!(fit.degrees_of_freedom, naive.degrees_of_freedom);
                }
            }
        }
    }
}
