//! What the paper draws, and what we add.

use queuecast_evaluate::Replicates;
use queuecast_report::{Axis, Chart, Panel, Row, RowPanel};

use super::experiment::{Experiment, LEAST_COMPLETION, LEAST_PREDICTED, LEAST_WAIT};
use super::scenarios::{SCENARIO_STRATEGIES, Scenarios};
use crate::Picture;

/// Figure 3, and the same with the largest site busy and without it.
pub fn super_experiment(six: &Experiment, six_busy: &Experiment, five: &Experiment) -> Picture {
    let panel = |title: &str, experiment: &Experiment| {
        minutes(title, "mean wait", rows(experiment.strategies, |strategy| experiment.wait_minutes(strategy)))
    };
    Picture {
        file: "sites.svg".to_owned(),
        caption:
            "Mean wait of all jobs by the strategy that chooses the site, with its 95 % interval over shaken replicates: as in the \
                  paper's Figure 3, from day 120 of each log, when the largest site is busy, and without that site."
                .to_owned(),
        svg: Chart {
            title: "Where should jobs go?".to_owned(),
            columns: 3,
            panels: vec![panel("Six sites", six), panel("Six, from day 120", six_busy), panel("Five sites", five)],
        }
        .svg(),
    }
}

/// Sites of different speed.
pub fn speeds(experiment: &Experiment) -> Picture {
    let waits = rows(experiment.strategies, |strategy| experiment.wait_minutes(strategy));
    let turnarounds = rows(experiment.strategies, |strategy| experiment.turnaround_minutes(strategy));
    let panels = vec![minutes("Wait", "mean wait", waits), minutes("Turnaround", "mean turnaround", turnarounds)];
    Picture {
        file: "speeds.svg".to_owned(),
        caption:
            "Five sites of different speed: mean wait and mean turnaround by the strategy that chooses the site, with 95 % \
                  intervals over shaken replicates."
                .to_owned(),
        svg: Chart { title: "Sites of different speed".to_owned(), columns: 2, panels }.svg(),
    }
}

/// Table 8, drawn.
pub fn scenarios(by_density: &[Scenarios]) -> Picture {
    let titles = ["Times between jobs as in Table 5", "Three quarters of these times"];
    let panels = titles.into_iter().zip(by_density).map(|(title, scenarios)| {
        minutes(title, "mean wait", rows(&SCENARIO_STRATEGIES, |strategy| scenarios.wait_minutes(strategy)))
    });
    Picture {
        file: "scenarios.svg".to_owned(),
        caption:
            "Mean wait over the 32 synthetic scenarios, with its 95 % interval over seeds. Published values for the left panel: \
                  static 196 min, least-loaded 105 min, least-predicted 52 min."
                .to_owned(),
        svg: Chart { title: "Synthetic scenarios".to_owned(), columns: 2, panels: panels.collect() }.svg(),
    }
}

/// Of one colour what forecasts nothing, of another the paper's, of a third ours.
fn rows(strategies: &[&str], figure: impl Fn(&str) -> Replicates) -> Vec<Row> {
    let row = |strategy: &&str| {
        let spread = figure(strategy).spread();
        let colour = match *strategy {
            LEAST_PREDICTED => 1,
            LEAST_WAIT | LEAST_COMPLETION => 2,
            _ => 0,
        };
        Row { name: (*strategy).to_owned(), colour, value: spread.mean, low: spread.low95, high: spread.high95 }
    };
    strategies.iter().map(row).collect()
}

fn minutes(title: &str, label: &str, rows: Vec<Row>) -> Panel {
    let (_, high) = Axis::range_of_dots(rows.iter().map(|row| row.low), rows.iter().map(|row| row.high));
    Panel::Rows(RowPanel {
        title: title.to_owned(),
        across: Axis::linear(0.0, high.max(1.0), 1.0, "min", 5),
        across_label: label.to_owned(),
        reference: None,
        rows,
    })
}
