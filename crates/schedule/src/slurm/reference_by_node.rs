//! The slow and obvious way where nodes are told apart: whose nodes are kept from when to when is a list, looked through for every
//! question, and every running job that could end is tried in turn. Which nodes a job gets of those it may have is asked of the same
//! chooser, which is held to all subsets of a few nodes.

use proptest::prelude::*;
use queuecast_workload::{Seconds, Time};

use super::choose::Chooser;
use super::shape::{OnNodes, shapes};
use super::*;

const NOW: Time = Time(100);

/// Nodes that are somebody's from one time to another.
struct Kept {
    nodes: NodeSet,
    from: Time,
    until: Time,
    reservation: Option<u32>,
}

struct Obvious<'a> {
    cluster: &'a Cluster,
    queue: &'a [QueuedJob],
    asked: Vec<OnNodes>,
    free: Vec<Amount>,
    /// Planned ends of those who run, who they are and what they hold.
    running: Vec<(Time, usize, Holding)>,
    kept: Vec<Kept>,
    started: Vec<bool>,
    starts: Vec<JobIndex>,
}

impl Obvious<'_> {
    /// The nodes a job may have from this time to the end of its plan.
    fn open(&self, place: usize, from: Time) -> NodeSet {
        self.unkept(self.asked[place].nodes.clone(), place, from)
    }

    /// Of these nodes, those that are not kept for others meanwhile.
    fn unkept(&self, mut nodes: NodeSet, place: usize, from: Time) -> NodeSet {
        let until = from + self.queue[place].planned;
        for kept in &self.kept {
            let is_own = kept.reservation.is_some() && kept.reservation == self.queue[place].demand.reservation;
            // What is kept for somebody who waits begins as early as the end of whoever is before it.
            let begins_before = kept.from < until || (kept.reservation.is_none() && kept.from == until);
            let is_something = kept.from < kept.until;
            if is_something && begins_before && from < kept.until && !is_own {
                nodes.remove_all(&kept.nodes);
            }
        }
        nodes
    }

    fn nodes_for(&self, place: usize, free: &[Amount], open: &NodeSet) -> Option<Holding> {
        let (asked, sizes) = (&self.asked[place], self.cluster.capacity());
        let mut chooser = Chooser::default();
        if !chooser.enough(asked, &sizes, free, open) {
            return None;
        }
        chooser.choose(asked, &sizes, free, open, &self.cluster.nodes)
    }

    fn start(&mut self, place: usize, holding: Holding) {
        for (node, amount) in &holding {
            self.free[*node as usize] -= *amount;
        }
        self.running.push((NOW + self.queue[place].planned, place, holding));
        self.started[place] = true;
        self.starts.push(JobIndex(u32::try_from(place).unwrap()));
    }

    fn waiting(&self, most: usize) -> Vec<usize> {
        (0..self.queue.len()).filter(|place| self.queue[*place].eligible && !self.started[*place]).take(most).collect()
    }

    fn main_pass(&mut self) {
        let mut barred = NodeSet::default();
        for place in self.waiting(self.cluster.settings.main_depth) {
            let mut open = self.open(place, NOW);
            open.remove_all(&barred);
            let holding = self.nodes_for(place, &self.free, &open);
            if let Some(holding) = holding.filter(|_| self.queue[place].demand.together.is_none()) {
                self.start(place, holding);
            } else if self.queue[place].demand.reservation.is_none() {
                let bars = self.queue[place].demand.bars.0;
                let of_partition = (0_u32..).zip(&self.cluster.nodes).filter(|(_, node)| bars & (1 << node.pool) != 0);
                barred.insert_all(&of_partition.map(|(place, _)| place).collect());
            }
        }
    }

    /// What is free when those who run have ended as planned, lump by lump: those on these nodes. Who is not on them is passed over, with
    /// no look at the window.
    fn steps(&self, open: &NodeSet) -> Vec<(Time, Vec<Amount>)> {
        let lumps = self.cluster.settings.lumps;
        let mut running: Vec<&(Time, usize, Holding)> = self.running.iter().collect();
        running.sort_by_key(|(end, job, _)| (*end, *job));
        let end_of = |place: usize| running.get(place).map(|(end, _, _)| (*end).max(NOW + Seconds(1)));
        let is_on = |place: usize| running[place].2.iter().any(|(node, _)| open.contains(*node));
        let mut steps = vec![(NOW, self.free.clone())];
        let mut free = self.free.clone();
        let (mut begin, mut open_since) = (None, None);
        let mut window = lumps.first.0;
        for (place, (_, _, holding)) in running.iter().enumerate() {
            for (node, amount) in holding {
                free[*node as usize] += *amount;
            }
            if !is_on(place) {
                continue;
            }
            let end = end_of(place).unwrap();
            let begin = match lumps.first.0 {
                0 => end.0,
                first => *begin.get_or_insert(end.0 - end.0.rem_euclid(first) + first),
            };
            let next = end_of(place + 1);
            open_since = Some(end);
            if next.is_some_and(|next| next.0 <= begin + window) {
                continue;
            }
            open_since = None;
            steps.push((end, free.clone()));
            window *= 2;
            while window > 0 && next.is_some_and(|next| next.0 > begin + window) {
                window *= 2;
            }
        }
        // The last lump may end with somebody who is not on them.
        steps.extend(open_since.map(|end| (end, free)));
        steps
    }

    fn backfill(&mut self) {
        let settings = self.cluster.settings;
        let mut reserved = 0;
        let mut together = Vec::new();
        for place in self.waiting(settings.jobs_tested) {
            if self.started[place] {
                continue;
            }
            if let Some(number) = self.queue[place].demand.together {
                if !self.start_together(number) && reserved < settings.reservations && !together.contains(&number) {
                    together.push(number);
                    reserved += self.plan_together(number);
                }
                continue;
            }
            if let Some(holding) = self.nodes_for(place, &self.free, &self.open(place, NOW)) {
                self.start(place, holding);
            } else if reserved < settings.reservations && self.plan(place) {
                reserved += 1;
            }
        }
    }

    /// All components one after the other, or none.
    fn start_together(&mut self, number: u32) -> bool {
        let of = (0..self.queue.len()).filter(|place| self.queue[*place].demand.together == Some(number));
        let components: Vec<usize> = of.collect();
        let mut free = self.free.clone();
        let mut holdings = Vec::new();
        for place in &components {
            let is_waiting = self.queue[*place].eligible && !self.started[*place];
            let Some(holding) = self.nodes_for(*place, &free, &self.open(*place, NOW)).filter(|_| is_waiting) else {
                return false;
            };
            for (node, amount) in &holding {
                free[*node as usize] -= *amount;
            }
            holdings.push(holding);
        }
        for (place, holding) in components.into_iter().zip(holdings) {
            self.start(place, holding);
        }
        true
    }

    /// All components from when the last of them can start, which is found by keeping what each could have by itself.
    fn plan_together(&mut self, number: u32) -> usize {
        let of = (0..self.queue.len()).filter(|place| self.queue[*place].demand.together == Some(number));
        let components: Vec<usize> = of.collect();
        let before = self.kept.len();
        let starts: Vec<Option<Time>> = components.iter().map(|place| self.plan_from(*place, NOW)).collect();
        self.kept.truncate(before);
        let Some(starts) = starts.into_iter().collect::<Option<Vec<Time>>>() else { return 0 };
        let start = starts.into_iter().max().unwrap();
        components.iter().filter(|place| self.plan_from(**place, start).is_some()).count()
    }

    fn plan(&mut self, place: usize) -> bool {
        self.plan_from(place, NOW).is_some()
    }

    fn plan_from(&mut self, place: usize, mut from: Time) -> Option<Time> {
        let latest = NOW + self.cluster.settings.window;
        let planned = self.queue[place].planned;
        loop {
            let open = self.open(place, from);
            let steps = self.steps(&self.unkept(self.asked[place].ends_on.clone(), place, from));
            // Who is in a reservation does not wait for its end; what is kept for others begins and ends.
            let own = self.queue[place].demand.reservation;
            let changes = self.kept.iter().filter(|kept| kept.reservation.is_none() || kept.reservation != own);
            let next = changes
                .flat_map(
                    |kept| if kept.reservation.is_some() { vec![kept.until] } else { vec![kept.from, kept.until] },
                )
                .filter(|time| *time > from)
                .min();
            let found = steps.iter().find_map(|(end, free)| Some((*end, self.nodes_for(place, free, &open)?)));
            let Some((end, holding)) = found.filter(|(end, _)| next.is_none_or(|next| (*end).max(from) <= next)) else {
                match next {
                    Some(next) if next <= latest => from = next,
                    _ => return None,
                }
                continue;
            };
            let start = end.max(from);
            if start > latest {
                return None;
            }
            let nodes: NodeSet = holding.iter().map(|(node, _)| *node).collect();
            if start > from && !self.open(place, start).has_all(&nodes) {
                from = start;
                continue;
            }
            let whole = |time: Time| Time(time.0 - time.0.rem_euclid(self.cluster.settings.resolution.0));
            self.kept.push(Kept { nodes, from: whole(start), until: whole(start + planned), reservation: None });
            return Some(start);
        }
    }
}

