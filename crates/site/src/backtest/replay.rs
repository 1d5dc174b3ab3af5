//! Time goes on: jobs come, start, end, and are learnt from; at the moments chosen everybody who waits is forecast.

use queuecast_advise::limit::{AdvisedJob, LimitAdvisers, LimitObserver};
use queuecast_forecast::forward::HistorySampler;
use queuecast_forecast::pooled::{EXPERTS, RecentWaits};
use queuecast_forecast::queue::PlayableQueue;
use queuecast_predict::distribution::{RuntimeDistributions, WeightedHistory, WeightedHistoryParameters};
use queuecast_workload::{JobId, Outcome, Seconds, Time};
use rustc_hash::FxHashMap;

use super::clock::{Clock, Event};
use super::moments::Moments;
use super::past_job::{Fate, PastJob};
use super::past_jobs::PastJobs;
use super::queue::{Queue, ToTheLimit};
use super::seen_machine::SeenMachine;
use crate::forecasting::should_keep;
use crate::forecasting::{
    ForecastingSettings, RangeCorrection, Raw, WaitLearner, expert_times, play, start_times, times, waits_in,
};

/// A forecast, as it was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MadeForecast {
    /// When.
    pub made: Time,
    /// Whether it was made when its job came.
    pub first: bool,
    /// When the job starts, before its range was stretched.
    pub raw: Raw,
    /// The same as it would have been told.
    pub said: Raw,
    /// What the plan by limits says; `None` if later than is looked ahead.
    pub plan: Option<Time>,
    /// What the median wait of the last jobs of the partition says; `None` if there were none.
    pub last_waits: Option<Time>,
    /// What each expert says by itself.
    pub experts: [Raw; EXPERTS.len()],
}

/// Hears of what was forecast, when the job has started, and of what would have been advised.
pub trait BacktestObserver: LimitObserver {
    /// A job started of which this was said, in the order in which it was. Only jobs of which something was said.
    fn started(&mut self, job: &PastJob, forecasts: &[MadeForecast]);
}

/// What was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Replayed {
    /// Forecasts made.
    pub forecasts: u64,
    /// Those of jobs that left without a start, or had not started where the history ends.
    pub never_started: u64,
    /// Jobs at the moments of which nothing was said: later than is looked ahead.
    pub no_forecast: u64,
}

/// Plays a history. Forecasts are made when the jobs at these places arrive; the observer does not hear of those that only teach.
pub fn replay(
    past: &PastJobs,
    machine: &SeenMachine,
    moments: &Moments,
    settings: &ForecastingSettings,
    desk: &mut LimitAdvisers,
    observer: &mut impl BacktestObserver,
) -> Replayed {
    let history = WeightedHistory::new(WeightedHistoryParameters::default());
    let mut queue = Queue::new(&past.jobs, machine);
    let waits = if queue.are_priorities_known() { WaitLearner::of_told_order } else { WaitLearner::of_unknown_order };
    let mut teller = Teller {
        sampler: HistorySampler::new(history),
        waits: waits(machine.processors(), settings.seed),
        correction: RangeCorrection::new(),
        recent: RecentWaits::default(),
        settings: *settings,
        open: FxHashMap::default(),
        done: Replayed::default(),
    };
    let mut teaching = moments.teaching.iter().peekable();
    let mut moments = moments.jobs.iter().peekable();
    for (now, event, place) in Clock::new(&past.jobs) {
        let job = &past.jobs[place as usize];
        let submission = job.submission(place);
        let runs = teller.sampler.distributions();
        match event {
            Event::Arrived => {
                runs.on_arrival(&submission, now);
                let told = desk.on_arrival(&submission, now);
                if let (Some(told), Some(asked), Fate::Ended) = (told, submission.limit, job.fate) {
                    let (advised, risks, run) = (told.advised, told.risks, job.run());
                    observer.advised(AdvisedJob { submission: &submission, asked, advised, risks, run });
                }
                teller.waits.arrived(&submission);
                queue.arrived(place);
                let is_taught = teaching.next_if(|moment| **moment == place).is_some();
                if moments.next_if(|moment| **moment == place).is_some() || is_taught {
                    teller.tell(&queue, &past.jobs, now, place, is_taught);
                }
            }
            Event::Left => {
                runs.on_withdrawn(&submission);
                desk.on_withdrawn(&submission);
                queue.left(place);
                teller.waits.left(&submission);
                teller.forget(place);
            }
            Event::Started => {
                runs.on_start(&submission, now);
                desk.on_start(&submission, now);
                queue.started(place, now);
                teller.waits.started(&submission, now);
                teller.settle(job, place, observer);
            }
            Event::Ended => {
                runs.on_end(&submission, &job.outcome());
                desk.on_end(&submission, job.run(), now);
                observer.ended(&submission, job.run());
                teller.waits.ended(&submission, &Outcome { ended: now, ..job.outcome() });
                queue.ended(place, now);
            }
        }
    }
    teller.done.never_started += teller.open.values().map(|open| counted(open)).sum::<u64>();
    teller.done
}

