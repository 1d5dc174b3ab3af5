//! Rows of dots on a page: for each name a dot of every kind, and the axis below.
//!
//! A table whose second column is drawn, so that names may be long and nothing is lost without graphics.

use super::area::{Area, canvas};
use super::axis::Axis;
use super::look::Look;
use crate::markup::{Element, element};

/// Pixels between two dots of a row, one below the other so that none hides another.
const STEP: f64 = 9.0;

/// A name with its dots.
pub struct DotRow {
    /// What the dots are of.
    pub name: String,
    /// What is to be said of it.
    pub note: String,
    /// For each kind the value, if it has one, and what a pointer that rests on it is told.
    pub dots: Vec<Option<(f64, String)>>,
}

/// The rows, with the look of each kind.
pub fn dot_rows(axis: &Axis, looks: &[Look], rows: impl IntoIterator<Item = DotRow>) -> Element {
    let rows = rows.into_iter().map(|row| row.draw(axis, looks));
    element("table")
        .class("dots classes")
        .child(element("tbody").children(rows))
        .child(element("tfoot").child(element("tr").children(axis_cells(axis))))
}

impl DotRow {
    fn draw(self, axis: &Axis, looks: &[Look]) -> Element {
        let area = Area::on_page(0.0, STEP * (looks.len() as f64 + 1.4));
        let mut drawing = canvas(area.bottom).children(area.grid_across(axis));
        for (place, (look, dot)) in looks.iter().zip(self.dots).enumerate() {
            let Some((value, tooltip)) = dot else { continue };
            let marker = look.marker(axis.position(value), STEP * (place as f64 + 1.2));
            drawing = drawing.child(element("g").child(marker).tooltip(tooltip));
        }
        let label = element("th").class("name").with("scope", "row").text(self.name);
        let label = label.child(element("small").text(self.note));
        element("tr").child(label).child(element("td").class("drawn").child(drawing))
    }
}

/// The cells of a row of its own that has the axis of the rows above.
pub fn axis_cells(axis: &Axis) -> [Element; 2] {
    let values = canvas(20.0).children(Area::on_page(0.0, 0.0).values_below(axis, 14.0));
    [element("td").class("name"), element("td").class("drawn").child(values)]
}
