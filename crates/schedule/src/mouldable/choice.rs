//! Start on what is free, or wait for more? The choice of the job at the head of the queue (R-D8).
//!
//! For: weighing the time until more processors are free against the time they save, and the rules that soften it: risk
//! aversion and paying for the wait of others. Also the heuristic that looks at the job alone.
//!
//! Not for: when processors will be free ([`super::queue_time`]), which is asked for as a function; when to choose again,
//! which is whoever turns time forward.

use queuecast_workload::mouldable::MouldableJob;

/// What the job at the head is offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    /// Processors that are free.
    pub free: u32,
    /// The most it may take.
    pub widest: u32,
    /// Jobs in the queue, itself included.
    pub waiting: usize,
}

/// What it does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Choice {
    /// It starts on so many processors.
    Start(u32),
    /// It waits.
    Wait(Hold),
}

/// What a job waits for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hold {
    /// So many processors, more than are free.
    pub processors: u32,
    /// When they are expected to be free, in seconds from now.
    pub seconds: f64,
}

/// What counts beside a job's own turnaround.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Preferences {
    /// Wait only if it saves more than this share of the run time on what is free: risk aversion.
    pub least_saving: f64,
    /// Whether the wait counts once for every job in the queue, since all of them wait: q Q(n) + R(n).
    pub pays_for_others: bool,
}

impl Preferences {
    /// A job that looks after its own turnaround and nothing else.
    pub const SELFISH: Self = Self { least_saving: 0.0, pays_for_others: false };
}

/// The choice with the least expected turnaround.
///
/// `queue_seconds` is asked when so many more processors than are free will be, and may answer with nothing if that is
/// later than the second argument: most widths are ruled out by that.
pub fn least_turnaround(
    job: &MouldableJob,
    offer: Offer,
    preferences: Preferences,
    mut queue_seconds: impl FnMut(u32, f64) -> Option<f64>,
) -> Choice {
    let now = offer.free.min(offer.widest);
    let run_now = if now == 0 { f64::INFINITY } else { job.run_seconds(now) };
    let cost_of_waiting = if preferences.pays_for_others { offer.waiting.max(1) as f64 } else { 1.0 };
    // The saving is judged at the end: a risk-averse job still waits for the best width, if it waits.
    let (mut best, mut least) = (Choice::Start(now), run_now);
    for processors in now + 1..=offer.widest {
        let run = job.run_seconds(processors);
        let at_most = (least - run) / cost_of_waiting;
        if at_most <= 0.0 {
            continue;
        }
        if let Some(seconds) = queue_seconds(processors - offer.free, at_most)
            && seconds < at_most
        {
            best = Choice::Wait(Hold { processors, seconds });
            least = cost_of_waiting * seconds + run;
        }
    }
    let saves_enough = now == 0 || run_now - least > preferences.least_saving * run_now;
    if saves_enough { best } else { Choice::Start(now) }
}

/// Waiting by the looks of the job alone: Downey's HEUR.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Heuristic {
    /// Jobs with no longer a sequential life time take what is free.
    pub lifetime_seconds: f64,
    /// Jobs with no more parallelism do so too.
    pub parallelism: f64,
    /// The share of its parallelism a job waits for.
    pub share: f64,
    /// How long it waits, as a share of what it would save.
    pub patience: f64,
}

impl Heuristic {
    /// What the paper found best for its workload.
    pub const TUNED: Self = Self { lifetime_seconds: 0.0, parallelism: 1.0, share: 1.0, patience: 0.2 };

