//! Wait forecasts as one page: how often methods were right, and whether what they state can be trusted.
//!
//! For: looking at what `qcast wait` found: every method beside the majority answer, reliability diagrams, where waits lay
//! in their distributions, and calibration by what was said (R-P5).
//!
//! Not for: scoring ([`queuecast_evaluate::wait`]), or writing files.

mod calibration_table;
mod coverage_table;
mod hour_plot;
mod place_plot;
mod reliability_plot;
mod summary_table;

use queuecast_evaluate::wait::WaitSummary;

use crate::markup::{Element, element};
use crate::page::{document, file_name, how_made, opening};
use crate::plot::{self, look::Look};
use crate::quantity::{count, duration, fixed};

const LEDE: &str = "Every method forecast each job when it arrived. It learnt a wait only when the job started, and a run time \
    only when it ended, so the figures show how useful the forecasts would have been to the users.";
const NOTE: &str = "All intervals are 95\u{a0}%, from resampled weeks of the log, because forecasts for jobs of one week have \
    similar errors. A method marked as bound knows every run time: better predictions of run times cannot improve \
    forecasts any further.";

/// A page about one log.
#[derive(Clone, Debug)]
pub struct WaitReport {
    /// The command that makes these figures again, in parts that should not be torn apart: an option and its value.
    pub command: Vec<String>,
    /// The program with its version.
    pub program: String,
    /// Each log with its hash, in words.
    pub logs: Vec<String>,
    /// The log.
    pub trace: String,
    /// How large the machine is.
    pub processors: u32,
    /// Whose waits, in words.
    pub waits: String,
    /// What was left out and why, in words; empty if nothing was.
    pub left_out: String,
    /// How many futures were played for each forecast, where any were.
    pub futures: u32,
    /// What decided every random number.
    pub seed: u64,
    /// The methods, in the order they were asked for.
    pub methods: Vec<MethodSection>,
}

/// One method.
#[derive(Clone, Debug)]
pub struct MethodSection {
    /// What it is called.
    pub name: String,
    /// Whether it knows what nobody can.
    pub is_bound: bool,
    /// How good it was.
    pub summary: WaitSummary,
    /// How long a forecast took, if it is to be shown.
    pub forecast_milliseconds: Option<ForecastMilliseconds>,
}

/// How long a forecast took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ForecastMilliseconds {
    /// On average.
    pub mean: f64,
    /// What one in a hundred exceeded.
    pub p99: f64,
}

/// A method as all plots show it.
struct Member<'a> {
    method: &'a MethodSection,
    look: Look,
}

impl Member<'_> {
    fn label(&self) -> Element {
        let label = element("span").class("name").child(element("b").breakable(&self.method.name));
        if self.method.is_bound {
            return label.text(" ").child(element("span").class("tag").text("bound"));
        }
        label
    }

    fn heading(&self, note: &str) -> Element {
        let heading = element("h4").child(self.look.swatch()).text(" ").child(self.label());
        if note.is_empty() { heading } else { heading.child(element("small").text(note)) }
    }
}

/// Line, marker and name of every method.
fn legend(members: &[Member<'_>]) -> Element {
    plot::look::legend(members.iter().map(|member| member.look.entry().child(member.label())))
}

impl WaitReport {
    /// The page.
    pub fn html(&self) -> String {
        let members: Vec<Member<'_>> = self
            .methods
            .iter()
            .enumerate()
            .map(|(place, method)| Member { method, look: Look::of_method(place, method.is_bound) })
            .collect();
        let section = element("section")
            .child(element("h2").text(file_name(&self.trace)))
            .child(element("p").class("facts").text(self.facts()))
            .children(self.finding().map(|finding| element("p").class("finding").text(finding)))
            .child(summary_table::summary_table(&members))
            .child(reliability_plot::reliability_plot(&members))
            .child(place_plot::place_plot(&members))
            .child(hour_plot::hour_plot(&members))
            .child(coverage_table::coverage_table(&members))
            .child(calibration_table::calibration_tables(&members));
        let title = self.title();
        let body = element("main").child(opening("Queuecast wait forecasts", &title, LEDE)).child(section);
        document(&title, body.child(self.how_made()))
    }

    fn title(&self) -> String {
        let methods = match self.methods.len() {
            1 => "1 method".to_owned(),
            several => format!("{several} methods"),
        };
        format!("{methods} on {}", file_name(&self.trace))
    }

    fn facts(&self) -> String {
        let scored = self.methods.first().map(|method| &method.summary);
        let scored = scored.map_or(String::new(), |summary| {
            format!("{} jobs scored, mean wait {}; ", fixed(summary.jobs, 0), duration(summary.mean_wait_seconds))
        });
        format!("{scored}{} processors; waits: {}", count(self.processors.into()), self.waits)
    }

    /// The one thing to take away: which method names the class most often, the bound aside, and what that is worth.
    fn finding(&self) -> Option<String> {
        let knowable = self.methods.iter().filter(|method| !method.is_bound);
        let single = |method: &&MethodSection| method.summary.classes.single;
        let best = knowable.max_by(|one, other| single(one).total_cmp(&single(other)))?;
        let summary = &best.summary;
        let percent = |share: f64| format!("{}\u{a0}%", fixed(100.0 * share, 1));
        Some(format!(
            "{} forecasts the right wait class for {} of the jobs; always answering \u{201c}up to an hour\u{201d} is right \
             for {}. Its 95\u{a0}% bound held for {} of the jobs and is {} times the mean wait on average.",
            best.name,
            percent(summary.classes.single),
            percent(summary.classes.majority),
            percent(summary.bound95.coverage),
            fixed(summary.bound95.over_mean_wait, 2)
        ))
    }

    fn how_made(&self) -> Element {
        let left_out = if self.left_out.is_empty() { "nothing" } else { &self.left_out };
        let mut facts = vec![
            ("program", self.program.clone()),
            ("seed", self.seed.to_string()),
            ("simulations per forecast, for methods that simulate", count(self.futures.into())),
            ("log", format!("{}; left out: {left_out}", self.trace)),
        ];
        facts.extend(self.logs.iter().map(|log| ("input", log.clone())));
        how_made(&self.command, facts, NOTE)
    }
}
