//! What is on the board, with what it takes to find a job in it at once.
//!
//! For: looking a job up by any number that Slurm gives it without going through the queue: by its own number in the order
//! of the board, by its array's or heterogeneous job's number in an index. Whoever publishes makes it, once for every list of jobs:
//! those who answer only read.
//!
//! Not for: who may see it (`api::view`).

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use queuecast_records::{JobPart, UserRecord, WrittenJobId};

use crate::api::answer::score::{for_everybody, score_answer};
use crate::api::asker::Asker;
use queuecast_api::score::ScoreResponse;
use queuecast_site::published::{Published, PublishedJob};

/// What is published at one moment, indexed.
pub struct BoardIndex {
    /// What is published.
    pub published: Published,
    jobs: Arc<JobIndex>,
    scores: Arc<Scores>,
}

/// Jobs by what else they are called, and how many there are.
struct JobIndex {
    waiting: Count,
    running: Count,
    /// Which names the jobs of a user, by number, bear.
    names: HashMap<u32, Vec<String>>,
    /// The number of the whole, and where its part is in the jobs; in order.
    parts: Vec<(u64, usize)>,
}

/// The scorecard as it is told.
struct Scores {
    whole: ScoreResponse,
    /// For those who may not see every job.
    coarse: ScoreResponse,
}

impl BoardIndex {
    /// Of what is published first.
    pub(super) fn new(published: Published) -> Self {
        let scores = score_answer(&published.score);
        Self::with_score(published, scores)
    }

    /// Of what is published next. What is the same as before is not indexed again.
    pub(super) fn after(before: &Self, published: Published) -> Self {
        let had = &before.published;
        let has_same_jobs = Arc::ptr_eq(&had.jobs, &published.jobs);
        let has_same_scores = Arc::ptr_eq(&had.score, &published.score) && had.private_data == published.private_data;
        let jobs = if has_same_jobs { Arc::clone(&before.jobs) } else { Arc::new(JobIndex::of(&published.jobs)) };
        let scores = if has_same_scores {
            Arc::clone(&before.scores)
        } else {
            Arc::new(Scores::of(score_answer(&published.score), &published))
        };
        Self { published, jobs, scores }
    }

    /// With a scorecard of one's own.
    pub(crate) fn with_score(published: Published, score: ScoreResponse) -> Self {
        let jobs = Arc::new(JobIndex::of(&published.jobs));
        let scores = Arc::new(Scores::of(score, &published));
        Self { published, jobs, scores }
    }

    /// The scorecard.
    pub(crate) fn score(&self) -> &ScoreResponse {
        &self.scores.whole
    }

    /// The scorecard for those who may not see every job.
    pub(crate) fn coarse_score(&self) -> &ScoreResponse {
        &self.scores.coarse
    }

    /// How many wait.
    pub(crate) fn waiting(&self) -> Count {
        self.jobs.waiting
    }

    /// How many run.
    pub(crate) fn running(&self) -> Count {
        self.jobs.running
    }

    /// What an asker is beyond a user. A number is who this machine says it is; where it does not know them, whom Slurm calls so.
    pub(crate) fn role(&self, asker: &Asker) -> Option<&UserRecord> {
        let roles = &self.published.roles;
        match asker {
            Asker::Local(user) => roles.numbered(*user).or_else(|| match self.jobs.names.get(user)?.as_slice() {
                [name] => roles.named(name).filter(|role| role.user_id.is_none()),
                _ => None,
            }),
            Asker::Named(name) => roles.named(name),
            Asker::Nobody => None,
        }
    }

    /// Whether a user, by number, has this name. The kernel tells numbers and not names: one is the user's own if a job of theirs bears
    /// or bore it.
    pub(crate) fn bears(&self, user: u32, name: &str) -> bool {
        let of_jobs = self.jobs.names.get(&user).is_some_and(|names| names.iter().any(|own| own == name));
        of_jobs
            || self.published.roles.numbered(user).is_some_and(|role| role.name == name)
            || self.published.people.names(user).iter().any(|own| own == name)
    }

    /// What a user, by number, is called: as their jobs in the queue are, or as their past ones were.
    pub(crate) fn name_of(&self, user: u32) -> Option<&str> {
        let of_jobs = self.jobs.names.get(&user).and_then(|names| names.first());
        of_jobs.or_else(|| self.published.people.names(user).first()).map(String::as_str)
    }

