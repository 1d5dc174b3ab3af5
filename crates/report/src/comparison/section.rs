//! One trace of a report: what was found, and every plot of it.

use queuecast_evaluate::{Comparison, Portrait};

use super::accuracy_plot::accuracy_plot;
use super::cast::Cast;
use super::class_plot::class_plots;
use super::dot_plot::dot_plot;
use super::figure_table::figure_table;
use super::timeline_plot::timeline_plots;
use crate::markup::{Element, element};
use crate::page::file_name;
use crate::quantity::{change, count, duration, number};

const SLOWDOWN_READING: &str = "Bounded slowdown is the time from submission to end, divided by the run time: 1 means \
    no wait. The dot is the mean over the replicates, the whiskers its 95\u{a0}% interval. The dotted line marks the \
    baseline, and the axis may begin above zero. The change from the baseline is paired by replicate, and bold if its \
    whole interval is on one side of zero. \u{201c}Better in\u{201d} counts the replicates with a better figure than \
    the baseline.";
const WAIT_READING: &str = "The same for the mean wait. Long and large jobs dominate it, whereas short jobs \
    dominate the slowdown.";

/// A trace that was compared.
#[derive(Clone, Debug)]
pub struct TraceSection {
    /// Its name.
    pub trace: String,
    /// How many jobs were replayed.
    pub jobs: u64,
    /// What was left out and why, in words; empty if nothing was.
    pub left_out: String,
    /// What came out.
    pub comparison: Comparison,
    /// The curves, one for each configuration.
    pub portraits: Vec<Portrait>,
}

impl TraceSection {
    /// The trace's name without its folder.
    pub fn title(&self) -> &str {
        file_name(&self.trace)
    }

    /// What the page's own links call it.
    pub fn anchor(place: usize) -> String {
        format!("trace-{}", place + 1)
    }

    /// The section, the `place`-th of its page.
    pub fn html(&self, place: usize) -> Element {
        let cast = Cast::new(&self.comparison);
        let section = element("section").with("id", Self::anchor(place)).child(element("h2").text(self.title()));
        section
            .child(element("p").class("facts").text(self.facts()))
            .child(element("p").class("finding").text(self.finding()))
            .child(dot_plot(&cast, "Mean bounded slowdown", "bounded_slowdown.mean", SLOWDOWN_READING))
            .child(dot_plot(&cast, "Mean wait", "wait.mean", WAIT_READING))
            .children(accuracy_plot(&cast, &self.portraits))
            .children(timeline_plots(&cast, &self.portraits))
            .child(class_plots(&cast))
            .child(figure_table(&cast))
    }

    fn facts(&self) -> String {
        let baseline = &self.comparison.compared()[self.comparison.baseline()];
        let span = baseline.summary.makespan_seconds;
        let processors = baseline.configuration.machine.processors;
        let left_out = if self.left_out.is_empty() { String::new() } else { format!("; left out: {}", self.left_out) };
        format!("{} jobs in {} on {} processors{left_out}", count(self.jobs), duration(span), count(processors.into()))
    }

    /// The one thing to take away: which configuration had the least mean bounded slowdown, the oracle aside.
    fn finding(&self) -> String {
        let figures = self.comparison.figure("bounded_slowdown.mean");
        let all = self.comparison.compared().iter().zip(&figures).enumerate();
        let knowable = all.filter(|(_, (compared, _))| !compared.is_bound());
        let best = knowable.min_by(|(_, (_, one)), (_, (_, other))| one.shaken.mean.total_cmp(&other.shaken.mean));
        let Some((place, (compared, figure))) = best else {
            return "Only the oracle was compared: the figures show the effect of perfect predictions.".to_owned();
        };
        let (name, mean) = (Cast::name(compared), number(figure.shaken.mean));
        let Some(over) = figure.over_baseline else {
            return format!(
                "The baseline, {name}, has the lowest mean bounded slowdown except for the oracle: {mean}."
            );
        };
        let change = change(over.mean, over.half_width());
        let doubt = if over.is_clear() { "" } else { ", which may be noise" };
        let longest = self.comparison.figure("wait.max");
        let longest_of = |place: usize| duration(longest[place].shaken.mean);
        format!(
            "{name} has the lowest mean bounded slowdown: {mean}, {change} from the baseline{doubt}. Its longest \
             wait is {}, that of the baseline {}.",
            longest_of(place),
            longest_of(self.comparison.baseline())
        )
    }
}
