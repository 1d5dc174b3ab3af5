//! Onlookers against jobs that are really put at the end of the queue, one by one: they start at the same moments.

use proptest::prelude::*;
use queuecast_schedule::slurm::{
    Amount, Cap, Chunk, Cluster, Counts, Demand, Layout, Lumps, Node, Onlooker, Pool, PoolSet, SlurmSettings, Things,
};
use queuecast_workload::{Seconds, Time};

use super::agreement::Known;
use super::*;
use queuecast_testkit::submission;

const POOLS: [Pool; 2] = [
    Pool { node: Amount { processors: 8, memory_mebibytes: 64, gpus: 0 }, nodes: 4 },
    Pool { node: Amount { processors: 4, memory_mebibytes: 64, gpus: 2 }, nodes: 3 },
];
const PLANS: [i64; 4] = [5, 30, 31, 200];

fn demand() -> impl Strategy<Value = Demand> {
    let sizes = (1_i64..6, 0_i64..20, 1_u32..7, 1_u32..4);
    (sizes, 0_u8..4, 1_u64..4, any::<bool>()).prop_map(
        |((processors, memory, chunks, nodes), kind, pools, is_capped)| {
            let chunk = Chunk::Share(Amount { processors, memory_mebibytes: memory, gpus: 0 });
            let layout = match kind {
                0 => Layout::one_each(chunks),
                1 => Layout { whole_nodes: true, ..Layout::anyhow() },
                2 => Layout {
                    nodes_min: nodes,
                    each_node: Amount { processors: 0, memory_mebibytes: 0, gpus: 1 },
                    ..Layout::anyhow()
                },
                _ => Layout { nodes_min: nodes, ..Layout::anyhow() },
            };
            let caps = if is_capped { vec![Counts::once(0, Things::JOBS)] } else { Vec::new() };
            Demand { chunks: chunks.max(layout.nodes_min), layout, caps, ..Demand::of(chunks, chunk, PoolSet(pools)) }
        },
    )
}

prop_compose! {
    /// A queue, who runs, and how long each of both runs, by number.
    fn situation()(
        jobs in proptest::collection::vec((demand(), 2_i64..120, 0_i64..100, 0_u8..8), 0..16),
        running in proptest::collection::vec((0_u32..7, 1_i64..4, 1_i64..120, 0_i64..100), 0..8),
        (reservations, jobs_tested, main_depth) in (prop_oneof![Just(usize::MAX), 0_usize..5], 1_usize..25, 1_usize..25),
        (interval, resolution, lump) in (0_i64..40, 1_i64..7, 0_i64..10),
        (backfills, tells_nodes_apart) in (prop::bool::weighted(0.8), any::<bool>()),
    ) -> (PlayableQueue, Vec<Seconds>) {
        let nodes = (0..7_u32).map(|place| Node { pool: u8::from(place >= 4), weight: place % 3 });
        let settings = SlurmSettings {
            backfill_interval: Seconds(interval),
            window: Seconds(1_000),
            resolution: Seconds(resolution),
            lumps: Lumps { first: Seconds(lump), longer_by: None },
            jobs_tested,
            main_depth,
            reservations,
            backfills,
        };
        let cluster = Cluster {
            pools: POOLS.to_vec(),
            nodes: if tells_nodes_apart { nodes.collect() } else { Vec::new() },
            caps: vec![Cap { jobs: 3, ..Cap::NONE }],
            settings,
            ..Cluster::default()
        };
        let part = |planned: i64, percent: i64| Seconds((planned * percent / 100).max(1));
        let mut runs = Vec::new();
        let mut waiting = Vec::new();
        for (demand, planned, percent, kind) in jobs {
            let number = runs.len() as u64;
            let mut job = WaitingHere::new(submission(number, 0, 1, Some(planned)), demand, Seconds(planned));
            job.not_before = (kind == 0).then_some(Time(40));
            runs.push(part(planned, percent));
            waiting.push(job);
        }
        let mut here = Vec::new();
        for (node, processors, planned, percent) in running {
            let number = runs.len() as u64;
            let place = if tells_nodes_apart { node } else { u32::from(node >= 4) };
            let holds = vec![(place, Amount::processors(processors))];
            here.push(RunningHere::new(submission(number, 0, 1, Some(planned)), Time(0), Time(planned), holds));
            runs.push(part(planned, percent));
        }
        (PlayableQueue::new(Time(0), cluster, waiting, here), runs)
    }
}

/// When a job starts that is really put at the end of the queue.
fn really_last(situation: &PlayableQueue, runs: &[Seconds], demand: &Demand, planned: i64) -> Vec<Option<Time>> {
    let mut with = situation.clone();
    let number = runs.len() as u64;
    with.waiting.push(WaitingHere::new(submission(number, 0, 1, Some(planned)), demand.clone(), Seconds(planned)));
    let mut known = Known::new(runs.iter().copied().chain([Seconds(planned)]).collect());
    forecast_job(&with, situation.waiting.len(), &mut known, &SETTINGS)
}

const SETTINGS: QueueSettings = QueueSettings {
    futures: 1,
    seed: 0,
    horizon: Seconds(5_000),
    tasks_played: 10,
    patience: Patience::ENDLESS,
    threads: Threads::SHARED,
};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn whoever_looks_on_is_told_what_it_would_be_told_at_the_end_of_the_queue(
        (situation, runs) in situation(),
        demands in proptest::collection::vec(demand(), 1..5),
    ) {
        let planned = PLANS.map(Seconds).to_vec();
        let onlookers: Vec<Onlooker> =
            demands.iter().map(|demand| Onlooker { demand: demand.clone(), planned: planned.clone() }).collect();
        let told = forecast_onlookers(&situation, &onlookers, &mut Known::new(runs.clone()), &SETTINGS);
        for (demand, told) in demands.iter().zip(told) {
            for (planned, told) in PLANS.into_iter().zip(told) {
                prop_assert_eq!(told, really_last(&situation, &runs, demand, planned), "{:?} for {} s", demand, planned);
            }
        }
    }
}
