//! One future of the whole queue.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use queuecast_schedule::slurm::{JobIndex, SlurmScheduler};
use queuecast_workload::{Seconds, Time};

use super::playable_queue::{Awaited, PlayableQueue};
use super::ranking::Ranking;

/// Where every future begins: jobs numbered as the scheduler numbers them.
pub(super) struct Start<'a> {
    pub situation: &'a PlayableQueue,
    pub scheduler: SlurmScheduler,
    /// By number in the queue: whose task it is, by place in [`PlayableQueue::waiting`].
    pub place_of: Vec<u32>,
    /// By place: the number of its first task.
    pub number_of: Vec<u32>,
    /// By number, those who run behind those who wait: who waits for it to start, and to end, by place.
    pub awaiting: Vec<Vec<(bool, u32)>>,
    /// By place: for how many things it waits. The tasks of an array wait for the same.
    pub awaits: Vec<u32>,
    pub horizon: Time,
    /// By place: whose start ends the future, if anybody's does.
    pub watched: Option<usize>,
}

impl<'a> Start<'a> {
    /// Numbers everybody. At most so many tasks of an array are played.
    pub fn new(situation: &'a PlayableQueue, tasks_played: u32, horizon: Seconds) -> Self {
        let mut queue = Vec::new();
        let mut place_of = Vec::new();
        let mut number_of = Vec::new();
        for (place, job) in situation.waiting.iter().enumerate() {
            number_of.push(number(queue.len()));
            for _ in 0..job.tasks.clamp(1, tasks_played) {
                queue.push(job.queued());
                place_of.push(number(place));
            }
        }
        let running: Vec<_> = situation.running.iter().map(super::RunningHere::running).collect();
        let mut awaiting = vec![Vec::new(); queue.len() + running.len()];
        let mut awaits = vec![0; situation.waiting.len()];
        for (place, job) in situation.waiting.iter().enumerate() {
            for after in &job.after {
                let awaited = match after.job {
                    Awaited::Waiting(other) => awaited_tasks(&tasks_at(&number_of, queue.len(), other), after.task),
                    Awaited::Running(other) => queue.len() + other..queue.len() + other + 1,
                };
                awaits[place] += number(awaited.len());
                for awaited in &mut awaiting[awaited] {
                    awaited.push((after.end, number(place)));
                }
            }
            if job.any_will_do {
                awaits[place] = awaits[place].min(1);
            }
            awaits[place] += u32::from(job.not_before.is_some());
        }
        let scheduler = SlurmScheduler::new(situation.cluster.clone(), &queue, running);
        let horizon = situation.now + horizon;
        Self { situation, scheduler, place_of, number_of, awaiting, awaits, horizon, watched: None }
    }
}

/// The numbers of the tasks of the job at a place, of so many in the queue.
fn tasks_at(number_of: &[u32], queued: usize, place: usize) -> Range<usize> {
    let end = number_of.get(place + 1).map_or(queued, |number| *number as usize);
    number_of[place] as usize..end
}

/// Which of a job's tasks are waited for: all that are played, or one of them. One beyond those is taken for the last.
fn awaited_tasks(tasks: &Range<usize>, task: Option<u32>) -> Range<usize> {
    task.map_or(tasks.clone(), |task| {
        let one = (tasks.start + task as usize).min(tasks.end - 1);
        one..one + 1
    })
}

/// No job: something changes, but for nobody in particular.
const NOBODY: u32 = u32::MAX;

/// A future being played.
pub(super) struct Player<'a, D> {
    start: &'a Start<'a>,
    scheduler: SlurmScheduler,
    awaits: Vec<u32>,
    ends: BinaryHeap<Reverse<(Time, u32)>>,
    begins: BinaryHeap<Reverse<(Time, u32)>>,
    /// By number: when it started first.
    started: Vec<Option<Time>>,
    /// By number, those who ran at first too: when it ends, if it runs.
    ends_at: Vec<Option<Time>>,
    /// How many have not started.
    left: usize,
    ranking: Option<Ranking<'a>>,
    /// Run times, by place in the prospects and task.
    draw: D,
}

