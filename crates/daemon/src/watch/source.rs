//! Where Slurm is asked.

use std::path::PathBuf;

use queuecast_records::source::{AnswerLimits, Source, SourceError};
use queuecast_slurm::source::{Commands, KeptAnswers, Rest, TextCommands, Token};
use queuecast_wire::{SecretReaders, secret};

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
        /// Such as `https://slurm.example.org:6820`, or `localhost:6820` on this machine.
        address: String,
        /// Whose token.
        user: String,
        /// The file the token is in.
        token_file: PathBuf,
        /// The file with the authorities whose certificates count; the machine's own if there is none.
        authorities: Option<PathBuf>,
    },
}

/// Makes the way ready. Of slurmrestd this asks which version it speaks.
pub fn connect(choice: &SourceChoice, limits: AnswerLimits) -> Result<Box<dyn Source + Send>, SourceError> {
    Ok(match choice {
        SourceChoice::Commands => Box::new(Commands::on_path(limits)),
        SourceChoice::CommandsForOne { user_id, kept } => Box::new(Commands::for_one(*user_id, kept.clone(), limits)),
        SourceChoice::TextCommands => Box::new(TextCommands::on_path(limits)),
        SourceChoice::RestSocket(socket) => Box::new(Rest::on_socket(socket, limits)?),
        SourceChoice::RestAddress { address, user, token_file, authorities } => {
            let refused = |said| SourceError::Refused { program: "slurmrestd".to_owned(), said };
            let secret = secret::read(token_file, "the slurmrestd token", SecretReaders::Owner);
            let secret = String::from_utf8_lossy(&secret.map_err(|error| refused(error.to_string()))?).into_owned();
            let secret = secret.trim().trim_start_matches("SLURM_JWT=").to_owned();
            Box::new(Rest::at(address, Token { user: user.clone(), secret }, authorities.as_deref(), limits)?)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{self, Permissions};
    use std::net::TcpListener;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_token_that_others_can_read_is_not_sent_nor_any_to_another_machine_in_clear() {
        let folder = tempfile::tempdir().expect("a folder");
        let token_file = folder.path().join("token");
        fs::write(&token_file, "SLURM_JWT=secret").expect("it is ours");
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        listener.set_nonblocking(true).expect("a setting");
        let here = listener.local_addr().expect("an address").to_string();
        let refused = |address: &str, mode| {
            fs::set_permissions(&token_file, Permissions::from_mode(mode)).expect("it is ours");
            let choice = SourceChoice::RestAddress {
                address: address.to_owned(),
                user: "slurm".to_owned(),
                token_file: token_file.clone(),
                authorities: None,
            };
            let limits = AnswerLimits { patience: std::time::Duration::from_secs(1), ..AnswerLimits::default() };
            connect(&choice, limits).map(|_| ()).expect_err("nobody answers").to_string()
        };
        for mode in [0o640, 0o604, 0o644] {
            assert!(refused(&here, mode).contains("chmod 600"), "{mode:o}");
        }
        for clear in ["slurm.example.org:6820", "http://192.0.2.7:6820"] {
            assert!(refused(clear, 0o600).contains("https://"), "{clear}");
        }
        assert!(listener.accept().is_err(), "nobody was asked");
        let asked = refused(&here, 0o600);
        assert!(listener.accept().is_ok() && asked.contains("did not respond"), "{asked}");
    }
}
