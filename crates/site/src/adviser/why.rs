//! What holds a waiting job, and what its owner could change.
//!
//! Everything that may hold it is taken away in turn, and every change tried, in futures that are otherwise the same.

use std::collections::{BTreeMap, HashSet};

use queuecast_advise::change::{Change, Effect, OFFERED};
use queuecast_forecast::queue::WaitingHere;
use queuecast_schedule::slurm::{Amount, Demand, Pool};
use queuecast_workload::{Seconds, Submission, Time};

use super::widths::in_seconds;
use super::{OpenAdviser, Replayed};
use crate::cluster::WaitingJob;
use crate::forecasting::start_times;
use queuecast_advise::{Ahead, AheadClass, AheadCount, ChangeAdvice, Hold, Holder, JobChange, Why};
use queuecast_forecast::estimate::{JobForecast, NoForecast};

/// Shorter limits are tried at these accepted risks.
const RISKS_TRIED: [f64; 3] = [0.01, 0.05, 0.1];
/// So many other partitions are tried.
const PARTITIONS_TRIED: usize = 6;
/// So many changes are told.
const CHANGES_TOLD: usize = 5;
/// A change that buys less than this is not worth telling.
const WORTH_TELLING: Seconds = Seconds(60);
/// Where classes of nodes begin, and of limits end.
const NODES: [u32; 4] = [1, 2, 9, 65];
const LIMITS_HOURS: [i64; 3] = [1, 6, 24];

impl OpenAdviser {
    pub(super) fn what_holds(&self, job_id: u64) -> Result<Why, NoForecast> {
        let (job, place) = self.waiting(job_id)?;
        let replayed = self.replayed(place);
        Ok(Why {
            ahead: self.ahead(place),
            holds: self.holds(&replayed),
            changes: self.changes(job, &replayed),
            futures: replayed.settings.futures,
        })
    }

    fn ahead(&self, place: usize) -> Ahead {
        let job = &self.situation.core.waiting[place];
        let before = self.situation.core.waiting[..place].iter();
        let rivals: Vec<&WaitingHere> = before.filter(|other| other.demand.pools.0 & job.demand.pools.0 != 0).collect();
        let pools = self.situation.core.cluster.pools.as_slice();
        let mut classes: BTreeMap<(usize, usize), Vec<&WaitingHere>> = BTreeMap::new();
        for rival in &rivals {
            let fewest = in_its_pools(&rival.demand, pools, |node| rival.demand.fewest_nodes(node));
            let fewest = fewest.unwrap_or(rival.demand.layout.nodes_min);
            let nodes = NODES.iter().rposition(|from| fewest >= *from).unwrap_or(0);
            let limit = LIMITS_HOURS.iter().position(|hours| rival.planned <= Seconds(hours * 3_600));
            classes.entry((nodes, limit.unwrap_or(LIMITS_HOURS.len()))).or_default().push(rival);
        }
        let mut classes: Vec<AheadClass> = classes
            .into_iter()
            .map(|((nodes, limit), jobs)| AheadClass {
                nodes_from: NODES[nodes],
                nodes_to: NODES.get(nodes + 1).map(|next| next - 1),
                limit_to: LIMITS_HOURS.get(limit).map(|hours| Seconds(hours * 3_600)),
                count: counted(&jobs, pools),
            })
            .collect();
        classes.sort_by_key(|class| std::cmp::Reverse(class.count.node_seconds));
        let is_own =
            |rival: &&&WaitingHere| rival.submission.user.is_some() && rival.submission.user == job.submission.user;
        let own_jobs = rivals.iter().filter(is_own).map(|rival| u64::from(rival.tasks.max(1))).sum();
        Ahead { all: counted(&rivals, pools), own_jobs, classes }
    }

