//! A real log resampled: its users put together anew, for as long and with as much load as is wanted.
//!
//! For: workloads that are like a log without being it: longer than it, many of the same kind for confidence, fuller
//! or emptier. What ties a user's jobs to each other is kept (repetition, sessions, bursts), and so are the times of
//! day and the days of the week. The generator passed in decides everything; memory holds the log once and whoever is
//! active.
//!
//! Not for: what one user's jobs owe to another's, or to the schedule they were logged under: nobody here reacts to
//! waiting. What changed in the course of the log (a holiday, a growing community) is spread evenly.
//!
//! Source: N. Zakay and D. G. Feitelson, "Workload resampling for performance evaluation of parallel job schedulers",
//! ICPE 2013, and Concurrency and Computation: Practice and Experience 26(12), 2014, of which we had the abstracts.
//! Theirs is the idea: users apart, the long-term and the temporary treated differently, cycles of day and week kept,
//! load by the number of users. How it is carried out in detail, the twelve weeks included, is ours, and is made so
//! that **every job of the log is expected equally often in every week**:
//!
//! * Long-term users (active for at least twelve weeks) are present at any time in the number that the log has in the
//!   mean: the weeks of all of them, over the weeks of the log. The first ones are met somewhere in their stay, each
//!   week of each stay as likely as any other. Who has come to the end of their jobs is followed, the week after, by
//!   another long-term user from the beginning.
//! * Temporary users arrive as a Poisson process with the log's number a week.
//! * Users are drawn without any being drawn twice before all have been: a handful of heavy users makes most of the
//!   work, and this keeps the load from depending on how often they happen to come.
//! * A load is reached with more or fewer users, in proportion; a fraction of a user is one who is absent for some
//!   stays.
//! * By sessions, each session of a present user is replaced by one of the same user that began on the same day of the
//!   week. It too moves by whole weeks.
//!
//! Every coming of a user is a new person with a number not used before, so that no predictor knows them from last
//! time. A group in which the log has nobody else is renumbered along with its user; one that users share keeps its
//! number. Jobs without a user come one by one and stay without. Waits belong to the schedule of the log and are not
//! kept.
//!
//! A log shorter than a week is taken for all that happens in a week.
//!
//! ```
//! use queuecast_workload::generate::resample::{Length, ResampleOptions, Resampled};
//! use queuecast_workload::swf::SwfRecord;
//! use queuecast_workload::Machine;
//! use rand::SeedableRng;
//! use rand_pcg::Pcg64;
//!
//! let record = SwfRecord { submit_time: 60, run_time: 5, requested_processors: 1, user: 7, ..SwfRecord::UNKNOWN };
//! let log = vec![record.to_traced()?];
//! let options = ResampleOptions::new(Length::Weeks(100));
//! let jobs = Resampled::new(log, Machine { processors: 8 }, options, Pcg64::seed_from_u64(1))?;
//! assert!(jobs.into_iter().all(|job| job.submission.submitted.0 % 604_800 == 60));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod calendar;
mod deck;
mod options;
mod presence;
mod users;

pub use options::{Length, Population, ResampleBy, ResampleError, ResampleOptions};

use std::cmp::Reverse;
use std::collections::binary_heap::{BinaryHeap, PeekMut};

use rand::RngExt;
use rand_pcg::Pcg64;

use crate::describe::offered_load;
use crate::{GroupId, JobId, Machine, Seconds, Time, TracedJob, UserId};
use calendar::{Calendar, in_weeks, whole_weeks};
use options::USERS_MAX;
use presence::{Arrival, Presence};
use users::{LogUser, LogUsers, Stretch};

/// The jobs, in order of submission from time zero on, numbered from one.
#[derive(Clone, Debug)]
pub struct Resampled {
    log: LogUsers,
    calendar: Calendar,
    by: ResampleBy,
    population: Population,
    presence: Presence,
    /// Users whose sessions are drawn week by week.
    present: Vec<Present>,
    streams: BinaryHeap<Reverse<Stream>>,
    streams_begun: u64,
    /// The first week of which nobody has been drawn.
    next_week: i64,
    persons: Persons,
    end: Time,
    jobs_left: u64,
    handed_out: u64,
    generator: Pcg64,
}

