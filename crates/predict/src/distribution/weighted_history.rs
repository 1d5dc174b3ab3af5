//! Run times of jobs that were alike, each weighed by how alike: a back-off in one step.
//!
//! For: the distribution of a job's run time from the last jobs of every category it belongs to, from the user's jobs
//! with equal processors and equal limit to the whole site (R-O1), from the user's running jobs,
//! which say what is too short (R-O2), and where none of that is known, from fixed shares of the limit.
//!
//! Of other people's jobs only what a crowd of users did is used ([`super::crowd`]).
//!
//! Not for: jobs that exceed their limit. Run times count up to the limit, where the atom of those killed is; a job
//! that has outlived it is expected to end soon.

use queuecast_workload::{JobId, Outcome, Seconds, Submission, Time};
use rustc_hash::FxHashMap;

use super::crowd::{Crowd, in_steps};
use super::learned_weights::{LearnedWeights, WeighedPoint};
use super::likeness::{
    CategoryKey, Code, Distinctions, Ended, Kin, LEVELS, PRIOR_SECONDS, PRIOR_SHARES_OF_LIMIT, RELATIVE_LEVELS, code,
    place_code, prior_code, relative_code,
};
use super::running_jobs::RunningJobs;
use super::runtime_distribution::stored;
use super::survival::redistribute_to_the_right;
use super::{RuntimeDistribution, RuntimeDistributions};

/// What a weighted history goes by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WeightedHistoryParameters {
    /// How many jobs of a category are remembered, the newest.
    pub window: usize,
    /// The same for categories that are not a user's own.
    pub site_window: usize,
    /// How fast newer jobs gain over older ones before anything is learnt: the power of the rank.
    pub recency: f64,
    /// How fast weights are learnt; zero for never.
    pub learning_rate: f64,
    /// How fast the habits of each user are learnt; zero for never.
    pub habit_rate: f64,
    /// How far a weight goes back to where it started with every job it is learnt from.
    pub forgetting: f64,
    /// The logarithm of what a point of the prior counts before anything is learnt.
    pub prior_log_weight: f64,
    /// What a running job counts in proportion to one that has ended; zero for nothing.
    pub running_weight: f64,
    /// Whether run times count in proportion to the limit as well where limits differ.
    pub relative: bool,
    /// Whether programs make categories.
    pub programs: bool,
    /// Whether groups and queues make categories.
    pub groups_and_queues: bool,
    /// Which differences between jobs are weighed.
    pub distinctions: Distinctions,
    /// Of how many jobs in the system it is remembered what was thought of them; others are not learnt from.
    pub remembered_jobs: usize,
    /// How many categories are remembered.
    pub remembered_categories: usize,
}

impl Default for WeightedHistoryParameters {
    fn default() -> Self {
        Self {
            window: 32,
            site_window: 12,
            recency: 0.5,
            learning_rate: 0.05,
            habit_rate: 0.05,
            forgetting: 0.0,
            prior_log_weight: -4.0,
            running_weight: 1.0,
            relative: true,
            programs: true,
            groups_and_queues: true,
            distinctions: Distinctions { nearness: true, status: true, time_of_day: true, burst: true },
            remembered_jobs: 4_096,
            remembered_categories: 400_000,
        }
    }
}

/// Weighs the run times of jobs that were alike.
#[derive(Clone, Debug)]
pub struct WeightedHistory {
    parameters: WeightedHistoryParameters,
    weights: LearnedWeights,
    /// Those of one user.
    own: FxHashMap<CategoryKey, Category>,
    /// Those of everybody.
    site: FxHashMap<CategoryKey, SiteCategory>,
    /// How many jobs have ended.
    ended: u64,
    running: RunningJobs,
    /// What was thought of jobs when they arrived.
    remembered: FxHashMap<JobId, Box<[WeighedPoint]>>,
    workspace: Workspace,
}

/// Memory for making distributions, kept from one to the next.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    points: Vec<(Code, f64)>,
    /// Seconds above, place among the points below.
    order: Vec<u64>,
    over: Vec<(u32, f64)>,
    not_over: Vec<(u32, f64)>,
}