    fn holds(&self, replayed: &Replayed<'_>) -> Vec<Hold> {
        let job = &replayed.near.waiting[replayed.place];
        let may_hold = [
            (replayed.place > 0, Holder::Queue, Change::First),
            (!replayed.near.cluster.blocked.is_empty(), Holder::Reservations, Change::NoReservations),
            (
                job.demand.caps.iter().any(|counts| !counts.held_by.is_none()),
                Holder::SharedLimits,
                Change::NoSharedLimits,
            ),
            (!job.after.is_empty(), Holder::Dependency, Change::NoDependency),
            (job.not_before.is_some(), Holder::Begin, Change::NoBegin),
        ];
        let mut holds = Vec::new();
        let mut all = Vec::new();
        for (_, what, change) in may_hold.into_iter().filter(|(may, ..)| *may) {
            let starts = replayed.starts(std::slice::from_ref(&change));
            holds.extend(replayed.effect(&starts).map(|effect| Hold { what, effect }));
            all.push(change);
        }
        // What is left when all that is taken away is those who run.
        let starts = replayed.starts(&all);
        let now: Vec<Option<Time>> = starts.iter().map(|_| Some(self.now())).collect();
        let running = Effect::between(&starts, &now, replayed.horizon());
        holds.extend(running.map(|effect| Hold { what: Holder::Running, effect }));
        holds.retain(|hold| hold.effect.earlier_median >= WORTH_TELLING);
        holds.sort_by_key(|hold| std::cmp::Reverse(hold.effect.earlier_median));
        holds
    }

    fn changes(&self, job: &WaitingJob, replayed: &Replayed<'_>) -> Vec<ChangeAdvice> {
        let here = &replayed.near.waiting[replayed.place];
        let runs = self.distribution(&here.submission);
        let mut told: Vec<ChangeAdvice> = Vec::new();
        for (change, tried) in self.candidates(job, here, replayed.is_near()) {
            let starts = replayed.starts(&[tried]);
            let limit = if let JobChange::Limit { to, .. } = &change { *to } else { here.planned };
            let Some(effect) = replayed.effect(&starts) else { continue };
            if effect.earlier_median >= WORTH_TELLING && effect.share_earlier >= OFFERED {
                let forecast = match self.run_factor(&change, &here.submission) {
                    Some(factor) => {
                        let run = |share| in_seconds(runs.sample(share).as_f64() * factor).min(limit);
                        self.said_changed(&here.submission, &replayed.unchanged, &starts, run)
                    }
                    None => JobForecast::NoForecast(no_speedup()),
                };
                told.push(ChangeAdvice { change, effect, forecast });
            }
        }
        told.sort_by_key(|change| std::cmp::Reverse(change.effect.earlier_median));
        let mut worth = told.clone();
        worth.retain(|change| !told.iter().any(|other| risks_less_for_as_much(other, change)));
        worth.truncate(CHANGES_TOLD);
        worth
    }

    /// By how much longer it runs with a change; `None` if that is not known.
    fn run_factor(&self, change: &JobChange, job: &Submission) -> Option<f64> {
        let JobChange::Nodes { from, to } = change else { return Some(1.0) };
        let asked = job.request.processors;
        let left = (u64::from(asked) * to).div_ceil((*from).max(1));
        Some(self.learnt_scaling(job)?.law.factor(asked, u32::try_from(left).unwrap_or(u32::MAX)))
    }

