//! Every headline figure of every configuration with its interval, for those who want the numbers.

use queuecast_evaluate::{ComparedFigure, FIGURES, FigureUnit, figure_in_words, figure_unit};

use super::cast::Cast;
use crate::markup::{Element, element};
use crate::page::table;
use crate::quantity::{change, decimals, plus_minus};

/// One row a figure, one column a configuration.
pub fn figure_table(cast: &Cast<'_>) -> Element {
    let corner = element("th").class("name").with("scope", "col").text("figure");
    let columns = cast.members().map(|(index, _, look)| {
        element("th").class("number").with("scope", "col").child(look.swatch()).child(cast.label(index))
    });
    let header = element("tr").child(corner).children(columns);
    let rows = FIGURES.iter().map(|name| {
        let cells = cast.comparison.figure(name);
        let title = element("th").class("name").with("scope", "row").text(figure_in_words(name));
        element("tr").child(title).children(cells.iter().map(cell))
    });
    let summary = format!("All {} figures with their intervals", FIGURES.len());
    let explanation = "Mean over the replicates, and half the width of its 95\u{a0}% interval. Below it is the \
        change from the baseline, paired by replicate. It is bold if the whole interval is on one side of zero. A change \
        from a baseline of zero has no percentage.";
    element("details")
        .child(element("summary").text(summary))
        .child(element("p").class("reading").text(explanation))
        .child(table("figures", header, rows))
}

fn cell(figure: &ComparedFigure) -> Element {
    let (factor, unit) = match figure_unit(figure.name) {
        FigureUnit::Share => (100.0, "\u{a0}%"),
        FigureUnit::Seconds | FigureUnit::Plain => (1.0, ""),
    };
    let (mean, half) = (factor * figure.shaken.mean, factor * figure.shaken.half_width());
    let spread = format!("{}{unit}", plus_minus(mean, half, decimals(mean)));
    let cell = element("td").class("number").child(element("span").text(spread));
    match &figure.over_baseline {
        Some(over) => {
            let name = if over.is_clear() { "b" } else { "i" };
            cell.child(element("small").child(element(name).text(change(over.mean, over.half_width()))))
        }
        None => cell,
    }
}
