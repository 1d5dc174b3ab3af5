//! A figure by configuration: a dot with its interval in every row, and the numbers beside it.
//!
//! A table whose second column is drawn, so that names may be long, numbers line up, and nothing is lost without
//! graphics.

use queuecast_evaluate::{ComparedFigure, FigureUnit, OverBaseline, figure_unit};

use super::cast::Cast;
use crate::markup::{Element, element};
use crate::page::framed;
use crate::plot::area::{Area, canvas};
use crate::plot::axis::Axis;
use crate::plot::dot_rows::axis_cells;
use crate::quantity::{TimeUnit, change, decimals_with_interval, fixed, plus_minus};

const ROW_HEIGHT: f64 = 36.0;
const MIDDLE: f64 = ROW_HEIGHT / 2.0;
/// Half the height of an interval's ends.
const END_HEIGHT: f64 = 8.0;
/// Beyond this factor between the largest and the least a linear axis would show only the large ones.
const FACTOR_FOR_LOGARITHM: f64 = 10.0;

/// The figure of this name for every configuration.
pub fn dot_plot(cast: &Cast<'_>, title: &str, figure: &str, how_to_read: &str) -> Element {
    let figures = cast.comparison.figure(figure);
    let is_time = figure_unit(figure) == FigureUnit::Seconds;
    let axis = axis_for(&figures, is_time);
    let longest = figures.iter().map(|figure| figure.shaken.mean).fold(0.0, f64::max);
    // One unit for all, unless the least would vanish in it.
    let common_unit = (!axis.is_logarithmic()).then(|| TimeUnit::for_durations_up_to(longest));
    let plot = Plot { cast, figures: &figures, axis: &axis, is_time, common_unit };
    let rows = (0..figures.len()).map(|index| plot.row(index));
    let table = element("table").class("dots").child(header()).child(element("tbody").children(rows));
    framed(title, how_to_read).child(table.child(plot.footer()))
}

/// By factors where the largest would press all others to one end.
fn axis_for(figures: &[ComparedFigure], is_time: bool) -> Axis {
    let means = || figures.iter().map(|figure| figure.shaken.mean);
    let (least, largest) = (means().fold(f64::INFINITY, f64::min), means().fold(0.0, f64::max));
    let lows = figures.iter().map(|figure| figure.shaken.low95);
    let highs = figures.iter().map(|figure| figure.shaken.high95);
    if least > 0.0 && largest > FACTOR_FOR_LOGARITHM * least {
        let low = lows.filter(|low| *low > 0.0).fold(least, f64::min);
        let high = highs.fold(largest, f64::max) * 1.1;
        return if is_time { Axis::of_duration_factors(low, high) } else { Axis::of_number_factors(low, high) };
    }
    let (low, high) = Axis::range_of_dots(lows, highs);
    if is_time { Axis::of_durations(low, high) } else { Axis::of_numbers(low, high) }
}

fn header() -> Element {
    let columns = [
        ("name", "policy / predictor"),
        ("drawn", ""),
        ("number", "mean"),
        ("number", "change"),
        ("number", "better in"),
    ];
    let cells = columns.map(|(class, title)| element("th").class(class).with("scope", "col").text(title));
    element("thead").child(element("tr").children(cells))
}

struct Plot<'a> {
    cast: &'a Cast<'a>,
    figures: &'a [ComparedFigure],
    axis: &'a Axis,
    is_time: bool,
    common_unit: Option<TimeUnit>,
}

impl Plot<'_> {
    fn row(&self, index: usize) -> Element {
        let name = element("th").class("name").with("scope", "row").child(self.cast.label(index));
        let row = element("tr").child(name).child(element("td").class("drawn").child(self.drawn(index)));
        let numbers =
            [("number", self.spread(index)), ("number change", self.change(index)), ("number wins", self.wins(index))];
        row.children(numbers.map(|(class, text)| element("td").class(class).child(text)))
    }

    fn drawn(&self, index: usize) -> Element {
        let at = |value: f64| self.axis.position(value);
        let shaken = &self.figures[index].shaken;
        let baseline = self.figures[self.cast.comparison.baseline()].shaken.mean;
        let look = &self.cast.looks[index];
        let area = Area::on_page(0.0, ROW_HEIGHT);
        let [whisker, low, high] = area.interval(at(shaken.low95), at(shaken.high95), MIDDLE, END_HEIGHT);
        let dot = element("g").class(format_args!("interval {}", look.colour)).children([
            whisker,
            look.marker(at(shaken.mean), MIDDLE),
            low,
            high,
        ]);
        canvas(ROW_HEIGHT)
            .children(area.grid_across(self.axis))
            .child(area.upright(at(baseline)).class("reference"))
            .child(dot.tooltip(self.tooltip(index)))
    }

    /// The axis, in a row of its own below the others.
    fn footer(&self) -> Element {
        element("tfoot").child(element("tr").children(axis_cells(self.axis)).child(element("td").with("colspan", 3)))
    }

    /// What a row's numbers are divided by, and what is written after them.
    fn unit(&self, index: usize) -> (f64, String) {
        if !self.is_time {
            return (1.0, String::new());
        }
        let own = || TimeUnit::for_durations_up_to(self.figures[index].shaken.mean);
        let unit = self.common_unit.unwrap_or_else(own);
        (unit.seconds, format!("\u{a0}{}", unit.name))
    }

    fn spread(&self, index: usize) -> Element {
        let (size, unit) = self.unit(index);
        let shaken = &self.figures[index].shaken;
        let (mean, half_width) = (shaken.mean / size, shaken.half_width() / size);
        let spread = plus_minus(mean, half_width, decimals_with_interval(mean));
        element("span").text(format_args!("{spread}{unit}"))
    }

    fn change(&self, index: usize) -> Element {
        match &self.figures[index].over_baseline {
            Some(over) => element(if over.is_clear() { "b" } else { "i" }).text(change(over.mean, over.half_width())),
            None => element("span"),
        }
    }

    fn wins(&self, index: usize) -> Element {
        let replicates = self.cast.comparison.compared()[index].shaken.count() as f64;
        let rate = self.figures[index].over_baseline.and_then(|over: OverBaseline| over.win_rate);
        let text = rate.map(|rate| format!("{} of {}", fixed(rate * replicates, 0), fixed(replicates, 0)));
        element("span").text(text.unwrap_or_default())
    }

    fn tooltip(&self, index: usize) -> String {
        let ComparedFigure { value, shaken, .. } = &self.figures[index];
        let (size, unit) = self.unit(index);
        let decimals = decimals_with_interval(shaken.mean / size);
        let [mean, low, high, value] =
            [shaken.mean, shaken.low95, shaken.high95, *value].map(|value| fixed(value / size, decimals));
        let name = Cast::name(&self.cast.comparison.compared()[index]);
        format!("{name}: {mean}{unit} ({low} to {high}); without shaking {value}")
    }
}
