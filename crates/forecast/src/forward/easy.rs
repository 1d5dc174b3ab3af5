//! EASY and FCFS in order of arrival, played forward (R-SIM-1).
//!
//! For: speed. The first pass, at the second of the forecast, does not depend on any draw and is made once for all
//! futures; each future then goes from end to end, and a pass costs little where nobody can start. It starts whom the
//! simulator starts under its clean rules, when it does; the tests hold it to that.
//!
//! Not for: other orders and depths; see `general`.
//!
//! Plans that are outlived are raised only when the next pass looks at them, which nobody can tell from raising them in
//! their second, because a correction makes no pass.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use queuecast_workload::{Seconds, Time};

use crate::forward::arrivals::SampledArrival;
use crate::forward::futures::JobDraws;
use crate::forward::planner::Plan;
use crate::forward::playable_machine::{PlayableMachine, PlayedJob};
use crate::forward::waiting_places::WaitingPlaces;

/// Plays EASY or FCFS.
#[derive(Debug)]
pub(crate) struct EasyPlayer {
    backfills: bool,
    /// After the pass at the second of the forecast.
    base: Site,
    /// In the future being played.
    played: Site,
    ends: BinaryHeap<Reverse<(Time, u32)>>,
    /// Whom the last pass started.
    starts: Vec<u32>,
}

/// Who waits and who runs.
#[derive(Debug, Default)]
struct Site {
    free: i64,
    waiting: WaitingPlaces,
    /// Planned ends, earliest first.
    releases: Vec<Release>,
    jobs: Vec<PlayedJob>,
    /// Who waits at the places beyond the job asked about: sampled arrivals stand behind those who run.
    target: usize,
    running: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Release {
    end: Time,
    job: u32,
    processors: u32,
}

impl Site {
    fn copy(&mut self, other: &Self) {
        self.free = other.free;
        self.waiting.copy(&other.waiting);
        self.releases.clone_from(&other.releases);
        self.jobs.clone_from(&other.jobs);
        (self.target, self.running) = (other.target, other.running);
    }

    fn job_at(&self, place: usize) -> usize {
        if place <= self.target { place } else { place + self.running }
    }

    fn add_release(&mut self, release: Release) {
        let place = self.releases.partition_point(|other| *other < release);
        self.releases.insert(place, release);
    }

    fn end(&mut self, index: u32) {
        let job = &self.jobs[index as usize];
        let processors = job.processors;
        let end = job.started.unwrap_or_default() + job.plan.planned;
        let release = Release { end, job: index, processors };
        let place = self.releases.partition_point(|other| *other < release);
        debug_assert_eq!(self.releases.get(place), Some(&release), "a running job has a planned end");
        self.releases.remove(place);
        self.free += i64::from(processors);
    }

    /// Whoever should have ended by now and has not is planned to run on.
    fn raise_outlived(&mut self, now: Time, situation: &PlayableMachine) {
        while let Some(&due) = self.releases.first().filter(|release| release.end <= now) {
            self.releases.remove(0);
            let job = &mut self.jobs[due.job as usize];
            let started = job.started.unwrap_or_default();
            job.plan.outlive(now - started, situation.correction, job.limit);
            let end = started + job.plan.planned;
            self.add_release(Release { end, ..due });
        }
    }

    fn start(&mut self, place: usize, now: Time, starts: &mut Vec<u32>) {
        self.waiting.remove(place);
        let index = self.job_at(place);
        let job = &mut self.jobs[index];
        job.started = Some(now);
        self.free -= i64::from(job.processors);
        let (end, processors) = (now + job.plan.planned, job.processors);
        let index = u32::try_from(index).expect("fewer than 2^32 jobs are in the system");
        self.add_release(Release { end, job: index, processors });
        starts.push(index);
    }

    /// Who starts now. True as soon as the job asked about does: what comes after it does not matter.
    fn pass(&mut self, now: Time, backfills: bool, starts: &mut Vec<u32>) -> bool {
        loop {
            let Some((place, processors)) = self.waiting.head() else { return false };
            if i64::from(processors) > self.free {
                return backfills && self.backfill(place, processors, now, starts);
            }
            self.start(place, now, starts);
            if place == self.target {
                return true;
            }
        }
    }

    fn free_processors(&self) -> u32 {
        // One below the most there could be, which stands for nobody.
        u32::try_from(self.free.max(0)).unwrap_or(u32::MAX).min(u32::MAX - 1)
    }

    fn backfill(&mut self, head: usize, needed: u32, now: Time, starts: &mut Vec<u32>) -> bool {
        if !self.waiting.anybody_within(self.free_processors()) {
            return false;
        }
        let (shadow, mut extra) = self.reservation(i64::from(needed));
        let before_shadow = shadow - now;
        let mut from = head + 1;
        while let Some((place, processors, planned)) =
            self.waiting.find(from, self.free_processors(), before_shadow, extra)
        {
            if planned > before_shadow {
                extra -= processors;
            }
            self.start(place, now, starts);
            if place == self.target {
                return true;
            }
            from = place + 1;
        }
        false
    }