/// What came of it.
pub(super) struct Played {
    /// When the first task of each waiting job started, by place; `None` if not before the horizon.
    pub starts: Vec<Option<Time>>,
    /// And the last of those tasks that were played, with how many they were.
    lasts: Vec<(Option<Time>, u32)>,
}

impl Played {
    /// When the last of so many tasks of the job at a place started. Of an array of which a part was played: as much later as there are
    /// more of them.
    pub fn last_start(&self, place: usize, tasks: u32) -> Option<Time> {
        let (last, played) = self.lasts[place];
        let (first, last) = (self.starts[place]?, last?);
        if played >= tasks || played < 2 {
            return Some(last);
        }
        let longer = f64::from(tasks - 1) / f64::from(played - 1);
        #[expect(clippy::cast_possible_truncation, reason = "a span of seconds")]
        Some(first + Seconds(((last - first).as_f64() * longer) as i64))
    }
}

impl<'a, D: Fn(usize, u32) -> Seconds> Player<'a, D> {
    pub fn new(start: &'a Start<'a>, draw: D) -> Self {
        Self {
            start,
            scheduler: start.scheduler.clone(),
            awaits: start.awaits.clone(),
            ends: BinaryHeap::new(),
            begins: BinaryHeap::new(),
            started: vec![None; start.place_of.len()],
            ends_at: vec![None; start.awaiting.len()],
            left: start.place_of.len(),
            ranking: Ranking::of(start.situation),
            draw,
        }
    }

    pub fn play(mut self) -> Played {
        let situation = self.start.situation;
        let waiting = self.start.place_of.len();
        for (place, job) in situation.running.iter().enumerate() {
            let age = situation.now - job.started;
            let run = (self.draw)(situation.waiting.len() + place, 0).max(age + Seconds(1));
            self.will_end(number(waiting + place), job.started + run);
        }
        // When a reservation ends, whoever waited for its nodes may begin.
        for blocked in &situation.cluster.blocked {
            self.begins.push(Reverse((blocked.until, NOBODY)));
        }
        for (place, job) in situation.waiting.iter().enumerate() {
            if let Some(time) = job.not_before {
                self.begins.push(Reverse((time, number(place))));
            }
        }
        let mut now = situation.now;
        let mut next_backfill = now;
        let mut backfill_is_due = true;
        let mut starts = Vec::new();
        let interval = situation.cluster.settings.backfill_interval;
        while now <= self.start.horizon {
            let changed = self.happen(now) | self.rank(now);
            backfill_is_due |= changed;
            let backfill = backfill_is_due && now >= next_backfill;
            if changed || backfill {
                starts.clear();
                self.scheduler.pass(now, backfill, &mut starts);
                self.put_out(now);
                for &job in &starts {
                    self.begin(job, now);
                }
                if backfill {
                    backfill_is_due = !starts.is_empty() && self.left > 0;
                    next_backfill = now + interval;
                }
            }
            if self.is_over() || self.left == 0 {
                break;
            }
            let next =
                [self.ends.peek(), self.begins.peek()].into_iter().flatten().map(|Reverse((time, _))| *time).min();
            // Nobody runs or is awaited: another order is the only thing that could still start somebody.
            let next = match (next, self.next_ranking()) {
                (Some(next), Some(ranking)) => Some(next.min(ranking)),
                (next, _) => next,
            };
            let next = match (next, backfill_is_due) {
                (Some(next), true) => next.min(next_backfill),
                (None, true) => next_backfill,
                (Some(next), false) => next,
                (None, false) => break,
            };
            now = next.max(now + Seconds(1));
        }
        let queued = self.start.place_of.len();
        let starts = self.start.number_of.iter().map(|number| self.started[*number as usize]).collect();
        let lasts = (0..self.start.number_of.len()).map(|place| {
            let tasks = tasks_at(&self.start.number_of, queued, place);
            let last =
                tasks.clone().map(|task| self.started[task]).max_by_key(|time| time.map_or(Time::MAX, |time| time));
            (last.flatten(), number(tasks.len()))
        });
        let lasts = lasts.collect();
        Played { starts, lasts }
    }

    /// Whether whoever is watched has started.
    fn is_over(&self) -> bool {
        let watched = self.start.watched.map(|place| self.start.number_of[place] as usize);
        watched.is_some_and(|number| self.started[number].is_some())
    }