/// The last jobs of a category that ended.
#[derive(Clone, Debug, Default)]
struct Category {
    jobs: Vec<Ended>,
    /// Where the next goes once the window is full.
    oldest: usize,
    /// The number of the last of them, over all categories.
    last: u64,
}

/// The last jobs of a category that is nobody's own.
#[derive(Clone, Debug, Default)]
struct SiteCategory {
    jobs: Crowd<Ended>,
    /// The number of the last of them, over all categories.
    last: u64,
}

impl Category {
    fn push(&mut self, job: Ended, window: usize) {
        if self.jobs.len() < window {
            self.jobs.push(job);
        } else if let Some(oldest) = self.jobs.get_mut(self.oldest) {
            *oldest = job;
            self.oldest = (self.oldest + 1) % window;
        }
    }

    fn newest_first(&self) -> impl Iterator<Item = &Ended> {
        let (late, early) = self.jobs.split_at(self.oldest);
        late.iter().rev().chain(early.iter().rev())
    }
}

impl Workspace {
    fn clear(&mut self) {
        self.points.clear();
        self.order.clear();
        self.over.clear();
        self.not_over.clear();
    }

    fn add(&mut self, seconds: u32, code: Code, weight: f64) {
        self.order.push((u64::from(seconds) << 32) | self.points.len() as u64);
        self.points.push((code, weight));
    }

    /// The distribution of what was weighed.
    fn fill(&self, age: Seconds, distribution: &mut RuntimeDistribution) {
        let possible = self.over.iter().copied().filter(|(_, share)| *share > 0.0);
        distribution.fill_sorted(possible, age);
    }
}

impl WeightedHistory {
    /// No history yet.
    pub fn new(parameters: WeightedHistoryParameters) -> Self {
        let WeightedHistoryParameters { learning_rate, habit_rate, forgetting, recency, prior_log_weight, .. } =
            parameters;
        Self {
            parameters,
            weights: LearnedWeights::new((learning_rate, habit_rate, forgetting), recency, prior_log_weight),
            own: FxHashMap::default(),
            site: FxHashMap::default(),
            ended: 0,
            running: RunningJobs::default(),
            remembered: FxHashMap::default(),
            workspace: Workspace::default(),
        }
    }

