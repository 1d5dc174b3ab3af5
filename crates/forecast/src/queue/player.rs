//! One future of the whole queue.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use queuecast_schedule::slurm::{JobIndex, Onlooker, SlurmScheduler};
use queuecast_workload::{Seconds, Time};

use super::patience::Patience;
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
    /// By onlooker: how many plans it has. Where there are any, the future ends when all have started.
    pub onlookers: Vec<usize>,
}

impl<'a> Start<'a> {
    /// Numbers everybody. At most so many tasks of an array are played; of a longer one each stands for several, which run one after the other where the first
    /// of them began. So those behind wait for all of its work.
    pub fn new(situation: &'a PlayableQueue, tasks_played: u32, horizon: Seconds) -> Self {
        let mut queue = Vec::new();
        let mut place_of = Vec::new();
        let mut number_of = Vec::new();
        for (place, job) in situation.waiting.iter().enumerate() {
            number_of.push(number(queue.len()));
            let played = job.tasks.clamp(1, tasks_played);
            for task in 0..played {
                let mut queued = job.queued();
                queued.planned =
                    Seconds(queued.planned.0.saturating_mul(i64::from(stands_for(job.tasks, played, task))));
                queue.push(queued);
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
        Self {
            situation,
            scheduler,
            place_of,
            number_of,
            awaiting,
            awaits,
            horizon,
            watched: None,
            onlookers: Vec::new(),
        }
    }

    /// The same with these looking on, behind everybody else.
    pub fn with_onlookers(self, onlookers: &[Onlooker]) -> Self {
        Self {
            scheduler: self.scheduler.with_onlookers(onlookers),
            onlookers: onlookers.iter().map(|onlooker| onlooker.planned.len()).collect(),
            ..self
        }
    }

    /// How many tasks of arrays are not played one by one.
    pub fn tasks_not_modelled(&self) -> u64 {
        let tasks: u64 = self.situation.waiting.iter().map(|job| u64::from(job.tasks.max(1))).sum();
        tasks - self.place_of.len() as u64
    }
}

/// For how many of an array's tasks one stands that is played.
fn stands_for(tasks: u32, played: u32, task: u32) -> u32 {
    let tasks = tasks.max(1);
    tasks / played + u32::from(task < tasks % played)
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
    /// By onlooker, then plan: when it would have started.
    onlookers: Vec<Vec<Option<Time>>>,
    onlookers_left: usize,
    ranking: Option<Ranking<'a>>,
    /// Run times, by place in the prospects and task.
    draw: D,
}

/// How long the tasks run that a played one stands for.
struct Runs {
    /// All of them together.
    sum: Seconds,
    /// The last of them.
    last: Seconds,
}

/// What came of it.
pub(super) struct Played {
    /// When the first task of each waiting job started, by place; `None` if not before the horizon.
    pub starts: Vec<Option<Time>>,
    /// And the last of its tasks.
    pub lasts: Vec<Option<Time>>,
    /// When each who looked on would have started, by onlooker, then plan.
    pub onlookers: Vec<Vec<Option<Time>>>,
    /// Whether it was played until everybody had started, or to the horizon.
    pub is_whole: bool,
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
            onlookers: start.onlookers.iter().map(|plans| vec![None; *plans]).collect(),
            onlookers_left: start.onlookers.iter().sum(),
            ranking: Ranking::of(start.situation),
            draw,
        }
    }

