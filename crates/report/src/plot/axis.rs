//! Axes: where a value lies, and which round values are written beside it.
//!
//! Positions are in hundredths of the axis' length, so that a plot can be as wide as the page it is on.

use crate::quantity::{TimeUnit, fixed};

/// How many values are written at most, beside the first: more would touch each other on a telephone.
const TICKS_MAX: usize = 5;

/// An axis with its ticks.
#[derive(Clone, Debug)]
pub struct Axis {
    low: f64,
    high: f64,
    logarithmic: bool,
    ticks: Vec<Tick>,
    /// What the numbers at the ticks count, if they do not say it themselves.
    pub unit: &'static str,
}

/// A round value on an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    /// Where it is, in hundredths.
    pub position: f64,
    /// How it is written.
    pub label: String,
}

impl Axis {
    /// Numbers from `low` to `high`.
    pub fn of_numbers(low: f64, high: f64) -> Self {
        Self::linear(low, high, 1.0, "", TICKS_MAX)
    }

    /// Durations in seconds from `low` to `high`, counted in the unit that suits them.
    pub fn of_durations(low: f64, high: f64) -> Self {
        let unit = TimeUnit::for_durations_up_to(high);
        Self::linear(low, high, unit.seconds, unit.name, TICKS_MAX)
    }

    /// Numbers above zero whose factors matter rather than their differences.
    pub fn of_number_factors(low: f64, high: f64) -> Self {
        let decades = (-9..=15).map(|exponent| 10_f64.powi(exponent));
        let round = decades.flat_map(|decade| {
            [(1.0, true), (2.0, false), (5.0, false)].map(|(multiple, is_decade)| {
                let value = multiple * decade;
                RoundValue { value, label: fixed(value, decimals_of(value)), is_decade }
            })
        });
        Self::logarithmic(low, high, round.collect())
    }

    /// Durations in seconds whose factors matter rather than their differences; below a second is as a second.
    pub fn of_duration_factors(low: f64, high: f64) -> Self {
        let round = ROUND_DURATIONS.into_iter().map(|(seconds, label, is_decade)| RoundValue {
            value: seconds,
            label: label.replace(' ', "\u{a0}"),
            is_decade,
        });
        Self::logarithmic(low.max(1.0), high, round.collect())
    }

    /// From the last round value up to `low`; with only the decades at the ticks where all would not fit.
    fn logarithmic(low: f64, high: f64, mut round: Vec<RoundValue>) -> Self {
        let high = high.max(10.0 * low);
        let low = round.iter().rev().map(|round| round.value).find(|value| *value <= low).unwrap_or(low);
        let mut axis = Self { low, high, logarithmic: true, ticks: Vec::new(), unit: "" };
        round.retain(|round| (low..=high).contains(&round.value));
        if round.len() > TICKS_MAX + 1 {
            round.retain(|round| round.is_decade);
        }
        axis.ticks = round.into_iter().map(|round| axis.tick(round.value, round.label)).collect();
        axis
    }

    /// With at most so many ticks of what is counted in units of `unit_size`.
    pub fn linear(low: f64, high: f64, unit_size: f64, unit: &'static str, ticks_max: usize) -> Self {
        let high = if high > low { high } else { low + unit_size };
        let mut axis = Self { low, high, logarithmic: false, ticks: Vec::new(), unit };
        let (step, values) = round_values(low / unit_size, high / unit_size, ticks_max);
        let decimals = decimals_of(step);
        axis.ticks = values.into_iter().map(|value| axis.tick(value * unit_size, fixed(value, decimals))).collect();
        axis
    }