    /// The job that is meant, among those that `may_be_seen`. An array's number means its waiting remainder if it has one,
    /// and a task that still waits in the remainder is found there.
    pub(crate) fn find(&self, id: &WrittenJobId, may_be_seen: impl Fn(&PublishedJob) -> bool) -> Option<&PublishedJob> {
        let mut candidates: Vec<&PublishedJob> = self.named(id.job_id);
        candidates.retain(|job| may_be_seen(job));
        let first = |fits: &dyn Fn(&PublishedJob) -> bool| candidates.iter().copied().find(|job| fits(job));
        let is_remainder = |job: &PublishedJob| matches!(job.part, JobPart::ArrayRemainder { array_job_id, .. } if array_job_id == id.job_id);
        match &id.part {
            JobPart::Whole => first(&is_remainder)
                .or_else(|| first(&|job| job.job_id == id.job_id))
                .or_else(|| candidates.first().copied()),
            JobPart::ArrayRemainder { .. } => first(&is_remainder),
            JobPart::ArrayTask { task, .. } => first(&|job| job.part == id.part).or_else(|| {
                first(&|job| {
                    is_remainder(job)
                        && matches!(&job.part, JobPart::ArrayRemainder { tasks, .. } if may_hold(tasks, *task))
                })
            }),
            JobPart::HetComponent { .. } => first(&|job| job.part == id.part),
        }
    }

    /// Every job that this number means: the job, all that is left of the array, or one task of it.
    pub(crate) fn all(&self, number: u64, task: Option<u32>) -> Vec<&PublishedJob> {
        let is_meant = |job: &PublishedJob| match (&job.part, task) {
            (_, None) => true,
            (JobPart::ArrayTask { task: own, .. }, Some(task)) => *own == task,
            (JobPart::ArrayRemainder { tasks, .. }, Some(task)) => may_hold(tasks, task),
            (JobPart::Whole | JobPart::HetComponent { .. }, Some(_)) => false,
        };
        let mut all = self.named(number);
        all.retain(|job| is_meant(job));
        all
    }

    /// Every job that this number may mean: its own, or that of the whole it is part of.
    fn named(&self, number: u64) -> Vec<&PublishedJob> {
        let jobs = &self.published.jobs;
        let from = jobs.partition_point(|job| job.job_id < number);
        let own = jobs[from..].iter().take_while(|job| job.job_id == number);
        let from = self.jobs.parts.partition_point(|(whole, _)| *whole < number);
        let parts =
            self.jobs.parts[from..].iter().take_while(|(whole, _)| *whole == number).map(|(_, place)| &jobs[*place]);
        own.chain(parts).collect()
    }
}

impl JobIndex {
    fn of(jobs: &[PublishedJob]) -> Self {
        let whole = |job: &PublishedJob| match job.part {
            JobPart::Whole => None,
            JobPart::ArrayTask { array_job_id, .. } | JobPart::ArrayRemainder { array_job_id, .. } => {
                Some(array_job_id)
            }
            JobPart::HetComponent { het_job_id, .. } => Some(het_job_id),
        };
        let mut parts: Vec<(u64, usize)> =
            jobs.iter().enumerate().filter_map(|(place, job)| Some((whole(job)?, place))).collect();
        parts.sort_unstable();
        Self {
            waiting: Count::of(jobs.iter().filter(|job| job.started.is_none())),
            running: Count::of(jobs.iter().filter(|job| job.started.is_some())),
            names: names(jobs),
            parts,
        }
    }
}

impl Scores {
    fn of(whole: ScoreResponse, published: &Published) -> Self {
        Self { coarse: for_everybody(&whole, published.private_data), whole }
    }
}

/// How many jobs, and of how many users.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Count {
    pub jobs: u64,
    pub users: u64,
}

impl Count {
    fn of<'a>(jobs: impl Iterator<Item = &'a PublishedJob>) -> Self {
        let (mut count, mut users) = (0, HashSet::new());
        for job in jobs {
            count += 1;
            users.insert(job.user.as_str());
        }
        Self { jobs: count, users: users.len() as u64 }
    }
}

