//! What the paper draws: speedup curves, predicted against actual queue times; and what we found, drawn.

use queuecast_evaluate::mouldable::AllocationSummary;
use queuecast_report::{Axis, Chart, CurvePanel, Drawn, Panel, REFERENCE_COLOUR, Row, RowPanel, Series};
use queuecast_simulate::mouldable::{Incentives, PredictedQueueTime};
use queuecast_workload::mouldable::Speedup;

use super::beyond::{Beyond, WAYS};
use super::tables::change_over_avg;
use super::workloads::{self, BIAS, BIAS_AVERSE, BIAS_LOCKED, BySeed, HEUR, Model, OPT, PRED, SystemRun};
use super::workloads::{BIAS_RIGHT, BIAS_RIGHT_AVERSE, BIAS_RIGHT_SHARED, OPT_SHARED, PRED_RIGHT};
use crate::{Effort, Measured, Picture};

/// Figure 2 of the paper.
pub fn speedups() -> Picture {
    const PARALLELISM: f64 = 64.0;
    let variances =
        [(0.0, "σ = 0"), (0.5, "σ = 0.5"), (1.0, "σ = 1"), (1.5, "σ = 1.5"), (2.0, "σ = 2"), (1e9, "σ = ∞")];
    let series = variances.into_iter().enumerate().map(|(colour, (variance, name))| {
        let speedup = Speedup::new(PARALLELISM, variance);
        let points = (1..=256).map(|processors| (f64::from(processors), speedup.on(f64::from(processors))));
        Series { name: name.to_owned(), colour, drawn: Drawn::Line(points.collect()) }
    });
    let panel = CurvePanel {
        title: "Average parallelism 64".to_owned(),
        across: Axis::of_numbers(0.0, 256.0),
        up: Axis::of_numbers(0.0, 70.0),
        across_label: "processors".to_owned(),
        up_label: "speedup".to_owned(),
        series: series.collect(),
    };
    Picture {
        file: "speedup.svg".to_owned(),
        caption: "Speedup for several variances in parallelism, as in the paper's Figure 2, from linear to the lowest possible."
            .to_owned(),
        svg: Chart { title: "Speedup curves".to_owned(), columns: 1, panels: vec![Panel::Curves(panel)] }.svg(),
    }
}

/// Figure 5 of the paper, and the same put right.
pub fn queue_times(effort: Effort) -> Picture {
    let panels = [
        ("PRED, equations as printed", Model::Printed, "pred"),
        ("BIAS, equations as printed", Model::Printed, "bias"),
        ("PRED, corrected and learnt", Model::Right, "pred"),
        ("BIAS, corrected and learnt", Model::Right, "bias"),
    ];
    let panels =
        panels.map(|(title, model, strategy)| scatter(title, &workloads::rebels_told(effort, model, strategy)));
    Picture {
        file: "queue-times.svg".to_owned(),
        caption: "Predicted and actual queue times of jobs at the queue head that decided to wait, as in the paper's Figure 5. Each \
                  dot is a prediction of one workload (at most 3,000 are drawn). The solid line is the geometric mean of the \
                  actual times for predictions of that length; on the dashed line, both times are equal."
            .to_owned(),
        svg: Chart { title: "Predicted and actual queue times".to_owned(), columns: 2, panels: panels.into() }.svg(),
    }
}

const DOTS_MOST: usize = 3_000;
const SHORTEST_SECONDS: f64 = 1.0;
const LONGEST_SECONDS: f64 = 100_000.0;

fn scatter(title: &str, incentives: &Incentives) -> Panel {
    let told = &incentives.by_strategy[0].queue_times;
    let point = |queue_time: &PredictedQueueTime| (queue_time.told_seconds, queue_time.actual_seconds);
    let every = told.len().div_ceil(DOTS_MOST).max(1);
    let dots = told.iter().step_by(every).map(point).collect();
    let series = vec![
        Series { name: "a prediction".to_owned(), colour: 0, drawn: Drawn::Dots(dots) },
        Series { name: "mean by length".to_owned(), colour: 1, drawn: Drawn::Line(means_by_length(told)) },
        Series {
            name: "equal".to_owned(),
            colour: REFERENCE_COLOUR,
            drawn: Drawn::Dashed(vec![(SHORTEST_SECONDS, SHORTEST_SECONDS), (LONGEST_SECONDS, LONGEST_SECONDS)]),
        },
    ];
    Panel::Curves(CurvePanel {
        title: title.to_owned(),
        across: Axis::of_duration_factors(SHORTEST_SECONDS, LONGEST_SECONDS),
        up: Axis::of_duration_factors(SHORTEST_SECONDS, LONGEST_SECONDS),
        across_label: "predicted".to_owned(),
        up_label: "actual".to_owned(),
        series,
    })
}

