//! Slurm's commands: `squeue --json`, `sacct -P`, `sinfo --json` or `scontrol show nodes --json`.
//!
//! Source: squeue(1), sacct(1), sinfo(1), scontrol(1) of 22.05 to 26.05. Accounting is asked as text because its JSON is six
//! times as long and, in 22.05, takes twice as long (shared lab, section 4); times are asked in seconds since 1970 and given
//! so too (`uts`), so that no time zone and no night when clocks change is in between.

use std::io::Cursor;
use std::process::Command;

use super::question::answer;
use super::{AnswerLimits, Period, Reading, Source, SourceError};
use crate::json::{Decoded, Document, DocumentError};
use crate::record::{JobRecord, NodeRecord};
use crate::text::{Entry, SacctReader};

/// What is asked of accounting: everything that is read, and `ExitCode` at the end, by which a record's end is known.
const COLUMNS: &str = "JobIDRaw,JobID,JobName,User,UID,Account,Cluster,Partition,QOS,State,Submit,Eligible,Start,End,ElapsedRaw,\
                       TimelimitRaw,Suspended,ReqCPUS,ReqNodes,ReqMem,ReqTRES,AllocCPUS,AllocNodes,AllocTRES,NodeList,Priority,\
                       Reason,Flags,AdminComment,Comment,SubmitLine,ExitCode";

/// Asks by running Slurm's commands.
pub struct Commands<F> {
    /// A command of this name, ready for its arguments.
    command: F,
    limits: AnswerLimits,
}

impl Commands<fn(&str) -> Command> {
    /// Those on the path.
    pub fn on_path(limits: AnswerLimits) -> Self {
        Self { command: |program| Command::new(program), limits }
    }
}

impl<F: Fn(&str) -> Command> Commands<F> {
    /// Those this makes: with another path, or another environment.
    pub fn made_by(command: F, limits: AnswerLimits) -> Self {
        Self { command, limits }
    }

    fn ask(&self, program: &str, arguments: &[&str]) -> Result<Vec<u8>, SourceError> {
        let mut command = (self.command)(program);
        // Whatever a person has set for their own eyes must not change what is read here.
        command.args(arguments).env("SLURM_TIME_FORMAT", "%s").env("LC_ALL", "C").env_remove("SQUEUE_FORMAT");
        answer(command, self.limits)
    }

    fn document(&self, program: &str, arguments: &[&str]) -> Result<Document, SourceError> {
        let said = self.ask(program, arguments)?;
        let document = Document::parse(&said).map_err(|error| not_a_document(program, error))?;
        match document.errors().first() {
            Some(error) => Err(SourceError::Refused { program: program.to_owned(), said: error.clone() }),
            None => Ok(document),
        }
    }
}

impl<F: Fn(&str) -> Command> Source for Commands<F> {
    fn queue(&self) -> Result<Reading<JobRecord>, SourceError> {
        let document = self.document("squeue", &["--json"])?;
        document.jobs().map(reading).map_err(|error| not_a_document("squeue", error))
    }

    fn accounting(&self, period: Period) -> Result<Reading<JobRecord>, SourceError> {
        let (from, to) = (format!("--starttime=uts{}", period.from.0), format!("--endtime=uts{}", period.to.0));
        let format = format!("--format={COLUMNS}");
        let arguments =
            ["--allusers", "--allocations", "--duplicates", "--parsable2", "--delimiter=\u{1f}", &from, &to, &format];
        let said = self.ask("sacct", &arguments)?;
        let not_a_table = |error| SourceError::NotATable { program: "sacct".to_owned(), error };
        let mut reader = SacctReader::new(Cursor::new(said), None).map_err(not_a_table)?;
        let mut read = Reading { records: Vec::new(), problems: Vec::new() };
        while let Some(entry) = reader.next_entry().map_err(|error| not_a_table(error.into()))? {
            match entry {
                Entry::Job(job) => read.records.push(*job),
                Entry::Step => {}
                Entry::Bad(bad) => read.problems.push(bad.to_string()),
            }
        }
        Ok(read)
    }

    fn nodes(&self) -> Result<Reading<NodeRecord>, SourceError> {
        let document = self.document("sinfo", &["--json"])?;
        if let Ok(nodes) = document.nodes() {
            return Ok(reading(nodes));
        }
        // From 23.11 on sinfo tells of groups of nodes.
        let document = self.document("scontrol", &["show", "nodes", "--json"])?;
        document.nodes().map(reading).map_err(|error| not_a_document("scontrol", error))
    }
}

pub(super) fn reading<T>(decoded: Decoded<T>) -> Reading<T> {
    Reading { records: decoded.records, problems: decoded.problems.iter().map(ToString::to_string).collect() }
}

fn not_a_document(program: &str, error: DocumentError) -> SourceError {
    SourceError::NotADocument { program: program.to_owned(), error }
}