/// How long jobs wait in the futures of the repaired model, by place.
#[derive(Default)]
struct Repaired {
    waits: FxHashMap<u32, Vec<f64>>,
    stuck: usize,
}

fn whole(seconds: f64) -> Seconds {
    #[expect(clippy::cast_possible_truncation, reason = "whole seconds")]
    Seconds(seconds as i64)
}

/// Handles are places.
fn place_of(job: JobId) -> u32 {
    u32::try_from(job.0).unwrap_or(u32::MAX)
}

/// A forecast of a job that has not started.
struct Open {
    forecast: MadeForecast,
    only_teaches: bool,
}

/// How many of them the observer would hear of.
fn counted(open: &[Open]) -> u64 {
    open.iter().filter(|open| !open.only_teaches).count() as u64
}

/// Says when everybody starts, and learns from when they did.
struct Teller {
    sampler: HistorySampler<WeightedHistory>,
    waits: WaitLearner,
    correction: RangeCorrection,
    recent: RecentWaits<u32>,
    settings: ForecastingSettings,
    /// What was said of jobs that have not started.
    open: FxHashMap<u32, Vec<Open>>,
    done: Replayed,
}

impl Teller {
    /// Forecasts everybody who waits; of whom one was kept a while ago, as the daemon would have kept another.
    fn tell(&mut self, queue: &Queue<'_>, jobs: &[PastJob], now: Time, arrived: u32, only_teaches: bool) {
        self.waits.advance(now);
        let (mut situation, places) = queue.situation(now);
        let horizon = now + self.settings.horizon;
        let once = ForecastingSettings { futures: 1, futures_least: 1, ..self.settings };
        let plan = play(&mut situation, &mut ToTheLimit::default(), &once);
        let played = play(&mut situation, &mut self.sampler, &self.settings);
        let repaired = self.repaired(queue, situation, now);
        let mut medians = FxHashMap::default();
        for ((place, starts), planned) in places.iter().zip(&played.starts).zip(&plan.starts) {
            let job = &jobs[*place as usize];
            let open = self.open.get(place);
            let last = open.and_then(|open| open.last()).map(|open| open.forecast.made);
            if !should_keep(job.arrived, last, now) {
                continue;
            }
            if start_times(starts, horizon).is_err() {
                self.done.no_forecast += u64::from(!only_teaches);
                continue;
            }
            let median = *medians.entry(job.partition).or_insert_with(|| self.recent.median(&job.partition));
            let submission = job.submission(*place);
            let mended = repaired.waits.get(place).map(Vec::as_slice);
            let answer = self.waits.ask(&submission, &waits_in(starts, now, horizon), mended, repaired.stuck, now);
            let raw = times(&answer, now);
            let experts = expert_times(&answer, now);
            self.waits.keep(submission.job, answer);
            self.done.forecasts += u64::from(!only_teaches);
            let forecast = MadeForecast {
                made: now,
                first: *place == arrived,
                raw,
                said: self.correction.correct(&raw, job.arrived, now),
                plan: planned.first().copied().flatten(),
                last_waits: median.map(|seconds| job.arrived + whole(seconds)),
                experts,
            };
            self.open.entry(*place).or_default().push(Open { forecast, only_teaches });
        }
    }

