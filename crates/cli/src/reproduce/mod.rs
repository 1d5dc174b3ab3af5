//! `qcast reproduce`: every table of a paper, published beside measured.

mod downey;
mod kumar;
mod result;
mod smith;
mod talby;
mod tsafrir;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, ValueEnum};
use queuecast_evaluate::Shaking;
use queuecast_logs::WholeTrace;
use queuecast_reproduce::{Effort, Heading, Log, LogSpecification, Picture, Table, find_log, markdown};
use queuecast_workload::files::Output;

use self::result::Reproduction;
use crate::failure::{Failure, OnSide, say};
use crate::input::source::SourceArgs;
use crate::options::shaking::{ShakingArgs, parse_replicates};
use crate::output::{self, FormatArgs, grouped};
use crate::provenance::Provenance;

/// The arguments of `qcast reproduce`.
#[derive(Debug, Args)]
pub struct ReproduceArgs {
    /// Paper to reproduce.
    #[arg(value_enum)]
    paper: Paper,
    /// Folder with the logs, named as in the Parallel Workloads Archive [default: traces in $`QCAST_SHARED`, or
    /// ../shared/traces].
    #[arg(long, value_name = "FOLDER")]
    traces: Option<PathBuf>,
    /// Number of replicates per simulation, shaken or with different seeds [default: 20; 100 for tsafrir; 5 for kumar].
    #[arg(long, alias = "replicates", value_name = "COUNT", value_parser = parse_replicates)]
    shake: Option<u32>,
    #[command(flatten)]
    shaking: ShakingArgs,
    /// Number of generations per genetic search.
    #[arg(long, value_name = "COUNT", default_value_t = 92)]
    generations: usize,
    /// Number of simulations per wait-time forecast, for methods that simulate the queue.
    #[arg(long, value_name = "COUNT", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    simulations: u32,
    /// Number of jobs to use from each log and scenario, for a quick check without meaningful verdicts [default: all].
    #[arg(long, value_name = "COUNT")]
    first: Option<usize>,
    /// Folder for report.md, its figures and tables.json.
    #[arg(long, value_name = "FOLDER")]
    report: Option<PathBuf>,
    #[command(flatten)]
    format: FormatArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Paper {
    /// Talby, Tsafrir, Goldberg, Feitelson: prediction from sessions, without user estimates.
    Talby,
    /// Smith, Foster, Taylor: run-time prediction from templates.
    Smith,
    /// Tsafrir, Etsion, Feitelson: model of user run-time estimates.
    Tsafrir,
    /// Downey: processor allocation for mouldable jobs.
    Downey,
    /// Kumar, Vadhiyar: wait-time prediction and choice of a cluster.
    Kumar,
}

impl Paper {
    /// How the files of its logs begin, each once: one log may stand for several machines.
    fn file_prefixes(self) -> Vec<&'static str> {
        fn of<Particulars>(logs: &[LogSpecification<Particulars>]) -> Vec<&'static str> {
            logs.iter().map(|log| log.file_prefix).collect()
        }
        let mut prefixes = match self {
            Self::Talby => of(&queuecast_reproduce::talby::LOGS),
            Self::Smith => of(&queuecast_reproduce::smith::LOGS),
            Self::Tsafrir => of(&queuecast_reproduce::tsafrir::LOGS),
            Self::Downey => of(&queuecast_reproduce::downey::LOGS),
            Self::Kumar => {
                let mut both = of(&queuecast_reproduce::kumar::waits::LOGS);
                both.extend(of(&queuecast_reproduce::kumar::sites::LOGS));
                both
            }
        };
        let mut met = Vec::new();
        prefixes.retain(|prefix| {
            let is_new = !met.contains(prefix);
            met.push(*prefix);
            is_new
        });
        prefixes
    }

    fn default_replicates(self) -> u32 {
        match self {
            Self::Talby | Self::Smith | Self::Downey => 20,
            Self::Kumar => 5,
            Self::Tsafrir => 100,
        }
    }
}

/// Runs the subcommand.
pub fn run(arguments: &ReproduceArgs) -> Result<(), Failure> {
    let pool = arguments.shaking.pool()?;
    let report = arguments.report.as_deref().map(ReportFiles::create).transpose()?;
    let reproduced = match arguments.paper {
        Paper::Talby => pool.install(|| talby::run(arguments))?,
        Paper::Smith => pool.install(|| smith::run(arguments))?,
        Paper::Tsafrir => pool.install(|| tsafrir::run(arguments))?,
        Paper::Downey => pool.install(|| downey::run(arguments))?,
        Paper::Kumar => pool.install(|| kumar::run(arguments))?,
    };
    let provenance = arguments.provenance()?;
    let Reproduced { heading, tables, pictures } = reproduced;
    let result = Reproduction { tables };
    if let Some(report) = report {
        report.write(&heading, &result, &pictures, &provenance)?;
    }
    output::print(&result, &provenance, arguments.format.format)
}

/// What comes of a paper.
struct Reproduced {
    heading: Heading,
    tables: Vec<Table>,
    /// Only a report has them.
    pictures: Vec<Picture>,
}

/// The files of a report. They are created before anything is run, because that takes minutes, and appear under their
/// names when they are whole; those of the pictures are created at the end, when it is known which there are.
struct ReportFiles {
    page: Output,
    tables: Output,
    folder: PathBuf,
}