/// A user being resampled by sessions.
#[derive(Clone, Copy, Debug)]
struct Present {
    user: LogUser,
    person: Person,
    /// Weeks by which the user is moved.
    weeks_moved: i64,
    /// The next of the user's weeks, from zero.
    week: i64,
}

/// Jobs of one person that are moved together. Those with the earliest next job come first, and of these the stream
/// that was begun first; a number is given once, so that the rest decides nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Stream {
    next: Time,
    begun: u64,
    from: usize,
    to: usize,
    moved: Seconds,
    person: Person,
}

/// Who a user is this time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Person {
    user: Option<UserId>,
    /// The number of the first of the groups that are this user's own.
    first_own_group: u32,
}

/// Numbers not yet given.
#[derive(Clone, Copy, Debug)]
struct Persons {
    next_user: u32,
    next_group: u32,
}

impl Persons {
    /// After four thousand million persons the last number is given again.
    fn come(&mut self, user: &LogUser) -> Person {
        let person = Person { user: user.known.then_some(UserId(self.next_user)), first_own_group: self.next_group };
        self.next_user = self.next_user.saturating_add(u32::from(user.known));
        self.next_group = self.next_group.saturating_add(user.own_groups);
        person
    }
}

impl Resampled {
    /// Takes the log apart and begins at time zero. Jobs may be in any order.
    pub fn new(
        jobs: Vec<TracedJob>,
        machine: Machine,
        options: ResampleOptions,
        mut generator: Pcg64,
    ) -> Result<Self, ResampleError> {
        let (span, log_load) = span_and_load(&jobs, machine)?;
        let factor = match options.load {
            None => 1.0,
            Some(given) if !(given.is_finite() && given > 0.0) => return Err(ResampleError::NoLoad { given }),
            Some(_) if log_load <= 0.0 => return Err(ResampleError::NoWork),
            Some(given) => given / log_load,
        };
        let calendar = Calendar::new(options.time_of_day_at_zero);
        let log = LogUsers::new(jobs, calendar);
        let log_weeks = in_weeks(span);
        let weeks_of_stay: i64 = log.long_term.iter().map(|user| user.weeks).sum();
        let population = Population {
            long_term_users: log.long_term.len(),
            temporary_users: log.temporary.len(),
            long_term_present: factor * weeks_of_stay as f64 / log_weeks,
            temporary_a_week: factor * log.temporary.len() as f64 / log_weeks,
            log_load,
        };
        if population.long_term_present.max(population.temporary_a_week) > USERS_MAX {
            return Err(ResampleError::TooManyUsers { given: options.load.unwrap_or(log_load), factor });
        }
        // Early enough that whoever visits, and whatever session goes on, at time zero has had time to begin.
        let first_week = -log.longest_weeks(options.by == ResampleBy::Sessions);
        let presence = Presence::new(&log, &population, first_week, &mut generator);
        let (end, jobs_left) = match options.length {
            Length::Jobs(count) => (Time::MAX, count),
            Length::Weeks(weeks) => (Time::MAX.min(Time::default() + whole_weeks(weeks.into())), u64::MAX),
        };
        Ok(Self {
            persons: Persons {
                next_user: 1,
                next_group: log.largest_group.map_or(1, |GroupId(largest)| largest.saturating_add(1)),
            },
            log,
            calendar,
            by: options.by,
            population,
            presence,
            present: Vec::new(),
            streams: BinaryHeap::new(),
            streams_begun: 0,
            next_week: first_week,
            end,
            jobs_left,
            handed_out: 0,
            generator,
        })
    }

    /// What the log was taken apart into.
    pub fn population(&self) -> Population {
        self.population
    }

    fn begin_week(&mut self) {
        let week = self.next_week;
        self.next_week += 1;
        for arrival in self.presence.arrivals(&self.log, week, &mut self.generator) {
            self.receive(arrival, week);
        }
        if self.by == ResampleBy::Sessions {
            self.begin_sessions();
        }
    }

