//! Running Slurm's commands, and the questions that are asked in the same words whether or not commands have JSON.
//!
//! For: what [`super::Commands`] and [`super::TextCommands`] share.
//!
//! Not for: deadlines and sizes (`question`); what is printed ([`crate::text`]).
//!
//! Source: sacct(1), scontrol(1), sacctmgr(1), sdiag(1) of 22.05. Accounting is asked as text because its JSON is six
//! times as long and, in 22.05, takes twice as long (shared lab, section 4); times are asked in seconds since 1970
//! and given so too (`uts`), so that no time zone and no night when clocks change is in between.

use std::io::Cursor;
use std::process::Command;
use std::sync::OnceLock;

use super::kept::KeptAnswers;
use super::numbers::number;
use super::question::answer;
use crate::text::{self, Entry, Listing, PrintedError, SacctReader};
use queuecast_records::source::{AnswerLimits, Period, Reading, SourceError};
use queuecast_records::{
    AssociationRecord, ClusterConfiguration, Diagnostics, JobRecord, NodeRecord, PartitionRecord, QosRecord,
    ReservationRecord, ShareRecord, UserRecord,
};

/// What is asked of accounting, as far as a site's sacct knows it: everything that is read, and `ExitCode` at the
/// end, by which a record's end is known. One column that it does not know would cost the whole answer.
const COLUMNS: [&str; 36] = [
    "JobIDRaw",
    "JobID",
    "JobName",
    "User",
    "UID",
    "Account",
    "Cluster",
    "Partition",
    "QOS",
    "State",
    "Submit",
    "Eligible",
    "Start",
    "End",
    "ElapsedRaw",
    "TimelimitRaw",
    "Suspended",
    "ReqCPUS",
    "ReqNodes",
    "ReqMem",
    "ReqTRES",
    "AllocCPUS",
    "AllocNodes",
    "AllocTRES",
    "NodeList",
    "Priority",
    "Restarts",
    "Exclusive",
    "Constraints",
    "Reservation",
    "Reason",
    "Flags",
    "AdminComment",
    "Comment",
    "SubmitLine",
    "ExitCode",
];

/// What a person may have set for their own eyes, which must not change what is read here.
const PREFERENCES: [&str; 24] = [
    "SQUEUE_ACCOUNT",
    "SQUEUE_ALL",
    "SQUEUE_ARRAY",
    "SQUEUE_ARRAY_UNIQUE",
    "SQUEUE_FEDERATION",
    "SQUEUE_FORMAT",
    "SQUEUE_FORMAT2",
    "SQUEUE_LICENSES",
    "SQUEUE_LOCAL",
    "SQUEUE_NAMES",
    "SQUEUE_PARTITION",
    "SQUEUE_PRIORITY",
    "SQUEUE_QOS",
    "SQUEUE_SIBLING",
    "SQUEUE_SORT",
    "SQUEUE_STATES",
    "SQUEUE_USERS",
    "SINFO_FORMAT",
    "SINFO_PARTITION",
    "SACCT_FORMAT",
    "SACCT_LOCAL",
    "SACCT_FEDERATION",
    "SCONTROL_FUTURE",
    "SCONTROL_SIBLING",
];

/// Runs Slurm's commands.
pub(super) struct Programs<F> {
    /// A command of this name, ready for its arguments.
    command: F,
    limits: AnswerLimits,
    /// Those of [`COLUMNS`] that sacct knows, once it was asked.
    columns: OnceLock<String>,
    /// Whose jobs accounting is asked about, by number; everybody's if nobody is named.
    pub user_id: Option<u32>,
    /// Where answers are kept, if they are.
    pub kept: Option<KeptAnswers>,
}

impl<F: Fn(&str) -> Command> Programs<F> {
    pub fn made_by(command: F, limits: AnswerLimits) -> Self {
        Self { command, limits, columns: OnceLock::new(), user_id: None, kept: None }
    }

    pub fn ask(&self, program: &str, arguments: &[&str]) -> Result<Vec<u8>, SourceError> {
        let mut command = (self.command)(program);
        for preference in PREFERENCES {
            command.env_remove(preference);
        }
        // Without the last, expressions of array tasks are cut off behind 64 bytes.
        command.args(arguments).env("SLURM_TIME_FORMAT", "%s").env("LC_ALL", "C").env("SLURM_BITSTR_LEN", "0");
        let ask = || answer(command, self.limits);
        match &self.kept {
            Some(kept) => kept.or_ask(program, arguments, ask),
            None => ask(),
        }
    }

