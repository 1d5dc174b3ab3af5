//! Which nodes a job gets.
//!
//! Light nodes first; among those the run of neighbours that holds the job and is the smallest, and if none does the largest,
//! again and again. The chunks are dealt out one to each node in turn.
//!
//! Source: `plugins/select/cons_tres` of 22.05 (`_eval_nodes`), read for what it does. Not played: topology, `LLN`, `pack_serial_at_end`,
//! sockets and cores.

use super::amount::Amount;
use super::cluster::Node;
use super::job::Holding;
use super::nodes::NodeSet;
use super::shape::OnNodes;

/// Chooses, with memory it uses again.
#[derive(Clone, Debug, Default)]
pub struct Chooser {
    rooms: Vec<u32>,
    usable: Vec<(u32, u32)>,
}

/// Neighbours, by place in the usable nodes.
#[derive(Clone, Copy)]
struct Run {
    weight: u32,
    first: usize,
    nodes: usize,
    chunks: u64,
}

impl Chooser {
    /// Whether a job fits on these nodes with so much free on each.
    pub fn enough(&mut self, asked: &OnNodes, sizes: &[Amount], free: &[Amount], mask: &NodeSet) -> bool {
        let layout = &asked.layout;
        if !mask.has_all(&asked.required) {
            return false;
        }
        let has_required = !asked.required.is_empty();
        let room = |node: u32| asked.room(sizes[node as usize], free[node as usize]);
        if has_required && asked.required.iter().any(|node| room(node) == 0) {
            return false;
        }
        self.rooms.clear();
        let (mut nodes, mut chunks) = (0_u32, 0_u64);
        for node in mask.iter() {
            let here = room(node);
            if here == 0 {
                continue;
            }
            (nodes, chunks) = (nodes + 1, chunks + u64::from(here));
            if nodes >= layout.nodes_min
                && chunks >= u64::from(asked.chunks)
                && nodes <= layout.nodes_max
                && !has_required
            {
                return true;
            }
            self.rooms.push(here);
        }
        if nodes < layout.nodes_min || chunks < u64::from(asked.chunks) {
            return false;
        }
        if nodes <= layout.nodes_max {
            return true;
        }
        // More nodes than it may have: the roomiest of them, those it must have among them.
        let most = layout.nodes_max as usize;
        let roomiest: u64 = if has_required {
            let required: u64 = asked.required.iter().map(|node| u64::from(room(node))).sum();
            let left = most.saturating_sub(asked.required.count() as usize);
            self.rooms.sort_unstable_by(|one, other| other.cmp(one));
            required + self.rooms.iter().take(left).map(|room| u64::from(*room)).sum::<u64>()
        } else {
            self.rooms.select_nth_unstable_by(most - 1, |one, other| other.cmp(one));
            self.rooms[..most].iter().map(|room| u64::from(*room)).sum()
        };
        roomiest >= u64::from(asked.chunks)
    }

    /// The nodes it gets, with what it holds on each; `None` if it does not fit.
    pub fn choose(
        &mut self,
        asked: &OnNodes,
        sizes: &[Amount],
        free: &[Amount],
        mask: &NodeSet,
        nodes: &[Node],
    ) -> Option<Holding> {
        let room = |node: u32| asked.room(sizes[node as usize], free[node as usize]);
        let mut chosen: Vec<(u32, u32)> = asked.required.iter().map(|node| (node, room(node))).collect();
        self.usable.clear();
        let others = mask.iter().filter(|node| !asked.required.contains(*node));
        self.usable.extend(others.map(|node| (node, room(node))).filter(|(_, room)| *room > 0));
        self.keep_the_roomiest(asked, &chosen);
        let mut runs = self.runs(nodes);
        let mut missing = Missing::of(asked, &chosen);
        while !missing.is_nothing() {
            let best = (0..runs.len()).min_by_key(|run| missing.rank(&runs[*run]))?;
            let run = runs.swap_remove(best);
            for (node, room) in &self.usable[run.first..run.first + run.nodes] {
                if missing.is_nothing() {
                    break;
                }
                chosen.push((*node, *room));
                missing.take(*room);
            }
        }
        Some(dealt(asked, sizes, chosen))
    }