/// The names that the jobs of each number bear: one, unless a machine has several for it.
fn names(jobs: &[PublishedJob]) -> HashMap<u32, Vec<String>> {
    let mut names: HashMap<u32, Vec<String>> = HashMap::new();
    for job in jobs.iter().filter(|job| !job.user.is_empty()) {
        let Some(user) = job.user_id else { continue };
        let names = names.entry(user).or_default();
        if !names.contains(&job.user) {
            names.push(job.user.clone());
        }
    }
    names
}

/// Whether a remainder such as `4-9,20:2%2` holds this task. One that Slurm abbreviated may hold any that it does not name.
fn may_hold(tasks: &str, task: u32) -> bool {
    let tasks = tasks.split_once('%').map_or(tasks, |(tasks, _)| tasks);
    tasks.split(',').any(|range| {
        let (range, step) = range.split_once(':').unwrap_or((range, "1"));
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        match (first.parse::<u32>(), last.parse::<u32>(), step.parse::<u32>()) {
            (Ok(first), Ok(last), Ok(step)) => {
                (first..=last).contains(&task) && (task - first).checked_rem(step) == Some(0)
            }
            _ => range.contains('.'),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::test_board::{job, published};
    use queuecast_records::PrivateData;

    fn index() -> BoardIndex {
        let part = |job_id, part| PublishedJob { part, ..job(job_id) };
        let task = |task| JobPart::ArrayTask { array_job_id: 20, task };
        let remainder = |tasks: &str| JobPart::ArrayRemainder { array_job_id: 20, tasks: tasks.to_owned() };
        let component = |offset| JobPart::HetComponent { het_job_id: 30, offset };
        let jobs = vec![
            job(10),
            part(20, remainder("4-9,30-40:5%2")),
            part(21, task(1)),
            part(25, task(2)),
            part(30, component(0)),
            part(31, component(1)),
            part(41, JobPart::ArrayTask { array_job_id: 40, task: 3 }),
        ];
        BoardIndex::new(published(jobs))
    }

    fn found(index: &BoardIndex, text: &str) -> Option<u64> {
        let id = WrittenJobId::parse(text.as_bytes()).expect("a job's number");
        index.find(&id, |_| true).map(|job| job.job_id)
    }

    #[test]
    fn a_job_is_found_by_every_number_that_slurm_gives_it() {
        let index = index();
        for (asked, job_id) in [
            ("10", Some(10)),
            ("20", Some(20)),
            ("20_[4-9]", Some(20)),
            ("20_1", Some(21)),
            ("21", Some(21)),
            ("20_2", Some(25)),
            ("20_5", Some(20)),
            ("20_35", Some(20)),
            ("20_36", None),
            ("20_3", None),
            ("30", Some(30)),
            ("30+1", Some(31)),
            ("30+2", None),
            ("40", Some(41)),
            ("40_3", Some(41)),
            ("11", None),
            ("18446744073709551615", None),
        ] {
            assert_eq!(found(&index, asked), job_id, "{asked}");
        }
    }

    #[test]
    fn a_remainder_that_slurm_abbreviated_may_hold_any_task() {
        assert!(may_hold("1,3,5,...", 99) && may_hold("1,3,5,...", 3));
        assert!(!may_hold("1-5:0", 1) && !may_hold("", 0) && !may_hold("x-y", 1));
    }

    #[test]
    fn a_list_of_jobs_is_indexed_once_whatever_else_is_published_with_it() {
        let first = BoardIndex::new(published(vec![job(1)]));
        let mut read_again = first.published.clone();
        read_again.health.nodes.calls += 1;
        let second = BoardIndex::after(&first, read_again);
        assert!(Arc::ptr_eq(&first.jobs, &second.jobs) && Arc::ptr_eq(&first.scores, &second.scores));
        let third = BoardIndex::after(&second, published(vec![job(1), job(2)]));
        assert_eq!(third.waiting(), Count { jobs: 2, users: 1 });
        let hiding = Published { private_data: PrivateData::EVERYTHING, ..third.published.clone() };
        let fourth = BoardIndex::after(&third, hiding);
        assert!(Arc::ptr_eq(&third.jobs, &fourth.jobs) && !Arc::ptr_eq(&third.scores, &fourth.scores));
    }
}
