//! Queue times that come out too long or too short, put right by what came of earlier ones (R-D11).
//!
//! For: the line through predicted and actual queue times in the logarithm of seconds (E-S3.5), kept up one outcome at a
//! time, and predictions moved onto it.
//!
//! Not for: deciding when an outcome is known; whoever turns time forward does.

/// Predictions shorter than this count as this: a second has a logarithm, nothing has none.
const SHORTEST_SECONDS: f64 = 1.0;

/// The line of least squares through points that come one by one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BiasLine {
    count: f64,
    mean_predicted: f64,
    mean_actual: f64,
    predicted_squares: f64,
    actual_squares: f64,
    products: f64,
}

/// What the line says of the predictions: 1 and 0 if they were right on average at every length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bias {
    /// By how much the logarithm of the actual time grows with that of the predicted one.
    pub slope: f64,
    /// Where it begins.
    pub intercept: f64,
    /// The coefficient of correlation of the two logarithms.
    pub correlation: f64,
}

impl BiasLine {
    /// Fewest outcomes to correct from.
    const OUTCOMES_LEAST: f64 = 30.0;

    /// Takes in what was predicted and what came of it (Welford's update, as sums of squares of large numbers lose digits).
    pub fn learn(&mut self, predicted_seconds: f64, actual_seconds: f64) {
        let (predicted, actual) = (logarithm(predicted_seconds), logarithm(actual_seconds));
        self.count += 1.0;
        let from_mean = (predicted - self.mean_predicted, actual - self.mean_actual);
        self.mean_predicted += from_mean.0 / self.count;
        self.mean_actual += from_mean.1 / self.count;
        self.predicted_squares += from_mean.0 * (predicted - self.mean_predicted);
        self.actual_squares += from_mean.1 * (actual - self.mean_actual);
        self.products += from_mean.0 * (actual - self.mean_actual);
    }

    /// The line, once there is one.
    pub fn bias(&self) -> Option<Bias> {
        if self.count < 2.0 || self.predicted_squares <= 0.0 {
            return None;
        }
        let slope = self.products / self.predicted_squares;
        let spread = (self.predicted_squares * self.actual_squares).sqrt();
        let correlation = if spread > 0.0 { self.products / spread } else { 0.0 };
        Some(Bias { slope, intercept: self.mean_actual - slope * self.mean_predicted, correlation })
    }

    /// The bias to correct by: none before there are outcomes enough, or where long predictions were followed by shorter
    /// times than short ones, which is noise.
    pub fn correction(&self) -> Option<Bias> {
        self.bias().filter(|bias| self.count >= Self::OUTCOMES_LEAST && bias.slope > 0.0)
    }
}

impl Bias {
    /// The prediction moved onto the line.
    pub fn corrected(&self, predicted_seconds: f64) -> f64 {
        (self.intercept + self.slope * logarithm(predicted_seconds)).exp()
    }

    /// The prediction that would be moved to this; the slope must be above zero.
    pub fn uncorrected(&self, corrected_seconds: f64) -> f64 {
        ((logarithm(corrected_seconds) - self.intercept) / self.slope).exp()
    }
}

fn logarithm(seconds: f64) -> f64 {
    seconds.max(SHORTEST_SECONDS).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Predictions that come out as e times their square root.
    fn line(count: i32) -> BiasLine {
        let mut line = BiasLine::default();
        for index in 1..=count {
            let predicted = f64::from(index * index);
            line.learn(predicted, 1.0_f64.exp() * predicted.sqrt());
        }
        line
    }

    #[test]
    fn the_line_is_that_of_least_squares() {
        let bias = line(100).bias().unwrap();
        assert!((bias.slope - 0.5).abs() < 1e-9 && (bias.intercept - 1.0).abs() < 1e-9, "{bias:?}");
        assert!((bias.correlation - 1.0).abs() < 1e-9);
    }

    #[test]
    fn corrected_predictions_have_no_bias() {
        let correction = line(100).correction().unwrap();
        let mut corrected = BiasLine::default();
        for index in 1..=100 {
            let predicted = f64::from(index * index);
            corrected.learn(correction.corrected(predicted), 1.0_f64.exp() * predicted.sqrt());
        }
        let bias = corrected.bias().unwrap();
        assert!((bias.slope - 1.0).abs() < 1e-9 && bias.intercept.abs() < 1e-9, "{bias:?}");
    }

    #[test]
    fn what_was_corrected_can_be_taken_back() {
        let bias = Bias { slope: 0.6, intercept: 1.7, correlation: 0.5 };
        for seconds in [2.0, 70.0, 3_600.0, 1e6] {
            assert!((bias.uncorrected(bias.corrected(seconds)) / seconds - 1.0).abs() < 1e-9);
        }
    }

    /// E-S3.5: with natural logarithms the published line leaves 70 seconds as they are.
    #[test]
    fn the_published_line_moves_nothing_at_seventy_seconds() {
        let bias = Bias { slope: 0.6, intercept: 1.7, correlation: 0.48 };
        assert!((bias.corrected(70.1) - 70.1).abs() < 0.1);
    }

    #[test]
    fn nothing_is_corrected_by_a_few_outcomes_or_by_noise() {
        assert_eq!(line(29).correction(), None);
        let mut falling = BiasLine::default();
        for index in 1..=100 {
            falling.learn(f64::from(index), 1_000.0 / f64::from(index));
        }
        assert!(falling.bias().unwrap().slope < 0.0);
        assert_eq!(falling.correction(), None);
    }
}
