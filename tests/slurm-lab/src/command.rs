//! Commands inside a lab: with its users, its clock and its mark.

use std::path::Path;
use std::process::{Command, Output};

use anyhow::{Context, Result, bail};

use crate::clock::Environment;

/// What every command of a lab has in its environment.
#[derive(Clone, Debug)]
pub struct LabEnvironment(Environment);

impl LabEnvironment {
    /// These variables.
    pub fn of(variables: Environment) -> Self {
        Self(variables)
    }

    /// The variables.
    pub fn variables(&self) -> &[(String, String)] {
        &self.0
    }

    /// A command with them.
    pub fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.envs(self.0.iter().map(|(name, value)| (name, value)));
        command
    }
}

/// What a command printed, byte by byte; an error with what it complained about if it failed.
pub fn printed(command: &mut Command) -> Result<Vec<u8>> {
    let Output { status, stdout, stderr } = command.output().with_context(|| format!("running {command:?}"))?;
    if !status.success() {
        let arguments: Vec<_> = command.get_args().map(|argument| argument.to_string_lossy()).collect();
        let program = command.get_program().to_string_lossy();
        bail!("{program} {}: {status}: {}", arguments.join(" "), String::from_utf8_lossy(&stderr).trim());
    }
    Ok(stdout)
}
