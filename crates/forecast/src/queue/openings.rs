//! What was left over in the futures that were played: where a job that comes last would find room.

use queuecast_schedule::slurm::{Amount, Chunk, Demand, Pool, StaircaseStep};
use queuecast_workload::{Seconds, Time};

/// How many steps of a staircase are kept; for longer than the last, nothing is free.
const STEPS: usize = 16;

/// What one future left over, pass by pass.
#[derive(Clone, Debug, Default)]
pub struct OpenedFuture {
    times: Vec<Time>,
    /// By pass: where its steps begin in `steps`, for each pool.
    begins: Vec<u32>,
    steps: Vec<Opening>,
    /// Whether the last pass left anything.
    had_room: bool,
}

/// So much is free from the pass on, if it is given back by then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    /// How much.
    pub free: Amount,
    /// For how long.
    pub lasts: Seconds,
}

/// What all futures left over.
#[derive(Clone, Debug, Default)]
pub struct Openings {
    /// The pools of the cluster.
    pub pools: Vec<Pool>,
    /// One for each future.
    pub futures: Vec<OpenedFuture>,
    /// Until when they were played.
    pub horizon: Time,
}

impl OpenedFuture {
    /// Adds a pass: what is free in each pool. Of passes in a row that left nothing, the first says so.
    pub fn add(&mut self, now: Time, pools: impl Iterator<Item = Vec<StaircaseStep>>) {
        let before = self.steps.len();
        let begins = self.begins.len();
        for staircase in pools {
            self.begins.push(u32::try_from(self.steps.len()).unwrap_or(u32::MAX));
            for step in staircase.iter().take(STEPS).filter(|step| step.free.processors > 0) {
                let lasts = step.until.map_or(Seconds::MAX, |until| until - now);
                self.steps.push(Opening { free: step.free, lasts });
            }
        }
        let has_room = self.steps.len() > before;
        if has_room || self.had_room {
            self.times.push(now);
        } else {
            self.begins.truncate(begins);
        }
        self.had_room = has_room;
    }

    /// When a job that comes last finds room for so long, not before `from`.
    fn start(&self, pools: &[Pool], job: &NewJob, from: Time) -> Option<Time> {
        let first = self.times.partition_point(|time| *time < from).saturating_sub(1);
        (first..self.times.len()).find_map(|pass| {
            let start = self.times[pass].max(from);
            // What is free is free from the pass on, and must be until the job is done.
            let lasts = start - self.times[pass] + job.planned;
            let mut missing = job.chunks;
            for &pool in &job.pools {
                let chunk = match job.chunk {
                    Chunk::Share(amount) => amount,
                    Chunk::WholeNode => pools[pool].node,
                };
                missing -= self.free_for(pass * pools.len() + pool, lasts).holds_times(chunk, missing);
            }
            (missing == 0).then_some(start)
        })
    }

    /// The least that is free in a pool for so long from a pass on. Steps come with less and less.
    fn free_for(&self, place: usize, lasts: Seconds) -> Amount {
        let begin = self.begins[place] as usize;
        let end = self.begins.get(place + 1).map_or(self.steps.len(), |end| *end as usize);
        let step = self.steps[begin..end].iter().find(|step| step.lasts >= lasts);
        step.map_or(Amount::NONE, |step| step.free)
    }
}

/// A job that comes last.
#[derive(Clone, Debug)]
struct NewJob {
    chunks: u32,
    chunk: Chunk,
    pools: Vec<usize>,
    planned: Seconds,
}

impl Openings {
    /// When a job that came now, behind everybody, would start in each future; `None` beyond the horizon.
    pub fn starts(&self, demand: &Demand, planned: Seconds, from: Time) -> Vec<Option<Time>> {
        let pools = demand.pools.pools().filter(|pool| *pool < self.pools.len()).collect();
        let job = NewJob { chunks: demand.chunks, chunk: demand.chunk, pools, planned };
        self.futures.iter().map(|future| future.start(&self.pools, &job, from)).collect()
    }
}
