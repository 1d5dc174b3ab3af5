//! Mean waits of narrow and wide, short and long jobs: who gains and who pays.

use queuecast_evaluate::{ClassSummary, Compared};
use queuecast_workload::Seconds;

use super::cast::Cast;
use crate::markup::{Element, element};
use crate::page::framed;
use crate::plot::axis::Axis;
use crate::plot::dot_rows::{DotRow, dot_rows};
use crate::quantity::{count, duration, whole_duration};

/// Beyond this factor between the longest and the shortest wait a linear axis would show only the long ones.
const FACTOR_FOR_LOGARITHM: f64 = 20.0;

const HOW_TO_READ: &str = "Mean wait of each class on the log as it is, without shaking, with one dot for each \
    configuration, in the order of the legend. The axis is logarithmic if waits differ widely. A policy can shorten the \
    overall mean at the expense of large or long jobs, which this plot shows. Small classes are noisy.";

/// Both ways to divide jobs, side by side where there is room.
pub fn class_plots(cast: &Cast<'_>) -> Element {
    let by_size = Classes { cast, summaries: |compared| &compared.summary.by_size, name: size_class };
    let by_length = Classes { cast, summaries: |compared| &compared.summary.by_length, name: length_class };
    let pair = [by_size.draw("by processors"), by_length.draw("by run time")];
    framed("Mean wait by class", HOW_TO_READ).child(cast.legend()).child(element("div").class("pair").children(pair))
}

struct Classes<'a> {
    cast: &'a Cast<'a>,
    /// Its classes, from a configuration's summary.
    summaries: fn(&Compared) -> &[ClassSummary],
    /// What a class is called, from the bound of the one before it and its own.
    name: fn(Option<i64>, Option<i64>) -> String,
}

impl Classes<'_> {
    fn draw(&self, title: &str) -> Element {
        let waits: Vec<f64> = self.cast.members().flat_map(|(_, compared, _)| self.waits(compared)).collect();
        let axis = axis_for(&waits);
        let first = &self.cast.comparison.compared()[0];
        let mut below = None;
        let mut rows = Vec::new();
        for (place, class) in (self.summaries)(first).iter().enumerate() {
            if class.jobs > 0 {
                rows.push(self.row(place, class, below));
            }
            below = class.up_to;
        }
        element("div").child(element("h4").text(title)).child(dot_rows(&axis, &self.cast.looks, rows))
    }

    fn waits(&self, compared: &Compared) -> Vec<f64> {
        let classes = (self.summaries)(compared).iter();
        classes.filter(|class| class.jobs > 0).map(|class| class.wait_mean).collect()
    }

    fn row(&self, place: usize, class: &ClassSummary, below: Option<i64>) -> DotRow {
        let name = (self.name)(below, class.up_to);
        let note = if class.jobs == 1 { "1 job".to_owned() } else { format!("{} jobs", count(class.jobs)) };
        let dots = self.cast.members().map(|(_, compared, _)| {
            let mean = (self.summaries)(compared).get(place)?.wait_mean;
            Some((mean, format!("{name}, {}: {}", Cast::name(compared), duration(mean))))
        });
        DotRow { dots: dots.collect(), name, note }
    }
}

fn axis_for(waits: &[f64]) -> Axis {
    let longest = waits.iter().copied().fold(0.0, f64::max);
    let shortest = waits.iter().copied().fold(longest, f64::min);
    if longest > FACTOR_FOR_LOGARITHM * shortest.max(1.0) {
        Axis::of_duration_factors(shortest, longest * 1.1)
    } else {
        Axis::of_durations(0.0, (longest * 1.05).max(1.0))
    }
}

fn size_class(below: Option<i64>, up_to: Option<i64>) -> String {
    let whole = |bound: i64| count(bound.unsigned_abs());
    match (below, up_to) {
        (None, Some(1)) => "1 processor".to_owned(),
        (below, Some(up_to)) => format!("{} to {}", whole(below.unwrap_or(0) + 1), whole(up_to)),
        (below, None) => format!("over {}", whole(below.unwrap_or(0))),
    }
}

fn length_class(below: Option<i64>, up_to: Option<i64>) -> String {
    let bound = |seconds: i64| whole_duration(Seconds(seconds));
    match (below, up_to) {
        (None, Some(up_to)) => format!("up to {}", bound(up_to)),
        (Some(below), Some(up_to)) => format!("{} to {}", bound(below), bound(up_to)),
        (below, None) => format!("over {}", bound(below.unwrap_or(0))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use queuecast_evaluate::{LENGTH_CLASSES, SIZE_CLASSES};

    #[test]
    fn classes_are_named_by_what_is_in_them() {
        assert_eq!(size_class(None, Some(1)), "1 processor");
        assert_eq!(size_class(Some(1), Some(8)), "2 to 8");
        assert_eq!(size_class(SIZE_CLASSES.last().map(|bound| i64::from(*bound)), None), "over 512");
        assert_eq!(length_class(None, Some(60)), "up to 1\u{a0}min");
        assert_eq!(length_class(Some(600), Some(3_600)), "10\u{a0}min to 1\u{a0}h");
        assert_eq!(length_class(LENGTH_CLASSES.last().copied(), None), "over 8\u{a0}h");
    }

    #[test]
    fn waits_that_span_decades_are_shown_by_their_factors() {
        assert_eq!(axis_for(&[5.0, 40_000.0]).ticks()[1].label, "1\u{a0}min");
        assert_eq!(axis_for(&[3_600.0, 14_400.0]).unit, "h");
        assert!(!axis_for(&[0.0, 0.0]).ticks().is_empty());
    }
}
