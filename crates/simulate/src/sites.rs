//! Several clusters on one clock, and jobs that may go to any of them (R-K12 to R-K14).
//!
//! For: metascheduling. Whoever arrives is sent to one site, or to several of which the first to start it keeps it; sites
//! may differ in size and in speed.
//!
//! Not for: choosing the site, which a [`SiteChooser`] does, told what has happened everywhere before this second; moving a
//! job once it waits.

use queuecast_predict::RuntimePredictor;
use queuecast_schedule::Scheduler;
use queuecast_workload::{JobId, Machine, Outcome, Seconds, Submission, Time, TracedJob};
use rustc_hash::FxHashMap;

use crate::cluster::earliest;
use crate::{FinishedJob, Observer, SimulatedCluster};

/// A cluster among others.
#[derive(Clone, Debug)]
pub struct Site<P, S> {
    /// Its queue, scheduler and predictor.
    pub cluster: SimulatedCluster<P, S>,
    /// Its size.
    pub machine: Machine,
    /// How much faster jobs run here than where their run times were recorded; above zero. Limits are shorter alike.
    pub speed: f64,
}

/// How long at this speed is what takes so long at speed one: whole seconds, rounded up, one at least.
pub fn at_speed(duration: Seconds, speed: f64) -> Seconds {
    #[expect(clippy::cast_possible_truncation, reason = "the cast saturates, and is cut")]
    let there = Seconds((duration.as_f64() / speed).ceil() as i64);
    there.clamp(Seconds(1), Seconds::MAX)
}

/// What is submitted at a site of this speed: whoever asks for ten hours asks for five where everything is twice as fast.
pub fn submission_at_speed(job: &Submission, speed: f64) -> Submission {
    Submission { limit: job.limit.map(|limit| at_speed(limit, speed)), ..*job }
}

/// A job that may go anywhere it fits.
#[derive(Clone, Copy, Debug)]
pub struct RoamingJob {
    /// The job; its handle is its own on all sites, and handles rise in order of submission.
    pub job: TracedJob,
    /// Where it would go if nobody chose.
    pub home: usize,
}

/// Says where jobs go.
pub trait SiteChooser {
    /// A job arrives: writes into `chosen` at least one of the sites in `open`, those that can hold it. If there are several,
    /// the first to start it keeps it.
    fn choose(&mut self, job: &Submission, home: usize, open: &[usize], now: Time, chosen: &mut Vec<usize>);

    /// A job was sent to a site; from here on its limit is that of the site's speed.
    fn submitted(&mut self, _site: usize, _job: &Submission, _now: Time) {}
    /// It started there.
    fn started(&mut self, _site: usize, _job: &Submission, _now: Time) {}
    /// It ended there.
    fn ended(&mut self, _site: usize, _job: &Submission, _outcome: &Outcome) {}
    /// It was taken back from there, since it started elsewhere.
    fn withdrawn(&mut self, _site: usize, _job: &Submission, _now: Time) {}
}

impl<C: SiteChooser + ?Sized> SiteChooser for Box<C> {
    fn choose(&mut self, job: &Submission, home: usize, open: &[usize], now: Time, chosen: &mut Vec<usize>) {
        (**self).choose(job, home, open, now, chosen);
    }
    fn submitted(&mut self, site: usize, job: &Submission, now: Time) {
        (**self).submitted(site, job, now);
    }
    fn started(&mut self, site: usize, job: &Submission, now: Time) {
        (**self).started(site, job, now);
    }
    fn ended(&mut self, site: usize, job: &Submission, outcome: &Outcome) {
        (**self).ended(site, job, outcome);
    }
    fn withdrawn(&mut self, site: usize, job: &Submission, now: Time) {
        (**self).withdrawn(site, job, now);
    }
}

