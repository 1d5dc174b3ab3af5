//! Why a printout that is one thing, not a list of records, cannot be read: `scontrol show config`, `sdiag`.

/// What is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PrintedError {
    /// Something without which it cannot be what it should be.
    #[error("{name} is missing: this is not what `{command}` prints")]
    Missing {
        /// Its name.
        name: &'static str,
        /// What would have printed it.
        command: &'static str,
    },
    /// A value with another form than is known.
    #[error("{line}:{name}: `{value}` is not {expected}")]
    NotA {
        /// Its line, from 1.
        line: u64,
        /// Its name.
        name: &'static str,
        /// The beginning of it, escaped.
        value: String,
        /// What was expected.
        expected: &'static str,
    },
}
