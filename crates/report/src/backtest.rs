//! A back-test as one page: whether ranges are kept, how far off the middle was beside the plan, who waited how long.
//!
//! For: an administrator who thinks of installing the service. The figures come ready; this draws them.
//!
//! Not for: judging, or writing files.

use crate::markup::{Element, element};
use crate::page::{document, file_name, framed, how_made, opening, table};
use crate::plot::axis::Axis;
use crate::plot::dot_rows::{DotRow, dot_rows};
use crate::plot::look::{self, Look};
use crate::plot::square::{Kept, furthest_off, square};
use crate::quantity::{duration, share};

const LEDE: &str = "Forecasts for past jobs, at their arrival and while they waited, each from what was known at that time. They are \
    compared with a limit-based estimate, which is what Slurm\u{2019}s backfill plans, and with the median of recent waits.";
const NOTE: &str = "Accounting does not store the output of squeue --start. The limit-based estimate replaces it: the same model of Slurm, \
    with every job running to its time limit. Forecasts of one queue have similar errors, so figures for a few days are less certain \
    than the number of forecasts suggests. Queuecast uses recent waits here as the daemon does; the daemon also sees holds, limits and \
    nodes, which are missing in a history.";
const RELIABILITY: &str = "Each forecast has nine quantiles, from 2.5\u{a0}% to 97.5\u{a0}%: times by which the job starts with that \
    probability. The horizontal axis is the probability, the vertical axis the share of jobs that had started by then. On the dotted \
    diagonal, the probabilities are right. Above it, jobs started earlier than forecast; below it, later. If many jobs start at once, \
    the curve begins high, because the earliest start that can be forecast is now.";
const BOTTOM: f64 = 360.0;

/// A page about one history.
#[derive(Clone, Debug)]
pub struct BacktestReport {
    /// The command that makes these figures again, in parts that should not be torn apart.
    pub command: Vec<String>,
    /// The history.
    pub trace: String,
    /// What was looked at, in a line.
    pub facts: String,
    /// The one thing to take away, in words; empty if there is none.
    pub finding: String,
    /// What was set, and what was left out.
    pub made: Vec<(&'static str, String)>,
    /// What was said, and what came.
    pub reliability: Vec<ReliabilityCurve>,
    /// Rows of dots.
    pub plots: Vec<DurationRows>,
    /// Figures as they are.
    pub tables: Vec<TextTable>,
}

/// Shares that were stated, and that came.
#[derive(Clone, Debug)]
pub struct ReliabilityCurve {
    /// Of which forecasts.
    pub name: String,
    /// Stated and came, in order.
    pub points: Vec<(f64, f64)>,
}

/// Durations of several kinds for each of several names.
#[derive(Clone, Debug)]
pub struct DurationRows {
    /// What it shows.
    pub title: String,
    /// How to read it.
    pub reading: String,
    /// What the dots of a row are.
    pub kinds: Vec<&'static str>,
    /// The rows: a name, what is to be said of it, and a duration in seconds of each kind.
    pub rows: Vec<(String, String, Vec<Option<f64>>)>,
}

/// Text in rows and columns; the first column is names.
#[derive(Clone, Debug)]
pub struct TextTable {
    /// What it shows.
    pub title: String,
    /// How to read it.
    pub reading: String,
    /// The columns' names.
    pub columns: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
}

impl BacktestReport {
    /// The page.
    pub fn html(&self) -> String {
        let title = format!("Queuecast and Slurm\u{2019}s estimate on {}", file_name(&self.trace));
        let finding = Some(&self.finding).filter(|finding| !finding.is_empty());
        let (first, rest) = self.tables.split_at(self.tables.len().min(1));
        let section = element("section")
            .child(element("h2").text(file_name(&self.trace)))
            .child(element("p").class("facts").text(&self.facts))
            .children(finding.map(|finding| element("p").class("finding").text(finding)))
            .children(first.iter().map(TextTable::draw))
            .child(self.reliability())
            .children(self.plots.iter().map(DurationRows::draw))
            .children(rest.iter().map(TextTable::draw));
        let body = element("main").child(opening("Queuecast back-test", &title, LEDE)).child(section);
        document(&title, body.child(how_made(&self.command, self.made.clone(), NOTE)))
    }

