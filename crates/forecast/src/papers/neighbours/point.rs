//! One number from the waits of neighbours (R-K4).
//!
//! The paper names scikit-learn's regressions and finds little between them and the weighted mean. Here linear
//! regression has a small ridge, for neighbours may be fewer than features, and kernel regression is that of Nadaraya
//! and Watson with a radial kernel, which takes one pass; both look at features brought to mean zero and spread one
//! among the neighbours. Neither may leave the range of the neighbours' waits: beyond it they would only extrapolate.
//! Polynomial and sigmoid kernels of degree 19 are left out; they have no use beyond the paper's table, which is lost
//! (R-K8).

use super::distance::Neighbour;
use super::feature_row::{FEATURES, FeatureRow};
use super::history::History;

/// How neighbours' waits become one number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PointEstimate {
    /// The mean, weighted with inverse distances: the paper's choice.
    #[default]
    WeightedMean,
    /// Linear regression of waits on features.
    Linear,
    /// Kernel regression of waits on features.
    RadialKernel,
}

/// Added to every feature's variance (which is one): how much evidence a slope needs, in neighbours.
const RIDGE_NEIGHBOURS: f64 = 1.0;

impl PointEstimate {
    /// The number; zero without neighbours.
    pub(crate) fn of(self, features: &FeatureRow, neighbours: &[Neighbour], history: &History) -> f64 {
        let waits = || neighbours.iter().map(|neighbour| history.waits_seconds()[neighbour.place]);
        if neighbours.is_empty() {
            return 0.0;
        }
        let (least, most) =
            waits().fold((f64::INFINITY, 0.0_f64), |(least, most), wait| (least.min(wait), most.max(wait)));
        let estimate = match self {
            Self::WeightedMean => weighted_mean(waits().zip(neighbours.iter().map(|neighbour| neighbour.weight))),
            Self::Linear => linear(&Standardised::new(features, neighbours, history), waits()),
            Self::RadialKernel => {
                let standardised = Standardised::new(features, neighbours, history);
                weighted_mean(waits().zip(standardised.rows.iter().map(|row| standardised.kernel(row))))
            }
        };
        if estimate.is_finite() { estimate.clamp(least, most) } else { waits().sum::<f64>() / neighbours.len() as f64 }
    }
}

fn weighted_mean(values: impl Iterator<Item = (f64, f64)>) -> f64 {
    let (sum, weights) =
        values.fold((0.0, 0.0), |(sum, weights), (value, weight)| (sum + value * weight, weights + weight));
    sum / weights
}

/// The asking job and its neighbours, every feature with mean zero and spread one among the neighbours.
struct Standardised {
    own: FeatureRow,
    rows: Vec<FeatureRow>,
}

impl Standardised {
    fn new(features: &FeatureRow, neighbours: &[Neighbour], history: &History) -> Self {
        let mut rows: Vec<FeatureRow> = neighbours.iter().map(|neighbour| history.row(neighbour.place)).collect();
        let mut own = *features;
        for place in 0..FEATURES {
            let mean = rows.iter().map(|row| row[place]).sum::<f64>() / rows.len() as f64;
            let variance = rows.iter().map(|row| (row[place] - mean).powi(2)).sum::<f64>() / rows.len() as f64;
            // Where all neighbours agree there is nothing to learn.
            let scale = if variance > 0.0 { variance.sqrt().recip() } else { 0.0 };
            for row in &mut rows {
                row[place] = (row[place] - mean) * scale;
            }
            own[place] = (own[place] - mean) * scale;
        }
        Self { own, rows }
    }

    /// The radial kernel between the asking job and another, one over the number of features wide (libsvm's default).
    fn kernel(&self, row: &FeatureRow) -> f64 {
        let squares: f64 = self.own.iter().zip(row).map(|(own, other)| (own - other).powi(2)).sum();
        (-squares / FEATURES as f64).exp()
    }
}

