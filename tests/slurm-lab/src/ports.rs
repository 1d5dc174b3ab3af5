//! Ports nobody uses, for a lab of its own on a machine with others.
//!
//! They are taken from below the range the system deals out for outgoing connections: Slurm opens many of those itself,
//! and one of them could sit on a node's port before its slurmd starts. Two labs that come up at once are kept apart by
//! a lock on the block of ports, held while the lab's process lives; after that its daemons hold the ports themselves.

use std::fs::{self, File};
use std::net::TcpListener;
use std::path::Path;

use anyhow::{Result, bail};

use crate::folder::open_to;

const FIRST_PORT: u16 = 10_240;
const BLOCK_PORTS: u16 = 256;
const BLOCKS: u16 = 88;
const LOCKS: &str = "/tmp/qcast-lab-ports";

/// A run of free ports.
#[derive(Debug)]
pub struct Ports {
    first: u16,
    /// Held, not read.
    _locks: Vec<File>,
}

impl Ports {
    /// So many free ports in a row.
    pub fn free(count: u16) -> Result<Self> {
        if fs::create_dir(LOCKS).is_ok() {
            open_to(Path::new(LOCKS), 0o1777)?;
        }
        let wanted_blocks = count.div_ceil(BLOCK_PORTS);
        for block in 0..BLOCKS.saturating_sub(wanted_blocks) {
            let first = FIRST_PORT + block * BLOCK_PORTS;
            if let Some(locks) = locked(block, wanted_blocks)
                && nobody_listens(first, count)
            {
                return Ok(Self { first, _locks: locks });
            }
        }
        bail!("no {count} free ports in a row between {FIRST_PORT} and {}", FIRST_PORT + BLOCKS * BLOCK_PORTS)
    }

    /// The first of them.
    pub fn first(&self) -> u16 {
        self.first
    }
}

/// The locks on so many blocks, unless another lab holds one of them, or another user has made it.
fn locked(block: u16, count: u16) -> Option<Vec<File>> {
    let lock = |number: u16| {
        let lock = File::options().create(true).append(true).open(format!("{LOCKS}/{number}")).ok()?;
        lock.try_lock().ok().map(|()| lock)
    };
    (block..block + count).map(lock).collect()
}

fn nobody_listens(first: u16, count: u16) -> bool {
    (first..first + count).all(|port| TcpListener::bind(("127.0.0.1", port)).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_labs_get_ports_of_their_own() {
        let (one, two) = (Ports::free(300).unwrap(), Ports::free(10).unwrap());
        assert!(two.first() >= one.first() + 300 || two.first() + 10 <= one.first());
    }
}
