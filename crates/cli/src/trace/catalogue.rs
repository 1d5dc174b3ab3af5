//! `qcast trace catalogue`: logs that are known, and which of them a file is.
//!
//! Not for: getting them. Nothing is downloaded; an entry says where its keepers have it.

use std::path::PathBuf;

use clap::Args;
use queuecast_logs::catalogue::{self, KnownLog, Recognition};
use serde::Serialize;

use crate::failure::{Failure, OnSide, say};
use crate::output::{self, FormatArgs, Report, Sheet, grouped, or_dash};
use crate::provenance::Provenance;

/// The arguments of `qcast trace catalogue`.
#[derive(Debug, Args)]
pub struct CatalogueArgs {
    /// Files to identify by their content, compressed with gzip or zstd or not [default: list all known logs].
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    format: FormatArgs,
}

/// Runs the subcommand.
pub fn run(arguments: &CatalogueArgs) -> Result<(), Failure> {
    let format = arguments.format.format;
    if arguments.files.is_empty() {
        let logs = catalogue::known_logs();
        return output::print(&Listing { logs }, &Provenance::of_this_command(), format);
    }
    let mut files = Vec::with_capacity(arguments.files.len());
    for path in &arguments.files {
        if path.as_os_str() == "-" {
            return Err(Failure::usage("standard input cannot be identified").with_hint("pass the name of a file"));
        }
        let recognition = catalogue::examine(path).reading()?;
        let file = path.display().to_string();
        if recognition.log.is_none() {
            say(format_args!("{file}: not in the catalogue; a changed, cut or converted log has another hash"));
        }
        files.push(Examined { file, recognition });
    }
    output::print(&Recognised { files }, &Provenance::of_this_command(), format)
}

/// Everything that is known.
#[derive(Debug, Serialize)]
struct Listing {
    logs: &'static [KnownLog],
}

impl Report for Listing {
    fn tables(&self) -> Vec<Sheet> {
        let mut sheet = Sheet::new(["log", "processors", "jobs", "left out", "traps", ""]);
        for log in self.logs {
            let cut: u64 = log.cuts.iter().map(|cut| cut.jobs).sum();
            sheet.add([
                log.name.to_owned(),
                grouped(log.processors),
                or_dash(log.jobs.map(grouped)),
                grouped(cut),
                grouped(log.traps.len() as u64),
                log.system.to_owned(),
            ]);
        }
        vec![sheet]
    }

    fn csv(&self) -> Sheet {
        let mut sheet = Sheet::new(["log", "name", "value"]);
        for log in self.logs {
            for (name, value) in facts(log) {
                sheet.add([log.name.to_owned(), name.to_owned(), value]);
            }
        }
        sheet
    }
}

/// Files, and what they are.
#[derive(Debug, Serialize)]
struct Recognised {
    files: Vec<Examined>,
}

/// One file.
#[derive(Debug, Serialize)]
struct Examined {
    file: String,
    #[serde(flatten)]
    recognition: Recognition,
}

impl Report for Recognised {
    fn tables(&self) -> Vec<Sheet> {
        self.files.iter().map(Examined::table).collect()
    }

    fn csv(&self) -> Sheet {
        let mut sheet = Sheet::new(["file", "name", "value"]);
        for examined in &self.files {
            let mut add = |name: &str, value: String| sheet.add([examined.file.clone(), name.to_owned(), value]);
            let recognition = &examined.recognition;
            add("stored_sha256", recognition.stored_sha256.clone());
            add("content_sha256", recognition.content_sha256.clone());
            add("is_as_distributed", recognition.is_as_distributed.to_string());
            if let Some(log) = recognition.log {
                add("log", log.name.to_owned());
                for (name, value) in facts(log) {
                    add(name, value);
                }
            }
        }
        sheet
    }
}

impl Examined {
    fn table(&self) -> Sheet {
        let mut sheet = Sheet::new([self.file.as_str(), ""]);
        let mut add = |name: &str, value: &str| sheet.add([name.to_owned(), value.to_owned()]);
        let Some(log) = self.recognition.log else {
            add("log", "not in the catalogue");
            add("sha256 of the content", &self.recognition.content_sha256);
            return sheet;
        };
        add("log", log.name);
        add(
            "file",
            if self.recognition.is_as_distributed { "as distributed" } else { "the same content, packed otherwise" },
        );
        add("system", log.system);
        add("processors", &grouped(log.processors));
        add("jobs", &or_dash(log.jobs.map(grouped)));
        for cut in log.cuts {
            add("left out by the cleaning", &format!("{} jobs: {}", grouped(cut.jobs), cut.what));
        }
        log.traps.iter().for_each(|trap| add("beware", trap));
        add("acknowledge", log.acknowledge);
        log.cite.iter().for_each(|cite| add("cite", cite));
        add("terms", log.terms);
        add("kept at", log.kept_at);
        sheet
    }
}

/// An entry for programs; names that occur several times are lists in JSON.
fn facts(log: &KnownLog) -> Vec<(&'static str, String)> {
    let text = |value: Option<u64>| value.map(|value| value.to_string()).unwrap_or_default();
    let mut facts = vec![
        ("system", log.system.to_owned()),
        ("processors", log.processors.to_string()),
        ("jobs", text(log.jobs)),
        ("jobs_before_cleaning", text(log.jobs_before_cleaning)),
    ];
    facts.extend(log.file.and_then(|file| file.packed_sha256).map(|hash| ("file.packed_sha256", hash.to_owned())));
    facts.extend(log.file.map(|file| ("file.content_sha256", file.content_sha256.to_owned())));
    facts.extend(log.cuts.iter().map(|cut| ("cuts", format!("{}: {}", cut.jobs, cut.what))));
    facts.extend(log.traps.iter().map(|trap| ("traps", (*trap).to_owned())));
    facts.push(("acknowledge", log.acknowledge.to_owned()));
    facts.extend(log.cite.map(|cite| ("cite", cite.to_owned())));
    facts.push(("terms", log.terms.to_owned()));
    facts.push(("kept_at", log.kept_at.to_owned()));
    facts
}
