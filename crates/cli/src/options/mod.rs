//! Options that several subcommands share.

pub mod at;
pub mod load;
pub mod overrun;
pub mod predictor;
pub mod replay;
pub mod shaking;
