//! Where Slurm is asked.

use std::fs;
use std::path::PathBuf;

use queuecast_records::source::{AnswerLimits, Source, SourceError};
use queuecast_slurm::source::{Commands, KeptAnswers, Rest, TextCommands, Token};

/// A way to ask Slurm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceChoice {
    /// Its commands, with `--json`.
    Commands,
    /// Its commands for one person, who is told again what was answered lately.
    CommandsForOne {
        /// Whose jobs accounting is asked about.
        user_id: u32,
        /// What was answered lately.
        kept: KeptAnswers,
    },
    /// Its commands, as text: for sites before 21.08.
    TextCommands,
    /// slurmrestd on its socket.
    RestSocket(PathBuf),
    /// slurmrestd at an address, with a token that is read anew whenever a connection is made.
    RestAddress {
        /// Such as `localhost:6820`.
        address: String,
        /// Whose token.
        user: String,
        /// The file the token is in.
        token_file: PathBuf,
    },
}

/// Makes the way ready. Of slurmrestd this asks which version it speaks.
pub fn connect(choice: &SourceChoice, limits: AnswerLimits) -> Result<Box<dyn Source + Send>, SourceError> {
    Ok(match choice {
        SourceChoice::Commands => Box::new(Commands::on_path(limits)),
        SourceChoice::CommandsForOne { user_id, kept } => Box::new(Commands::for_one(*user_id, kept.clone(), limits)),
        SourceChoice::TextCommands => Box::new(TextCommands::on_path(limits)),
        SourceChoice::RestSocket(socket) => Box::new(Rest::on_socket(socket, limits)?),
        SourceChoice::RestAddress { address, user, token_file } => {
            let secret = fs::read_to_string(token_file).map_err(|error| SourceError::NotRun {
                program: format!("the token in {}", token_file.display()),
                error,
            })?;
            let secret = secret.trim().trim_start_matches("SLURM_JWT=").to_owned();
            Box::new(Rest::at(address, Token { user: user.clone(), secret }, limits)?)
        }
    })
}
