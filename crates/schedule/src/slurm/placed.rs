//! Room where nodes are told apart: what is free on each, which of them a job gets, and which are kept for whom.
//!
//! Two facts of Slurm decide most here. When it asks when a job could start, it lets running jobs end, a lump at a time, and
//! looks at every node whether enough is free. And what it keeps for a job that starts later are whole nodes, for as long as
//! the job is planned to run, however little of them the job needs.
//!
//! Source: `plugins/sched/backfill/backfill.c` of 22.05 (`_attempt_backfill`, `_add_reservation`, `_test_resv_overlap`) and
//! `plugins/select/cons_tres` (`_will_run_test`), read for what they do.

use queuecast_workload::{Seconds, Time};

use super::amount::Amount;
use super::choose::Chooser;
use super::cluster::{Cluster, Lumps, Node};
use super::free_nodes::FreeNodes;
use super::job::Holding;
use super::lumps::lumps;
use super::nodes::NodeSet;
use super::shape::Shape;
use super::space::{Planned, Release};

/// What is free on each node, now and as planned.
#[derive(Clone, Debug)]
pub struct Placed {
    pub free: FreeNodes,
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
    free_then: FreeNodes,
    /// Times from which on nodes are kept for somebody, and until the next time which; the first is now.
    kept: Vec<(Time, NodeSet)>,
    /// Scratch: nodes on which jobs are let end; of those the ones it may have; of those the ones with room; the first when it was last
    /// tried.
    around: NodeSet,
    mask: NodeSet,
    open: NodeSet,
    tried: NodeSet,
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
            free: FreeNodes::empty(cluster.capacity()),
            sizes: cluster.capacity(),
            nodes: cluster.nodes.clone(),
            of_pool,
            reserved,
            now: Time(0),
            endings: Vec::new(),
            held: Vec::new(),
            lumps: cluster.settings.lumps,
            resolution: cluster.settings.resolution,
            free_then: FreeNodes::default(),
            kept: Vec::new(),
            around: NodeSet::default(),
            mask: NodeSet::default(),
            open: NodeSet::default(),
            tried: NodeSet::default(),
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
        self.free.leave_open(&mut self.mask, &shape.on_nodes);
        self.chooser.enough(&shape.on_nodes, &self.sizes, &self.free.amounts, &self.mask)
    }

    /// Takes the nodes Slurm would give it.
    pub fn take_now(&mut self, shape: &Shape, now: Time, barred: u64) -> Option<Holding> {
        self.mask_at(shape, now);
        self.bar(barred);
        self.free.leave_open(&mut self.mask, &shape.on_nodes);
        if !self.chooser.enough(&shape.on_nodes, &self.sizes, &self.free.amounts, &self.mask) {
            return None;
        }
        let holding = self.chooser.choose(&shape.on_nodes, &self.sizes, &self.free.amounts, &self.mask, &self.nodes)?;
        self.free.hold(&holding);
        Some(holding)
    }

    /// Which of these jobs must go so that it fits, the first of them first; `None` if it would not fit without all of them.
    pub fn without(&mut self, shape: &Shape, barred: u64, jobs: &[&[(u32, Amount)]]) -> Option<Vec<usize>> {
        self.mask_at(shape, self.now);
        self.bar(barred);
        let mut free = self.free.amounts.clone();
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
        match self.earliest(shape, now, latest) {
            None => Planned::Never,
            Some((start, _)) if start == now => Planned::Now,
            Some((start, nodes)) => {
                self.keep(shape, &nodes, start);
                Planned::Later
            }
        }
    }

    /// Keeps room for several jobs that start together: from when the last of them can, but not for those of which it is said otherwise. Says for how many.
    ///
    /// Slurm finds that time in one pass of backfill, in which it keeps for the others what they could have earlier, and plans all of them from it in the next.
    pub fn plan_together(&mut self, shapes: &[(&Shape, bool)], now: Time, latest: Time) -> usize {
        let before = self.kept.clone();
        let mut start = now;
        for (shape, _) in shapes {
            let Some((earliest, nodes)) = self.earliest(shape, now, latest) else {
                self.kept = before;
                return 0;
            };
            self.keep(shape, &nodes, earliest);
            start = start.max(earliest);
        }
        self.kept = before;
        let mut planned = 0;
        for (shape, _) in shapes.iter().filter(|(_, is_kept)| *is_kept) {
            if let Some((start, nodes)) = self.earliest(shape, start, latest) {
                self.keep(shape, &nodes, start);
                planned += 1;
            }
        }
        planned
    }

    /// When it could start at the earliest from some time on, and on which nodes.
    fn earliest(&mut self, shape: &Shape, mut from: Time, latest: Time) -> Option<(Time, NodeSet)> {
        let mut found = None;
        loop {
            self.mask_at(shape, from);
            let next = self.next_change(shape, from);
            // What is kept changes more often than the nodes that are left for this job.
            if found.is_none() || self.tried != self.around {
                self.tried.copy_from(&self.around);
                found = Some(self.first_end(shape));
            }
            let Some(ended) = found.flatten() else {
                from = next.filter(|next| *next <= latest)?;
                continue;
            };
            let start = ended.max(from);
            if let Some(next) = next.filter(|next| start > *next) {
                from = next;
                continue;
            }
            if start > latest {
                return None;
            }
            let asked = &shape.on_nodes;
            let holding = self.chooser.choose(asked, &self.sizes, &self.free_then.amounts, &self.mask, &self.nodes)?;
            let nodes: NodeSet = holding.iter().map(|(node, _)| *node).collect();
            if start > from && self.is_kept(shape, &nodes, start) {
                from = start;
                continue;
            }
            return Some((start, nodes));
        }
    }

    /// When enough is free on the masked nodes, running jobs taken off lump by lump; now if that is enough. What is free then is left in
    /// `free_then`. Whom it may put out is not waited for.
    fn first_end(&mut self, shape: &Shape) -> Option<Time> {
        let asked = &shape.on_nodes;
        // Who does not fit on the empty nodes need not be tried on fuller ones.
        if self.mask.count() < asked.least_nodes || !self.chooser.enough(asked, &self.sizes, &self.sizes, &self.mask) {
            return None;
        }
        let Self { free, free_then, chooser, open, around, mask, sizes, .. } = self;
        free_then.copy_from(free);
        let mut is_enough = |free: &FreeNodes| {
            open.copy_from(mask);
            free.leave_open(open, asked);
            chooser.enough(asked, sizes, &free.amounts, open)
        };
        if is_enough(free_then) {
            return Some(self.now);
        }
        let parts = self.endings.iter().scan(0, |begun, ending| {
            let first = *begun;
            *begun += ending.count;
            Some((ending, &self.held[first..*begun]))
        });
        let is_put_out = |ending: &Ending| ending.class.is_some_and(|class| shape.preempts & (1 << class) != 0);
        for (_, held) in parts.clone().filter(|(ending, _)| is_put_out(ending)) {
            free_then.give_back(held);
        }
        let mut others = parts.filter(|(ending, _)| !is_put_out(ending));
        let is_in_the_way = |held: &[(u32, Amount)]| held.iter().any(|(node, _)| around.contains(*node));
        let ends = others.clone().map(|(ending, held)| (ending.at, is_in_the_way(held)));
        for (count, end) in lumps(ends, self.lumps) {
            others.by_ref().take(count).for_each(|(_, held)| free_then.give_back(held));
            if is_enough(free_then) {
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
        self.around.copy_from(&shape.on_nodes.ends_on);
        let first = self.kept.partition_point(|(begins, _)| *begins <= from).saturating_sub(1);
        for (begins, nodes) in &self.kept[first..] {
            if *begins > until {
                break;
            }
            self.around.remove_all(nodes);
        }
        for reserved in &self.reserved {
            if reserved.from < until && from < reserved.until && shape.reservation != Some(reserved.reservation) {
                self.around.remove_all(&reserved.nodes);
            }
        }
        self.mask.copy_from(&self.around);
        self.mask.keep_only(&shape.on_nodes.nodes);
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

    /// Keeps nodes for it from this time on.
    fn keep(&mut self, shape: &Shape, nodes: &NodeSet, from: Time) {
        let until = self.rounded_down(from + shape.planned);
        let first = self.kept_at(self.rounded_down(from));
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
