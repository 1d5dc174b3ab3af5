//! The lab itself and the product's Slurm source, on a real Slurm.

mod golden;
mod refusals;
mod replay;
mod site;
mod sources;
mod up_and_down;