    /// Of whom it is remembered what was thought of them.
    pub fn jobs_remembered(&self) -> impl Iterator<Item = JobId> + '_ {
        self.remembered.keys().copied()
    }

    /// Whether it is remembered what was thought of this job.
    pub fn is_remembered(&self, job: JobId) -> bool {
        self.remembered.contains_key(&job)
    }

    /// Who runs, of those whose user is known.
    pub fn jobs_running(&self) -> impl Iterator<Item = JobId> + '_ {
        self.running.jobs()
    }

    /// The job's categories with the index of their level.
    fn categories_of(&self, job: &Submission) -> impl Iterator<Item = (usize, CategoryKey)> + use<'_> {
        let WeightedHistoryParameters { programs, groups_and_queues, .. } = self.parameters;
        let job = *job;
        LEVELS
            .iter()
            .enumerate()
            .filter(move |(_, level)| {
                (programs || !level.program) && (groups_and_queues || !(level.group || level.queue))
            })
            .filter_map(move |(index, level)| Some((index, level.category(index, &job)?)))
    }

    /// Names can be made up without end: more categories than are remembered are not, and those that had no job for the longest go first.
    fn forget_the_oldest(&mut self) {
        let most = self.parameters.remembered_categories;
        if self.own.len() + self.site.len() > most {
            // Each job is in as many categories as there are levels: at most half of them are left.
            let since = self.ended.saturating_sub((most / LEVELS.len() / 2) as u64);
            self.own.retain(|_, category| category.last > since);
            self.site.retain(|_, category| category.last > since);
        }
    }

    /// Whether another job can be learnt from.
    fn remembers(&self) -> bool {
        self.parameters.learning_rate > 0.0 && self.remembered.len() < self.parameters.remembered_jobs
    }

    /// Keeps what was thought of a job that arrives.
    fn remember(&mut self, job: &Submission, workspace: &Workspace) {
        let points = workspace.order.iter().zip(&workspace.over).map(|(key, (seconds, share))| {
            let (code, weight) = workspace.points[unpacked(*key).1];
            WeighedPoint { seconds: *seconds, code, share_of_weight: single(share / weight) }
        });
        self.remembered.insert(job.job, points.collect());
    }

    /// Puts the shares of run times beyond the age into the workspace, in order.
    fn weigh(&self, job: &Submission, age: Seconds, now: Time, workspace: &mut Workspace) {
        workspace.clear();
        let limit_seconds = job.limit.map(stored);
        let longest = limit_seconds.unwrap_or(u32::MAX);
        let weights = self.weights.of(job.user);
        for (index, key) in self.categories_of(job) {
            let relative = RELATIVE_LEVELS.iter().find(|(level, _)| *level == index && self.parameters.relative);
            let kin = LEVELS[index].kin;
            let mut add = |(rank, ended): (usize, &Ended)| {
                let code = code((index, kin), rank, ended, job, self.parameters.distinctions);
                workspace.add(ended.run.min(longest), code, weights.weight(code));
                if let (Some((_, relative)), Some(limit)) = (relative, limit_seconds)
                    && ended.share_of_limit.is_finite()
                {
                    let seconds = share_of(limit, f64::from(ended.share_of_limit));
                    let code = relative_code(code, *relative, rank);
                    workspace.add(seconds.min(longest), code, weights.weight(code));
                }
            };
            if kin == Kin::Site {
                let crowd = self.site.get(&key).into_iter().flat_map(|category| category.jobs.newest_first());
                crowd.enumerate().for_each(&mut add);
            } else {
                let own = self.own.get(&key).into_iter().flat_map(Category::newest_first);
                own.enumerate().for_each(&mut add);
            }
        }
        for (point, (share, seconds)) in PRIOR_SHARES_OF_LIMIT.into_iter().zip(PRIOR_SECONDS).enumerate() {
            let seconds = limit_seconds.map_or(seconds, |limit| share_of(limit, share));
            let code = prior_code(point, limit_seconds.is_some());
            workspace.add(seconds, code, weights.weight(code));
        }
        let oldest = (u64::from(stored(age)) << 32) | u64::from(u32::MAX);
        if age > Seconds::ZERO {
            workspace.order.retain(|key| *key > oldest);
        }
        workspace.order.sort_unstable();
        let Workspace { points, order, over, .. } = workspace;
        over.extend(order.iter().map(|key| {
            let (seconds, place) = unpacked(*key);
            (seconds, points[place].1)
        }));
        self.weigh_running(job, age, now, &mut workspace.not_over);
        redistribute_to_the_right(&mut workspace.over, &workspace.not_over);
    }

    /// The ages of the user's running jobs that are beyond the job's own, in order.
    fn weigh_running(&self, job: &Submission, age: Seconds, now: Time, not_over: &mut Vec<(u32, f64)>) {
        let WeightedHistoryParameters { running_weight, window, programs, .. } = self.parameters;
        let Some(user) = job.user.filter(|_| running_weight > 0.0) else { return };
        let running = self.running.of(user);
        for other in running.iter().rev().take(window).filter(|other| other.submission.job != job.job) {
            let other_age = now - other.started;
            if other_age > age {
                let levels = LEVELS.iter().enumerate().filter(|(_, level)| level.user && (programs || !level.program));
                let shared = levels.filter(|(_, level)| level.shared_by(job, &other.submission));
                let weight: f64 = shared.map(|(index, _)| self.weights.place_weight(place_code(index, 1))).sum();
                not_over.push((stored(other_age), weight * running_weight));
            }
        }
        not_over.sort_unstable_by_key(|(seconds, _)| *seconds);
    }
}

impl RuntimeDistributions for WeightedHistory {
    fn on_arrival(&mut self, job: &Submission, now: Time) {
        if !self.remembers() {
            return;
        }
        let mut workspace = std::mem::take(&mut self.workspace);
        self.weigh(job, Seconds::ZERO, now, &mut workspace);
        self.remember(job, &workspace);
        self.workspace = workspace;
    }

