//! Figures 4 and 5: what was measured for every predictor on every log, drawn. The paper's bars are not in its text, so
//! there is nothing to lay beside ours but its tables.

use queuecast_report::{Axis, Chart, Panel, Row, RowPanel};

use super::shaken_runs::{
    ACCURACY, BALANCED, BEST_SESSION, EASY, EPX_SESSION, ESTIMATE, Figure, INACCURACY, PERFECT, RECENT,
    RECENT_PROPAGATED, Run, SLOWDOWN, ShakenRuns, UNBALANCED, WAIT,
};
use crate::Picture;

/// Colours of the rows.
const BASELINE: usize = 0;
const REFERENCE: usize = 1;
const SESSIONS: usize = 2;
const WITHOUT_ESTIMATES: usize = 3;

type Bar = (&'static str, Run, usize);

/// Figure 4.
pub fn reference_predictors(shaken: &ShakenRuns<'_>) -> Picture {
    let bars = [
        ("EASY", EASY, BASELINE),
        ("Estimate", ESTIMATE, REFERENCE),
        ("RUH", RECENT, REFERENCE),
        ("RUH, propagated", RECENT_PROPAGATED, REFERENCE),
        ("Perfect", PERFECT, REFERENCE),
    ];
    Picture {
        file: "reference-predictors.svg".to_owned(),
        caption: "Performance and accuracy of the reference predictors, as in the paper's Figure 4: means over shaken \
                  replicates with their 95 % interval; the dashed line is EASY."
            .to_owned(),
        svg: chart(shaken, "Reference predictors", &bars, EASY),
    }
}

/// Figure 5.
pub fn sessions(shaken: &ShakenRuns<'_>) -> Picture {
    let bars = [
        ("RUH, propagated", RECENT_PROPAGATED, REFERENCE),
        ("SBH [PE,P,E,*]", BEST_SESSION, SESSIONS),
        ("SBH [E,P,X]", EPX_SESSION, SESSIONS),
        ("balanced [PX,P,X,*]", BALANCED, WITHOUT_ESTIMATES),
        ("unbalanced [PX,P,X,*]", UNBALANCED, WITHOUT_ESTIMATES),
    ];
    Picture {
        file: "sessions.svg".to_owned(),
        caption: "Recent user history, sessions, and sessions without estimates, as in the paper's Figure 5: means over \
                  shaken replicates with their 95 % interval; the dashed line is recent user history. The absolute inaccuracy of \
                  unbalanced growth has no bound and is left out, as in the paper."
            .to_owned(),
        svg: chart(shaken, "RUH, sessions and no estimates", &bars, RECENT_PROPAGATED),
    }
}

fn chart(shaken: &ShakenRuns<'_>, title: &str, bars: &[Bar], reference: Run) -> String {
    let figures = [WAIT, SLOWDOWN, INACCURACY, ACCURACY];
    let every = shaken.logs_in_mean().flat_map(|log| figures.map(|figure| (log, figure)));
    let panels = every.map(|(log, figure)| Panel::Rows(panel(shaken, log, figure, bars, reference)));
    Chart { title: title.to_owned(), columns: 2, panels: panels.collect() }.svg()
}

fn panel(shaken: &ShakenRuns<'_>, log: usize, figure: Figure, bars: &[Bar], reference: Run) -> RowPanel {
    let in_unit = unit(figure);
    let has_meaning = |run: Run| !(run == UNBALANCED && figure.words == INACCURACY.words);
    let rows: Vec<Row> = bars
        .iter()
        .filter(|(_, run, _)| has_meaning(*run))
        .map(|(name, run, colour)| {
            let spread = shaken.of(log, *run, figure).spread();
            // A single replicate has no interval, and is its own.
            let [low, high] = [spread.low95, spread.high95].map(|end| if end.is_finite() { end } else { spread.mean });
            let [value, low, high] = [spread.mean, low, high].map(|value| value * in_unit.factor);
            Row { name: (*name).to_owned(), colour: *colour, value, low, high }
        })
        .collect();
    let (low, high) = Axis::range_of_dots(rows.iter().map(|row| row.low), rows.iter().map(|row| row.high));
    RowPanel {
        title: format!("{}: {}", shaken.logs[log].name, figure.words),
        across: Axis::linear(low, high, 1.0, in_unit.suffix, 4),
        across_label: in_unit.label.to_owned(),
        reference: Some(shaken.of(log, reference, figure).spread().mean * in_unit.factor),
        rows,
    }
}

/// How a figure is shown.
struct Unit {
    factor: f64,
    suffix: &'static str,
    label: &'static str,
}

fn unit(figure: Figure) -> Unit {
    match figure.words {
        words if words == WAIT.words || words == INACCURACY.words => {
            Unit { factor: 1.0 / 60.0, suffix: "", label: "minutes" }
        }
        words if words == ACCURACY.words => Unit { factor: 100.0, suffix: "%", label: "per cent" },
        _ => Unit { factor: 1.0, suffix: "", label: "bounded slowdown" },
    }
}
