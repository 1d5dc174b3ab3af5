//! Asking Slurm, and nothing else: who waits and runs, what became of jobs, which nodes there are, and by which rules.
//!
//! For: one interface ([`Source`](queuecast_records::source::Source)) whatever a site offers. Every question has a deadline and a limit on how much may be
//! answered, so that a hung controller costs seconds and not the asker.
//!
//! Not for: when to ask and how often, which is the asker's; telling Slurm anything.
//!
//! slurmrestd ([`Rest`]) where there is one, else the commands ([`Commands`]), and
//! where those have no JSON, before 21.08, their text ([`TextCommands`]).

mod commands;
mod kept;
mod numbers;
mod programs;
mod question;
mod rest;
mod text_commands;

pub use commands::Commands;
pub use kept::KeptAnswers;
pub use queuecast_processes::end_commands;
pub use rest::{Rest, Token};
pub use text_commands::TextCommands;