    pub fn accounting(&self, period: Period) -> Result<Reading<JobRecord>, SourceError> {
        let (from, to) = (format!("--starttime=uts{}", period.from.0), format!("--endtime=uts{}", period.to.0));
        let format = format!("--format={}", self.columns()?);
        let whose = self.user_id.map_or_else(|| "--allusers".to_owned(), |user_id| format!("--user={user_id}"));
        let arguments =
            [&*whose, "--allocations", "--duplicates", "--parsable2", "--delimiter=\u{1f}", &from, &to, &format];
        let said = self.ask("sacct", &arguments)?;
        let not_a_table =
            |error: text::HeaderError| SourceError::NotUnderstood { program: "sacct".to_owned(), error: error.into() };
        let mut reader = SacctReader::new(Cursor::new(said), None).map_err(not_a_table)?;
        let mut read = Reading::of(Vec::new());
        while let Some(entry) = reader.next_entry().map_err(|error| not_a_table(error.into()))? {
            match entry {
                Entry::Job(job) => read.records.push(*job),
                Entry::Step => {}
                Entry::Bad(bad) => read.add_problem(|| bad.to_string()),
            }
        }
        Ok(read)
    }

    fn columns(&self) -> Result<&str, SourceError> {
        if let Some(columns) = self.columns.get() {
            return Ok(columns);
        }
        let known = self.ask("sacct", &["--helpformat"])?;
        Ok(self.columns.get_or_init(|| columns_known_to(&String::from_utf8_lossy(&known))))
    }

    pub fn nodes(&self) -> Result<Reading<NodeRecord>, SourceError> {
        Ok(listed(text::nodes(&self.shown("node")?)))
    }

    pub fn partitions(&self) -> Result<Reading<PartitionRecord>, SourceError> {
        Ok(listed(text::partitions(&self.shown("partition")?)))
    }

    pub fn reservations(&self) -> Result<Reading<ReservationRecord>, SourceError> {
        Ok(listed(text::reservations(&self.shown("reservation")?)))
    }

    pub fn configuration(&self) -> Result<ClusterConfiguration, SourceError> {
        let said = self.ask("scontrol", &["show", "config"])?;
        text::configuration(&said).map_err(|error| not_printed("scontrol", error))
    }

    pub fn qos(&self) -> Result<Reading<QosRecord>, SourceError> {
        let format = text::qos_format();
        let arguments = ["--readonly", "--parsable2", "--noheader", "show", "qos", &format];
        Ok(listed(text::qos(&self.ask("sacctmgr", &arguments)?)))
    }

    pub fn associations(&self) -> Result<Reading<AssociationRecord>, SourceError> {
        let format = text::association_format();
        let arguments = ["--readonly", "--parsable2", "--noheader", "show", "association", &format];
        Ok(listed(text::associations(&self.ask("sacctmgr", &arguments)?)))
    }

    pub fn shares(&self) -> Result<Reading<ShareRecord>, SourceError> {
        let format = text::share_format();
        Ok(listed(text::shares(&self.ask("sshare", &["--all", "--parsable2", "--noheader", &format])?)))
    }

    pub fn users(&self) -> Result<Reading<UserRecord>, SourceError> {
        let arguments =
            ["--readonly", "--parsable2", "--noheader", "show", "user", "withcoordinator", text::USER_FORMAT];
        let mut reading = listed(text::users(&self.ask("sacctmgr", &arguments)?));
        number(&mut reading.records, || (self.command)("sh"), self.limits);
        Ok(reading)
    }

    pub fn diagnostics(&self) -> Result<Diagnostics, SourceError> {
        let said = self.ask("sdiag", &[])?;
        text::diagnostics(&said).map_err(|error| not_printed("sdiag", error))
    }

    /// Whether a user sees and may do what operators do, by accounting's word.
    pub fn is_operator(&self, user: &str) -> Result<bool, SourceError> {
        let (name, format) = (format!("name={user}"), "format=adminlevel");
        let arguments = ["--readonly", "--parsable2", "--noheader", "show", "user", "where", &name, format];
        let level = self.ask("sacctmgr", &arguments)?;
        Ok(matches!(level.trim_ascii(), b"Operator" | b"Administrator"))
    }

    fn shown(&self, what: &str) -> Result<Vec<u8>, SourceError> {
        self.ask("scontrol", &["--all", "--oneliner", "show", what])
    }
}

/// sacct lists its columns in rows of some; versions differ in the case of letters.
fn columns_known_to(helpformat: &str) -> String {
    let knows = |column: &&str| helpformat.split_whitespace().any(|known| known.eq_ignore_ascii_case(column));
    COLUMNS.into_iter().filter(knows).collect::<Vec<_>>().join(",")
}

pub(super) fn listed<T>(listing: Listing<T>) -> Reading<T> {
    let Listing { records, problems, bad_records } = listing;
    Reading { records, problems: problems.iter().map(ToString::to_string).collect(), bad_records }
}

fn not_printed(program: &str, error: PrintedError) -> SourceError {
    SourceError::NotUnderstood { program: program.to_owned(), error: error.into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Column;

    #[test]
    fn only_columns_that_sacct_knows_are_asked_for_in_our_order() {
        let listed =
            "Account             AdminComment        AllocCPUS\nExitCode            JobID               JobIDRaw\n";
        assert_eq!(columns_known_to(listed), "JobIDRaw,JobID,Account,AllocCPUS,AdminComment,ExitCode");
    }

    #[test]
    fn every_column_that_is_asked_for_is_read() {
        for column in COLUMNS {
            assert!(Column::named(column.as_bytes()).is_some(), "{column}");
        }
    }
}
