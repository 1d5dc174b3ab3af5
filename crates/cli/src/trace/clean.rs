//! `qcast trace clean`: a log without the jobs that are not fit for replay or evaluation, and how many went why.

use clap::{Args, ValueEnum};
use queuecast_workload::clean::{CleanOptions, CleanReport, Cleaner, FlurryOptions, OverLong};
use queuecast_workload::order::SubmissionOrder;
use queuecast_workload::swf::SwfHeader;
use queuecast_workload::{Machine, Seconds};
use serde::Serialize;

use super::sink::{SinkArgs, TraceSink};
use crate::failure::Failure;
use crate::input::source::{MachineArgs, MachineUsed, SourceArgs, TraceSource};
use crate::output::{self, FormatArgs, Report, Sheet, grouped, percent};
use crate::provenance::Provenance;

/// The arguments of `qcast trace clean`.
#[derive(Debug, Args)]
pub struct CleanArgs {
    #[command(flatten)]
    source: SourceArgs,
    #[command(flatten)]
    sink: SinkArgs,
    #[command(flatten)]
    filters: FilterArgs,
    #[command(flatten)]
    machine: MachineArgs,
    #[command(flatten)]
    format: FormatArgs,
}

/// Which jobs go.
#[derive(Clone, Copy, Debug, Args)]
struct FilterArgs {
    /// Action for jobs without submit time, processors or a positive run time.
    #[arg(long, value_enum, value_name = "ACTION", default_value_t = KeepOrDrop::Drop)]
    not_sane: KeepOrDrop,
    /// Action for jobs that request more processors than the machine has.
    #[arg(long, value_enum, value_name = "ACTION", default_value_t = KeepOrDrop::Drop)]
    over_wide: KeepOrDrop,
    /// Action for jobs whose requested time is unknown or not positive.
    #[arg(long, value_enum, value_name = "ACTION", default_value_t = KeepOrDrop::Keep)]
    without_limit: KeepOrDrop,
    /// Action for jobs that ran longer than their requested time.
    #[arg(long, value_enum, value_name = "ACTION", default_value_t = KeepCutOrDrop::Keep)]
    over_long: KeepCutOrDrop,
    /// Action for flurries: bursts of jobs of one user that dominate the submissions.
    ///
    /// With drop, the jobs are written in order of submission.
    #[arg(long, value_enum, value_name = "ACTION", default_value_t = KeepOrDrop::Keep)]
    flurries: KeepOrDrop,
    /// Length of the window in which the jobs of a flurry are counted, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = FlurryOptions::default().window.0)]
    #[arg(value_parser = clap::value_parser!(i64).range(1..=Seconds::MAX.0))]
    flurry_window: i64,
    /// Maximum number of jobs of one user in the window that are not a flurry.
    #[arg(long, value_name = "COUNT", default_value_t = FlurryOptions::default().jobs_max)]
    flurry_jobs: usize,
    /// Maximum share of all jobs in the window, from 0 to 1, that is not a flurry.
    #[arg(long, value_name = "SHARE", default_value_t = FlurryOptions::default().share_max, value_parser = share)]
    flurry_share: f64,
}

/// What to do with the jobs a filter is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum KeepOrDrop {
    /// Keep the jobs.
    Keep,
    /// Remove the jobs.
    Drop,
}

/// What to do with jobs that ran too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum KeepCutOrDrop {
    /// Keep the jobs.
    Keep,
    /// Shorten the run time to the requested time.
    Cut,
    /// Remove the jobs.
    Drop,
}

fn share(text: &str) -> Result<f64, String> {
    let share: f64 = text.parse().map_err(|_| "expected a number".to_owned())?;
    if (0.0..=1.0).contains(&share) { Ok(share) } else { Err("expected a share from 0 to 1".to_owned()) }
}

impl FilterArgs {
    fn options(&self, machine: Option<Machine>) -> Result<CleanOptions, Failure> {
        let drop_wider_than = match (self.over_wide, machine) {
            (KeepOrDrop::Keep, _) => None,
            (KeepOrDrop::Drop, Some(machine)) => Some(machine),
            (KeepOrDrop::Drop, None) => return Err(machine_unknown()),
        };
        Ok(CleanOptions {
            drop_not_sane: self.not_sane == KeepOrDrop::Drop,
            drop_wider_than,
            drop_without_limit: self.without_limit == KeepOrDrop::Drop,
            over_long: match self.over_long {
                KeepCutOrDrop::Keep => OverLong::Keep,
                KeepCutOrDrop::Cut => OverLong::Cut,
                KeepCutOrDrop::Drop => OverLong::Drop,
            },
            drop_flurries: (self.flurries == KeepOrDrop::Drop).then_some(FlurryOptions {
                window: Seconds(self.flurry_window),
                jobs_max: self.flurry_jobs,
                share_max: self.flurry_share,
            }),
        })
    }
}

fn machine_unknown() -> Failure {
    Failure::usage("unknown number of processors: the log's header contains no MaxProcs or MaxNodes")
        .with_hint("set the number of processors with --processors, or keep all jobs with --over-wide keep")
}