    /// A job that may have few nodes only gets such as have room enough.
    fn keep_the_roomiest(&mut self, asked: &OnNodes, chosen: &[(u32, u32)]) {
        let layout = &asked.layout;
        if layout.nodes_max == u32::MAX || layout.nodes_max >= asked.chunks {
            return;
        }
        let left = (layout.nodes_max as usize).saturating_sub(chosen.len()).max(1);
        let got: u64 = chosen.iter().map(|(_, room)| u64::from(*room)).sum();
        let wanted = u64::from(asked.chunks).saturating_sub(got);
        let each = wanted.div_ceil(left as u64);
        let roomy = self.usable.iter().filter(|(_, room)| u64::from(*room) >= each).count();
        if roomy >= left {
            self.usable.retain(|(_, room)| u64::from(*room) >= each);
        } else if self.usable.len() > left {
            self.usable.sort_unstable_by_key(|(node, room)| (std::cmp::Reverse(*room), *node));
            self.usable.truncate(left);
            self.usable.sort_unstable();
        }
    }

    fn runs(&self, nodes: &[Node]) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        let mut last = None;
        for (place, (node, room)) in self.usable.iter().enumerate() {
            let weight = nodes[*node as usize].weight;
            match runs.last_mut().filter(|run| run.weight == weight && last == node.checked_sub(1)) {
                Some(run) => (run.nodes, run.chunks) = (run.nodes + 1, run.chunks + u64::from(*room)),
                None => runs.push(Run { weight, first: place, nodes: 1, chunks: u64::from(*room) }),
            }
            last = Some(*node);
        }
        runs
    }
}

/// What is still to be found.
struct Missing {
    nodes: u32,
    chunks: u64,
}

impl Missing {
    fn of(asked: &OnNodes, chosen: &[(u32, u32)]) -> Self {
        let mut missing = Self { nodes: asked.layout.nodes_min, chunks: u64::from(asked.chunks) };
        for (_, room) in chosen {
            missing.take(*room);
        }
        missing
    }

    fn is_nothing(&self) -> bool {
        self.nodes == 0 && self.chunks == 0
    }

    fn take(&mut self, room: u32) {
        self.nodes = self.nodes.saturating_sub(1);
        self.chunks = self.chunks.saturating_sub(u64::from(room));
    }

    /// The lowest is taken: light, sufficient and small, or else as large as can be.
    fn rank(&self, run: &Run) -> (u32, bool, u64, usize) {
        let suffices = run.nodes >= self.nodes as usize && run.chunks >= self.chunks;
        let size = if suffices { run.chunks } else { u64::MAX - run.chunks };
        (run.weight, !suffices, size, run.first)
    }
}

/// One chunk to each node in turn, as far as there is room.
fn dealt(asked: &OnNodes, sizes: &[Amount], chosen: Vec<(u32, u32)>) -> Holding {
    let least = asked.layout.on_a_node_min;
    let mut dealt: Vec<u32> = chosen.iter().map(|(_, room)| least.min(*room)).collect();
    let mut left = u64::from(asked.chunks).saturating_sub(dealt.iter().map(|count| u64::from(*count)).sum());
    while left > 0 {
        let open = chosen.iter().zip(&dealt).filter(|((_, room), has)| room > *has).count() as u64;
        if open == 0 {
            break;
        }
        let each = (left / open).max(1);
        for ((_, room), has) in chosen.iter().zip(&mut dealt) {
            let more = each.min(u64::from(*room - *has)).min(left);
            *has += u32::try_from(more).unwrap_or(u32::MAX);
            left -= more;
        }
    }
    let held = |((node, _), chunks): ((u32, u32), u32)| (node, asked.held(sizes[node as usize], chunks));
    chosen.into_iter().zip(dealt).map(held).collect()
}
