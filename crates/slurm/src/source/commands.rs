//! Slurm's commands: `squeue --json`, `sinfo --json` or `scontrol show nodes --json`, and for the rest text.
//!
//! For: sites from 21.08 on, where commands have JSON. Before, [`super::TextCommands`].
//!
//! Source: squeue(1), sinfo(1), scontrol(1) of 22.05 to 26.05. What is asked in text is asked in text everywhere
//! (`programs`): partitions, reservations, settings, limits and figures are short. Their text was seen of 22.05; of
//! 26.05 only reservations and figures.

use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

use super::KeptAnswers;
use super::programs::Programs;
use crate::json::{Decoded, Document, DocumentError};
use queuecast_records::source::{AnswerLimits, Period, Reading, Source, SourceError};
use queuecast_records::{
    AssociationRecord, ClusterConfiguration, Diagnostics, JobRecord, NodeRecord, PartitionRecord, QosRecord,
    ReservationRecord, ShareRecord, UserRecord,
};

/// Asks by running Slurm's commands.
pub struct Commands<F> {
    programs: Programs<F>,
    /// Whether sinfo was seen to tell of groups of nodes, as it does from 23.11 on: it is not asked again.
    sinfo_tells_of_groups: AtomicBool,
}

impl Commands<fn(&str) -> Command> {
    /// Those on the path.
    pub fn on_path(limits: AnswerLimits) -> Self {
        Self::made_by(|program| Command::new(program), limits)
    }

    /// Those on the path, for one person: what was answered lately counts again, and accounting is asked about this user's jobs
    /// only.
    pub fn for_one(user_id: u32, kept: KeptAnswers, limits: AnswerLimits) -> Self {
        let mut commands = Self::on_path(limits);
        commands.programs.user_id = Some(user_id);
        commands.programs.kept = Some(kept);
        commands
    }
}

impl<F: Fn(&str) -> Command> Commands<F> {
    /// Those this makes: with another path, or another environment.
    pub fn made_by(command: F, limits: AnswerLimits) -> Self {
        Self { programs: Programs::made_by(command, limits), sinfo_tells_of_groups: AtomicBool::new(false) }
    }

    /// Whether a user sees and may do what operators do, by accounting's word.
    pub fn is_operator(&self, user: &str) -> Result<bool, SourceError> {
        self.programs.is_operator(user)
    }

    fn document(&self, program: &str, arguments: &[&str]) -> Result<Document, SourceError> {
        let said = self.programs.ask(program, arguments)?;
        let document = Document::read(said).map_err(|error| not_a_document(program, error))?;
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
        self.programs.accounting(period)
    }

    fn nodes(&self) -> Result<Reading<NodeRecord>, SourceError> {
        if !self.sinfo_tells_of_groups.load(Ordering::Relaxed) {
            // scontrol has no JSON in the versions whose sinfo tells of nodes: no question serves all.
            let document = self.document("sinfo", &["--json"])?;
            if let Ok(nodes) = document.nodes() {
                return Ok(reading(nodes));
            }
        }
        let document = self.document("scontrol", &["show", "nodes", "--json"])?;
        let nodes = document.nodes().map_err(|error| not_a_document("scontrol", error))?;
        self.sinfo_tells_of_groups.store(true, Ordering::Relaxed);
        Ok(reading(nodes))
    }

    fn partitions(&self) -> Result<Reading<PartitionRecord>, SourceError> {
        self.programs.partitions()
    }

    fn reservations(&self) -> Result<Reading<ReservationRecord>, SourceError> {
        self.programs.reservations()
    }

    fn configuration(&self) -> Result<ClusterConfiguration, SourceError> {
        self.programs.configuration()
    }

    fn qos(&self) -> Result<Reading<QosRecord>, SourceError> {
        self.programs.qos()
    }

    fn associations(&self) -> Result<Reading<AssociationRecord>, SourceError> {
        self.programs.associations()
    }

    fn shares(&self) -> Result<Reading<ShareRecord>, SourceError> {
        self.programs.shares()
    }

    fn users(&self) -> Result<Reading<UserRecord>, SourceError> {
        self.programs.users()
    }

    fn diagnostics(&self) -> Result<Diagnostics, SourceError> {
        self.programs.diagnostics()
    }
}

pub(super) fn reading<T>(decoded: Decoded<T>) -> Reading<T> {
    let Decoded { records, problems, bad_records } = decoded;
    Reading { records, problems: problems.iter().map(ToString::to_string).collect(), bad_records }
}

fn not_a_document(program: &str, error: DocumentError) -> SourceError {
    SourceError::NotUnderstood { program: program.to_owned(), error: error.into() }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    /// Asks for the nodes three times of programs that print this; gives the programs asked, and how many nodes were told of last.
    fn asked_three_times(sinfo: &str, scontrol: &str) -> (Vec<String>, usize) {
        let asked = Mutex::new(Vec::new());
        let command = |program: &str| {
            asked.lock().expect("nobody panics").push(program.to_owned());
            let mut command = Command::new("sh");
            let printed = if program == "sinfo" { sinfo } else { scontrol };
            command.args(["-c", "printf %s \"$0\"", printed]);
            command
        };
        let commands = Commands::made_by(command, AnswerLimits::default());
        let told = (0..3).map(|_| commands.nodes().expect("an answer").records.len()).last();
        drop(commands);
        (asked.into_inner().expect("nobody panics"), told.expect("three"))
    }

    #[test]
    fn a_sinfo_that_tells_of_groups_is_asked_once_and_one_that_tells_of_nodes_always() {
        let nodes = r#"{"errors": [], "nodes": [{"name": "a1", "cpus": 4, "real_memory": 1, "state": ["IDLE"], "partitions": ["batch"]}]}"#;
        let groups = r#"{"errors": [], "sinfo": [{"nodes": {"nodes": ["a1"]}, "partition": {"name": "batch"}}]}"#;
        let (asked, told) = asked_three_times(groups, nodes);
        assert_eq!(
            (asked.as_slice(), told),
            (["sinfo", "scontrol", "scontrol", "scontrol"].map(str::to_owned).as_slice(), 1)
        );
        assert_eq!(asked_three_times(nodes, "{}"), (vec!["sinfo".to_owned(); 3], 1));
    }
}