/// Told of every job as it ends.
pub trait SitesObserver {
    /// A job ended at a site.
    fn finished(&mut self, site: usize, job: &FinishedJob<'_>);
}

/// Both are told.
impl<A: SitesObserver, B: SitesObserver> SitesObserver for (A, B) {
    fn finished(&mut self, site: usize, job: &FinishedJob<'_>) {
        self.0.finished(site, job);
        self.1.finished(site, job);
    }
}

impl<O: SitesObserver> SitesObserver for &mut O {
    fn finished(&mut self, site: usize, job: &FinishedJob<'_>) {
        (**self).finished(site, job);
    }
}

/// Nobody listens.
impl SitesObserver for () {
    fn finished(&mut self, _site: usize, _job: &FinishedJob<'_>) {}
}

/// Runs the jobs, in order of submission, to the end. A job that no site can hold is passed over; how many were is returned.
pub fn simulate_sites<P: RuntimePredictor, S: Scheduler>(
    jobs: impl Iterator<Item = RoamingJob>,
    sites: &mut [Site<P, S>],
    chooser: &mut impl SiteChooser,
    observer: &mut impl SitesObserver,
) -> u64 {
    let mut round =
        Round { arrivals: vec![Vec::new(); sites.len()], elsewhere: FxHashMap::default(), started: Vec::new() };
    let mut homeless = 0;
    let mut jobs = jobs.peekable();
    let (mut open, mut chosen) = (Vec::new(), Vec::new());
    loop {
        let on_their_own = sites.iter().map(|site| site.cluster.next_event()).fold(None, earliest);
        let Some(now) = earliest(on_their_own, jobs.peek().map(|job| job.job.submission.submitted)) else { break };
        while let Some(RoamingJob { job, home }) = jobs.next_if(|next| next.job.submission.submitted <= now) {
            open.clear();
            open.extend((0..sites.len()).filter(|site| sites[*site].machine.can_hold(job.submission.request)));
            if open.is_empty() {
                homeless += 1;
                continue;
            }
            chosen.clear();
            chooser.choose(&job.submission, home, &open, now, &mut chosen);
            assert!(
                !chosen.is_empty() && chosen.iter().all(|site| open.contains(site)),
                "a site that can hold the job"
            );
            round.send(&job, &chosen, sites, chooser, now);
        }
        round.play(now, sites, chooser, observer);
    }
    homeless
}

/// What is under way within one second.
struct Round {
    /// By site.
    arrivals: Vec<Vec<TracedJob>>,
    /// Where the jobs wait that were sent to several sites.
    elsewhere: FxHashMap<JobId, (Submission, Vec<usize>)>,
    started: Vec<JobId>,
}

impl Round {
    fn send<P, S>(
        &mut self,
        job: &TracedJob,
        chosen: &[usize],
        sites: &[Site<P, S>],
        chooser: &mut impl SiteChooser,
        now: Time,
    ) {
        for site in chosen {
            let mut there = *job;
            there.submission = submission_at_speed(&job.submission, sites[*site].speed);
            there.recorded.run = at_speed(job.recorded.run, sites[*site].speed);
            self.arrivals[*site].push(there);
            chooser.submitted(*site, &there.submission, now);
        }
        if chosen.len() > 1 {
            self.elsewhere.insert(job.submission.job, (job.submission, chosen.to_vec()));
        }
    }

    /// Advances every site at which something happens. Who starts a job that also waits elsewhere has it taken back there
    /// before anything else; a site that had its turn gets another one then.
    fn play<P: RuntimePredictor, S: Scheduler>(
        &mut self,
        now: Time,
        sites: &mut [Site<P, S>],
        chooser: &mut impl SiteChooser,
        observer: &mut impl SitesObserver,
    ) {
        let mut due: Vec<bool> = (0..sites.len())
            .map(|site| {
                let event = sites[site].cluster.next_event();
                !self.arrivals[site].is_empty() || event.is_some_and(|event| event <= now)
            })
            .collect();
        while let Some(site) = due.iter().position(|due| *due) {
            due[site] = false;
            let arrivals = std::mem::take(&mut self.arrivals[site]);
            let mut witness =
                Witness { site, chooser: &mut *chooser, observer: &mut *observer, started: &mut self.started };
            sites[site].cluster.advance(now, &arrivals, &mut witness);
            for job in std::mem::take(&mut self.started) {
                let Some((submission, others)) = self.elsewhere.remove(&job) else { continue };
                for other in others.into_iter().filter(|other| *other != site) {
                    let waits_at_the_door = self.arrivals[other].iter().position(|there| there.submission.job == job);
                    if let Some(place) = waits_at_the_door {
                        self.arrivals[other].remove(place);
                    } else if sites[other].cluster.withdraw(job, now) {
                        due[other] = true;
                    }
                    chooser.withdrawn(other, &submission, now);
                }
            }
        }
    }
}

struct Witness<'a, C, O> {
    site: usize,
    chooser: &'a mut C,
    observer: &'a mut O,
    started: &'a mut Vec<JobId>,
}

impl<C: SiteChooser, O: SitesObserver> Observer for Witness<'_, C, O> {
    fn finished(&mut self, job: &FinishedJob<'_>) {
        self.chooser.ended(self.site, job.submission, &job.outcome);
        self.observer.finished(self.site, job);
    }

    fn started(&mut self, job: &Submission, now: Time) {
        self.chooser.started(self.site, job, now);
        self.started.push(job.job);
    }
}