    fn arrive(&mut self, job: &Submission, now: Time, distribution: &mut RuntimeDistribution) {
        let mut workspace = std::mem::take(&mut self.workspace);
        self.weigh(job, Seconds::ZERO, now, &mut workspace);
        workspace.fill(Seconds::ZERO, distribution);
        if self.remembers() {
            self.remember(job, &workspace);
        }
        self.workspace = workspace;
    }

    fn on_start(&mut self, job: &Submission, now: Time) {
        self.running.start(job, now);
    }

    fn on_withdrawn(&mut self, job: &Submission) {
        self.running.stop(job.job);
        self.remembered.remove(&job.job);
    }

    fn on_end(&mut self, job: &Submission, outcome: &Outcome) {
        self.running.stop(job.job);
        let run = outcome.run().min(job.limit.unwrap_or(Seconds::MAX));
        if let Some(points) = self.remembered.remove(&job.job) {
            self.weights.learn(job.user, &points, f64::from(stored(run)));
        }
        let ended = Ended {
            run: stored(run),
            share_of_limit: job.limit.map_or(f32::NAN, |limit| single(run.as_f64() / limit.as_f64().max(1.0))),
            limit: job.limit.map_or(0, stored),
            processors: job.request.processors,
            submitted: job.submitted,
            status: outcome.status,
        };
        // What others are told of it. Its limit and size are what they ask about, its run time is told in steps.
        let told_run = in_steps(ended.run);
        let share_of_limit =
            job.limit.map_or(f32::NAN, |limit| single(f64::from(told_run) / limit.as_f64().max(1.0)).min(1.0));
        let told = Ended { run: told_run, share_of_limit, ..ended };
        let keys: Vec<(usize, CategoryKey)> = self.categories_of(job).collect();
        self.ended += 1;
        for (index, key) in keys {
            let WeightedHistoryParameters { window, site_window, .. } = self.parameters;
            if LEVELS[index].kin == Kin::Site {
                let category = self.site.entry(key).or_default();
                category.jobs.add(job.user, told, site_window);
                category.last = self.ended;
            } else {
                let category = self.own.entry(key).or_default();
                category.push(ended, window);
                category.last = self.ended;
            }
        }
        self.forget_the_oldest();
    }

    fn distribution_into(
        &self,
        job: &Submission,
        age: Seconds,
        now: Time,
        workspace: &mut Workspace,
        distribution: &mut RuntimeDistribution,
    ) {
        self.weigh(job, age, now, workspace);
        workspace.fill(age, distribution);
    }
}

/// The seconds and the place of an entry of the order.
#[expect(clippy::cast_possible_truncation, reason = "each half is 32 bits")]
fn unpacked(key: u64) -> (u32, usize) {
    ((key >> 32) as u32, key as u32 as usize)
}

/// With seven digits, which is more than is known.
#[expect(clippy::cast_possible_truncation, reason = "precision is what is to be lost")]
fn single(value: f64) -> f32 {
    value as f32
}

/// A share of a limit in whole seconds, one at least.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "no share is above one or below zero")]
fn share_of(limit_seconds: u32, share: f64) -> u32 {
    ((f64::from(limit_seconds) * share + 0.5) as u32).max(1)
}

#[cfg(test)]
mod tests {
    use queuecast_workload::{Request, Status};

    use super::*;
    use crate::submissions::job_of;

    fn history() -> WeightedHistory {
        WeightedHistory::new(WeightedHistoryParameters::default())
    }

    impl WeightedHistory {
        /// The job arrives, starts at once and ends after `run` seconds.
        fn play(&mut self, job: Submission, arrival: i64, run: i64) {
            self.on_arrival(&job, Time(arrival));
            self.on_start(&job, Time(arrival));
            self.finish(job, arrival, run);
        }

        fn finish(&mut self, job: Submission, start: i64, run: i64) {
            let outcome = Outcome { started: Time(start), ended: Time(start + run), status: Status::Completed };
            self.on_end(&job, &outcome);
        }
    }

    #[test]
    fn nothing_known_is_from_near_zero_to_the_limit_with_an_atom_there() {
        let unknown = history().distribution(&job_of(1), Seconds::ZERO, Time(0));
        assert_eq!((unknown.quantile(0.0), unknown.quantile(1.0)), (Seconds(1), Seconds(1_000)));
        assert!(unknown.share_within(Seconds(999)) < 0.99, "some are killed at the limit");
        let unlimited = history().distribution(&Submission { limit: None, ..job_of(1) }, Seconds::ZERO, Time(0));
        assert!(unlimited.quantile(1.0) > Seconds(86_400));
    }