/// Runs the subcommand.
pub fn run(arguments: &CleanArgs) -> Result<(), Failure> {
    let source = arguments.source.open()?;
    let options = arguments.filters.options(arguments.machine.machine(&source).map(MachineUsed::machine))?;
    let log = arguments.source.log_read().hashed();
    let mut sink = arguments.sink.create()?;
    sink.write_header(&noted(source.header(), &options))?;
    let report = if options.drop_flurries.is_some() {
        clean_in_order(source, options, &mut sink)?
    } else {
        clean_as_it_stands(source, options, &mut sink)?
    };
    sink.finish()?;
    // With the log on standard output, the counts must not get into it.
    let print = if arguments.sink.is_standard_output() { output::print_aside } else { output::print };
    print(&report, &Provenance::of_this_command().with_log(log), arguments.format.format)
}

fn noted(header: &SwfHeader, options: &CleanOptions) -> SwfHeader {
    let mut header = header.clone();
    header.add_note(&format!("cleaned by qcast {}: {}", env!("CARGO_PKG_VERSION"), in_words(options)));
    header
}

fn in_words(options: &CleanOptions) -> String {
    let over_long = match options.over_long {
        OverLong::Keep => None,
        OverLong::Cut => Some("run times cut at the requested time".to_owned()),
        OverLong::Drop => Some("jobs that ran longer than requested left out".to_owned()),
    };
    let not_sane = "jobs without submit time, processors or a positive run time left out".to_owned();
    let filters = [
        options.drop_not_sane.then_some(not_sane),
        options.drop_wider_than.map(|machine| format!("jobs wider than {} processors left out", machine.processors)),
        options.drop_without_limit.then(|| "jobs without requested time left out".to_owned()),
        over_long,
        options.drop_flurries.map(|flurry| {
            let (jobs, share, window) = (flurry.jobs_max, flurry.share_max, flurry.window);
            format!("flurries (over {jobs} jobs of a user and over {share} of all within {window}) left out")
        }),
    ];
    let filters: Vec<String> = filters.into_iter().flatten().collect();
    if filters.is_empty() { "nothing left out".to_owned() } else { filters.join("; ") }
}

fn clean_as_it_stands(
    mut source: TraceSource,
    options: CleanOptions,
    sink: &mut TraceSink,
) -> Result<Cleaning, Failure> {
    let mut cleaner = Cleaner::new(options);
    while let Some(record) = source.next() {
        sink.write_comments(&source.take_comments())?;
        cleaner.push(record?);
        drain(&mut cleaner, sink)?;
    }
    sink.write_comments(&source.take_comments())?;
    Ok(Cleaning { bad_lines: source.bad_lines(), counts: cleaner.report() })
}

/// Flurries are seen only in order of submission.
fn clean_in_order(source: TraceSource, options: CleanOptions, sink: &mut TraceSink) -> Result<Cleaning, Failure> {
    let mut cleaner = Cleaner::new(options);
    let mut order = SubmissionOrder::new(source);
    let mut chunk = Vec::new();
    while order.next_chunk(&mut chunk)? {
        sink.write_comments(&order.source_mut().take_comments())?;
        for &record in &chunk {
            cleaner.push(record);
            drain(&mut cleaner, sink)?;
        }
    }
    cleaner.finish();
    drain(&mut cleaner, sink)?;
    sink.write_comments(&order.source_mut().take_comments())?;
    Ok(Cleaning { bad_lines: order.source().bad_lines(), counts: cleaner.report() })
}

fn drain(cleaner: &mut Cleaner, sink: &mut TraceSink) -> Result<(), Failure> {
    while let Some(record) = cleaner.pop() {
        sink.write_record(&record)?;
    }
    Ok(())
}

/// What was left out.
#[derive(Debug, Serialize)]
struct Cleaning {
    bad_lines: u64,
    #[serde(flatten)]
    counts: CleanReport,
}

impl Cleaning {
    /// Name for programs, name for people, count.
    fn rows(&self) -> [(&'static str, &'static str, u64); 11] {
        let counts = &self.counts;
        [
            ("bad_lines", "bad lines, left out", self.bad_lines),
            ("read", "jobs read", counts.read),
            ("dropped_no_submit_time", "left out: no submit time", counts.dropped_no_submit_time),
            ("dropped_no_processors", "left out: no processors", counts.dropped_no_processors),
            ("dropped_no_run_time", "left out: no positive run time", counts.dropped_no_run_time),
            ("dropped_over_wide", "left out: wider than the machine", counts.dropped_over_wide),
            ("dropped_no_limit", "left out: no requested time", counts.dropped_no_limit),
            ("dropped_over_long", "left out: ran longer than requested", counts.dropped_over_long),
            ("dropped_flurry", "left out: in a flurry", counts.dropped_flurry),
            ("kept", "jobs kept", counts.kept),
            ("cut_over_long", "run time cut at the requested time", counts.cut_over_long),
        ]
    }
}

impl Report for Cleaning {
    fn tables(&self) -> Vec<Sheet> {
        let mut sheet = Sheet::new(["", "jobs", "share"]);
        for (name, words, count) in self.rows() {
            let share = if name == "bad_lines" || self.counts.read == 0 {
                String::new()
            } else {
                percent(count as f64 / self.counts.read as f64)
            };
            sheet.add([words.to_owned(), grouped(count), share]);
        }
        vec![sheet]
    }

    fn csv(&self) -> Sheet {
        let mut sheet = Sheet::new(["name", "jobs"]);
        for (name, _, count) in self.rows() {
            sheet.add([name.to_owned(), count.to_string()]);
        }
        sheet
    }
}