impl ReportFiles {
    fn create(folder: &Path) -> Result<Self, Failure> {
        fs::create_dir_all(folder).with_context(|| folder.display().to_string()).writing()?;
        let create = |name: &str| Output::create(&folder.join(name)).writing();
        Ok(Self { page: create("report.md")?, tables: create("tables.json")?, folder: folder.to_owned() })
    }

    fn write(
        self,
        heading: &Heading,
        result: &Reproduction,
        pictures: &[Picture],
        provenance: &Provenance,
    ) -> Result<(), Failure> {
        let json = output::as_json(result, provenance)?;
        let made_from: Vec<String> = [provenance.program()].into_iter().chain(provenance.logs_in_words()).collect();
        let page = markdown(heading, &made_from, &result.tables, pictures);
        let mut files = Vec::new();
        for picture in pictures {
            files.push((Output::create(&self.folder.join(&picture.file)).writing()?, &picture.svg));
        }
        // The page last: whoever sees it finds what it shows.
        files.extend([(self.tables, &json), (self.page, &page)]);
        for (file, text) in &mut files {
            file.write_all(text.as_bytes()).writing()?;
        }
        for (file, _) in files {
            file.finish().writing()?;
        }
        let names: Vec<&str> =
            ["report.md"].into_iter().chain(pictures.iter().map(|picture| picture.file.as_str())).collect();
        say(format_args!("wrote {} and tables.json to {}", names.join(", "), self.folder.display()));
        Ok(())
    }
}

impl ReproduceArgs {
    fn shaking(&self) -> Shaking {
        self.shaking.shaking(self.shake.unwrap_or(self.paper.default_replicates()))
    }

    fn effort(&self) -> Effort {
        let Self { generations, simulations: futures, first, .. } = *self;
        Effort { shaking: self.shaking(), generations, futures, first }
    }

    /// The program, and every log that the paper's tables rest on.
    fn provenance(&self) -> Result<Provenance, Failure> {
        let mut provenance = Provenance::of_this_command().with_seed(self.shaking().seed);
        for prefix in self.paper.file_prefixes() {
            provenance = provenance.with_log(self.source(prefix)?.log_read());
        }
        Ok(provenance)
    }

    fn folder(&self) -> PathBuf {
        let shared = || std::env::var_os("QCAST_SHARED").map_or_else(|| PathBuf::from("../shared"), PathBuf::from);
        self.traces.clone().unwrap_or_else(|| shared().join("traces"))
    }

    /// The file whose name begins so.
    fn source(&self, prefix: &str) -> Result<SourceArgs, Failure> {
        let hint = "download the log from the Parallel Workloads Archive, and set its folder with --traces";
        let path = find_log(&self.folder(), prefix).reading().map_err(|failure| failure.with_hint(hint))?;
        Ok(SourceArgs::of(path))
    }

    /// A paper's logs, in its order.
    fn read<Particulars>(&self, logs: &[LogSpecification<Particulars>]) -> Result<Vec<Log>, Failure> {
        let read = logs.iter().map(|log| {
            let mut jobs = WholeTrace::load(self.source(log.file_prefix)?.open()?)?.jobs;
            jobs.truncate(self.first.unwrap_or(usize::MAX));
            Ok(log.with_jobs(jobs))
        });
        read.collect()
    }

    /// The same, only the jobs with a limit and that fit the machine, so that every predictor is judged on the same.
    fn read_limited<Particulars>(&self, logs: &[LogSpecification<Particulars>]) -> Result<Vec<Log>, Failure> {
        let mut logs = self.read(logs)?;
        for Log { name, machine, jobs } in &mut logs {
            let before = jobs.len();
            jobs.retain(|job| job.submission.limit.is_some() && machine.can_hold(job.submission.request));
            let left_out = before - jobs.len();
            if left_out > 0 {
                say(format_args!(
                    "warning: {name}: {} jobs left out: no time limit, or larger than the machine",
                    grouped(left_out as u64)
                ));
            }
        }
        Ok(logs)
    }

    /// What part of the logs it is, at the end of a sentence.
    fn part(&self) -> String {
        self.first.map_or(String::new(), |first| format!(", only the first {first} jobs of each log"))
    }

    /// What is said of every report.
    fn how(&self) -> String {
        let Shaking { replicates, jitter, seed } = self.shaking();
        let part = self.part();
        format!("qcast {}, {replicates} replicates shaken by {jitter}, seed {seed}{part}.", env!("CARGO_PKG_VERSION"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_lies_beside_the_pictures_it_shows() {
        let folder = tempfile::tempdir().unwrap();
        let heading = Heading { title: "A paper".to_owned(), about: Vec::new(), command: "qcast".to_owned() };
        let picture =
            Picture { file: "waits.svg".to_owned(), caption: "The waits.".to_owned(), svg: "<svg></svg>\n".to_owned() };
        let (result, provenance) = (Reproduction { tables: Vec::new() }, Provenance::of_this_command());
        ReportFiles::create(folder.path()).unwrap().write(&heading, &result, &[picture], &provenance).unwrap();
        let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
        assert!(read("report.md").contains("](waits.svg)"));
        assert_eq!(read("waits.svg"), "<svg></svg>\n");
        assert!(read("tables.json").ends_with("\"tables\": []\n}\n"), "{}", read("tables.json"));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3, "and nothing else is left behind");
    }
}