    fn will_end(&mut self, job: u32, end: Time) {
        self.ends_at[job as usize] = Some(end);
        self.ends.push(Reverse((end, job)));
    }

    /// When priorities are worked out next, if that changes anything.
    fn next_ranking(&self) -> Option<Time> {
        self.ranking.as_ref().map(Ranking::next)
    }

    /// Works priorities out if it is time. Says whether it was.
    fn rank(&mut self, now: Time) -> bool {
        let Some(ranking) = self.ranking.as_mut().filter(|ranking| ranking.next() <= now) else { return false };
        let order = ranking.order(now);
        let mut ranks = vec![0; self.start.place_of.len()];
        let mut rank = 0;
        for place in order {
            for task in tasks_at(&self.start.number_of, self.start.place_of.len(), place as usize) {
                ranks[task] = rank;
                rank += 1;
            }
        }
        self.scheduler.rank(&ranks);
        true
    }

    /// Who had to go for somebody else waits again, or is gone.
    fn put_out(&mut self, now: Time) {
        for job in self.scheduler.take_put_out() {
            self.ends_at[job.0 as usize] = None;
            self.stop_charging(job.0, now);
            if self.start.situation.requeues && (job.0 as usize) < self.start.place_of.len() {
                self.scheduler.make_eligible(job);
            }
        }
    }

    fn stop_charging(&mut self, job: u32, now: Time) {
        let queued = self.start.place_of.len();
        let Some(ranking) = &mut self.ranking else { return };
        match (job as usize).checked_sub(queued) {
            Some(running) => ranking.running_ended(running, now),
            None => ranking.ended(self.start.place_of[job as usize] as usize, now),
        }
    }

    /// Whatever ends or may begin by now. Says whether anything did.
    fn happen(&mut self, now: Time) -> bool {
        let mut changed = false;
        while let Some(Reverse((time, job))) = self.ends.peek().copied().filter(|Reverse((time, _))| *time <= now) {
            self.ends.pop();
            // One that was put out has not ended, or ends at another time.
            if self.ends_at[job as usize] != Some(time) {
                continue;
            }
            self.ends_at[job as usize] = None;
            self.stop_charging(job, time);
            self.scheduler.end(JobIndex(job));
            self.tell(job, true, now);
            changed = true;
        }
        while let Some(Reverse((_, place))) = self.begins.peek().copied().filter(|Reverse((time, _))| *time <= now) {
            self.begins.pop();
            self.one_less_awaited(place, now);
            changed = true;
        }
        changed
    }

    fn begin(&mut self, job: JobIndex, now: Time) {
        let task = job.0 as usize;
        // One that was put out has started before.
        if self.started[task].is_none() {
            self.started[task] = Some(now);
            self.left -= 1;
        }
        let place = self.start.place_of[task] as usize;
        let run = (self.draw)(place, job.0 - self.start.number_of[place]).max(Seconds(1));
        self.will_end(job.0, now + run);
        if let Some(ranking) = &mut self.ranking {
            ranking.started(place, now);
        }
        self.tell(job.0, false, now);
    }

    /// Tells those who wait for this job's start or end.
    fn tell(&mut self, job: u32, ended: bool, now: Time) {
        let start = self.start;
        for (end, place) in &start.awaiting[job as usize] {
            if *end == ended {
                self.one_less_awaited(*place, now);
            }
        }
    }

    fn one_less_awaited(&mut self, place: u32, now: Time) {
        if place == NOBODY {
            return;
        }
        let awaits = &mut self.awaits[place as usize];
        // Of several things one was enough: the others happen too.
        if *awaits == 0 {
            return;
        }
        *awaits -= 1;
        if *awaits == 0 {
            if let Some(ranking) = &mut self.ranking {
                ranking.may_start(place as usize, now);
            }
            for task in tasks_at(&self.start.number_of, self.start.place_of.len(), place as usize) {
                self.scheduler.make_eligible(JobIndex(number(task)));
            }
        }
    }
}

fn number(place: usize) -> u32 {
    u32::try_from(place).expect("fewer than 2^32 jobs are in the system")
}
