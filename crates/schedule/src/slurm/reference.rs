//! The slow and obvious way: a list of who holds what from when to when, looked through for every question. The fast way is
//! held to it.

use proptest::prelude::*;
use queuecast_workload::{Seconds, Time};

use super::*;

/// Somebody holds something.
#[derive(Clone, Copy, Debug)]
struct Claim {
    pool: usize,
    amount: Amount,
    from: Time,
    until: Time,
}

struct Obvious<'a> {
    cluster: &'a Cluster,
    queue: &'a [QueuedJob],
    caps: Vec<Cap>,
    claims: Vec<Claim>,
    started: Vec<bool>,
    starts: Vec<JobIndex>,
    now: Time,
}

impl Obvious<'_> {
    fn free(&self, pool: usize, time: Time) -> Amount {
        let mut free = self.cluster.capacity()[pool];
        for claim in &self.claims {
            if claim.pool == pool && claim.from <= time && time < claim.until {
                free -= claim.amount;
            }
        }
        free
    }

    fn least(&self, pool: usize, from: Time, until: Time) -> Amount {
        let changes = self.claims.iter().flat_map(|claim| [claim.from, claim.until]);
        let times = changes.filter(|time| from < *time && *time < until);
        times.fold(self.free(pool, from), |least, time| least.least(self.free(pool, time)))
    }

    fn chunk(&self, job: &QueuedJob, pool: usize) -> Amount {
        match job.demand.chunk {
            Chunk::Share(amount) => amount,
            Chunk::WholeNode => self.cluster.pools[pool].node,
        }
    }

    fn spread(&self, job: &QueuedJob, from: Time) -> Option<Vec<(usize, Amount)>> {
        let mut missing = job.demand.chunks;
        let mut spread = Vec::new();
        for pool in job.demand.pools.pools() {
            let chunk = self.chunk(job, pool);
            let here = self.least(pool, from, from + job.planned).holds_times(chunk, missing);
            if here > 0 {
                spread.push((pool, chunk.times(here)));
                missing -= here;
            }
        }
        (missing == 0).then_some(spread)
    }

    fn capped(&self, job: &QueuedJob) -> bool {
        let counted = self.counted(job);
        let full = |cap: &Cap, units: u32| cap.jobs < i64::from(units) || !cap.amount.holds(counted);
        job.demand.caps.iter().any(|counts| full(&self.caps[counts.cap as usize], counts.units))
    }

    fn counted(&self, job: &QueuedJob) -> Amount {
        let first = job.demand.pools.pools().next().unwrap();
        self.chunk(job, first).times(job.demand.chunks)
    }

    fn claim(&mut self, spread: Vec<(usize, Amount)>, from: Time, until: Time) {
        self.claims.extend(spread.into_iter().map(|(pool, amount)| Claim { pool, amount, from, until }));
    }

    fn start(&mut self, place: usize, spread: Vec<(usize, Amount)>) {
        let job = &self.queue[place];
        self.claim(spread, self.now, self.now + job.planned);
        let counted = self.counted(job);
        for counts in &job.demand.caps {
            self.caps[counts.cap as usize].jobs -= i64::from(counts.units);
            self.caps[counts.cap as usize].amount -= counted;
        }
        self.started[place] = true;
        self.starts.push(JobIndex(u32::try_from(place).unwrap()));
    }

    fn main_pass(&mut self) -> bool {
        let mut barred = 0;
        let waiting: Vec<usize> = self.waiting().take(self.cluster.settings.main_depth).collect();
        for place in waiting {
            let job = &self.queue[place];
            if self.capped(job) || job.demand.pools.0 & !barred == 0 {
                continue;
            }
            match self.spread(job, self.now).filter(|_| job.demand.pools.0 & barred == 0) {
                Some(spread) => self.start(place, spread),
                None => barred |= job.demand.pools.0,
            }
        }
        barred != 0 || self.waiting().count() > 0
    }

    fn backfill(&mut self) {
        let settings = self.cluster.settings;
        let waiting: Vec<usize> = self.waiting().take(settings.jobs_tested).collect();
        let mut reserved = 0;
        for place in waiting {
            let job = &self.queue[place];
            if self.capped(job) {
                continue;
            }
            if let Some(spread) = self.spread(job, self.now) {
                self.start(place, spread);
            } else if reserved < settings.reservations {
                let mut times: Vec<Time> = self.claims.iter().flat_map(|claim| [claim.from, claim.until]).collect();
                times.sort();
                let within = |time: &Time| self.now < *time && *time <= self.now + settings.window;
                let found = times.into_iter().filter(within).find_map(|time| Some((time, self.spread(job, time)?)));
                if let Some((time, spread)) = found {
                    self.claim(spread, time, time + job.planned);
                    reserved += 1;
                }
            }
        }
    }

    fn waiting(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.queue.len()).filter(|place| self.queue[*place].eligible && !self.started[*place])
    }
}