/// Ridge regression by Cholesky's factors of the normal equations.
fn linear(standardised: &Standardised, waits: impl Iterator<Item = f64> + Clone) -> f64 {
    let rows = &standardised.rows;
    let mean = waits.clone().sum::<f64>() / rows.len() as f64;
    let mut products = [[0.0; FEATURES]; FEATURES];
    let mut slopes = [0.0; FEATURES];
    for (row, wait) in rows.iter().zip(waits) {
        for (place, value) in row.iter().enumerate() {
            slopes[place] += value * (wait - mean);
            for (product, other) in products[place].iter_mut().zip(&row[..=place]) {
                *product += value * other;
            }
        }
    }
    for (place, row) in products.iter_mut().enumerate() {
        row[place] += RIDGE_NEIGHBOURS;
    }
    solve(&mut products, &mut slopes);
    mean + slopes.iter().zip(&standardised.own).map(|(slope, own)| slope * own).sum::<f64>()
}

/// Solves a symmetric, positive definite system, given by its lower half; the right side becomes the answer.
fn solve(matrix: &mut [[f64; FEATURES]; FEATURES], side: &mut FeatureRow) {
    for row in 0..FEATURES {
        for column in 0..=row {
            let known: f64 = (0..column).map(|place| matrix[row][place] * matrix[column][place]).sum();
            let rest = matrix[row][column] - known;
            matrix[row][column] = if row == column { rest.sqrt() } else { rest / matrix[column][column] };
        }
        let known: f64 = (0..row).map(|place| matrix[row][place] * side[place]).sum();
        side[row] = (side[row] - known) / matrix[row][row];
    }
    for row in (0..FEATURES).rev() {
        let known: f64 = (row + 1..FEATURES).map(|place| matrix[place][row] * side[place]).sum();
        side[row] = (side[row] - known) / matrix[row][row];
    }
}

#[cfg(test)]
mod tests {
    use queuecast_workload::{JobId, Time};

    use super::*;
    use queuecast_testkit::submission;

    fn row(first: f64) -> FeatureRow {
        let mut row = [2.0; FEATURES];
        row[0] = first;
        row
    }

    /// Jobs that wait ten times their first feature.
    fn tenfold(firsts: &[i32]) -> (History, Vec<Neighbour>) {
        let mut history = History::new(firsts.len());
        for (job, first) in (0..).zip(firsts) {
            history.arrive(JobId(job), row(f64::from(*first)));
            history.start(&submission(job, 0, 1, None), Time(i64::from(10 * first)));
        }
        (history, (0..firsts.len()).map(|place| Neighbour { place, weight: 1.0 }).collect())
    }

    #[test]
    fn weights_pull_the_mean() {
        let (history, mut neighbours) = tenfold(&[1, 4]);
        neighbours[0].weight = 2.0;
        assert!((PointEstimate::WeightedMean.of(&row(0.0), &neighbours, &history) - 20.0).abs() < 1e-9);
    }

    #[test]
    fn a_line_is_found_and_not_left() {
        let firsts: Vec<i32> = (0..400).collect();
        let (history, neighbours) = tenfold(&firsts);
        let inside = PointEstimate::Linear.of(&row(300.0), &neighbours, &history);
        assert!((inside - 3_000.0).abs() < 5.0, "{inside}");
        let beyond = PointEstimate::Linear.of(&row(1_000.0), &neighbours, &history);
        assert!((beyond - 3_990.0).abs() < 1e-9, "{beyond}");
    }

    #[test]
    fn a_kernel_prefers_the_nearer() {
        let (history, neighbours) = tenfold(&[0, 0, 0, 100]);
        let near = PointEstimate::RadialKernel.of(&row(100.0), &neighbours, &history);
        let far = PointEstimate::RadialKernel.of(&row(0.0), &neighbours, &history);
        assert!(near > 250.0 && far < 250.0, "{near} {far}");
    }

    #[test]
    fn one_neighbour_says_what_it_waited() {
        let (history, neighbours) = tenfold(&[7]);
        for estimate in [PointEstimate::WeightedMean, PointEstimate::Linear, PointEstimate::RadialKernel] {
            assert!((estimate.of(&row(1.0), &neighbours, &history) - 70.0).abs() < 1e-9, "{estimate:?}");
            assert!(estimate.of(&row(1.0), &[], &history).abs() < 1e-9, "{estimate:?}");
        }
    }
}