    fn reliability(&self) -> Element {
        let looks: Vec<Look> = (0..self.reliability.len()).map(|place| Look::of_method(place, false)).collect();
        let curves: Vec<Kept<'_>> = self.reliability.iter().zip(&looks).map(|(curve, look)| curve.kept(look)).collect();
        let names = self.reliability.iter().map(|curve| curve.name.as_str());
        let plot = square(BOTTOM, 0.0, "forecast probability of having started", "% started", &curves);
        let plot = element("div").class("square").child(plot);
        framed("Are the ranges well calibrated?", RELIABILITY).child(legend(names, &looks)).child(plot)
    }
}

impl ReliabilityCurve {
    fn kept<'a>(&self, look: &'a Look) -> Kept<'a> {
        let points = self.points.clone();
        let (stated, came) = furthest_off(&points);
        let tooltip =
            format!("{}: largest deviation at {}, where {} had started", self.name, share(stated), share(came));
        Kept { look, points, marked_every: 1, tooltip }
    }
}

fn legend<'a>(names: impl Iterator<Item = &'a str>, looks: &[Look]) -> Element {
    look::legend(names.zip(looks).map(|(name, look)| look.entry().text(name)))
}

impl DurationRows {
    fn draw(&self) -> Element {
        let looks: Vec<Look> = (0..self.kinds.len()).map(|place| Look::of_method(place, false)).collect();
        let known = self.rows.iter().flat_map(|(_, _, values)| values).flatten();
        // From a minute on: what is nearer is as good as exact, and zero has no place among factors.
        let longest = known.fold(600.0, |longest: f64, value| longest.max(*value));
        let axis = Axis::of_duration_factors(60.0, 1.1 * longest);
        let rows = self.rows.iter().map(|(name, note, values)| {
            let dot = |(kind, value): (&&str, &Option<f64>)| {
                value.map(|value| (value, format!("{name}, {kind}: {}", duration(value))))
            };
            DotRow { name: name.clone(), note: note.clone(), dots: self.kinds.iter().zip(values).map(dot).collect() }
        });
        let table = dot_rows(&axis, &looks, rows);
        framed(&self.title, &self.reading).child(legend(self.kinds.iter().copied(), &looks)).child(table)
    }
}

impl TextTable {
    fn draw(&self) -> Element {
        let class = |place: usize| if place == 0 { "name" } else { "number" };
        let header = self.columns.iter().enumerate();
        let header = header.map(|(place, name)| element("th").class(class(place)).with("scope", "col").text(name));
        let rows = self.rows.iter().map(|row| {
            element("tr").children(row.iter().enumerate().map(|(place, text)| {
                let cell = if place == 0 { element("th").with("scope", "row") } else { element("td") };
                cell.class(class(place)).text(text)
            }))
        });
        let header = element("tr").children(header);
        framed(&self.title, &self.reading).child(table("figures narrow plain", header, rows))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_names_stay_text() {
        let hostile = "<script>alert(1)</script>\"'&";
        let report = BacktestReport {
            command: vec![hostile.to_owned()],
            trace: hostile.to_owned(),
            facts: String::new(),
            finding: hostile.to_owned(),
            made: vec![("log", hostile.to_owned())],
            reliability: vec![ReliabilityCurve { name: hostile.to_owned(), points: vec![(0.5, 0.4), (0.9, 0.95)] }],
            plots: vec![DurationRows {
                title: String::new(),
                reading: String::new(),
                kinds: vec!["ours", "plan"],
                rows: vec![(hostile.to_owned(), hostile.to_owned(), vec![Some(0.0), None])],
            }],
            tables: vec![TextTable {
                title: String::new(),
                reading: String::new(),
                columns: vec!["name".to_owned()],
                rows: vec![vec![hostile.to_owned()]],
            }],
        };
        let page = report.html();
        assert!(!page.contains("<script") && page.matches("&lt;script&gt;").count() >= 7, "{page}");
        assert_eq!(page, report.html());
    }
}
