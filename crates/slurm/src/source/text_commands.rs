//! Slurm's commands without JSON: `squeue --format`, `sacct -P`, `scontrol show`.
//!
//! For: sites before 21.08, and any on which `--json` is not to be had (its serialiser is a plug-in of its own).
//!
//! Not for: what text does not say; [`super::Commands`] tells more of a waiting job. `docs/guides/reading-slurm.md` has the
//! list.
//!
//! Source: squeue(1), scontrol(1) of 22.05. Older versions were not at hand; on 22.05 it agrees with
//! [`super::Commands`] on every field both tell (`tests/slurm-lab/tests/it/sources.rs`). Nodes are asked of scontrol and
//! not of sinfo, which has no letter for the resources in use and puts a node's flags into one word.

use std::process::Command;
use std::sync::OnceLock;

use super::programs::{Programs, listed};
use crate::text::{Mark, lay_out, layout_format, layouts, squeue};
use queuecast_records::source::{AnswerLimits, Period, Reading, Source, SourceError};
use queuecast_records::{
    AssociationRecord, ClusterConfiguration, Diagnostics, JobRecord, NodeRecord, PartitionRecord, QosRecord,
    ReservationRecord, ShareRecord, UserRecord,
};

/// Asks by running Slurm's commands, and reads their text.
pub struct TextCommands<F> {
    programs: Programs<F>,
    /// Which squeue does not say, and a job's key needs.
    cluster: OnceLock<String>,
}

impl TextCommands<fn(&str) -> Command> {
    /// Those on the path.
    pub fn on_path(limits: AnswerLimits) -> Self {
        Self::made_by(|program| Command::new(program), limits)
    }
}

impl<F: Fn(&str) -> Command> TextCommands<F> {
    /// Those this makes: with another path, or another environment.
    pub fn made_by(command: F, limits: AnswerLimits) -> Self {
        Self { programs: Programs::made_by(command, limits), cluster: OnceLock::new() }
    }

    /// Asked once: a cluster does not change its name while it is up.
    fn cluster(&self) -> Result<&str, SourceError> {
        if let Some(name) = self.cluster.get() {
            return Ok(name);
        }
        let name = self.programs.configuration()?.cluster_name;
        Ok(self.cluster.get_or_init(|| name))
    }
}

impl<F: Fn(&str) -> Command> Source for TextCommands<F> {
    fn queue(&self) -> Result<Reading<JobRecord>, SourceError> {
        let cluster = self.cluster()?;
        let mark = Mark::drawn();
        let format = format!("--format={}", mark.format());
        let said = self.programs.ask("squeue", &["--all", "--local", "--states=all", "--noheader", &format])?;
        let mut jobs = listed(squeue(&said, &mark, cluster));
        // A queue whose layout is not to be had is a queue all the same.
        let format = format!("--Format={}", layout_format());
        match self.programs.ask("squeue", &["--all", "--local", "--states=all", "--noheader", &format]) {
            Ok(said) => {
                let found = layouts(&said);
                found.problems.iter().for_each(|problem| jobs.add_problem(|| problem.to_string()));
                lay_out(&mut jobs.records, found.records);
            }
            Err(error) => jobs.add_problem(|| format!("how jobs are laid out: {error}")),
        }
        Ok(jobs)
    }

    fn accounting(&self, period: Period) -> Result<Reading<JobRecord>, SourceError> {
        self.programs.accounting(period)
    }

    fn nodes(&self) -> Result<Reading<NodeRecord>, SourceError> {
        self.programs.nodes()
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