/// The geometric mean of the actual times of predictions of about one length, where there are enough.
fn means_by_length(told: &[PredictedQueueTime]) -> Vec<(f64, f64)> {
    const COLUMNS_PER_E: f64 = 2.0;
    const FEWEST: usize = 20;
    let mut columns: std::collections::BTreeMap<i64, Vec<f64>> = std::collections::BTreeMap::new();
    for queue_time in told {
        #[expect(clippy::cast_possible_truncation, reason = "a few dozens")]
        let column = (queue_time.told_seconds.max(SHORTEST_SECONDS).ln() * COLUMNS_PER_E).floor() as i64;
        columns.entry(column).or_default().push(queue_time.actual_seconds.max(SHORTEST_SECONDS).ln());
    }
    let enough = columns.into_iter().filter(|(_, actual)| actual.len() >= FEWEST);
    enough
        .map(|(column, actual)| {
            let middle = ((column as f64 + 0.5) / COLUMNS_PER_E).exp();
            (middle, (actual.iter().sum::<f64>() / actual.len() as f64).exp())
        })
        .collect()
}

/// Table 2, drawn, with what is ours.
pub fn strategies(seeds: &BySeed) -> Picture {
    let rows: [(&str, SystemRun, usize); 11] = [
        ("OPT", OPT, 0),
        ("HEUR", HEUR, 0),
        ("PRED, published", PRED, 1),
        ("BIAS, published", BIAS, 1),
        ("BIAS lock-in, published", BIAS_LOCKED, 1),
        ("BIAS lock-in, risk, published", BIAS_AVERSE, 1),
        ("PRED, corrected", PRED_RIGHT, 2),
        ("BIAS, corrected", BIAS_RIGHT, 2),
        ("BIAS lock-in, risk, corrected", BIAS_RIGHT_AVERSE, 2),
        ("BIAS pays for all, corrected", BIAS_RIGHT_SHARED, 2),
        ("OPT pays for all", OPT_SHARED, 0),
    ];
    let panel = |title: &str, figure: fn(&AllocationSummary) -> f64| {
        let rows: Vec<Row> =
            rows.iter().map(|(name, run, colour)| row(name, *colour, change_over_avg(seeds, *run, figure))).collect();
        changes(title, rows)
    };
    let panels = vec![
        panel("Mean turnaround", |summary| summary.turnaround_seconds),
        panel("Utilisation", |summary| summary.utilisation),
    ];
    Picture {
        file: "strategies.svg".to_owned(),
        caption: "Change from AVG (dashed) if all jobs follow a strategy, with its 95 % interval over workloads. Left of the \
                  line is better for turnaround, right of it for utilisation."
            .to_owned(),
        svg: Chart { title: "Strategies compared with AVG".to_owned(), columns: 2, panels }.svg(),
    }
}

/// The same on real logs.
pub fn beyond(logs: &[Beyond]) -> Picture {
    let panel = |log: &Beyond| {
        let rows = WAYS.iter().enumerate().skip(1);
        let rows = rows.map(|(index, way)| {
            let colour = way.name.split(',').next().map_or(0, |kind| match kind {
                "rigid" => 0,
                "AVG" => 3,
                "selfish" => 1,
                _ => 2,
            });
            row(way.name, colour, log.change(index, 0))
        });
        changes(&log.log, rows.collect())
    };
    Picture {
        file: "beyond.svg".to_owned(),
        caption:
            "Jobs of real logs made mouldable: change in mean turnaround from the same jobs as rigid jobs, backfilled and \
                  planned with limits (dashed)."
                .to_owned(),
        svg: Chart {
            title: "Does it help to choose the job size?".to_owned(),
            columns: 1,
            panels: logs.iter().map(panel).collect(),
        }
        .svg(),
    }
}

fn row(name: &str, colour: usize, measured: Measured) -> Row {
    let or_nothing = |value: Option<f64>| value.unwrap_or(f64::NAN);
    Row {
        name: name.to_owned(),
        colour,
        value: or_nothing(measured.measured),
        low: or_nothing(measured.low95),
        high: or_nothing(measured.high95),
    }
}

fn changes(title: &str, rows: Vec<Row>) -> Panel {
    let (low, high) = Axis::range_of_dots(rows.iter().map(|row| row.low), rows.iter().map(|row| row.high));
    Panel::Rows(RowPanel {
        title: title.to_owned(),
        across: Axis::linear(low.min(0.0), high.max(0.0), 1.0, "%", 5),
        across_label: "change".to_owned(),
        reference: Some(0.0),
        rows,
    })
}