fn rounded(now: Time, end: Time, resolution: Seconds) -> Time {
    let ahead = (end - now).0.max(1);
    Time(now.0 + (ahead + resolution.0 - 1) / resolution.0 * resolution.0)
}

/// When running jobs count as ended, read off the description of lumps word for word: everybody in pools is in everybody's way.
fn lumped<'a>(cluster: &Cluster, running: &'a [RunningNow], now: Time) -> Vec<(&'a RunningNow, Time)> {
    let settings = cluster.settings;
    let mut left: Vec<(Time, &RunningNow)> =
        running.iter().map(|job| (rounded(now, job.planned_end, settings.resolution), job)).collect();
    left.sort_by_key(|(_, job)| job.planned_end);
    let Some((first, _)) = left.first().copied() else { return Vec::new() };
    let step = settings.lumps.first.0;
    if step == 0 {
        return left.into_iter().map(|(end, job)| (job, end)).collect();
    }
    let begin = first.0 - first.0.rem_euclid(step) + step;
    let mut reach = step;
    let mut ended = Vec::new();
    while !left.is_empty() {
        while left[0].0.0 > begin + reach && left[0].0 != first {
            reach += settings.lumps.longer_by.map_or(reach, |step| step.0);
        }
        let count = left.iter().take_while(|(end, _)| end.0 <= begin + reach).count();
        let lump: Vec<(Time, &RunningNow)> = left.drain(..count).collect();
        let last = lump.iter().map(|(end, _)| *end).max().unwrap();
        ended.extend(lump.into_iter().map(|(_, job)| (job, last)));
        reach += settings.lumps.longer_by.map_or(reach, |step| step.0);
    }
    ended
}

/// Whom the obvious way starts.
fn obvious(cluster: &Cluster, queue: &[QueuedJob], running: &[RunningNow], now: Time) -> Vec<JobIndex> {
    let mut claims = Vec::new();
    for (job, until) in lumped(cluster, running, now) {
        claims.extend(job.holds.iter().map(|(pool, amount)| Claim {
            pool: *pool as usize,
            amount: *amount,
            from: now,
            until,
        }));
    }
    claims.extend(cluster.blocked.iter().filter(|blocked| blocked.until > now).map(|blocked| Claim {
        pool: blocked.place as usize,
        amount: blocked.amount,
        from: blocked.from.max(now),
        until: blocked.until,
    }));
    let started = vec![false; queue.len()];
    let caps = cluster.caps.clone();
    let mut site = Obvious { cluster, queue, caps, claims, started, starts: Vec::new(), now };
    if site.main_pass() {
        site.backfill();
    }
    site.starts
}

fn amount() -> impl Strategy<Value = Amount> {
    (1_i64..9, 0_i64..20, 0_i64..3).prop_map(|(processors, memory_mebibytes, gpus)| Amount {
        processors,
        memory_mebibytes,
        gpus,
    })
}