    #[test]
    fn a_user_who_does_the_same_again_is_believed() {
        let mut history = history();
        for run in 0..20 {
            history.play(Submission { job: JobId(run), ..job_of(1) }, 2_000 * run as i64, 300);
        }
        let same = history.distribution(&job_of(1), Seconds::ZERO, Time(50_000));
        assert_eq!((same.quantile(0.2), same.quantile(0.8)), (Seconds(300), Seconds(300)));
        let other = history.distribution(&job_of(2), Seconds::ZERO, Time(50_000));
        let share_at = |runs: &RuntimeDistribution| runs.share_within(Seconds(300)) - runs.share_within(Seconds(299));
        assert!(share_at(&other) < share_at(&same), "another user's job is less certain");
    }

    #[test]
    fn to_arrive_is_to_be_asked_about_and_to_come() {
        let (mut one, mut other) = (history(), history());
        for run in 0..40 {
            let user = 1 + u32::try_from(run % 3).expect("few");
            let (job, now) = (Submission { job: JobId(run), ..job_of(user) }, 2_000 * run as i64);
            let mut of_one = RuntimeDistribution::default();
            one.arrive(&job, Time(now), &mut of_one);
            let of_other = other.distribution(&job, Seconds::ZERO, Time(now));
            other.on_arrival(&job, Time(now));
            assert_eq!(format!("{of_one:?}"), format!("{of_other:?}"));
            for history in [&mut one, &mut other] {
                history.on_start(&job, Time(now));
                history.finish(job, now, 300 + 7 * run as i64);
            }
        }
    }

    #[test]
    fn equal_jobs_count_more_than_others_of_the_user() {
        let mut history = history();
        let wide = Submission { request: Request { processors: 8 }, limit: Some(Seconds(5_000)), ..job_of(1) };
        for run in 0..20 {
            history.play(Submission { job: JobId(2 * run), ..job_of(1) }, 9_000 * run as i64, 300);
            history.play(Submission { job: JobId(2 * run + 1), ..wide }, 9_000 * run as i64, 4_000);
        }
        let now = Time(500_000);
        assert_eq!(history.distribution(&job_of(1), Seconds::ZERO, now).quantile(0.5), Seconds(300));
        assert_eq!(history.distribution(&wide, Seconds::ZERO, now).quantile(0.5), Seconds(4_000));
    }

    #[test]
    fn run_times_count_up_to_the_limit() {
        let mut history = history();
        history.play(Submission { limit: Some(Seconds(9_000)), ..job_of(1) }, 0, 9_500);
        let runs = history.distribution(&job_of(1), Seconds::ZERO, Time(10_000));
        assert_eq!(runs.quantile(1.0), Seconds(1_000));
    }

    #[test]
    fn a_running_job_is_given_what_is_beyond_its_age_and_beyond_its_limit_it_ends_soon() {
        let mut history = history();
        for run in 0..20 {
            history.play(Submission { job: JobId(run), ..job_of(1) }, 2_000 * run as i64, 300);
        }
        for age in [1, 299, 300, 700, 999, 1_000, 5_000] {
            let runs = history.distribution(&job_of(1), Seconds(age), Time(90_000));
            assert!(runs.quantile(0.0) > Seconds(age), "{age}");
            assert_eq!(runs.quantile(1.0) <= Seconds(1_000), age < 1_000, "{age}");
        }
    }

    /// Three jobs were started together; the short one has ended, and of the others it is known that they are not
    /// short.
    #[test]
    fn running_jobs_say_what_is_too_short() {
        let jobs = [1, 2, 3].map(|id| Submission { job: JobId(id), ..job_of(1) });
        let [with, without] = [1.0, 0.0].map(|running_weight| {
            let parameters = WeightedHistoryParameters { running_weight, ..WeightedHistoryParameters::default() };
            let mut history = WeightedHistory::new(parameters);
            for job in jobs {
                history.on_arrival(&job, Time(0));
                history.on_start(&job, Time(0));
            }
            history.finish(jobs[0], 0, 10);
            history.distribution(&job_of(1), Seconds::ZERO, Time(600)).share_within(Seconds(10))
        });
        assert!(with < 0.6 * without, "{with} {without}");
    }