    /// When the head will start at the latest, and what it leaves over then; ends of one second count together.
    fn reservation(&self, needed: i64) -> (Time, u32) {
        let mut free = self.free;
        let mut releases = self.releases.iter().peekable();
        while let Some(release) = releases.next() {
            free += i64::from(release.processors);
            let last_of_second = releases.peek().is_none_or(|next| next.end > release.end);
            if free >= needed && last_of_second {
                return (release.end, u32::try_from(free - needed).unwrap_or(u32::MAX));
            }
        }
        debug_assert!(false, "the machine holds every job once empty");
        (Time::MAX, 0)
    }
}

impl EasyPlayer {
    pub fn new(backfills: bool) -> Self {
        Self { backfills, base: Site::default(), played: Site::default(), ends: BinaryHeap::new(), starts: Vec::new() }
    }

    /// Takes the situation in and makes the pass of this very second. True if the job asked about starts in it.
    pub fn prepare(&mut self, situation: &PlayableMachine) -> bool {
        let base = &mut self.base;
        base.free = situation.free;
        base.target = situation.target;
        base.running = situation.jobs.len() - situation.target - 1;
        base.jobs.clone_from(&situation.jobs);
        base.waiting.reset(situation.target + 1);
        base.releases.clear();
        for (place, job) in situation.jobs.iter().enumerate() {
            match job.started {
                None => base.waiting.insert(place, job.processors, job.plan.planned),
                Some(started) => base.releases.push(Release {
                    end: started + job.plan.planned,
                    job: u32::try_from(place).expect("fewer than 2^32 jobs are in the system"),
                    processors: job.processors,
                }),
            }
        }
        base.releases.sort_unstable();
        self.starts.clear();
        base.pass(situation.now, self.backfills, &mut self.starts)
    }

    /// Plays a future from where [`prepare`](Self::prepare) left it; when the job asked about starts.
    pub fn play(
        &mut self,
        situation: &PlayableMachine,
        arrivals: &[SampledArrival],
        draws: &mut impl JobDraws,
    ) -> Time {
        let site = &mut self.played;
        site.copy(&self.base);
        for arrival in arrivals {
            site.jobs.push(PlayedJob {
                processors: arrival.processors.min(situation.processors),
                limit: arrival.limit,
                submitted: arrival.arrives,
                plan: Plan { first: arrival.planned, planned: arrival.planned, misses: 0 },
                started: None,
            });
        }
        site.waiting.grow(site.target + 1 + arrivals.len());
        let mut ends = std::mem::take(&mut self.ends).into_vec();
        ends.clear();
        for release in &site.releases {
            let job = &site.jobs[release.job as usize];
            let started = job.started.unwrap_or(situation.now);
            let run = situation.sound_run(job, situation.now - started, draws.run(release.job as usize));
            ends.push(Reverse((started + run, release.job)));
        }
        self.ends = ends.into();
        let mut arrived = 0;
        let mut now = situation.now;
        loop {
            let next_end = self.ends.peek().map(|Reverse((time, _))| *time);
            let next_arrival = arrivals.get(arrived).map(|arrival| arrival.arrives.max(situation.now));
            let Some(next) = next_end.into_iter().chain(next_arrival).min() else {
                debug_assert!(false, "the machine holds every job once empty");
                return now;
            };
            now = next;
            while let Some(Reverse((_, job))) = self.ends.peek().copied().filter(|Reverse((time, _))| *time == now) {
                self.ends.pop();
                site.end(job);
            }
            site.raise_outlived(now, situation);
            while let Some(arrival) = arrivals.get(arrived).filter(|arrival| arrival.arrives <= now) {
                arrived += 1;
                let processors = arrival.processors.min(situation.processors);
                site.waiting.insert(site.target + arrived, processors, arrival.planned);
            }
            self.starts.clear();
            if site.pass(now, self.backfills, &mut self.starts) {
                return now;
            }
            for &started in &self.starts {
                let job = &site.jobs[started as usize];
                let run = match (started as usize).checked_sub(situation.jobs.len()) {
                    Some(arrival) => arrivals[arrival].run,
                    None => draws.run(started as usize),
                };
                let run = situation.sound_run(job, Seconds::ZERO, run);
                self.ends.push(Reverse((now + run, started)));
            }
        }
    }

    /// When the jobs of the situation started in the future played last, so far as it went.
    #[cfg(test)]
    pub fn starts(&self) -> Vec<Option<Time>> {
        self.played.jobs.iter().map(|job| job.started).collect()
    }
}
