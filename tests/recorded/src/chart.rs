//! The picture of the report: how often 80 % ranges held, by the time that was left, a panel a stretch.

use queuecast_report::{Axis, Chart, Panel, Row, RowPanel};

use crate::judged::StretchFigures;
use crate::measures::Share;

/// So many standard errors either way; readings of the same job are not independent, so it is an interval at least.
const STANDARD_ERRORS: f64 = 1.96;

/// The picture.
pub fn calibration(stretches: &[&StretchFigures]) -> String {
    let panels = stretches.iter().map(|figures| {
        let rows = figures.ranges.by_time_left.iter().filter_map(|(name, share)| row(name, *share));
        Panel::Rows(RowPanel {
            title: figures.name.clone(),
            across: Axis::linear(0.0, 1.0, 0.01, "%", 5),
            across_label: "80 % ranges that held, %".to_owned(),
            reference: Some(0.8),
            rows: rows.collect(),
        })
    });
    Chart {
        title: "How often 80 % ranges held, by the time that was left".to_owned(),
        columns: 2,
        panels: panels.collect(),
    }
    .svg()
}

fn row(name: &str, share: Share) -> Option<Row> {
    let value = share.number()?;
    let error = STANDARD_ERRORS * (value * (1.0 - value) / share.of as f64).sqrt();
    Some(Row {
        name: format!("{name} ({})", share.of),
        colour: 0,
        value,
        low: (value - error).max(0.0),
        high: (value + error).min(1.0),
    })
}
