//! `qcast trace info`: a log described.

use std::borrow::Cow;

use clap::Args;
use queuecast_logs::SizeFrom;
use queuecast_workload::describe::{Describer, Distribution, TraceDescription};
use serde::Serialize;

use crate::failure::{Failure, say};
use crate::input::source::{MachineArgs, MachineUsed, SourceArgs};
use crate::output::{self, Format, FormatArgs, Report, Sheet, grouped, or_dash, percent};
use crate::provenance::Provenance;

/// The arguments of `qcast trace info`.
#[derive(Debug, Args)]
pub struct InfoArgs {
    #[command(flatten)]
    source: SourceArgs,
    #[command(flatten)]
    machine: MachineArgs,
    #[command(flatten)]
    format: FormatArgs,
}

/// Runs the subcommand.
pub fn run(arguments: &InfoArgs) -> Result<(), Failure> {
    let mut source = arguments.source.open()?;
    let mut describer = Describer::new();
    for record in source.by_ref() {
        describer.add(&record?);
    }
    describer.add_bad_lines(source.bad_lines());
    let used = arguments.machine.machine(&source);
    let machine = used.map(MachineUsed::machine);
    let format = arguments.format.format;
    if machine.is_none() && format == Format::Table {
        say("hint: the header contains no MaxProcs or MaxNodes; set --processors to show the offered load");
    }
    let computer = source.header().directive("Computer").map(Cow::into_owned);
    let unix_start_time = source.header().unix_start_time();
    let info = Info {
        file: source.name().to_owned(),
        computer,
        unix_start_time,
        known_log: source.known().map(|log| log.name),
        traps: source.known().map_or(&[], |log| log.traps),
        machine_processors_from: used.map(|used| used.processors_from),
        description: describer.describe(machine),
    };
    let log = arguments.source.log_read();
    let log = machine.map_or(log.clone(), |machine| log.on(machine.processors));
    output::print(&info, &Provenance::of_this_command().with_log(log), format)
}

/// A log's description with what its header says.
#[derive(Debug, Serialize)]
struct Info {
    file: String,
    computer: Option<String>,
    unix_start_time: Option<i64>,
    known_log: Option<&'static str>,
    traps: &'static [&'static str],
    machine_processors_from: Option<SizeFrom>,
    #[serde(flatten)]
    description: TraceDescription,
}

impl Info {
    fn overview(&self) -> Sheet {
        let description = &self.description;
        let distinct = &description.distinct;
        let mut sheet = Sheet::new(["log", self.file.as_str()]);
        let mut add = |name: &str, value: String| sheet.add([name.to_owned(), value]);
        add("computer", or_dash(self.computer.clone()));
        if let Some(name) = self.known_log {
            add("in the catalogue", name.to_owned());
        }
        add("processors", or_dash(description.machine_processors.map(grouped)));
        add("jobs", grouped(description.jobs));
        add("bad lines", grouped(description.bad_lines));
        let days = |seconds: i64| format!("{:.1} days", seconds as f64 / 86_400.0);
        add("span of submissions", or_dash(description.span_seconds.map(days)));
        add("offered load", or_dash(description.offered_load.map(percent)));
        for (name, count) in [
            ("users", distinct.users),
            ("groups", distinct.groups),
            ("executables", distinct.executables),
            ("queues", distinct.queues),
            ("partitions", distinct.partitions),
        ] {
            add(name, grouped(count as u64));
        }
        add("ran longer than requested", or_dash(description.over_estimate_share.map(percent)));
        if let Some(estimates) = &description.estimates {
            add("different requested times", grouped(estimates.distinct as u64));
            add("  needed for 90 % of jobs", grouped(estimates.covering_90_percent as u64));
            add("  the most popular", format!("{} s", grouped(estimates.most_popular_seconds)));
            add("  its share", percent(estimates.most_popular_share));
        }
        sheet
    }

