//! What is free on each node, with the nodes where anything is.
//!
//! For: not looking at full nodes. On a busy machine most are, and whether somebody fits is asked many times in every pass.

use super::amount::Amount;
use super::nodes::NodeSet;
use super::shape::OnNodes;

/// What is free.
#[derive(Clone, Debug, Default)]
pub struct FreeNodes {
    /// By node.
    pub amounts: Vec<Amount>,
    /// Nodes with a processor free.
    open: NodeSet,
}

impl FreeNodes {
    /// Nobody holds anything.
    pub fn empty(sizes: Vec<Amount>) -> Self {
        Self { open: (0_u32..).zip(&sizes).map(|(place, _)| place).collect(), amounts: sizes }
    }

    /// As another, without a new allocation.
    pub fn copy_from(&mut self, other: &Self) {
        self.amounts.clone_from(&other.amounts);
        self.open.copy_from(&other.open);
    }

    /// Somebody holds this from now on.
    pub fn hold(&mut self, holds: &[(u32, Amount)]) {
        for (node, amount) in holds {
            let free = &mut self.amounts[*node as usize];
            *free -= *amount;
            if free.processors <= 0 {
                self.open.remove(*node);
            }
        }
    }

    /// And no longer.
    pub fn give_back(&mut self, holds: &[(u32, Amount)]) {
        for (node, amount) in holds {
            let free = &mut self.amounts[*node as usize];
            *free += *amount;
            if free.processors > 0 {
                self.open.insert(*node);
            }
        }
    }

    /// Takes nodes out on which there is no room for such a job.
    pub fn leave_open(&self, nodes: &mut NodeSet, asked: &OnNodes) {
        if asked.asks_for_processors() {
            nodes.keep_only(&self.open);
        }
    }
}