fn obvious(cluster: &Cluster, queue: &[QueuedJob], running: &[RunningNow]) -> Vec<JobIndex> {
    let (shapes, of) = shapes(cluster, queue);
    let mut free = cluster.capacity();
    for (node, amount) in running.iter().flat_map(|job| &job.holds) {
        free[*node as usize] -= *amount;
    }
    let kept = cluster.blocked.iter().map(|blocked| Kept {
        nodes: [blocked.place].into_iter().collect(),
        from: blocked.from,
        until: blocked.until,
        reservation: Some(blocked.reservation),
    });
    let mut site = Obvious {
        cluster,
        queue,
        asked: of.iter().map(|shape| shapes[*shape as usize].on_nodes.clone()).collect(),
        free,
        running: (queue.len()..).zip(running).map(|(job, now)| (now.planned_end, job, now.holds.clone())).collect(),
        kept: kept.collect(),
        started: vec![false; queue.len()],
        starts: Vec::new(),
    };
    site.main_pass();
    site.backfill();
    site.starts
}

const POOLS: [Pool; 2] = [
    Pool { node: Amount { processors: 8, memory_mebibytes: 64, gpus: 0 }, nodes: 4 },
    Pool { node: Amount { processors: 4, memory_mebibytes: 64, gpus: 2 }, nodes: 3 },
];

