//! Figure 2 of the paper with what it leaves out, and what a bound costs, drawn.

use queuecast_report::{Axis, Chart, Panel, REFERENCE_COLOUR, Row, RowPanel};

use super::methods::{MAJORITY, Method, ON_LOGS, UNDER_EASY, why_not};
use super::regimes::{Figure, Regimes, Site};
use crate::{Measured, Picture};

const TWO: Figure = Figure::percent("classes.two");
const HELD: Figure = Figure::percent("bound95.coverage");
const BOUND: Figure = Figure::of_mean_wait("bound95.over_mean_wait");

/// Figure 2: a panel a log, a row a method, the majority answer dashed.
pub fn two_classes(regimes: &Regimes) -> Picture {
    let panels = regimes.on_logs.iter().map(|site| {
        let rows = rows(ON_LOGS, |method| (method.to_owned(), site.measured(method, TWO)));
        Panel::Rows(RowPanel {
            title: site.which.name.to_owned(),
            across: axis(&rows, false),
            across_label: "jobs whose wait is in one of the two classes named, %".to_owned(),
            reference: site.measured(MAJORITY, TWO).measured,
            rows,
        })
    });
    let title = "Two classes named: the logs' own waits, all jobs".to_owned();
    Picture {
        file: "two-classes.svg".to_owned(),
        caption: "Share of jobs whose wait is in one of the two neighbouring classes named, as in Figure 2 of the paper (the values \
                  of its bars are not available), with the interval from resampled weeks. The dashed line is the majority answer, \
                  which the paper does not give."
            .to_owned(),
        svg: Chart { title, columns: 2, panels: panels.collect() }.svg(),
    }
}

/// How large bounds are that hold for 95 % of the jobs, on the waits on record.
pub fn bounds_on_logs(regimes: &Regimes) -> Picture {
    bounds("bounds.svg", "Size of 95 % bounds: the logs' own waits", &regimes.on_logs, ON_LOGS)
}

/// The same where EASY decides.
pub fn bounds_under_easy(regimes: &Regimes) -> Picture {
    bounds("bounds-easy.svg", "Size of 95 % bounds: waits under EASY", &regimes.under_easy, UNDER_EASY)
}

fn bounds(file: &str, title: &str, sites: &[Site], methods: &[Method]) -> Picture {
    let panels = sites.iter().map(|site| bound_panel(site, methods));
    Picture {
        file: file.to_owned(),
        caption: format!(
            "{title}. Dots are the mean 95 % bound divided by the mean wait, on a logarithmic axis; the percentage after each name is \
             the share of waits within the bound. Further left is tighter, which is only better if the bound holds for 95 %."
        ),
        svg: Chart { title: title.to_owned(), columns: 2, panels: panels.collect() }.svg(),
    }
}

fn bound_panel(site: &Site, methods: &[Method]) -> Panel {
    let rows = rows(methods, |method| {
        let held = site.measured(method, HELD).measured.map_or(String::new(), |held| format!(" ({held:.1} %)"));
        (format!("{method}{held}"), site.measured(method, BOUND))
    });
    Panel::Rows(RowPanel {
        title: site.which.name.to_owned(),
        across: axis(&rows, true),
        across_label: "mean bound over mean wait (waits held)".to_owned(),
        reference: None,
        rows,
    })
}

fn rows(methods: &[Method], of: impl Fn(&str) -> (String, Measured)) -> Vec<Row> {
    let row = |method: &Method| {
        let (name, measured) = of(method.name);
        let value = |value: Option<f64>| value.unwrap_or(f64::NAN);
        Row {
            name,
            colour: colour(method.name),
            value: value(measured.measured),
            low: value(measured.low95),
            high: value(measured.high95),
        }
    };
    methods.iter().filter(|method| why_not(method.name).is_none()).map(row).collect()
}

/// The same method has the same colour in all pictures; the majority answer that of references.
fn colour(method: &str) -> usize {
    let names = ON_LOGS.iter().chain(UNDER_EASY).map(|method| method.name).filter(|name| *name != MAJORITY);
    let place = names.enumerate().find(|(_, name)| *name == method).map(|(place, _)| place);
    place.map_or(REFERENCE_COLOUR, |place| place % REFERENCE_COLOUR)
}

fn axis(rows: &[Row], by_factors: bool) -> Axis {
    let ends = || rows.iter().flat_map(|row| [row.value, row.low, row.high]).filter(|value| value.is_finite());
    if by_factors {
        let (low, high) = (ends().fold(1.0, f64::min), ends().fold(1.0, f64::max));
        return Axis::of_number_factors(low.max(0.01), high * 1.1);
    }
    let (low, high) = Axis::range_of_dots(ends(), ends());
    Axis::of_numbers(low, high.min(100.0))
}