    /// What the job does when it is first asked; the wait is the longest it will bear.
    pub fn choose(&self, job: &MouldableJob, offer: Offer) -> Choice {
        let now = offer.free.min(offer.widest);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a width, cut to it")]
        let wanted = ((self.share * f64::from(offer.widest)).ceil() as u32).clamp(1, offer.widest.max(1));
        let is_candidate = job.sequential_seconds > self.lifetime_seconds
            && job.speedup.average_parallelism() > self.parallelism
            && wanted > now;
        if !is_candidate || now == 0 {
            return Choice::Start(now);
        }
        let saving = job.run_seconds(now) - job.run_seconds(wanted);
        Choice::Wait(Hold { processors: wanted, seconds: self.patience * saving })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use queuecast_workload::Time;
    use queuecast_workload::mouldable::Speedup;

    use super::*;

    /// 800 seconds on one processor, and ever faster up to eight.
    fn job() -> MouldableJob {
        MouldableJob { submitted: Time(0), sequential_seconds: 800.0, speedup: Speedup::new(8.0, 0.0) }
    }

    const OFFER: Offer = Offer { free: 2, widest: 8, waiting: 3 };

    fn choose(offer: Offer, preferences: Preferences, queue_seconds: impl Fn(u32) -> f64) -> Choice {
        least_turnaround(&job(), offer, preferences, |needed, at_most| {
            Some(queue_seconds(needed)).filter(|seconds| *seconds <= at_most)
        })
    }

    #[test]
    fn a_job_waits_while_waiting_saves_more_than_it_costs() {
        // 400 s on two; 100 s on eight.
        let wait = Choice::Wait(Hold { processors: 8, seconds: 299.0 });
        assert_eq!(choose(OFFER, Preferences::SELFISH, |needed| if needed == 6 { 299.0 } else { 1e9 }), wait);
        assert_eq!(choose(OFFER, Preferences::SELFISH, |_| 300.0), Choice::Start(2));
    }

    #[test]
    fn a_risk_averse_job_waits_for_large_savings_only() {
        let averse = Preferences { least_saving: 0.2, ..Preferences::SELFISH };
        let only_eight = |seconds: f64| move |needed: u32| if needed == 6 { seconds } else { 1e9 };
        assert!(matches!(choose(OFFER, averse, only_eight(219.0)), Choice::Wait(_)));
        assert_eq!(choose(OFFER, averse, only_eight(221.0)), Choice::Start(2));
    }

    #[test]
    fn a_job_that_pays_for_others_counts_their_waits_too() {
        let paying = Preferences { pays_for_others: true, ..Preferences::SELFISH };
        let only_eight = |seconds: f64| move |needed: u32| if needed == 6 { seconds } else { 1e9 };
        assert!(matches!(choose(OFFER, paying, only_eight(99.0)), Choice::Wait(_)));
        assert_eq!(choose(OFFER, paying, only_eight(101.0)), Choice::Start(2));
    }

    #[test]
    fn the_heuristic_waits_for_a_fifth_of_what_it_would_save() {
        let choice = Heuristic::TUNED.choose(&job(), OFFER);
        assert_eq!(choice, Choice::Wait(Hold { processors: 8, seconds: 60.0 }));
        let long_jobs_only = Heuristic { lifetime_seconds: 1_000.0, ..Heuristic::TUNED };
        assert_eq!(long_jobs_only.choose(&job(), OFFER), Choice::Start(2));
        let half = Heuristic { share: 0.5, ..Heuristic::TUNED };
        assert!(matches!(half.choose(&job(), OFFER), Choice::Wait(Hold { processors: 4, .. })));
    }

    proptest! {
        /// The obvious way: every width, its queue time asked for without a bound.
        #[test]
        fn ruling_widths_out_early_changes_nothing(
            queue in proptest::collection::vec(0.0..2_000.0_f64, 16),
            free in 1..16_u32,
            parallelism in 1.0..16.0_f64,
            waiting in 1..5_usize,
            pays_for_others: bool,
        ) {
            let job = MouldableJob { speedup: Speedup::new(parallelism, 0.8), ..job() };
            let offer = Offer { free, widest: job.widest(16), waiting };
            let preferences = Preferences { pays_for_others, ..Preferences::SELFISH };
            let fast = least_turnaround(&job, offer, preferences, |needed, at_most| {
                Some(queue[needed as usize]).filter(|seconds| *seconds <= at_most)
            });
            let weight = if pays_for_others { waiting as f64 } else { 1.0 };
            let now = free.min(offer.widest);
            let mut best = (Choice::Start(now), job.run_seconds(now));
            for processors in now + 1..=offer.widest {
                let seconds = queue[(processors - free) as usize];
                let cost = weight * seconds + job.run_seconds(processors);
                if cost < best.1 - 1e-9 {
                    best = (Choice::Wait(Hold { processors, seconds }), cost);
                }
            }
            prop_assert_eq!(fast, best.0);
        }
    }
}