fn demand() -> impl Strategy<Value = Demand> {
    let amount = (1_i64..6, 0_i64..40, 0_i64..2);
    (amount, 1_u32..7, 1_u32..4, 1_u32..4, 0_u8..6, 1_u64..4).prop_map(
        |((processors, memory_mebibytes, gpus), chunks, nodes_min, more, kind, pools)| {
            let chunk = Chunk::Share(Amount { processors, memory_mebibytes: memory_mebibytes / 4, gpus: 0 });
            let each_node = Amount { processors: 0, memory_mebibytes, gpus };
            let layout = Layout {
                nodes_min,
                nodes_max: if kind % 2 == 0 { u32::MAX } else { nodes_min + more - 1 },
                each_node: if kind == 3 { each_node } else { Amount::NONE },
                whole_nodes: kind == 4,
                ..Layout::anyhow()
            };
            Demand { chunks: chunks.max(nodes_min), layout, ..Demand::of(nodes_min, chunk, PoolSet(pools)) }
        },
    )
}

prop_compose! {
    fn situation()(
        jobs in proptest::collection::vec((demand(), 1_i64..60, 0_u8..10), 0..20),
        running in proptest::collection::vec((0_u32..7, 1_i64..4, -5_i64..60), 0..10),
        blocked in proptest::collection::vec((0_u32..7, -10_i64..40, 1_i64..30), 0..3),
        (reservations, jobs_tested, main_depth) in
            (prop_oneof![Just(usize::MAX), 0_usize..5], 1_usize..25, 1_usize..25),
        (window, resolution) in (1_i64..120, 1_i64..7),
        lump in 0_i64..10,
    ) -> (Cluster, Vec<QueuedJob>, Vec<RunningNow>) {
        let nodes: Vec<Node> = (0..7_u32).map(|place| Node { pool: u8::from(place >= 4), weight: place % 3 }).collect();
        let blocked = (0_u32..).zip(blocked).map(|(reservation, (place, from, span))| Blocked {
            place,
            amount: POOLS[usize::from(nodes[place as usize].pool)].node,
            reservation,
            from: Time(100 + from),
            until: Time(100 + from + span),
        });
        let blocked: Vec<Blocked> = blocked.collect();
        let queue = jobs.into_iter().map(|(mut demand, planned, kind)| {
            if kind == 8 && !blocked.is_empty() {
                demand.reservation = Some(0);
            }
            demand.together = (kind < 2).then_some(u32::from(kind));
            if kind == 7 {
                demand.ends_in = PoolSet(3);
            }
            QueuedJob { demand, planned: Seconds(planned), eligible: kind != 9, class: None }
        });
        let running = running.into_iter().map(|(node, processors, end)| RunningNow {
            holds: vec![(node, Amount::processors(processors))],
            planned_end: Time(100 + end),
            caps: Vec::new(),
            class: None,
        });
        let settings = SlurmSettings {
            window: Seconds(window),
            resolution: Seconds(resolution),
            lumps: Lumps { first: Seconds(lump), longer_by: None },
            jobs_tested,
            main_depth,
            reservations,
            ..SlurmSettings::default()
        };
        let cluster = Cluster { pools: POOLS.to_vec(), nodes, blocked: blocked.clone(), caps: Vec::new(), settings };
        (cluster, queue.collect(), running.collect())
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]

    #[test]
    fn a_pass_on_nodes_starts_whom_the_obvious_way_starts((cluster, queue, running) in situation()) {
        let mut expected = obvious(&cluster, &queue, &running);
        let mut scheduler = SlurmScheduler::new(cluster, &queue, running);
        let mut starts = Vec::new();
        scheduler.pass(NOW, true, &mut starts);
        expected.sort();
        starts.sort();
        prop_assert_eq!(starts, expected);
    }

    /// Every subset of the nodes is tried: it will do if it is not too many nor too few and holds all chunks.
    #[test]
    fn a_job_fits_if_some_nodes_hold_it_and_gets_nodes_that_do(
        demand in demand(),
        used in proptest::collection::vec((0_i64..9, 0_i64..65, 0_i64..3), 7),
    ) {
        let nodes: Vec<Node> = (0..7_u32).map(|place| Node { pool: u8::from(place >= 4), weight: place % 2 }).collect();
        let cluster = Cluster { pools: POOLS.to_vec(), nodes, ..Cluster::default() };
        let sizes = cluster.capacity();
        let free: Vec<Amount> = (sizes.iter().zip(used))
            .map(|(size, (processors, memory_mebibytes, gpus))| {
                let mut free = *size;
                free -= Amount { processors, memory_mebibytes, gpus };
                free
            })
            .collect();
        let job = QueuedJob { demand, planned: Seconds(1), eligible: true, class: None };
        let (shapes, _) = shapes(&cluster, std::slice::from_ref(&job));
        let asked = &shapes[0].on_nodes;
        let layout = asked.layout;
        let will_do = |subset: u32| {
            let members: Vec<usize> = (0..7).filter(|node| subset & (1 << node) != 0).collect();
            let allowed = members.iter().all(|node| asked.nodes.contains(u32::try_from(*node).unwrap()));
            let rooms: Vec<u32> = members.iter().map(|node| asked.room(sizes[*node], free[*node])).collect();
            let count = u32::try_from(members.len()).unwrap();
            allowed
                && (layout.nodes_min..=layout.nodes_max).contains(&count)
                && rooms.iter().all(|room| *room > 0)
                && rooms.iter().sum::<u32>() >= asked.chunks
        };
        let mut chooser = Chooser::default();
        let fits = chooser.enough(asked, &sizes, &free, &asked.nodes);
        prop_assert_eq!(fits, (0..128).any(will_do));
        if fits {
            let holding = chooser.choose(asked, &sizes, &free, &asked.nodes, &cluster.nodes).expect("it fits");
            let subset = holding.iter().fold(0, |set, (node, _)| set | 1 << node);
            prop_assert!(will_do(subset), "{:?}", holding);
            for (node, amount) in holding {
                prop_assert!(free[node as usize].holds(amount), "more than node {} has", node);
            }
        }
    }
}

