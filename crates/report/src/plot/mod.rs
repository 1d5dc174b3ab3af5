//! What the plots share: the frame with title and explanation, grid lines, axis labels, names and the legend.

pub mod axis;
pub mod look;
pub mod square;

use queuecast_evaluate::{Compared, Comparison};

use self::axis::{Axis, Tick};
use self::look::Look;
use crate::markup::{Element, element, hundredths};

/// The configurations of a section as all of its plots show them.
pub struct Cast<'a> {
    /// What is shown.
    pub comparison: &'a Comparison,
    /// How each looks, in their order.
    pub looks: Vec<Look>,
}

impl<'a> Cast<'a> {
    /// Gives every configuration its look.
    pub fn new(comparison: &'a Comparison) -> Self {
        Self { comparison, looks: Look::of_all(comparison) }
    }

    /// The configurations with their places and looks.
    pub fn members(&self) -> impl Iterator<Item = (usize, &'a Compared, &Look)> {
        let members = self.comparison.compared().iter().zip(&self.looks).enumerate();
        members.map(|(index, (compared, look))| (index, compared, look))
    }

    /// A configuration's name in one line of text.
    pub fn name(compared: &Compared) -> String {
        format!("{} / {}", compared.configuration.policy, compared.configuration.predictor)
    }

    /// A configuration's name, and whether it is the baseline or the bound.
    pub fn label(&self, index: usize) -> Element {
        let compared = &self.comparison.compared()[index];
        let configuration = &compared.configuration;
        let policy = element("b").breakable(configuration.policy);
        let mut label = element("span").class("name").child(policy).text(" / ").breakable(&configuration.predictor);
        if index == self.comparison.baseline() {
            label = label.text(" ").child(element("span").class("tag").text("baseline"));
        }
        if compared.is_bound() {
            label = label.text(" ").child(element("span").class("tag").text("bound"));
        }
        label
    }

    /// Line, marker and name of every configuration.
    pub fn legend(&self) -> Element {
        let entries = self.members().map(|(index, _, look)| {
            let entry = element("li").child(look.swatch());
            entry.text(" ").child(self.label(index))
        });
        element("ul").class("legend").children(entries)
    }
}

/// A figure with its title and how to read it.
pub fn framed(title: &str, how_to_read: &str) -> Element {
    let caption = element("figcaption").child(element("h3").text(title));
    element("figure").child(caption.child(element("p").class("reading").text(how_to_read)))
}

/// An SVG as wide as its place and so many pixels high.
pub fn canvas(height: f64) -> Element {
    element("svg").class("plot").with("width", "100%").with("height", height)
}

/// A vertical line at every tick, from `top` to `bottom`.
pub fn vertical_grid(axis: &Axis, top: f64, bottom: f64) -> impl Iterator<Item = Element> {
    axis.ticks().iter().map(move |tick| vertical_line(tick.position, top, bottom).class("grid"))
}

/// A vertical line at these hundredths of the width.
pub fn vertical_line(position: f64, top: f64, bottom: f64) -> Element {
    let x = hundredths(position);
    element("line").with("x1", &x).with("x2", x).with("y1", top).with("y2", bottom)
}

/// The ticks' labels below a plot; the last one names the unit.
pub fn labels_below(axis: &Axis, baseline: f64) -> Vec<Element> {
    let last = axis.ticks().len().saturating_sub(1);
    let label = |(index, tick): (usize, &Tick)| {
        // At the ends of a plot a long label in the middle of its tick would reach beyond it.
        let anchor = match tick.position {
            near if near < 3.0 && tick.label.chars().count() > 6 => "start",
            far if far > 96.0 => "end",
            _ => "middle",
        };
        let unit = if index == last && !axis.unit.is_empty() { format!("\u{a0}{}", axis.unit) } else { String::new() };
        element("text")
            .class("tick")
            .with("x", hundredths(tick.position))
            .with("y", baseline)
            .with("text-anchor", anchor)
            .text(format_args!("{}{unit}", tick.label))
    };
    axis.ticks().iter().enumerate().map(label).collect()
}

/// The upright extent of a plot, in pixels from the top of its canvas.
#[derive(Clone, Copy, Debug)]
pub struct Upright<'a> {
    /// What is told upright.
    pub axis: &'a Axis,
    /// Where the axis ends.
    pub top: f64,
    /// Where it begins.
    pub bottom: f64,
}

impl Upright<'_> {
    /// How many pixels a value stands above the beginning.
    pub fn height(&self, value: f64) -> f64 {
        (self.bottom - self.top) * self.axis.position(value) / 100.0
    }

    /// A line at every tick; what is drawn after them covers them.
    pub fn grid(&self) -> impl Iterator<Item = Element> {
        self.axis.ticks().iter().map(|tick| {
            let y = format!("{:.1}", self.place(tick));
            let class = if tick.position > 0.0 { "grid" } else { "floor" };
            element("line").class(class).with("x1", 0).with("x2", "100%").with("y1", &y).with("y2", &y)
        })
    }

    /// The ticks' labels, each on its line but for the beginning's; the uppermost one names the unit.
    pub fn labels(&self) -> impl Iterator<Item = Element> {
        let last = self.axis.ticks().len().saturating_sub(1);
        let above = self.axis.ticks().iter().enumerate().filter(|(_, tick)| tick.position > 0.0);
        above.map(move |(index, tick)| {
            let unit = if index == last { self.axis.unit } else { "" };
            let y = format!("{:.1}", self.place(tick) - 4.0);
            let text = format!("{}{unit}", tick.label);
            element("text").class("tick onplot").with("x", 0).with("y", y).text(text)
        })
    }

    fn place(&self, tick: &Tick) -> f64 {
        self.bottom - (self.bottom - self.top) * tick.position / 100.0
    }
}
