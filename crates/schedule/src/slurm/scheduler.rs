//! The two passes.
//!
//! Source: slurm.conf(5) `SchedulerParameters`; `job_scheduler.c` (`_schedule`) and `plugins/sched/backfill/backfill.c`
//! (`_attempt_backfill`) of 22.05 as Slurm's guides to scheduling describe them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use queuecast_workload::{Seconds, Time};

use super::amount::Amount;
use super::cluster::{Cap, Cluster, SlurmSettings};
use super::job::{Allocation, QueuedJob, RunningNow};
use super::lumps::lumps;
use super::profile::Profile;
use super::shape::{Shape, shapes};
use super::waiting::Waiting;

/// A job: its place in the queue's order of priority, or behind all of those its place among the running.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JobIndex(pub u32);

/// What is free from now on, and until when no more than that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StaircaseStep {
    /// How much.
    pub free: Amount,
    /// Until when; `None` for ever.
    pub until: Option<Time>,
}

/// What does not change while time passes, shared by all copies.
#[derive(Debug)]
struct Fixed {
    cluster: Cluster,
    shapes: Vec<Shape>,
    /// By job in the queue.
    shape_of: Vec<u32>,
    /// By job that ran at first.
    running: Vec<RunningNow>,
}

/// Slurm's scheduler. Cloning it gives an independent future of the same queue.
#[derive(Clone, Debug)]
pub struct SlurmScheduler {
    fixed: Arc<Fixed>,
    free: Vec<Amount>,
    caps: Vec<Cap>,
    waiting: Waiting,
    /// Planned ends, the earliest first.
    releases: Vec<(Time, JobIndex)>,
    /// By job of the queue: what it holds.
    held: Vec<Allocation>,
    planned_ends: Vec<Time>,
    profile: Profile,
    candidates: BinaryHeap<Reverse<(u32, u32)>>,
}

impl SlurmScheduler {
    /// With this queue, in order of priority, and these running.
    pub fn new(cluster: Cluster, queue: &[QueuedJob], running: Vec<RunningNow>) -> Self {
        let (shapes, shape_of) = shapes(&cluster, queue);
        let mut free = cluster.capacity();
        let mut releases = Vec::with_capacity(running.len() + queue.len());
        let mut planned_ends = vec![Time(0); queue.len()];
        for (place, job) in running.iter().enumerate() {
            for (pool, amount) in &job.holds {
                free[usize::from(*pool)] -= *amount;
            }
            planned_ends.push(job.planned_end);
            releases.push((job.planned_end, index(queue.len() + place)));
        }
        releases.sort_unstable();
        let mut waiting = Waiting::new(queue.len(), shapes.len());
        for (place, job) in queue.iter().enumerate().filter(|(_, job)| job.eligible) {
            waiting.insert(index(place).0, shape_of[place]);
            debug_assert!(job.planned > Seconds::ZERO, "a job is planned to take some time");
        }
        Self {
            free,
            caps: cluster.caps.clone(),
            waiting,
            releases,
            held: vec![Allocation::default(); queue.len()],
            planned_ends,
            profile: Profile::default(),
            candidates: BinaryHeap::new(),
            fixed: Arc::new(Fixed { cluster, shapes, shape_of, running }),
        }
    }

    /// The settings.
    pub fn settings(&self) -> &SlurmSettings {
        &self.fixed.cluster.settings
    }

    /// How many wait and may start.
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// A job of the queue may start from now on.
    pub fn make_eligible(&mut self, job: JobIndex) {
        self.waiting.insert(job.0, self.fixed.shape_of[job.0 as usize]);
    }

    /// A running job ended.
    pub fn end(&mut self, job: JobIndex) {
        let place = self.releases.binary_search(&(self.planned_ends[job.0 as usize], job));
        let Ok(place) = place else { return };
        self.releases.remove(place);
        let fixed = Arc::clone(&self.fixed);
        if let Some(running) = (job.0 as usize).checked_sub(fixed.shape_of.len()) {
            let running = &fixed.running[running];
            let mut all = Amount::NONE;
            for (pool, amount) in &running.holds {
                self.free[usize::from(*pool)] += *amount;
                all += *amount;
            }
            self.give_back(&running.caps, all);
        } else {
            let shape = fixed.shape(job);
            for (pool, amount) in shape.amounts(&self.held[job.0 as usize]) {
                self.free[usize::from(pool)] += amount;
            }
            self.give_back(&shape.caps, shape.counted);
        }
    }