/// The first two nodes are full, the third is half free: a whole node is not to be had, half of one is.
#[test]
fn a_job_that_needs_a_whole_node_does_not_start_on_parts_of_two() {
    let node = Amount { processors: 4, memory_mebibytes: 0, gpus: 4 };
    let cluster = Cluster {
        pools: vec![Pool { node, nodes: 2 }],
        nodes: vec![Node { pool: 0, weight: 1 }; 2],
        ..Cluster::default()
    };
    let half = RunningNow {
        holds: vec![(0, Amount { processors: 2, memory_mebibytes: 0, gpus: 2 })],
        planned_end: Time(10_000),
        caps: Vec::new(),
        class: None,
    };
    let other_half =
        RunningNow { holds: vec![(1, Amount { processors: 2, memory_mebibytes: 0, gpus: 2 })], ..half.clone() };
    let job = |gpus: i64| QueuedJob {
        demand: Demand::of(1, Chunk::Share(Amount { processors: 1, memory_mebibytes: 0, gpus }), PoolSet(1)),
        planned: Seconds(60),
        eligible: true,
        class: None,
    };
    let mut scheduler = SlurmScheduler::new(cluster, &[job(4), job(2)], vec![half, other_half]);
    let mut starts = Vec::new();
    scheduler.pass(Time(0), true, &mut starts);
    assert_eq!(starts, [JobIndex(1)]);
}