    /// The distributions, with their names for people and for programs.
    fn distributions(&self) -> [(&'static str, &'static str, Option<&Distribution>); 3] {
        let description = &self.description;
        [
            ("wait, s", "wait_seconds", description.wait_seconds.as_ref()),
            ("run time, s", "run_seconds", description.run_seconds.as_ref()),
            ("processors", "processors", description.processors.as_ref()),
        ]
    }

    fn distribution_table(&self) -> Sheet {
        let mut sheet = Sheet::new(["", "jobs", "mean", "p50", "p90", "p95", "p99", "max"]);
        for (words, _, distribution) in self.distributions() {
            if let Some(of) = distribution {
                let [p50, p90, p95, p99, max] = [of.p50, of.p90, of.p95, of.p99, of.max].map(grouped);
                let mean = format!("{:.1}", of.mean);
                sheet.add([words.to_owned(), grouped(of.count), mean, p50, p90, p95, p99, max]);
            }
        }
        sheet
    }

    fn field_table(&self) -> Sheet {
        let mut sheet = Sheet::new(["field", "known for"]);
        for field in &self.description.fields {
            sheet.add([format!("{:2} {}", field.number, field.name), percent(field.known_share)]);
        }
        sheet
    }
}

impl Report for Info {
    fn tables(&self) -> Vec<Sheet> {
        let mut tables = vec![self.overview(), self.distribution_table(), self.field_table()];
        if !self.traps.is_empty() {
            let mut beware = Sheet::new(["beware"]);
            self.traps.iter().for_each(|trap| beware.add([(*trap).to_owned()]));
            tables.push(beware);
        }
        tables
    }

    /// Names are the paths of the JSON.
    fn csv(&self) -> Sheet {
        fn text<T: ToString>(value: Option<T>) -> String {
            value.map(|value| value.to_string()).unwrap_or_default()
        }
        let description = &self.description;
        let distinct = &description.distinct;
        let estimates = description.estimates.as_ref();
        let mut sheet = Sheet::new(["name", "value"]);
        let mut add = |name: &str, value: String| sheet.add([name.to_owned(), value]);
        add("file", self.file.clone());
        add("computer", text(self.computer.as_ref()));
        add("unix_start_time", text(self.unix_start_time));
        add("known_log", text(self.known_log));
        add("machine_processors_from", text(self.machine_processors_from));
        add("jobs", description.jobs.to_string());
        add("bad_lines", description.bad_lines.to_string());
        add("machine_processors", text(description.machine_processors));
        add("first_submit_seconds", text(description.first_submit_seconds));
        add("last_submit_seconds", text(description.last_submit_seconds));
        add("span_seconds", text(description.span_seconds));
        add("offered_load", text(description.offered_load));
        add("distinct.users", distinct.users.to_string());
        add("distinct.groups", distinct.groups.to_string());
        add("distinct.executables", distinct.executables.to_string());
        add("distinct.queues", distinct.queues.to_string());
        add("distinct.partitions", distinct.partitions.to_string());
        for (_, name, distribution) in self.distributions() {
            add(&format!("{name}.count"), text(distribution.map(|of| of.count)));
            add(&format!("{name}.mean"), text(distribution.map(|of| of.mean)));
            add(&format!("{name}.p50"), text(distribution.map(|of| of.p50)));
            add(&format!("{name}.p90"), text(distribution.map(|of| of.p90)));
            add(&format!("{name}.p95"), text(distribution.map(|of| of.p95)));
            add(&format!("{name}.p99"), text(distribution.map(|of| of.p99)));
            add(&format!("{name}.max"), text(distribution.map(|of| of.max)));
        }
        add("over_estimate_share", text(description.over_estimate_share));
        add("estimates.jobs", text(estimates.map(|of| of.jobs)));
        add("estimates.distinct", text(estimates.map(|of| of.distinct)));
        add("estimates.covering_90_percent", text(estimates.map(|of| of.covering_90_percent)));
        add("estimates.most_popular_seconds", text(estimates.map(|of| of.most_popular_seconds)));
        add("estimates.most_popular_share", text(estimates.map(|of| of.most_popular_share)));
        for field in &description.fields {
            add(&format!("fields.{}", field.name), field.known_share.to_string());
        }
        sheet
    }
}
