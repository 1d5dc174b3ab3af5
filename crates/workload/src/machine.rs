//! What a job asks for and what a cluster has.
//!
//! The papers' traces know one resource, processors. Nodes, memory, GPUs and partitions are further fields of
//! these two types when the live cluster brings them; everything else passes them on whole.

use serde::{Deserialize, Serialize};

/// What a job asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Request {
    /// Processors held from start to end.
    pub processors: u32,
}

/// What a cluster has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Machine {
    /// Processors in all.
    pub processors: u32,
}

impl Machine {
    /// Whether the request could ever be met, on an empty machine.
    pub fn can_hold(self, request: Request) -> bool {
        request.processors <= self.processors
    }
}