    /// What is free in each pool at this moment.
    pub fn free(&self) -> &[Amount] {
        &self.free
    }

    /// What is left of each limit.
    #[cfg(test)]
    pub fn caps(&self) -> Vec<Cap> {
        self.caps.clone()
    }

    fn give_back(&mut self, caps: &[u32], amount: Amount) {
        for cap in caps {
            let cap = &mut self.caps[*cap as usize];
            cap.jobs = cap.jobs.saturating_add(1);
            cap.amount += amount;
        }
    }

    /// A pass. Backfill is part of it if asked for. Whom it starts is added to `starts`, in the order decided.
    pub fn pass(&mut self, now: Time, backfill: bool, starts: &mut Vec<JobIndex>) {
        self.fill_profile(now);
        if self.waiting.len() == 0 {
            return;
        }
        let all_pools = self.main_pass(now, starts);
        let backfill = backfill && self.settings().backfills;
        if backfill && all_pools && self.waiting.len() > 0 {
            let last = self.waiting.last_of(self.settings().jobs_tested);
            self.reserve(now, starts);
            self.fill_holes(now, last, starts);
        }
    }

    /// What a job that came last could have now: what is free in a pool beside those who run and, as far as times are
    /// reserved, those who wait. Of the pass made last.
    pub fn staircase(&mut self, pool: usize) -> Vec<StaircaseStep> {
        self.profile.staircase(pool).map(|(free, until)| StaircaseStep { free, until }).collect()
    }

    fn fill_profile(&mut self, now: Time) {
        let fixed = Arc::clone(&self.fixed);
        self.profile.begin(now, &self.free);
        let resolution = fixed.cluster.settings.resolution.0.max(1);
        // One that should have ended is expected any moment.
        let rounded = |end: Time| Time(now.0 + ((end.0 - now.0).max(1) + resolution - 1) / resolution * resolution);
        let mut releases = self.releases.iter();
        let ends = self.releases.iter().map(|(end, _)| rounded(*end));
        for (count, end) in lumps(ends, fixed.cluster.settings.lumps) {
            for (_, job) in releases.by_ref().take(count) {
                match (job.0 as usize).checked_sub(fixed.shape_of.len()) {
                    Some(running) => {
                        for (pool, amount) in &fixed.running[running].holds {
                            self.profile.release(end, *pool, *amount);
                        }
                    }
                    None => {
                        for (pool, amount) in fixed.shape(*job).amounts(&self.held[job.0 as usize]) {
                            self.profile.release(end, pool, amount);
                        }
                    }
                }
            }
        }
        for blocked in fixed.cluster.blocked.iter().filter(|blocked| blocked.until > now) {
            self.profile.take(blocked.pool, blocked.amount, blocked.from.max(now), blocked.until);
        }
    }

    /// Goes down the queue; who does not fit bars its pools to all behind it. Says whether somebody was barred.
    fn main_pass(&mut self, now: Time, starts: &mut Vec<JobIndex>) -> bool {
        let fixed = Arc::clone(&self.fixed);
        let every_pool = fixed.shapes.iter().fold(0, |set, shape| set | shape.pools);
        let mut barred = 0;
        let mut place = 0;
        for _ in 0..fixed.cluster.settings.main_depth {
            let Some((job, next)) = self.waiting.next_from(place) else { return barred != 0 };
            place = next;
            let job = JobIndex(job);
            let shape = fixed.shape(job);
            if shape.pools & !barred == 0 || self.is_capped(shape) {
                continue;
            }
            if shape.pools & barred == 0 && self.profile.fits_now(shape) {
                self.start(job, now, starts);
                // Leaving may have moved the queue together.
                place = self.waiting.place_behind(job.0);
            } else {
                barred |= shape.pools;
                if barred == every_pool {
                    return true;
                }
            }
        }
        true
    }

