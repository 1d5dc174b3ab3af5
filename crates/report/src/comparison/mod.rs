//! A comparison as one page: what `qcast compare` found, a section for each log.
//!
//! Not for: comparing (`queuecast_evaluate::Comparison`), or writing files.

mod accuracy_plot;
mod cast;
mod class_plot;
mod dot_plot;
mod figure_table;
mod how_made;
mod section;
mod timeline_plot;

pub use how_made::HowMade;
pub use section::TraceSection;

use crate::markup::{Element, element};
use crate::page::{document, opening};
use crate::quantity::count;

/// A page with a section for each trace.
#[derive(Clone, Debug)]
pub struct ComparisonReport {
    /// How the figures came about.
    pub how_made: HowMade,
    /// The traces, in the order they were given.
    pub traces: Vec<TraceSection>,
}

impl ComparisonReport {
    /// The page.
    pub fn html(&self) -> String {
        let sections = self.traces.iter().enumerate().map(|(place, trace)| trace.html(place));
        let body = element("main").child(self.header()).children(sections).child(self.how_made.html(&self.traces));
        document(&self.title(), body)
    }

    fn title(&self) -> String {
        let configurations = self.traces.first().map_or(0, |trace| trace.comparison.compared().len());
        let names: Vec<&str> = self.traces.iter().map(TraceSection::title).collect();
        match names.as_slice() {
            [name] => format!("{configurations} configurations on {name}"),
            names => format!("{configurations} configurations on {} logs", names.len()),
        }
    }

    fn header(&self) -> Element {
        let shaking = &self.how_made.shaking;
        let lede = format!(
            "Every configuration replayed the same jobs, once as in the log and {} times with each submission \
             shifted by up to {} s. One job half a minute later can change a mean by several per cent. A difference \
             that remains over many such small shifts comes from the configuration; the rest is noise.",
            count(shaking.replicates.into()),
            shaking.jitter.0
        );
        let header = opening("Queuecast comparison", &self.title(), &lede);
        if self.traces.len() < 2 {
            return header;
        }
        let links = self.traces.iter().enumerate().map(|(place, trace)| {
            let link = element("a").with("href", format_args!("#{}", TraceSection::anchor(place)));
            element("li").child(link.text(trace.title()))
        });
        header.child(element("ul").class("contents").children(links))
    }
}