    /// Plays until everybody has started, or whoever is watched, or the horizon is reached, or patience ends.
    pub fn play(mut self, patience: &Patience) -> Played {
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
        let mut is_whole = true;
        while now <= self.start.horizon {
            if patience.is_over() {
                is_whole = false;
                self.start_the_rest_by_work(now);
                break;
            }
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
                self.note_onlookers(now);
                if backfill {
                    backfill_is_due = !starts.is_empty() && self.is_anybody_left();
                    next_backfill = now + interval;
                }
            }
            if self.is_over() || !self.is_anybody_left() {
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
        let starts = self.start.number_of.iter().map(|number| self.started[*number as usize]).collect();
        let lasts = (0..self.start.number_of.len()).map(|place| self.last_start(place)).collect();
        Played { starts, lasts, onlookers: self.onlookers, is_whole }
    }

    /// When the last task of the job at a place starts, of those that nobody played too.
    fn last_start(&self, place: usize) -> Option<Time> {
        let mut last = None;
        for number in tasks_at(&self.start.number_of, self.start.place_of.len(), place) {
            let runs = self.runs_at(place, number - self.start.number_of[place] as usize);
            let before_its_last = runs.sum - runs.last;
            last = last.max(Some(self.started[number]? + before_its_last));
        }
        last
    }

    /// Time has run out: whoever has not started does when the work before it, and what runs, would be done by the whole machine. Nothing is
    /// backfilled, partitions are not told apart, and nobody waits for another job's end.
    fn start_the_rest_by_work(&mut self, now: Time) {
        let start = self.start;
        let pools = start.situation.cluster.pools.iter();
        let processors = pools.map(|pool| pool.node.times(pool.nodes).processors as f64).sum::<f64>().max(1.0);
        let running = (0..self.ends_at.len()).filter_map(|number| Some((number, self.ends_at[number]?)));
        let running = running.map(|(number, end)| (end - now).as_f64().max(0.0) * self.processors_of(number));
        let mut work = running.sum::<f64>();
        for number in 0..start.place_of.len() {
            if self.started[number].is_some() {
                continue;
            }
            let place = start.place_of[number] as usize;
            #[expect(clippy::cast_possible_truncation, reason = "beyond the horizon is nowhere")]
            let waited = Seconds((work / processors).min((start.horizon - now).as_f64() + 1.0) as i64);
            let may_begin = start.situation.waiting[place].not_before.unwrap_or(now);
            self.started[number] = Some((now + waited).max(may_begin)).filter(|time| *time <= start.horizon);
            let runs = self.runs_at(place, number - start.number_of[place] as usize);
            work += runs.sum.as_f64() * self.processors_of(number);
        }
    }

    /// What a job holds, by number.
    fn processors_of(&self, number: usize) -> f64 {
        let situation = self.start.situation;
        let submission = match number.checked_sub(self.start.place_of.len()) {
            Some(running) => &situation.running[running].submission,
            None => &situation.waiting[self.start.place_of[number] as usize].submission,
        };
        f64::from(submission.request.processors)
    }

    /// How long what a played task stands for runs, one task after the other.
    fn runs_at(&self, place: usize, task: usize) -> Runs {
        /// Of more tasks so many are drawn, and the others run as long as those do in the mean.
        const DRAWN: u32 = 16;
        let played = number(tasks_at(&self.start.number_of, self.start.place_of.len(), place).len());
        let stands_for = stands_for(self.start.situation.waiting[place].tasks, played, number(task));
        let mut runs = Runs { sum: Seconds::ZERO, last: Seconds::ZERO };
        for turn in 0..stands_for.min(DRAWN) {
            runs.last = (self.draw)(place, number(task) + turn * played).max(Seconds(1));
            runs.sum += runs.last;
        }
        if stands_for > DRAWN {
            runs.sum = Seconds(runs.sum.0 * i64::from(stands_for) / i64::from(DRAWN));
        }
        runs
    }

    /// Whether anybody has not started, of those who wait and of those who look on.
    fn is_anybody_left(&self) -> bool {
        self.left > 0 || self.onlookers_left > 0
    }

    fn note_onlookers(&mut self, now: Time) {
        for start in self.scheduler.take_onlooker_starts() {
            self.onlookers[start.onlooker][start.plan] = Some(now);
            self.onlookers_left -= 1;
        }
    }

    /// Whether whoever is watched has started, or all who look on.
    fn is_over(&self) -> bool {
        if !self.start.onlookers.is_empty() {
            return self.onlookers_left == 0;
        }
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
        let runs = self.runs_at(place, task - self.start.number_of[place] as usize);
        self.will_end(job.0, now + runs.sum);
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
