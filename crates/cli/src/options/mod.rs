//! Options that several subcommands share.

pub mod at;
pub mod load;
pub mod overrun;
pub mod predictor;
pub mod program;
pub mod replay;
pub mod shaking;
pub mod signals;
