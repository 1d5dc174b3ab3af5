//! Who asks.
//!
//! Not for: finding it out (`identity`); what it lets them see (`permissions`).

use std::sync::Arc;

/// Who is at the other end.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Asker {
    /// A user of this machine, by number: the kernel says so.
    Local(u32),
    /// A user of the cluster, by name: Slurm's token or a trusted proxy says so.
    Named(Arc<str>),
    /// Somebody of whom nobody says anything.
    Nobody,
}