    /// What the model says once the queue is put right where the history does not say who may start and who goes first.
    fn repaired(&mut self, queue: &Queue<'_>, mut situation: PlayableQueue, now: Time) -> Repaired {
        let waiting = queue.waiting();
        let order = self.waits.order(&waiting, now);
        let stuck = queue.stuck(order.as_deref().unwrap_or(&waiting), now);
        if stuck.is_empty() && order.is_none() {
            return Repaired::default();
        }
        // Who is stuck may start any moment, for all the model knows.
        let at_once = |job: &JobId| (place_of(*job), vec![0.0]);
        let mut waits: FxHashMap<u32, Vec<f64>> = stuck.iter().map(at_once).collect();
        situation.waiting.retain(|job| !stuck.contains(&job.submission.job));
        if let Some(order) = &order {
            let rank: FxHashMap<JobId, usize> = order.iter().map(|job| job.job).zip(0..).collect();
            situation.waiting.sort_by_key(|job| rank.get(&job.submission.job).copied().unwrap_or(usize::MAX));
        }
        let played = play(&mut situation, &mut self.sampler, &self.settings);
        let horizon = now + self.settings.horizon;
        let places = situation.waiting.iter().map(|job| place_of(job.submission.job));
        waits.extend(places.zip(&played.starts).map(|(place, starts)| (place, waits_in(starts, now, horizon))));
        Repaired { waits, stuck: stuck.len() }
    }

    /// A job started.
    fn settle(&mut self, job: &PastJob, place: u32, observer: &mut impl BacktestObserver) {
        self.recent.add(job.partition, f64::from(job.wait_seconds));
        if let Some(open) = self.open.remove(&place) {
            for Open { forecast, .. } in &open {
                self.correction.learn(&forecast.raw, job.arrived, forecast.made, job.started());
            }
            let told: Vec<MadeForecast> =
                open.iter().filter(|open| !open.only_teaches).map(|open| open.forecast).collect();
            if !told.is_empty() {
                observer.started(job, &told);
            }
        }
        if let Some(lesson) = self.waits.lesson() {
            self.waits.take(lesson.grow());
        }
    }

    fn forget(&mut self, place: u32) {
        self.done.never_started += self.open.remove(&place).map_or(0, |open| counted(&open));
    }
}

#[cfg(test)]
mod tests {
    use queuecast_workload::Submission;
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::super::past_job::Resources;
    use super::super::test_jobs::{history, job, withdrawn};
    use super::*;

    /// Everything that was said, with the job's number and when.
    #[derive(Default)]
    struct Heard(Vec<(Time, i64, MadeForecast)>, Vec<(Time, Vec<Seconds>)>);

    impl LimitObserver for Heard {
        fn advised(&mut self, job: AdvisedJob<'_>) {
            self.1.push((job.submission.submitted, job.advised.iter().map(|advised| advised.limit).collect()));
        }
        fn ended(&mut self, _job: &Submission, _run: Seconds) {}
    }

    impl BacktestObserver for Heard {
        fn started(&mut self, job: &PastJob, forecasts: &[MadeForecast]) {
            self.0.extend(forecasts.iter().map(|forecast| (forecast.made, job.number, *forecast)));
        }
    }

    fn heard(past: &PastJobs, machine: &SeenMachine, moments: &[u32]) -> (Heard, Replayed) {
        heard_after(past, machine, &[], moments)
    }

    fn heard_after(past: &PastJobs, machine: &SeenMachine, teaching: &[u32], moments: &[u32]) -> (Heard, Replayed) {
        let mut heard = Heard::default();
        let settings = ForecastingSettings { futures: 20, ..ForecastingSettings::default() };
        let moments = Moments { jobs: moments.to_vec(), teaching: teaching.to_vec(), ..Moments::default() };
        let replayed = replay(past, machine, &moments, &settings, &mut LimitAdvisers::new(&[0.05]), &mut heard);
        heard.0.sort_unstable_by_key(|(made, number, _)| (*made, *number));
        (heard, replayed)
    }

    /// Jobs of one to four processors on eight, that wait as long as chance has it.
    fn made_up(random: &mut Pcg64) -> Vec<PastJob> {
        let mut now = 0;
        (0..150)
            .map(|number| {
                now += random.random_range(0..300);
                let limit = [600, 3_600, 36_000][random.random_range(0..3)];
                let processors = Resources { nodes: 1, processors: random.random_range(1..5), gpus: 0 };
                let fate = if random.random_range(0..10) == 0 { Fate::Withdrawn } else { Fate::Ended };
                PastJob {
                    number,
                    limit_seconds: limit,
                    user: random.random_range(1..4),
                    priority: random.random_range(0..3),
                    asked: processors,
                    held: processors,
                    fate,
                    ..job(now, random.random_range(0..3_000), random.random_range(1..=limit))
                }
            })
            .collect()
    }

