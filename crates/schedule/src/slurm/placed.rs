//! Room where nodes are told apart: what is free on each, which of them a job gets, and which are kept for whom.
//!
//! Two facts of Slurm decide most here. When it asks when a job could start, it lets running jobs end, a lump at a time, and
//! looks at every node whether enough is free. And what it keeps for a job that starts later are whole nodes, for as long as
//! the job is planned to run, however little of them the job needs.
//!
//! Source: `plugins/sched/backfill/backfill.c` of 22.05 (`_attempt_backfill`, `_add_reservation`, `_test_resv_overlap`) and
//! `plugins/select/cons_tres` (`_will_run_test`), read for what they do.

use std::ops::Range;

use queuecast_workload::{Seconds, Time};

use super::amount::Amount;
use super::choose::Chooser;
use super::cluster::{Cluster, Lumps, Node};
use super::job::Holding;
use super::lumps::lumps;
use super::nodes::NodeSet;
use super::shape::Shape;
use super::space::{Planned, Release};

/// What is free on each node, now and as planned.
#[derive(Clone, Debug)]
pub struct Placed {
    pub free: Vec<Amount>,
    sizes: Vec<Amount>,
    nodes: Vec<Node>,
    /// By pool.
    of_pool: Vec<NodeSet>,
    reserved: Vec<Reserved>,
    now: Time,
    /// Running jobs in order of their planned ends, and what they hold, one after the other.
    endings: Vec<Ending>,
    held: Vec<(u32, Amount)>,
    lumps: Lumps,
    resolution: Seconds,
    /// What is free when some of them have ended.
    free_then: Vec<Amount>,
    /// Times from which on nodes are kept for somebody, and until the next time which; the first is now.
    kept: Vec<(Time, NodeSet)>,
    /// Scratch.
    mask: NodeSet,
    chooser: Chooser,
}

/// A planned end.
#[derive(Clone, Copy, Debug)]
struct Ending {
    at: Time,
    class: Option<u8>,
    /// How much of what is held is its.
    count: usize,
}

/// Nodes of a reservation, for a while.
#[derive(Clone, Debug)]
struct Reserved {
    nodes: NodeSet,
    reservation: u32,
    from: Time,
    until: Time,
}

impl Placed {
    pub fn new(cluster: &Cluster) -> Self {
        let mut of_pool = vec![NodeSet::default(); cluster.pools.len()];
        for (place, node) in (0_u32..).zip(&cluster.nodes) {
            of_pool[usize::from(node.pool)].insert(place);
        }
        let mut reserved: Vec<Reserved> = Vec::new();
        for blocked in &cluster.blocked {
            let same = |known: &&mut Reserved| {
                (known.reservation, known.from, known.until) == (blocked.reservation, blocked.from, blocked.until)
            };
            match reserved.iter_mut().find(same) {
                Some(known) => known.nodes.insert(blocked.place),
                None => reserved.push(Reserved {
                    nodes: [blocked.place].into_iter().collect(),
                    reservation: blocked.reservation,
                    from: blocked.from,
                    until: blocked.until,
                }),
            }
        }
        Self {
            free: cluster.capacity(),
            sizes: cluster.capacity(),
            nodes: cluster.nodes.clone(),
            of_pool,
            reserved,
            now: Time(0),
            endings: Vec::new(),
            held: Vec::new(),
            lumps: cluster.settings.lumps,
            resolution: cluster.settings.resolution,
            free_then: Vec::new(),
            kept: Vec::new(),
            mask: NodeSet::default(),
            chooser: Chooser::default(),
        }
    }

    /// Begins a pass: nobody is planned for.
    pub fn begin(&mut self, now: Time) {
        self.now = now;
        self.endings.clear();
        self.held.clear();
        self.kept.clear();
        self.kept.push((now, NodeSet::default()));
    }