prop_compose! {
    fn situation()(
        nodes in proptest::collection::vec((amount(), 1_u32..5), 1..4),
        jobs in proptest::collection::vec((amount(), 1_u32..5, 1_u64..8, 1_i64..40, 0_u8..10), 0..25),
        running in proptest::collection::vec((0_u8..4, amount(), -5_i64..40), 0..8),
        blocked in proptest::collection::vec((0_u8..4, amount(), -10_i64..30, 1_i64..30), 0..3),
        (reservations, jobs_tested, main_depth, window, resolution) in
            (prop_oneof![Just(usize::MAX), 0_usize..5], 1_usize..30, 1_usize..30, 1_i64..60, 1_i64..7),
        cap in (1_u32..4, amount()),
        (lump, longer_by) in
            (0_i64..10, prop_oneof![Just(None), (1_i64..5).prop_map(|step| Some(Seconds(step)))]),
    ) -> (Cluster, Vec<QueuedJob>, Vec<RunningNow>) {
        let pools: Vec<Pool> = nodes.into_iter().map(|(node, nodes)| Pool { node, nodes }).collect();
        let pool_count = u8::try_from(pools.len()).unwrap();
        let within = (1_u64 << pool_count) - 1;
        let queue = jobs.into_iter().map(|(share, chunks, set, planned, kind)| QueuedJob {
            demand: Demand {
                caps: match kind {
                    5 => vec![Counts::once(0, Things::ALL)],
                    6 => vec![Counts { units: 2, ..Counts::once(0, Things::ALL) }],
                    _ => Vec::new(),
                },
                ..Demand::of(
                    chunks,
                    if kind < 3 { Chunk::WholeNode } else { Chunk::Share(share) },
                    PoolSet(if set & within == 0 { 1 } else { set & within }),
                )
            },
            planned: Seconds(planned),
            eligible: kind != 9,
            class: None,
        });
        let running = running.into_iter().map(|(pool, amount, end)| RunningNow {
            holds: vec![(u32::from(pool % pool_count), amount)],
            planned_end: Time(100 + end),
            caps: Vec::new(),
            class: None,
        });
        let blocked = blocked.into_iter().map(|(pool, amount, from, span)| Blocked {
            place: u32::from(pool % pool_count),
            amount,
            reservation: 0,
            from: Time(100 + from),
            until: Time(100 + from + span),
        });
        let settings = SlurmSettings {
            backfill_interval: Seconds(30),
            window: Seconds(window),
            resolution: Seconds(resolution),
            lumps: Lumps { first: Seconds(lump), longer_by },
            jobs_tested,
            main_depth,
            reservations,
            backfills: true,
        };
        let caps = vec![Cap { jobs: i64::from(cap.0), amount: cap.1, ..Cap::NONE }];
        (Cluster { pools, nodes: Vec::new(), blocked: blocked.collect(), caps, settings }, queue.collect(), running.collect())
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]

    #[test]
    fn a_pass_starts_whom_the_obvious_way_starts((cluster, queue, running) in situation()) {
        let now = Time(100);
        let mut expected = obvious(&cluster, &queue, &running, now);
        let mut scheduler = SlurmScheduler::new(cluster.clone(), &queue, running);
        let mut starts = Vec::new();
        scheduler.pass(now, true, &mut starts);
        expected.sort();
        starts.sort();
        prop_assert_eq!(starts, expected);
    }

    #[test]
    fn everything_that_was_started_is_given_back((cluster, queue, running) in situation()) {
        let mut scheduler = SlurmScheduler::new(cluster.clone(), &queue, running.clone());
        let before = (scheduler.free().to_vec(), scheduler.caps());
        let mut starts = Vec::new();
        scheduler.pass(Time(100), true, &mut starts);
        for job in starts {
            scheduler.end(job);
        }
        prop_assert_eq!((scheduler.free().to_vec(), scheduler.caps()), before);
    }
}

#[test]
fn the_main_pass_alone_lets_nobody_past_who_wants_the_same_nodes() {
    let cluster = Cluster { pools: vec![Pool { node: Amount::processors(1), nodes: 4 }], ..Cluster::default() };
    let job = |chunks: u32| QueuedJob {
        demand: Demand::of(chunks, Chunk::WholeNode, PoolSet(1)),
        planned: Seconds(600),
        eligible: true,
        class: None,
    };
    let mut scheduler = SlurmScheduler::new(cluster, &[job(3), job(2), job(1)], Vec::new());
    let mut starts = Vec::new();
    scheduler.pass(Time(0), false, &mut starts);
    assert_eq!(starts, [JobIndex(0)]);
    scheduler.pass(Time(30), true, &mut starts);
    assert_eq!(starts, [JobIndex(0), JobIndex(2)], "backfill starts the job, because it delays no other job");
}