    /// Every wait, run time and fate that is not known at some second is replaced by another: what is said up to then stays the same.
    #[test]
    fn nothing_is_said_from_what_is_not_known_yet() {
        let random = &mut Pcg64::seed_from_u64(11);
        let mut compared = 0;
        for _ in 0..20 {
            let past = history(made_up(random));
            let machine = SeenMachine::of(&past, &[], &["8".parse().expect("a size")]).expect("a machine");
            let moments: Vec<u32> = (0..150).step_by(3).collect();
            let second = Time(random.random_range(0..past.jobs[149].arrived.0));
            let mut other = past.clone();
            for job in &mut other.jobs {
                let known = u32::try_from((second - job.arrived).0.max(0)).expect("few");
                if job.arrived > second {
                    (job.limit_seconds, job.user) = (random.random_range(60..9_999), random.random_range(1..4));
                }
                if job.started() > second {
                    job.wait_seconds = known + random.random_range(1..5_000);
                    job.run_seconds = random.random_range(1..600);
                    job.fate = Fate::Ended;
                } else if job.fate == Fate::Ended && job.ended() > second {
                    let age = u32::try_from((second - job.started()).0).expect("few");
                    job.run_seconds = age + random.random_range(1..900);
                }
            }
            // What was said of jobs that never started is not heard; those who start in both are compared.
            let known = |heard: Heard| -> Vec<_> { heard.0.into_iter().filter(|(made, ..)| *made <= second).collect() };
            let [one, two] = [&past, &other].map(|past| known(heard(past, &machine, &moments).0));
            let started: Vec<i64> = past.jobs.iter().filter(|job| job.has_started()).map(|job| job.number).collect();
            let two: Vec<_> = two.into_iter().filter(|(_, number, _)| started.contains(number)).collect();
            assert_eq!(one, two);
            compared += one.len();
        }
        assert!(compared > 500, "{compared}");
    }

    #[test]
    fn moments_that_only_teach_count_nowhere_and_are_learnt_from() {
        let past = history(made_up(&mut Pcg64::seed_from_u64(12)));
        let machine = SeenMachine::of(&past, &[], &["8".parse().expect("a size")]).expect("a machine");
        let (teaching, told): (Vec<u32>, Vec<u32>) = ((0..100).collect(), (100..150).collect());
        let (nothing, replayed) = heard_after(&past, &machine, &teaching, &[]);
        assert_eq!((nothing.0.len(), replayed), (0, Replayed::default()));
        let [untaught, taught] = [&[][..], &teaching].map(|teaching| heard_after(&past, &machine, teaching, &told).0.0);
        let since = past.jobs[100].arrived;
        assert!(taught.iter().all(|(made, ..)| *made >= since));
        let firsts = |heard: &[(Time, i64, MadeForecast)]| -> Vec<(i64, [Time; 9])> {
            heard.iter().filter(|(.., said)| said.first).map(|(_, number, said)| (*number, said.said)).collect()
        };
        let (untaught, taught) = (firsts(&untaught), firsts(&taught));
        assert_eq!(untaught.len(), taught.len());
        assert_ne!(untaught, taught, "what was said before has taught something");
    }

    /// By hand: one processor, a job that runs for an hour, and two behind it.
    #[test]
    fn the_plan_is_by_limits_and_the_last_waits_are_those_before() {
        let mut jobs = vec![job(0, 0, 3_000), job(600, 2_400, 1_000), job(1_200, 2_800, 60), withdrawn(1_300, 5_000)];
        jobs.extend([job(20_000, 0, 10)]);
        let past = history(jobs);
        let machine = SeenMachine::of(&past, &[], &[]).expect("a machine");
        let (heard, replayed) = heard(&past, &machine, &[1, 2, 3]);
        let said: Vec<_> = heard
            .0
            .iter()
            .map(|(made, number, said)| (made.0, *number, said.first, said.plan, said.last_waits))
            .collect();
        let expected = [
            (600, 600, true, Some(Time(3_600)), Some(Time(600))),
            (1_200, 600, false, Some(Time(3_600)), Some(Time(600))),
            (1_200, 1_200, true, Some(Time(7_200)), Some(Time(1_200))),
        ];
        assert_eq!(
            said, expected,
            "the next was ten minutes later at the earliest, and the one who left is not heard of"
        );
        assert_eq!(replayed, Replayed { forecasts: 4, never_started: 1, no_forecast: 0 });
        assert!(heard.0.iter().all(|(made, _, said)| said.said.is_sorted() && said.said[0] >= *made));
    }
}
