//! Why there is no answer, and what to do about it.

use std::time::Duration;

use queuecast_wire::{AddressError, ClientError};

/// Why there is no answer. What others wrote is in it as it came: make it harmless before it is shown on a terminal.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// It is no address, or none to which a token may be sent.
    #[error(transparent)]
    Address(#[from] AddressError),
    /// The authorities whose certificates count are not to be had.
    #[error(transparent)]
    Authorities(#[from] ClientError),
    /// The system refused what a client needs.
    #[error(transparent)]
    NoClient(#[from] reqwest::Error),
    /// The question cannot be written as JSON.
    #[error(transparent)]
    Question(serde_json::Error),
    /// Nobody listens, or whoever does may not be asked.
    #[error("no daemon at {place}: {why}")]
    Nobody {
        /// Where.
        place: String,
        /// The system's word.
        why: String,
        /// Whether somebody might be there, but not for this user.
        is_forbidden: bool,
    },
    /// The deadline came first.
    #[error("the daemon at {place} did not answer within {} s", deadline.as_secs())]
    TooLate {
        /// Where.
        place: String,
        /// How long it had.
        deadline: Duration,
    },
    /// The connection ended in the middle.
    #[error("the response from {place} is incomplete: {why}")]
    BrokeOff {
        /// Where.
        place: String,
        /// The system's word.
        why: String,
    },
    /// Somebody else listens there.
    #[error("the server at {place} is not a queuecast daemon: {why}")]
    NotADaemon {
        /// Where.
        place: String,
        /// What is odd.
        why: String,
    },
    /// A proxy in front of the daemon said no.
    #[error("a proxy in front of {place} requires authentication (HTTP {status})")]
    InFront {
        /// Where.
        place: String,
        /// The HTTP status.
        status: u16,
    },
    /// The daemon said no.
    #[error("{message}")]
    Refused {
        /// The HTTP status.
        status: u16,
        /// One word for programs.
        code: String,
        /// What is wrong.
        message: String,
        /// What the asker can do.
        hint: String,
    },
    /// Not what it should be.
    #[error("cannot parse the response from {place}: {why}")]
    NotUnderstood {
        /// Where.
        place: String,
        /// Where in it, and why.
        why: String,
    },
}

impl AskError {
    /// What the asker can do.
    pub fn hint(&self) -> Option<&str> {
        Some(match self {
            Self::Address(AddressError::NotAnAddress { .. }) => "use the daemon's socket, or https://HOST:PORT",
            Self::Address(AddressError::InClear { .. }) => "use https, or the daemon's socket on a login node",
            Self::Authorities(_) => "check --ca-file and QCAST_CA_FILE",
            Self::NoClient(_) | Self::Question(_) => return None,
            Self::Nobody { is_forbidden: true, .. } => "you may not use this socket; ask your administrator",
            Self::Nobody { why, .. } if why.contains("certificate") => {
                "give the authority that signed the certificate with --ca-file or QCAST_CA_FILE; the certificate must not be an authority itself"
            }
            Self::Nobody { .. } => "ask your administrator, or start a daemon with `qcast serve`",
            Self::TooLate { .. } => "retry in a moment, or tell your administrator",
            Self::BrokeOff { .. } => "retry in a moment",
            Self::NotADaemon { .. } => "check the path of the socket or the address",
            Self::InFront { .. } => {
                "qcast sends a Slurm token but no password: use the daemon's socket on a login node, or ask your administrator \
                 for an address that accepts tokens"
            }
            Self::Refused { hint, .. } => hint,
            Self::NotUnderstood { .. } => "the daemon may have another version",
        })
    }

    /// Whether the question is wrong, not the daemon.
    pub fn is_of_question(&self) -> bool {
        matches!(self, Self::Address(_) | Self::Question(_) | Self::Refused { status: 400, .. })
    }
}
