//! Figures 14 to 16 of the paper: distributions of estimates, real and made up, and what becomes of schedules.

use queuecast_report::{Axis, Chart, CurvePanel, Drawn, Panel, Row, RowPanel, Series};
use queuecast_workload::Seconds;
use queuecast_workload::generate::estimates::{EstimateError, EstimateShare};
use rand::SeedableRng;
use rand_pcg::Pcg64;

use super::logs::LOGS;
use super::model::{Model, modelled};
use super::simulated::{Figure, Schedules, seed_of};
use super::tables::weighted;
use super::workload::Workload;
use crate::Picture;

/// Seeds a curve is drawn for, as in the paper.
const SEEDS: u32 = 4;
const REAL: usize = 0;
const VANILLA: usize = 1;
const IMPROVED: usize = 2;
const RIVAL: usize = 3;

/// Figures 14 and 15.
pub fn distributions(workloads: &[Workload], seed: u64) -> Result<Picture, EstimateError> {
    let mut panels = Vec::new();
    for (workload, specification) in workloads.iter().zip(&LOGS) {
        let mut series = Vec::new();
        let told: [(&str, usize, &[EstimateShare]); 2] =
            [("vanilla", VANILLA, &workload.vanilla), ("improved", IMPROVED, &workload.improved)];
        for (name, colour, told) in told {
            for number in 0..SEEDS {
                let mut generator = Pcg64::seed_from_u64(seed_of(seed, number));
                let distribution = modelled(workload, told, &mut generator)?;
                let shares = distribution.shares().iter().map(|share| (share.time, share.per_cent));
                series.push(curve(name, colour, shares));
            }
        }
        // Last, so that it lies on top.
        let real = weighted(&workload.distribution(specification.particulars.without_sole_owner));
        series.push(curve("real", REAL, real.into_iter()));
        panels.push(Panel::Curves(CurvePanel {
            title: workload.name.clone(),
            across: Axis::of_duration_factors(SHORTEST_SECONDS, specification.particulars.maximum.as_f64()),
            up: Axis::linear(0.0, 100.0, 1.0, "%", 5),
            across_label: "estimate".to_owned(),
            up_label: "jobs with at most this estimate".to_owned(),
            series,
        }));
    }
    let title = "Users' estimates, real and modelled".to_owned();
    Ok(Picture {
        file: "estimates.svg".to_owned(),
        caption: format!(
            "Distributions of estimates, as in the paper's Figures 14 and 15: the estimates of the log, and those of the model \
             with its vanilla and improved settings, {SEEDS} seeds each."
        ),
        svg: Chart { title, columns: 2, panels }.svg(),
    })
}

/// Where the curves begin.
const SHORTEST_SECONDS: f64 = 60.0;

fn curve(name: &str, colour: usize, weights: impl Iterator<Item = (Seconds, f64)>) -> Series {
    Series { name: name.to_owned(), colour, drawn: Drawn::Steps(cumulative(weights)) }
}

/// Each estimate with the per cent of the jobs at or below it.
fn cumulative(weights: impl Iterator<Item = (Seconds, f64)>) -> Vec<(f64, f64)> {
    let mut sum = 0.0;
    let mut points: Vec<(f64, f64)> = weights
        .map(|(time, weight)| {
            sum += weight;
            (time.as_f64(), sum)
        })
        .collect();
    for point in &mut points {
        point.1 *= 100.0 / sum;
    }
    points
}

/// Figure 16.
pub fn schedules(runs: &Schedules<'_>) -> Picture {
    let models = || Model::ALL.into_iter().filter(|model| *model != Model::Original);
    let mut panels = Vec::new();
    for (log, workload) in runs.workloads.iter().enumerate() {
        for figure in Figure::ALL {
            let shaken = runs.distances_when_shaken(log, figure);
            let original = ("original, shaken".to_owned(), REAL, shaken);
            let modelled = models().map(|model| (model.name(), colour(model), runs.distances(log, model, figure)));
            let rows: Vec<Row> = modelled
                .chain([original])
                .map(|(name, colour, distances)| {
                    let (mean, deviation) = (distances.spread().mean, distances.mean_absolute_deviation());
                    Row { name, colour, value: mean, low: mean - deviation, high: mean + deviation }
                })
                .collect();
            let (low, high) = Axis::range_of_dots(rows.iter().map(|row| row.low), rows.iter().map(|row| row.high));
            panels.push(Panel::Rows(RowPanel {
                title: format!("{}: {}", workload.name, figure.words()),
                across: Axis::linear(low.min(0.0), high.max(0.0), 1.0, "%", 4),
                across_label: "change from the original".to_owned(),
                reference: Some(0.0),
                rows,
            }));
        }
    }
    Picture {
        file: "schedules.svg".to_owned(),
        caption: "EASY with model estimates, as in the paper's Figure 16: change in mean wait and mean bounded slowdown from the \
                  original estimates. Dots are means over seeds, whiskers are mean absolute deviations, and the dashed line \
                  is the original."
            .to_owned(),
        svg: Chart { title: "Schedules with model estimates".to_owned(), columns: 2, panels }.svg(),
    }
}

fn colour(model: Model) -> usize {
    match model {
        Model::Original
        | Model::Doubled
        | Model::Shuffled
        | Model::SessionsShuffled
        | Model::SessionsForgetful
        | Model::SessionsTransferred => REAL,
        Model::Factor(_) | Model::Feitelson => RIVAL,
        Model::Vanilla | Model::SessionsVanilla => VANILLA,
        Model::Improved | Model::SessionsImproved => IMPROVED,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_rises_to_everybody() {
        let points = cumulative([(Seconds(60), 1.0), (Seconds(300), 2.0), (Seconds(900), 1.0)].into_iter());
        assert_eq!(points, [(60.0, 25.0), (300.0, 75.0), (900.0, 100.0)]);
    }
}
