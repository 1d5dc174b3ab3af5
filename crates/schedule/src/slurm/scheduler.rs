//! The two passes.
//!
//! Source: slurm.conf(5) `SchedulerParameters`; `job_scheduler.c` (`_schedule`) and `plugins/sched/backfill/backfill.c`
//! (`_attempt_backfill`) of 22.05 as Slurm's guides to scheduling describe them.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::sync::Arc;

use queuecast_workload::{Seconds, Time};

use super::amount::Amount;
use super::cluster::{Cap, Cluster, Counts, Load, SlurmSettings};
use super::job::{Holding, QueuedJob, RunningNow};
use super::onlookers::{Onlooker, OnlookerStart, Onlookers};
use super::shape::{Shape, is_capped, shapes};
use super::space::{Planned, Release, Space};
use super::waiting::Waiting;

/// A job: its place in the queue it was made with, or behind all of those its place among the running.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JobIndex(pub u32);

/// What does not change while time passes, shared by all copies.
#[derive(Debug)]
struct Fixed {
    cluster: Cluster,
    shapes: Vec<Shape>,
    /// By job in the queue.
    shape_of: Vec<u32>,
    /// The components of heterogeneous jobs, by number.
    together: HashMap<u32, Vec<JobIndex>>,
    /// By job that ran at first.
    running: Vec<RunningNow>,
    /// By job, those who ran at first behind the others.
    classes: Vec<Option<u8>>,
}

/// Slurm's scheduler. Cloning it gives an independent future of the same queue.
#[derive(Clone, Debug)]
pub struct SlurmScheduler {
    fixed: Arc<Fixed>,
    space: Space,
    caps: Vec<Cap>,
    waiting: Waiting,
    /// Planned ends, the earliest first.
    releases: Vec<(Time, JobIndex)>,
    /// By job of the queue: what it holds.
    held: Vec<Holding>,
    planned_ends: Vec<Time>,
    put_out: Vec<JobIndex>,
    /// Whether who runs has changed since planning began.
    is_stale: bool,
    candidates: BinaryHeap<Reverse<(u32, u32)>>,
    hopes: Vec<(u32, u32)>,
    onlookers: Onlookers,
}

impl SlurmScheduler {
    /// With this queue, in order of priority, and these running.
    pub fn new(cluster: Cluster, queue: &[QueuedJob], running: Vec<RunningNow>) -> Self {
        let (shapes, shape_of) = shapes(&cluster, queue);
        let mut space = Space::empty(&cluster);
        let mut releases = Vec::with_capacity(running.len() + queue.len());
        let mut planned_ends = vec![Time(0); queue.len()];
        for (place, job) in running.iter().enumerate() {
            space.hold(&job.holds);
            planned_ends.push(job.planned_end);
            releases.push((job.planned_end, index(queue.len() + place)));
        }
        releases.sort_unstable();
        let mut waiting = Waiting::new(index(queue.len()).0, shapes.len());
        for (place, job) in queue.iter().enumerate().filter(|(_, job)| job.eligible) {
            waiting.insert(index(place).0, shape_of[place]);
            debug_assert!(job.planned > Seconds::ZERO, "a job is planned to take some time");
        }
        let mut together: HashMap<u32, Vec<JobIndex>> = HashMap::new();
        for (place, job) in queue.iter().enumerate() {
            if let Some(number) = job.demand.together {
                together.entry(number).or_default().push(index(place));
            }
        }
        let classes = queue.iter().map(|job| job.class).chain(running.iter().map(|job| job.class)).collect();
        Self {
            space,
            caps: cluster.caps.clone(),
            waiting,
            releases,
            held: vec![Holding::new(); queue.len()],
            planned_ends,
            put_out: Vec::new(),
            is_stale: true,
            candidates: BinaryHeap::new(),
            hopes: Vec::new(),
            onlookers: Onlookers::default(),
            fixed: Arc::new(Fixed { cluster, shapes, shape_of, together, running, classes }),
        }
    }