    /// Notes who runs. One that should have ended is expected any moment.
    pub fn begin_planning<'a>(&mut self, now: Time, releases: impl Iterator<Item = Release<'a>>) {
        self.endings.clear();
        self.held.clear();
        for Release { end, holds, class } in releases {
            self.endings.push(Ending { at: end.max(now + Seconds(1)), class, count: holds.len() });
            self.held.extend_from_slice(holds);
        }
    }

    /// Whether it fits now, off what is barred and what is kept for others.
    pub fn fits_now(&mut self, shape: &Shape, barred: u64) -> bool {
        self.mask_at(shape, self.now);
        self.bar(barred);
        self.chooser.enough(&shape.on_nodes, &self.sizes, &self.free, &self.mask)
    }

    /// Takes the nodes Slurm would give it.
    pub fn take_now(&mut self, shape: &Shape, now: Time, barred: u64) -> Option<Holding> {
        self.mask_at(shape, now);
        self.bar(barred);
        if !self.chooser.enough(&shape.on_nodes, &self.sizes, &self.free, &self.mask) {
            return None;
        }
        let holding = self.chooser.choose(&shape.on_nodes, &self.sizes, &self.free, &self.mask, &self.nodes)?;
        for (node, amount) in &holding {
            self.free[*node as usize] -= *amount;
        }
        Some(holding)
    }

    /// Which of these jobs must go so that it fits, the first of them first; `None` if it would not fit without all of them.
    pub fn without(&mut self, shape: &Shape, barred: u64, jobs: &[&[(u32, Amount)]]) -> Option<Vec<usize>> {
        self.mask_at(shape, self.now);
        self.bar(barred);
        let mut free = self.free.clone();
        let mut gone = 0;
        let fits =
            |chooser: &mut Chooser, free: &[Amount]| chooser.enough(&shape.on_nodes, &self.sizes, free, &self.mask);
        while !fits(&mut self.chooser, &free) {
            for (node, amount) in *jobs.get(gone)? {
                free[*node as usize] += *amount;
            }
            gone += 1;
        }
        let holding = self.chooser.choose(&shape.on_nodes, &self.sizes, &free, &self.mask, &self.nodes)?;
        let taken: NodeSet = holding.iter().map(|(node, _)| *node).collect();
        let is_in_the_way = |job: &usize| jobs[*job].iter().any(|(node, _)| taken.contains(*node));
        Some((0..gone).filter(is_in_the_way).collect())
    }

    /// Keeps the earliest room free for it.
    pub fn plan(&mut self, shape: &Shape, now: Time, latest: Time) -> Planned {
        let mut from = now;
        loop {
            self.mask_at(shape, from);
            let next = self.next_change(shape, from);
            let Some(ended) = self.first_end(shape) else {
                match next {
                    Some(next) if next <= latest => from = next,
                    _ => return Planned::Never,
                }
                continue;
            };
            let start = ended.max(from);
            if let Some(next) = next.filter(|next| start > *next) {
                from = next;
                continue;
            }
            if start > latest {
                return Planned::Never;
            }
            if start == now {
                return Planned::Now;
            }
            let asked = &shape.on_nodes;
            let Some(holding) = self.chooser.choose(asked, &self.sizes, &self.free_then, &self.mask, &self.nodes)
            else {
                return Planned::Never;
            };
            let nodes: NodeSet = holding.iter().map(|(node, _)| *node).collect();
            if start > from && self.is_kept(shape, &nodes, start) {
                from = start;
                continue;
            }
            self.keep(&nodes, self.rounded_down(start), self.rounded_down(start + shape.planned));
            return Planned::Later;
        }
    }

    /// When enough is free on the masked nodes, running jobs taken off lump by lump; now if that is enough. What is free then is left in
    /// `free_then`. Whom it may put out is not waited for.
    fn first_end(&mut self, shape: &Shape) -> Option<Time> {
        let asked = &shape.on_nodes;
        // Who does not fit on the empty nodes need not be tried on fuller ones.
        if !self.chooser.enough(asked, &self.sizes, &self.sizes, &self.mask) {
            return None;
        }
        self.free_then.clone_from(&self.free);
        if self.chooser.enough(asked, &self.sizes, &self.free_then, &self.mask) {
            return Some(self.now);
        }
        let parts = self.endings.iter().scan(0, |begun, ending| {
            let first = *begun;
            *begun += ending.count;
            Some((ending, first..*begun))
        });
        let is_put_out = |ending: &Ending| ending.class.is_some_and(|class| shape.preempts & (1 << class) != 0);
        for (_, held) in parts.clone().filter(|(ending, _)| is_put_out(ending)) {
            give(&mut self.free_then, &self.held[held]);
        }
        let others = parts.filter(|(ending, _)| !is_put_out(ending));
        let is_in_the_way = |held: Range<usize>| self.held[held].iter().any(|(node, _)| self.mask.contains(*node));
        let ends = others.clone().map(|(ending, held)| (ending.at, is_in_the_way(held)));
        let mut others = others;
        for (count, end) in lumps(ends, self.lumps) {
            for (_, held) in others.by_ref().take(count) {
                give(&mut self.free_then, &self.held[held]);
            }
            if self.chooser.enough(asked, &self.sizes, &self.free_then, &self.mask) {
                return Some(end);
            }
        }
        None
    }

    /// Slurm keeps nodes from and until whole steps of its resolution.
    fn rounded_down(&self, time: Time) -> Time {
        Time(time.0 - time.0.rem_euclid(self.resolution.0.max(1)))
    }

    /// Leaves in the mask the nodes that nobody has been promised while it would run from this time on.
    fn mask_at(&mut self, shape: &Shape, from: Time) {
        let until = from + shape.planned;
        self.mask.copy_from(&shape.on_nodes.nodes);
        let first = self.kept.partition_point(|(begins, _)| *begins <= from).saturating_sub(1);
        for (begins, nodes) in &self.kept[first..] {
            if *begins > until {
                break;
            }
            self.mask.remove_all(nodes);
        }
        for reserved in &self.reserved {
            if reserved.from < until && from < reserved.until && shape.reservation != Some(reserved.reservation) {
                self.mask.remove_all(&reserved.nodes);
            }
        }
    }

    fn bar(&mut self, barred: u64) {
        if barred == 0 {
            return;
        }
        for (pool, nodes) in self.of_pool.iter().enumerate() {
            if barred & (1 << pool) != 0 {
                self.mask.remove_all(nodes);
            }
        }
    }

    /// When something is kept or free again next.
    fn next_change(&self, shape: &Shape, from: Time) -> Option<Time> {
        let place = self.kept.partition_point(|(begins, _)| *begins <= from);
        let kept = self.kept.get(place).map(|(begins, _)| *begins);
        let others = self.reserved.iter().filter(|reserved| shape.reservation != Some(reserved.reservation));
        let reserved = others.map(|reserved| reserved.until).filter(|until| *until > from).min();
        [kept, reserved].into_iter().flatten().min()
    }

    /// Whether any of these nodes is kept for somebody else while it would run from this time on.
    fn is_kept(&mut self, shape: &Shape, nodes: &NodeSet, from: Time) -> bool {
        self.mask_at(shape, from);
        !self.mask.has_all(nodes)
    }

    fn keep(&mut self, nodes: &NodeSet, from: Time, until: Time) {
        let first = self.kept_at(from);
        let end = self.kept_at(until);
        for (_, kept) in &mut self.kept[first..end] {
            kept.insert_all(nodes);
        }
    }

    /// The place of what is kept from this time on, made if there is none.
    fn kept_at(&mut self, time: Time) -> usize {
        let place = self.kept.partition_point(|(begins, _)| *begins < time);
        if self.kept.get(place).is_some_and(|(begins, _)| *begins == time) || place == 0 {
            return place;
        }
        let before = self.kept[place - 1].1.clone();
        self.kept.insert(place, (time, before));
        place
    }
}

fn give(free: &mut [Amount], held: &[(u32, Amount)]) {
    for (node, amount) in held {
        free[*node as usize] += *amount;
    }
}
