//! Advice on logs, compared with what happened.

mod counterfactuals;
#[path = "../../examples/offline_replay/piece.rs"]
mod piece;
#[path = "../../examples/counterfactuals/trial.rs"]
mod trial;