    /// A range for dots with intervals: from zero if the least is small beside the largest, since then the ratios can
    /// be seen; otherwise as far as the values reach and a little further, so that the differences can.
    pub fn range_of_dots(lows: impl Iterator<Item = f64>, highs: impl Iterator<Item = f64>) -> (f64, f64) {
        let finite = |value: &f64| value.is_finite();
        let low = lows.filter(finite).reduce(f64::min).unwrap_or(0.0);
        let high = highs.filter(finite).reduce(f64::max).unwrap_or(1.0);
        let margin = ((high - low) * 0.06).max(high.abs() * 0.005);
        let margin = if margin > 0.0 { margin } else { 1.0 };
        if low >= 0.0 && low < high / 3.0 { (0.0, high + margin) } else { (low - margin, high + margin) }
    }

    /// Where a value lies, in hundredths; what is beyond an end is put at it.
    pub fn position(&self, value: f64) -> f64 {
        let share = if self.logarithmic {
            (value.max(self.low) / self.low).ln() / (self.high / self.low).ln()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        100.0 * share.clamp(0.0, 1.0)
    }

    /// Whether equal distances are equal factors.
    pub fn is_logarithmic(&self) -> bool {
        self.logarithmic
    }

    /// The round values, from the least.
    pub fn ticks(&self) -> &[Tick] {
        &self.ticks
    }

    /// A value of this axis with what it counts.
    pub fn with_unit(&self, label: &str) -> String {
        if self.unit.is_empty() { label.to_owned() } else { format!("{label}\u{a0}{}", self.unit) }
    }

    fn tick(&self, value: f64, label: String) -> Tick {
        Tick { position: self.position(value), label }
    }
}

/// A value that may stand at a tick of a logarithmic axis.
struct RoundValue {
    value: f64,
    label: String,
    /// Whether it is among those that are about a factor of ten apart.
    is_decade: bool,
}

/// Durations a person can think in: seconds, label, and whether it is a decade.
const ROUND_DURATIONS: [(f64, &str, bool); 22] = [
    (1.0, "1 s", true),
    (2.0, "2 s", false),
    (5.0, "5 s", false),
    (10.0, "10 s", true),
    (30.0, "30 s", false),
    (60.0, "1 min", true),
    (120.0, "2 min", false),
    (300.0, "5 min", false),
    (600.0, "10 min", true),
    (1_800.0, "30 min", false),
    (3_600.0, "1 h", true),
    (7_200.0, "2 h", false),
    (18_000.0, "5 h", false),
    (36_000.0, "10 h", true),
    (72_000.0, "20 h", false),
    (180_000.0, "50 h", false),
    (360_000.0, "100 h", true),
    (720_000.0, "200 h", false),
    (1_800_000.0, "500 h", false),
    (3_600_000.0, "1,000 h", true),
    (36_000_000.0, "10,000 h", true),
    (360_000_000.0, "100,000 h", true),
];

/// Multiples of 1, 2 or 5 times a power of ten between `low` and `high`: as many as there may be, and the step.
fn round_values(low: f64, high: f64, at_most: usize) -> (f64, Vec<f64>) {
    let least_step = (high - low) / at_most.max(1) as f64;
    let power = 10_f64.powf(least_step.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|multiple| multiple * power).into_iter();
    let step = step.filter(|step| *step >= least_step * 0.999_999).reduce(f64::min).unwrap_or(10.0 * power);
    let first = (low / step - 1e-9).ceil();
    let values = (0..=at_most).map(|index| (first + index as f64) * step);
    (step, values.filter(|value| *value <= high + step * 1e-9).collect())
}

/// How many decimals tell the multiples of a round step apart.
fn decimals_of(step: f64) -> usize {
    let tells_apart = |decimals: &u8| step * 10_f64.powi(i32::from(*decimals)) >= 0.999_999;
    (0..12).find(tells_apart).map_or(12, usize::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis) -> Vec<&str> {
        axis.ticks().iter().map(|tick| tick.label.as_str()).collect()
    }

    #[test]
    fn ticks_are_round_and_few() {
        assert_eq!(labels(&Axis::of_numbers(0.0, 92.7)), ["0", "20", "40", "60", "80"]);
        assert_eq!(labels(&Axis::of_numbers(66.1, 69.9)), ["67", "68", "69"]);
        assert_eq!(labels(&Axis::of_numbers(0.0, 1.0)), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels(&Axis::of_numbers(0.0, 123_456.0)), ["0", "50,000", "100,000"]);
        assert_eq!(labels(&Axis::of_numbers(-3.0, 3.0)), ["\u{2212}2", "0", "2"]);
    }

    #[test]
    fn there_are_never_more_ticks_than_fit_and_never_none() {
        for exponent in -6..12 {
            for mantissa in [1.0, 1.3, 2.0, 3.7, 4.99, 5.0, 7.5, 9.99] {
                for low in [0.0, 0.4, 0.93] {
                    let high = mantissa * 10_f64.powi(exponent);
                    let axis = Axis::of_numbers(low * high, high);
                    assert!((1..=TICKS_MAX + 1).contains(&axis.ticks().len()), "{low} {high}: {axis:?}");
                    let mut distinct = labels(&axis);
                    distinct.dedup();
                    assert_eq!(distinct.len(), axis.ticks().len(), "{axis:?}");
                }
            }
        }
    }

    #[test]
    fn a_range_without_extent_still_has_an_axis() {
        let (low, high) = Axis::range_of_dots([0.0].into_iter(), [0.0].into_iter());
        assert!(low < high);
        let axis = Axis::of_numbers(low, high);
        assert!((0.0..=100.0).contains(&axis.position(0.0)) && !axis.ticks().is_empty());
        assert!(Axis::of_numbers(5.0, 5.0).position(5.0).is_finite());
    }

    #[test]
    fn differences_of_near_values_can_be_seen_and_ratios_of_far_ones() {
        assert!(Axis::range_of_dots([10.0].into_iter(), [100.0].into_iter()).0.abs() < f64::EPSILON);
        assert!(Axis::range_of_dots([90.0].into_iter(), [100.0].into_iter()).0 > 89.0);
    }

    #[test]
    fn factors_are_equally_far_apart_and_less_than_a_second_is_at_the_end() {
        let axis = Axis::of_duration_factors(0.0, 40_000.0);
        let expected = ["1 s", "10 s", "1 min", "10 min", "1 h", "10 h"];
        assert_eq!(labels(&axis).iter().map(|label| label.replace('\u{a0}', " ")).collect::<Vec<_>>(), expected);
        let distance = |from, to| axis.position(to) - axis.position(from);
        assert!((distance(10.0, 100.0) - distance(1_000.0, 10_000.0)).abs() < 1e-9);
        assert!(axis.position(0.0).abs() < f64::EPSILON);
        let within_two_decades = Axis::of_duration_factors(2_900.0, 80_000.0);
        let expected = ["30 min", "1 h", "2 h", "5 h", "10 h", "20 h"].map(|label| label.replace(' ', "\u{a0}"));
        assert_eq!(labels(&within_two_decades), expected, "{within_two_decades:?}");
    }

    #[test]
    fn factors_of_numbers_are_at_round_numbers() {
        assert_eq!(labels(&Axis::of_number_factors(49.0, 7_000.0)), ["100", "1,000"]);
        assert_eq!(labels(&Axis::of_number_factors(1.2, 40.0)), ["1", "2", "5", "10", "20"]);
        assert_eq!(labels(&Axis::of_number_factors(0.02, 0.3)), ["0.02", "0.05", "0.1", "0.2"]);
    }

    #[test]
    fn durations_are_counted_in_the_unit_that_suits_them() {
        let axis = Axis::of_durations(0.0, 11_446.0);
        assert_eq!((labels(&axis), axis.unit), (vec!["0", "1", "2", "3"], "h"));
        assert!((axis.ticks()[1].position - 100.0 * 3_600.0 / 11_446.0).abs() < 1e-9);
    }
}