    /// Goes down the queue and starts or reserves, as far as times are reserved.
    fn reserve(&mut self, now: Time, starts: &mut Vec<JobIndex>) {
        let fixed = Arc::clone(&self.fixed);
        let settings = &fixed.cluster.settings;
        let latest = now + settings.window;
        let mut reserved = 0;
        let mut place = 0;
        for _ in 0..settings.jobs_tested {
            if reserved >= settings.reservations {
                return;
            }
            let Some((job, next)) = self.waiting.next_from(place) else { return };
            place = next;
            let job = JobIndex(job);
            let shape = fixed.shape(job);
            if self.is_capped(shape) {
                continue;
            }
            match self.profile.earliest(shape, latest) {
                Some(start) if start == now => {
                    self.start(job, now, starts);
                    place = self.waiting.place_behind(job.0);
                }
                Some(start) => {
                    let window = self.profile.window();
                    if let Some(allocation) = shape.allocation(|pool| window[usize::from(pool)]) {
                        for (pool, amount) in shape.amounts(&allocation) {
                            self.profile.take(pool, amount, start, start + shape.planned);
                        }
                    }
                    reserved += 1;
                }
                None => {}
            }
        }
    }

    /// Starts whoever, up to the last that is looked at, fits beside all reservations, in order of priority.
    fn fill_holes(&mut self, now: Time, last: Option<u32>, starts: &mut Vec<JobIndex>) {
        let fixed = Arc::clone(&self.fixed);
        let Some(last) = last else { return };
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.clear();
        for (number, shape) in (0_u32..).zip(&fixed.shapes) {
            if let Some(first) = self.waiting.first_of(number).filter(|first| *first <= last)
                && self.profile.fits_now(shape)
                && !self.is_capped(shape)
            {
                candidates.push(Reverse((first, number)));
            }
        }
        while let Some(Reverse((job, number))) = candidates.pop() {
            let shape = &fixed.shapes[number as usize];
            // What starts leaves less: a shape that does not fit now will not fit later in this pass.
            if !self.profile.fits_now(shape) || self.is_capped(shape) {
                continue;
            }
            self.start(JobIndex(job), now, starts);
            if let Some(first) = self.waiting.first_of(number).filter(|first| *first <= last) {
                candidates.push(Reverse((first, number)));
            }
        }
        self.candidates = candidates;
    }

    fn is_capped(&self, shape: &Shape) -> bool {
        shape.caps.iter().any(|cap| {
            let cap = &self.caps[*cap as usize];
            cap.jobs == 0 || !cap.amount.holds(shape.counted)
        })
    }

    fn start(&mut self, job: JobIndex, now: Time, starts: &mut Vec<JobIndex>) {
        let fixed = Arc::clone(&self.fixed);
        let shape = fixed.shape(job);
        let least = self.profile.least_now(shape.planned);
        let Some(allocation) = shape.allocation(|pool| least[usize::from(pool)]) else {
            debug_assert!(false, "only who fits is started");
            return;
        };
        let end = now + shape.planned;
        for (pool, amount) in shape.amounts(&allocation) {
            self.free[usize::from(pool)] -= amount;
            self.profile.take(pool, amount, now, end);
        }
        for cap in &shape.caps {
            let cap = &mut self.caps[*cap as usize];
            cap.jobs -= 1;
            cap.amount -= shape.counted;
        }
        self.held[job.0 as usize] = allocation;
        self.planned_ends[job.0 as usize] = end;
        let place = self.releases.partition_point(|release| *release < (end, job));
        self.releases.insert(place, (end, job));
        self.waiting.remove(job.0, fixed.shape_of[job.0 as usize]);
        starts.push(job);
    }
}

impl Fixed {
    fn shape(&self, job: JobIndex) -> &Shape {
        &self.shapes[self.shape_of[job.0 as usize] as usize]
    }
}

fn index(place: usize) -> JobIndex {
    JobIndex(u32::try_from(place).expect("fewer than 2^32 jobs are in the system"))
}