    /// The same with these looking on, behind everybody else.
    #[must_use]
    pub fn with_onlookers(self, onlookers: &[Onlooker]) -> Self {
        Self { onlookers: Onlookers::new(&self.fixed.cluster, onlookers), ..self }
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

    /// Everybody in the queue has another rank, by job: the lowest is looked at first.
    pub fn rank(&mut self, ranks: &[u32]) {
        self.waiting.rank(ranks);
    }

    /// A running job ended.
    pub fn end(&mut self, job: JobIndex) {
        let place = self.releases.binary_search(&(self.planned_ends[job.0 as usize], job));
        let Ok(place) = place else { return };
        self.releases.remove(place);
        let fixed = Arc::clone(&self.fixed);
        if let Some(running) = (job.0 as usize).checked_sub(fixed.shape_of.len()) {
            let running = &fixed.running[running];
            self.space.give_back(&running.holds);
            let all = running.holds.iter().fold(Amount::NONE, |mut sum, (_, amount)| {
                sum += *amount;
                sum
            });
            let nodes = if fixed.cluster.nodes.is_empty() { 0 } else { running.holds.len() };
            let nodes = u32::try_from(nodes).unwrap_or(u32::MAX);
            self.give_back(&running.caps, all, nodes, running.planned_end);
        } else {
            let shape = fixed.shape(job);
            self.space.give_back(&self.held[job.0 as usize]);
            let planned_end = self.planned_ends[job.0 as usize];
            self.give_back(&shape.caps, shape.counted, shape.counted_nodes, planned_end);
        }
    }

    /// What is free at each place at this moment.
    pub fn free(&self) -> &[Amount] {
        self.space.free()
    }

    /// Who was put out for somebody else since this was asked last.
    pub fn take_put_out(&mut self) -> Vec<JobIndex> {
        std::mem::take(&mut self.put_out)
    }

    /// Who of those who look on would have started since this was asked last.
    pub fn take_onlooker_starts(&mut self) -> Vec<OnlookerStart> {
        self.onlookers.take_starts()
    }

    /// What is left of each limit.
    #[cfg(test)]
    pub fn caps(&self) -> Vec<Cap> {
        self.caps.clone()
    }

    fn give_back(&mut self, caps: &[Counts], amount: Amount, nodes: u32, planned_end: Time) {
        for counts in caps {
            self.caps[counts.cap as usize].end(Load { units: counts.units, nodes, amount }, planned_end);
        }
    }

    /// A pass. Backfill is part of it if asked for. Whom it starts is added to `starts`, in the order decided.
    pub fn pass(&mut self, now: Time, backfill: bool, starts: &mut Vec<JobIndex>) {
        let somebody_looks_on = self.onlookers.is_anybody_left();
        if self.waiting.len() == 0 && !somebody_looks_on {
            return;
        }
        self.space.begin(&self.fixed.cluster, now, releases(&self.fixed, &self.held, &self.releases));
        let barred = self.main_pass(now, starts);
        if let Some(barred) = barred.filter(|_| somebody_looks_on) {
            self.onlookers.start_who_fits(&mut self.space, &self.caps, now, barred);
        }
        let somebody_waits = self.waiting.len() > 0 && barred != Some(0);
        if backfill && self.settings().backfills && (somebody_waits || somebody_looks_on) {
            self.backfill(now, starts);
        }
    }

    fn backfill(&mut self, now: Time, starts: &mut Vec<JobIndex>) {
        let most = self.settings().jobs_tested;
        let last = self.waiting.last_of(most);
        self.look_for_hope(now, last);
        let onlookers_are_reached = self.waiting.len() < most;
        self.onlookers.look_for_hope(onlookers_are_reached, &mut self.space, &self.caps, now);
        if self.hopes.is_empty() && !self.onlookers.is_hope_left(&mut self.space, &self.caps, now) {
            return;
        }
        self.is_stale = true;
        let unseen = self.reserve(now, last, starts);
        self.fill_holes(now, last, unseen, starts);
        if onlookers_are_reached {
            self.onlookers.start_who_fits(&mut self.space, &self.caps, now, 0);
        }
    }

    /// What is planned with is who runs, those who were started just now too.
    fn begin_planning(&mut self, now: Time) {
        if !std::mem::take(&mut self.is_stale) {
            return;
        }
        self.space.begin_planning(now, releases(&self.fixed, &self.held, &self.releases));
    }

    /// Goes down the queue; who does not fit bars its partitions to all behind it. Gives the pools that are barred to whoever stands behind the last; `None`
    /// if it does not get so far.
    fn main_pass(&mut self, now: Time, starts: &mut Vec<JobIndex>) -> Option<u64> {
        let fixed = Arc::clone(&self.fixed);
        let every_pool = fixed.shapes.iter().fold(self.onlookers.pools, |set, shape| set | shape.pools);
        let mut barred = 0;
        let mut place = 0;
        for _ in 0..fixed.cluster.settings.main_depth {
            let Some((job, next)) = self.waiting.next_from(place) else { return Some(barred) };
            place = next;
            let job = JobIndex(job);
            let shape = fixed.shape(job);
            if shape.pools & !barred == 0 || self.is_capped(shape, now) {
                continue;
            }
            // Components of heterogeneous jobs are left to backfill.
            if shape.together.is_none() && self.start_if_it_fits(job, shape, now, barred, starts) {
                // Leaving may have moved the queue together.
                place = self.waiting.place_behind(job.0);
            } else if shape.reservation.is_none() {
                barred |= shape.bars;
                if barred & every_pool == every_pool {
                    return None;
                }
            }
        }
        None
    }

    /// Who fits at all from now to the end of its plan, with the last rank of each shape, the very last at the end. Nobody else
    /// can be started by backfill: whatever it plans leaves less.
    fn look_for_hope(&mut self, now: Time, last: Option<u32>) {
        let fixed = Arc::clone(&self.fixed);
        self.hopes.clear();
        let Some(last) = last else { return };
        for (number, shape) in (0_u32..).zip(&fixed.shapes) {
            let Some(job) = self.waiting.first_of(number) else { continue };
            if self.waiting.rank_of(job) > last || self.is_capped(shape, now) {
                continue;
            }
            if self.space.fits_now(shape, 0) || self.may_put_out(shape) {
                let rank = self.waiting.last_of_shape(number).map_or(0, |job| self.waiting.rank_of(job));
                self.hopes.push((rank.min(last), number));
            }
        }
        self.hopes.sort_unstable();
    }

    /// Whether anybody at or behind this rank can still be started.
    fn is_hope_left(&mut self, now: Time, rank: u32) -> bool {
        let fixed = Arc::clone(&self.fixed);
        while let Some((last, number)) = self.hopes.last().copied() {
            let shape = &fixed.shapes[number as usize];
            if last >= rank && !self.is_capped(shape, now) && (self.space.fits_now(shape, 0) || self.may_put_out(shape))
            {
                return true;
            }
            self.hopes.pop();
        }
        false
    }

    /// Goes down the queue and starts or reserves, as far as times are reserved and anybody can be started. Gives the rank of the first it has not
    /// looked at.
    fn reserve(&mut self, now: Time, last: Option<u32>, starts: &mut Vec<JobIndex>) -> Option<u32> {
        let fixed = Arc::clone(&self.fixed);
        let settings = &fixed.cluster.settings;
        let latest = now + settings.window;
        let mut reserved = 0;
        let mut planned_together = Vec::new();
        let mut place = 0;
        for _ in 0..settings.jobs_tested {
            let (job, next) = self.waiting.next_from(place)?;
            let rank = self.waiting.rank_of(job);
            let is_enough = reserved >= settings.reservations || last.is_some_and(|last| rank > last);
            let is_hope_left = |scheduler: &mut Self| {
                scheduler.is_hope_left(now, rank)
                    || scheduler.onlookers.is_hope_left(&mut scheduler.space, &scheduler.caps, now)
            };
            if is_enough || !is_hope_left(self) {
                return Some(rank);
            }
            place = next;
            let job = JobIndex(job);
            let shape = fixed.shape(job);
            if self.is_capped(shape, now) {
                continue;
            }
            if self.start_if_it_fits(job, shape, now, 0, starts) {
                place = self.waiting.place_behind(job.0);
                continue;
            }
            self.begin_planning(now);
            if let Some(number) = shape.together {
                if !planned_together.contains(&number) {
                    planned_together.push(number);
                    reserved += self.plan_together(number, now, latest);
                }
                continue;
            }
            match self.space.plan(shape, now, latest) {
                Planned::Now => {
                    self.start(job, now, 0, starts);
                    place = self.waiting.place_behind(job.0);
                }
                Planned::Later => reserved += 1,
                Planned::Never => {}
            }
        }
        None
    }

    /// Starts whoever, up to the last that is looked at, fits beside all reservations, in order of priority.
    ///
    /// Who was looked at already and does not fit will not fit now: others have got more. Of components that start together that is not so: what is kept for
    /// one of them makes it take other nodes, and leave those that another needs. Slurm looks at each once, so only those from the rank `unseen` on are tried.
    fn fill_holes(&mut self, now: Time, last: Option<u32>, unseen: Option<u32>, starts: &mut Vec<JobIndex>) {
        let fixed = Arc::clone(&self.fixed);
        let Some(last) = last else { return };
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.clear();
        let first_of = |waiting: &Waiting, shape: u32| {
            let job = waiting.first_of(shape)?;
            (waiting.rank_of(job) <= last).then(|| Reverse((waiting.rank_of(job), shape)))
        };
        for (_, number) in &self.hopes {
            let shape = &fixed.shapes[*number as usize];
            if !self.space.fits_now(shape, 0) {
                continue;
            }
            if let Some(together) = shape.together {
                let Some(unseen) = unseen else { continue };
                let of_shape = fixed.together[&together].iter().filter(|job| fixed.shape_of[job.0 as usize] == *number);
                let waiting = of_shape.filter(|job| self.waiting.is_waiting(job.0));
                let ranks =
                    waiting.map(|job| self.waiting.rank_of(job.0)).filter(|rank| (unseen..=last).contains(rank));
                candidates.extend(ranks.map(|rank| Reverse((rank, *number))));
            } else {
                candidates.extend(first_of(&self.waiting, *number));
            }
        }
        while let Some(Reverse((_, number))) = candidates.pop() {
            let shape = &fixed.shapes[number as usize];
            // What starts leaves less: a shape that does not fit now will not fit later in this pass.
            let Some(job) = self.waiting.first_of(number).filter(|_| !self.is_capped(shape, now)) else { continue };
            let job = JobIndex(job);
            let is_started = match shape.together {
                Some(number) => self.start_together(number, now, starts),
                None => self.start(job, now, 0, starts),
            };
            if !is_started {
                continue;
            }
            candidates.extend(first_of(&self.waiting, number));
        }
        self.candidates = candidates;
    }

    fn is_capped(&self, shape: &Shape, now: Time) -> bool {
        is_capped(&self.caps, shape, now)
    }

    /// Starts a job if it fits, or if it fits once those it may put out are gone.
    fn start_if_it_fits(
        &mut self,
        job: JobIndex,
        shape: &Shape,
        now: Time,
        barred: u64,
        starts: &mut Vec<JobIndex>,
    ) -> bool {
        if let Some(number) = shape.together {
            return self.start_together(number, now, starts);
        }
        if self.space.fits_now(shape, barred) {
            return self.start(job, now, barred, starts);
        }
        self.may_put_out(shape) && self.make_room(shape, barred) && self.start(job, now, barred, starts)
    }

    /// Starts all components of a heterogeneous job if all of them fit, beside each other and within limits.
    fn start_together(&mut self, number: u32, now: Time, starts: &mut Vec<JobIndex>) -> bool {
        let fixed = Arc::clone(&self.fixed);
        let Some(components) = fixed.together.get(&number) else { return false };
        let is_free = |scheduler: &mut Self, job: &JobIndex| {
            let shape = fixed.shape(*job);
            scheduler.waiting.is_waiting(job.0)
                && !scheduler.is_capped(shape, now)
                && scheduler.space.fits_now(shape, 0)
        };
        if !components.iter().all(|job| is_free(self, job)) {
            return false;
        }
        let (mut space, mut caps) = (self.space.clone(), self.caps.clone());
        for job in components {
            let shape = fixed.shape(*job);
            if is_capped(&caps, shape, now) || space.take_now(shape, now, 0).is_none() {
                return false;
            }
            for counts in &shape.caps {
                caps[counts.cap as usize].begin(shape.load(counts), now + shape.planned);
            }
        }
        for job in components {
            self.start(*job, now, 0, starts);
        }
        true
    }

    /// Keeps room for the components of a heterogeneous job, from when the last of them can start. Says for how many. For one that a limit holds Slurm keeps
    /// none, though the others wait for it all the same.
    fn plan_together(&mut self, number: u32, now: Time, latest: Time) -> usize {
        let fixed = Arc::clone(&self.fixed);
        let components = fixed.together.get(&number).into_iter().flatten();
        let shapes = components.map(|job| fixed.shape(*job));
        let shapes: Vec<(&Shape, bool)> = shapes.map(|shape| (shape, !self.is_capped(shape, now))).collect();
        self.space.plan_together(&shapes, now, latest)
    }

    fn may_put_out(&self, shape: &Shape) -> bool {
        let mut running = self.releases.iter();
        shape.preempts != 0 && running.any(|(_, job)| self.fixed.is_in_class(*job, shape.preempts))
    }

    /// Puts out whoever must go for it, those who came last first. Says whether that is enough.
    fn make_room(&mut self, shape: &Shape, barred: u64) -> bool {
        let fixed = Arc::clone(&self.fixed);
        let Space::Placed(placed) = &mut self.space else { return false };
        let mut weak: Vec<JobIndex> =
            self.releases.iter().map(|(_, job)| *job).filter(|job| fixed.is_in_class(*job, shape.preempts)).collect();
        weak.sort_unstable_by_key(|job| Reverse(*job));
        let holdings: Vec<&[(u32, Amount)]> = weak.iter().map(|job| fixed.holding(&self.held, *job)).collect();
        let Some(gone) = placed.without(shape, barred, &holdings) else { return false };
        for job in gone {
            self.end(weak[job]);
            self.put_out.push(weak[job]);
        }
        true
    }

    fn start(&mut self, job: JobIndex, now: Time, barred: u64, starts: &mut Vec<JobIndex>) -> bool {
        let fixed = Arc::clone(&self.fixed);
        let shape = fixed.shape(job);
        let Some(holding) = self.space.take_now(shape, now, barred) else { return false };
        let end = now + shape.planned;
        for counts in &shape.caps {
            self.caps[counts.cap as usize].begin(shape.load(counts), end);
        }
        self.held[job.0 as usize] = holding;
        self.is_stale = true;
        self.planned_ends[job.0 as usize] = end;
        let place = self.releases.partition_point(|release| *release < (end, job));
        self.releases.insert(place, (end, job));
        self.waiting.remove(job.0, fixed.shape_of[job.0 as usize]);
        starts.push(job);
        true
    }
}

impl Fixed {
    fn shape(&self, job: JobIndex) -> &Shape {
        &self.shapes[self.shape_of[job.0 as usize] as usize]
    }

    fn holding<'a>(&'a self, held: &'a [Holding], job: JobIndex) -> &'a [(u32, Amount)] {
        match (job.0 as usize).checked_sub(held.len()) {
            Some(running) => &self.running[running].holds,
            None => &held[job.0 as usize],
        }
    }

    fn is_in_class(&self, job: JobIndex, classes: u32) -> bool {
        self.classes[job.0 as usize].is_some_and(|class| classes & (1 << class) != 0)
    }
}

/// Planned ends, with what is free then.
fn releases<'a>(
    fixed: &'a Fixed,
    held: &'a [Holding],
    ends: &'a [(Time, JobIndex)],
) -> impl Iterator<Item = Release<'a>> + Clone {
    ends.iter().map(|(end, job)| Release {
        end: *end,
        holds: fixed.holding(held, *job),
        class: fixed.classes[job.0 as usize],
    })
}

fn index(place: usize) -> JobIndex {
    JobIndex(u32::try_from(place).expect("fewer than 2^32 jobs are in the system"))
}