    #[test]
    fn who_is_gone_says_nothing_of_run_times_and_takes_no_place() {
        let (mut history, fresh) = (history(), history());
        let job = Submission { job: JobId(1), ..job_of(1) };
        history.on_arrival(&job, Time(0));
        history.on_start(&job, Time(0));
        history.on_withdrawn(&Submission { user: None, ..job });
        let other = Submission { job: JobId(2), ..job_of(1) };
        let runs = |history: &WeightedHistory| format!("{:?}", history.distribution(&other, Seconds::ZERO, Time(900)));
        assert_eq!(runs(&history), runs(&fresh));
        assert_eq!(history.jobs_remembered().count() + history.jobs_running().count(), 0);
    }

    #[test]
    fn memory_is_bounded_by_categories() {
        let mut history = history();
        for run in 0..500 {
            history.play(Submission { job: JobId(run), ..job_of(1) }, 2_000 * run as i64, 300);
        }
        assert!(history.own.values().all(|category| category.jobs.len() <= 32));
        assert_eq!(history.jobs_remembered().count() + history.jobs_running().count(), 0);
    }

    /// One user alone asks for 137 minutes; five others ask for other limits. A stranger who asks for 137 minutes hears what a stranger hears who asks where
    /// that user never was.
    #[test]
    fn a_shape_that_one_user_has_is_not_read_by_another() {
        let rare = |user: u32| Submission {
            limit: Some(Seconds(137 * 60)),
            request: Request { processors: 13 },
            ..job_of(user)
        };
        let told = |alice_is_here: bool| {
            let mut history = history();
            for run in 0..300_u64 {
                let other = Submission { job: JobId(2 * run), ..job_of(10 + u32::try_from(run % 5).expect("few")) };
                history.play(other, 9_000 * run as i64, 100 + run as i64);
                if alice_is_here {
                    history.play(Submission { job: JobId(2 * run + 1), ..rare(1) }, 9_000 * run as i64, 4_242);
                }
            }
            history.distribution(&rare(99), Seconds::ZERO, Time(9_000_000))
        };
        let (with, without) = (told(true), told(false));
        let at = |runs: &RuntimeDistribution| runs.share_within(Seconds(4_500)) - runs.share_within(Seconds(4_200));
        // Six users together are a crowd: of her it is one voice of six in the widest category, and the prior is there too.
        assert!(at(&with) - at(&without) < 0.1, "{} {}", at(&with), at(&without));
        assert!((at(&history().distribution(&rare(99), Seconds::ZERO, Time(0))) - at(&without)).abs() < 0.1);
    }

    #[test]
    fn names_without_end_are_forgotten_the_oldest_first() {
        let parameters =
            WeightedHistoryParameters { remembered_categories: 1_000, ..WeightedHistoryParameters::default() };
        let mut history = WeightedHistory::new(parameters);
        for run in 0..5_000 {
            let made_up = Submission {
                job: JobId(run),
                program: Some(queuecast_workload::ProgramId(u32::try_from(run).expect("few"))),
                ..job_of(1)
            };
            history.play(made_up, 2_000 * run as i64, 300);
            assert!(history.own.len() + history.site.len() <= 1_000);
        }
        let same = history.distribution(&job_of(1), Seconds::ZERO, Time(20_000_000));
        assert_eq!(same.quantile(0.5), Seconds(300), "what is in use is still known");
    }

    #[test]
    fn the_newest_come_first_when_the_window_has_wrapped() {
        let mut history = history();
        for run in 0..45 {
            history.play(Submission { job: JobId(run), ..job_of(1) }, 2_000 * run as i64, 100 + run as i64);
        }
        for category in history.own.values() {
            let runs: Vec<u32> = category.newest_first().map(|ended| ended.run).collect();
            assert_eq!(runs[0], 144);
            assert!(runs.is_sorted_by(|newer, older| *newer == older + 1));
        }
    }
}