    /// What could be changed, for people and for the futures. To a job that `starts_soon` no partition is offered that is kept for others.
    fn candidates(&self, job: &WaitingJob, here: &WaitingHere, starts_soon: bool) -> Vec<(JobChange, Change)> {
        let asks = &job.asks;
        let mut candidates = Vec::new();
        let mut shortest = here.planned;
        for advised in self.advised(&here.submission, here.planned).0 {
            let is_tried = RISKS_TRIED.iter().any(|risk| (risk - advised.accepted).abs() < 1e-9);
            let to = advised.what.limit;
            if is_tried && to < shortest {
                shortest = to;
                let change = JobChange::Limit { from: here.planned, to, risk: advised.what.risk };
                candidates.push((change, Change::Limit(to)));
            }
        }
        let nodes = asks.requested.nodes.unwrap_or(1);
        if nodes > 1 {
            let to = nodes.div_ceil(2);
            let demand = self.situation.resized(asks, &here.demand, to, asks.exclusive);
            candidates.push((JobChange::Nodes { from: nodes, to }, Change::Demand(demand)));
        }
        if asks.features.is_empty() {
            let others = self.situation.open_partitions().into_iter();
            let others = others.filter(|name| !asks.partitions.iter().any(|own| own == name));
            for name in others.take(PARTITIONS_TRIED) {
                let needs_gpus = asks.requested.gpus.is_some_and(|gpus| gpus > 0);
                if let Some(demand) = self.situation.elsewhere(asks, &here.demand, here.planned, name)
                    && !(starts_soon && self.is_kept_for_others(name, &demand, needs_gpus))
                {
                    let change = JobChange::Partition { from: asks.partitions.clone(), to: name.to_owned() };
                    candidates.push((change, Change::Demand(demand)));
                }
            }
        }
        if asks.exclusive && !self.situation.gives_whole_nodes() {
            let demand = self.situation.resized(asks, &here.demand, nodes, false);
            candidates.push((JobChange::ShareNodes, Change::Demand(demand)));
        }
        candidates
    }
}

impl Replayed<'_> {
    /// Whether it starts soon as it is, in the median.
    fn is_near(&self) -> bool {
        start_times(&self.unchanged, self.horizon()).is_ok_and(|starts| self.adviser.is_soon(starts[4]))
    }

    fn effect(&self, starts: &[Option<Time>]) -> Option<Effect> {
        Effect::between(&self.unchanged, starts, self.horizon())
    }
}

fn no_speedup() -> NoForecast {
    let why = "The run time on fewer nodes is not known: this needs three completed runs of yours with this job name at each \
               of two sizes.";
    NoForecast { code: "no_speedup", why: why.to_owned() }
}

/// Whether one limit buys as much as another at less risk: then nobody needs the other.
fn risks_less_for_as_much(one: &ChangeAdvice, other: &ChangeAdvice) -> bool {
    match (&one.change, &other.change) {
        (JobChange::Limit { risk: less, .. }, JobChange::Limit { risk: more, .. }) => {
            less < more && one.effect.earlier_median + WORTH_TELLING > other.effect.earlier_median
        }
        _ => false,
    }
}

/// The least of something among the pools that a job may use: who may have large nodes and small ones takes fewer of the large ones.
fn in_its_pools<T: Ord>(demand: &Demand, pools: &[Pool], of: impl Fn(Amount) -> Option<T>) -> Option<T> {
    let usable = demand.pools.pools().filter_map(|place| pools.get(place)).filter(|pool| pool.nodes > 0);
    usable.filter_map(|pool| of(pool.node)).min()
}

fn counted(jobs: &[&WaitingHere], pools: &[Pool]) -> AheadCount {
    // Jobs of nobody that is known count as one user's.
    let users: HashSet<_> = jobs.iter().map(|job| job.submission.user).collect();
    let work = |job: &WaitingHere| {
        let node_seconds = in_its_pools(&job.demand, pools, |node| job.demand.node_seconds(node, job.planned));
        // What no node here holds is taken for as many nodes as it asks for.
        let as_asked = || u64::from(job.demand.layout.nodes_min).saturating_mul(job.planned.0.max(0).unsigned_abs());
        node_seconds.unwrap_or_else(as_asked).saturating_mul(u64::from(job.tasks.max(1)))
    };
    AheadCount {
        jobs: jobs.iter().map(|job| u64::from(job.tasks.max(1))).sum(),
        users: users.len() as u64,
        node_seconds: jobs.iter().fold(0, |sum, job| sum.saturating_add(work(job))),
    }
}