    fn receive(&mut self, Arrival { user, weeks_passed }: Arrival, week: i64) {
        let person = self.persons.come(&user);
        let weeks_moved = LogUsers::weeks_moved(&user, week - weeks_passed);
        match self.by {
            ResampleBy::Users => {
                let jobs = self.log.jobs_after(&user, weeks_passed);
                self.begin_stream(jobs, whole_weeks(weeks_moved), person);
            }
            ResampleBy::Sessions => {
                self.present.push(Present { user, person, weeks_moved, week: weeks_passed });
            }
        }
    }

    /// Begins this week's sessions of everybody present.
    fn begin_sessions(&mut self) {
        let mut drawn = Vec::new();
        for present in &mut self.present {
            for session in self.log.sessions_in_week(&present.user, present.week) {
                let alike = self.log.sessions_like(&present.user, session);
                let other = self.log.session(alike[self.generator.random_range(0..alike.len())]);
                // The same day of the week, so a whole number of weeks.
                let weeks_between = (session.day - other.day) / 7;
                drawn.push((other.jobs, whole_weeks(present.weeks_moved + weeks_between), present.person));
            }
            present.week += 1;
        }
        self.present.retain(|present| present.week < present.user.weeks);
        for (jobs, moved, person) in drawn {
            self.begin_stream(jobs, moved, person);
        }
    }

    fn begin_stream(&mut self, Stretch { from, to }: Stretch, moved: Seconds, person: Person) {
        // What lies before time zero is not wanted.
        let from = (from..to).find(|&place| self.log.submitted(place) + moved >= Time::default());
        let Some(from) = from else { return };
        let next = self.log.submitted(from) + moved;
        self.streams.push(Reverse(Stream { next, begun: self.streams_begun, from, to, moved, person }));
        self.streams_begun += 1;
    }

    /// The stream whose job is next, moved on to the job after it.
    fn next_stream(&mut self) -> Option<Stream> {
        while self.streams.peek().is_none_or(|Reverse(first)| first.next >= self.calendar.beginning_of(self.next_week))
        {
            if self.calendar.beginning_of(self.next_week) >= self.end {
                break;
            }
            self.begin_week();
        }
        let mut first = self.streams.peek_mut()?;
        let stream = first.0;
        if stream.next >= self.end {
            return None;
        }
        if stream.from + 1 < stream.to {
            first.0.from += 1;
            first.0.next = self.log.submitted(stream.from + 1) + stream.moved;
        } else {
            PeekMut::pop(first);
        }
        Some(stream)
    }
}

impl Iterator for Resampled {
    type Item = TracedJob;

    fn next(&mut self) -> Option<TracedJob> {
        self.jobs_left = self.jobs_left.checked_sub(1)?;
        let stream = self.next_stream()?;
        let held = self.log.job(stream.from);
        let mut job = held.job;
        job.submission.job = JobId(self.handed_out);
        self.handed_out += 1;
        job.number = self.handed_out as i64;
        job.submission.submitted = stream.next;
        job.submission.user = stream.person.user;
        if let Some(own_group) = held.own_group {
            job.submission.group = Some(GroupId(stream.person.first_own_group.saturating_add(own_group)));
        }
        job.recorded.wait = None;
        Some(job)
    }
}

/// The span of a log, at least a week, and the load in it.
fn span_and_load(jobs: &[TracedJob], machine: Machine) -> Result<(Seconds, f64), ResampleError> {
    let submits = || jobs.iter().map(|job| job.submission.submitted);
    let (Some(first), Some(last)) = (submits().min(), submits().max()) else { return Err(ResampleError::NoJobs) };
    let span = (last - first).max(whole_weeks(1));
    let processor_seconds =
        jobs.iter().map(|job| f64::from(job.submission.request.processors) * job.recorded.run.as_f64()).sum();
    let load = offered_load(processor_seconds, machine, span).ok_or(ResampleError::NoProcessors)?;
    Ok((span, load))
}

#[cfg(test)]
mod tests;