/// Two processors for 100 s are before the first: another of the same may begin only when half of that is over.
#[test]
fn what_is_before_those_who_run_falls_as_they_run() {
    let most = Amount { processors: 300, ..Amount::UNLIMITED };
    let cluster = Cluster {
        pools: vec![Pool { node: Amount::processors(8), nodes: 1 }],
        nodes: vec![Node { pool: 0, weight: 1 }],
        caps: vec![Cap { work: Some(Work::of(most)), ..Cap::NONE }],
        ..Cluster::default()
    };
    let demand = Demand {
        caps: vec![Counts::once(0, Things::ALL)],
        ..Demand::of(1, Chunk::Share(Amount::processors(2)), PoolSet(1))
    };
    let job = QueuedJob { demand, planned: Seconds(100), eligible: true, class: None };
    let mut scheduler = SlurmScheduler::new(cluster, &[job.clone(), job], Vec::new());
    let mut starts = Vec::new();
    scheduler.pass(Time(1_000), true, &mut starts);
    scheduler.pass(Time(1_049), true, &mut starts);
    assert_eq!(starts, [JobIndex(0)]);
    scheduler.pass(Time(1_050), true, &mut starts);
    assert_eq!(starts, [JobIndex(0), JobIndex(1)]);
}

/// One job at a time; the second is not held by that and starts beside the first, but counts: the third waits until both have ended.
#[test]
fn who_is_not_held_by_a_limit_counts_against_it_all_the_same() {
    let cluster = Cluster {
        pools: vec![Pool { node: Amount::processors(8), nodes: 1 }],
        nodes: vec![Node { pool: 0, weight: 1 }],
        caps: vec![Cap { jobs: 1, ..Cap::NONE }],
        ..Cluster::default()
    };
    let job = |things: Things| {
        let demand = Demand {
            caps: vec![Counts::once(0, things)],
            ..Demand::of(1, Chunk::Share(Amount::processors(1)), PoolSet(1))
        };
        QueuedJob { demand, planned: Seconds(100), eligible: true, class: None }
    };
    let queue = [job(Things::JOBS), job(Things::NONE), job(Things::JOBS)];
    let mut scheduler = SlurmScheduler::new(cluster, &queue, Vec::new());
    let mut starts = Vec::new();
    scheduler.pass(Time(0), true, &mut starts);
    assert_eq!(starts, [JobIndex(0), JobIndex(1)]);
    scheduler.end(JobIndex(0));
    scheduler.pass(Time(10), true, &mut starts);
    assert_eq!(starts, [JobIndex(0), JobIndex(1)], "the second still counts");
    scheduler.end(JobIndex(1));
    scheduler.pass(Time(20), true, &mut starts);
    assert_eq!(starts, [JobIndex(0), JobIndex(1), JobIndex(2)]);
}

/// A limit holds the first component, so nothing is kept for it: three of four nodes are left beside what is kept for the second.
#[test]
fn for_a_component_that_a_limit_holds_no_room_is_kept() {
    let cluster = Cluster {
        pools: vec![Pool { node: Amount::processors(1), nodes: 4 }],
        nodes: vec![Node { pool: 0, weight: 1 }; 4],
        caps: vec![Cap { jobs: 0, ..Cap::NONE }],
        ..Cluster::default()
    };
    let job = |nodes: u32, together: Option<u32>, caps: Vec<Counts>| {
        let demand = Demand { caps, together, ..Demand::of(nodes, Chunk::WholeNode, PoolSet(1)) };
        QueuedJob { demand, planned: Seconds(100), eligible: true, class: None }
    };
    let held = vec![Counts::once(0, Things::JOBS)];
    let queue = [job(2, Some(1), held), job(1, Some(1), Vec::new()), job(3, None, Vec::new())];
    let mut scheduler = SlurmScheduler::new(cluster, &queue, Vec::new());
    let mut starts = Vec::new();
    scheduler.pass(Time(0), true, &mut starts);
    assert_eq!(starts, [JobIndex(2)]);
}
