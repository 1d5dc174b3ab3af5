//! Estimates for users who say the same again.
//!
//! For: giving every job an estimate that is not below its run time so that users repeat themselves as often as they do
//! in a log, within a session and from one to the next, while all estimates together stay those that were to be dealt
//! out.
//!
//! Not for: more jobs than memory holds (`deal` does without users); fitting how often users repeat themselves
//! (`repetition`).
//!
//! Source: what Tsafrir, Etsion and Feitelson, section 11.4, leave to be done. The design is ours:
//!
//! - Each user's jobs, in order of submission, are cut by coin flips into stretches that share one estimate.
//! - Stretches choose from the one with the longest run time down, among the estimates that are not below it, each as
//!   likely as there are copies left, of those of which there are copies for the whole stretch. What the user's stretch
//!   before or after has is avoided, or stretches would grow together and users repeat themselves more often than they
//!   should.
//! - A user's stretch takes, as often as users return to what they had before, one of the estimates that the user's
//!   other stretches have, each as likely as the jobs that have it.
//! - Short jobs of a stretch with a long one take long estimates that another long job may need. Where that would leave
//!   one without (`slack`), the stretch is cut next to its longest job, and what is cut off joins the user's stretch on
//!   its other side if that is yet to choose: the boundary moves to where run times differ, and there are no more of
//!   them than coins said.

use std::collections::BinaryHeap;
use std::ops::Range;

use rand::RngExt;
use rand_pcg::Pcg64;

use crate::Seconds;

use super::repetition::{Predecessor, Repetition};
use super::slack::Slack;
use super::stock::EstimateStock;

/// What the assignment has to know of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UsersJob {
    /// How long it runs.
    pub run_time: Seconds,
    /// The same user's job before it, which must stand before it.
    pub predecessor: Option<Predecessor>,
}

/// An estimate for each job, not below its run time and repeated as often as users do.
///
/// None if the stock does not have one that is long enough for every job. Estimates of which there are more than jobs
/// are left over at random.
pub fn assign_in_sessions(
    jobs: &[UsersJob],
    stock: &EstimateStock,
    repetition: &Repetition,
    generator: &mut Pcg64,
) -> Option<Vec<Seconds>> {
    let mut table = Table::new(jobs, stock, repetition.recalled)?;
    let mut stretches: BinaryHeap<Stretch> = table.cut_by_coins(repetition, generator).into();
    while let Some(stretch) = stretches.pop() {
        if table.is_as_cut(&stretch) {
            stretches.extend(table.serve(&stretch, generator));
        }
    }
    // By job again.
    let mut estimates = vec![Seconds::ZERO; jobs.len()];
    for (&job, given) in table.jobs.iter().zip(&table.given) {
        estimates[job as usize] = stock.times()[(*given)? as usize];
    }
    Some(estimates)
}

/// Consecutive jobs of one user that are to share an estimate. The one with the longest run time is the greatest; of
/// those alike in that the one with the most jobs, which is the hardest to find copies for; then it goes by lot.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Stretch {
    class: usize,
    size: usize,
    lot: u64,
    start: usize,
    end: usize,
}

/// What is being dealt, and to whom. A place is one of a user's jobs; those of a user stand together in order of
/// submission.
struct Table {
    /// How many are left of each estimate.
    left: Vec<u64>,
    slack: Slack,
    /// Which job is at each place.
    jobs: Vec<u32>,
    /// Its class.
    classes: Vec<u32>,
    /// The same user's job at the place before.
    predecessors: Vec<Option<Predecessor>>,
    /// By the first place of a stretch, one past its last; zero by other places.
    ends: Vec<u32>,
    /// By the last place of a stretch, its first.
    starts: Vec<u32>,
    /// Which estimate it was given.
    given: Vec<Option<u32>>,
    /// Whose it is; users are numbered.
    users: Vec<u32>,
    /// By user, the estimates given so far and to how many jobs.
    vocabularies: Vec<Vec<(usize, u64)>>,
    /// How often users return to them.
    recalled: f64,
}

impl Table {
    fn new(jobs: &[UsersJob], stock: &EstimateStock, recalled: f64) -> Option<Self> {
        let by_user = by_user(jobs);
        let users = numbered(by_user.iter().map(|&job| jobs[job as usize].predecessor.is_none()));
        let classes: Vec<usize> = by_user.iter().map(|&job| stock.class_of(jobs[job as usize].run_time)).collect();
        let mut jobs_by_class = vec![0; stock.times().len()];
        for &class in &classes {
            *jobs_by_class.get_mut(class)? += 1;
        }
        Some(Self {
            left: stock.counts().to_vec(),
            slack: Slack::new(stock.counts(), &jobs_by_class)?,
            predecessors: by_user.iter().map(|&job| jobs[job as usize].predecessor).collect(),
            ends: vec![0; jobs.len()],
            starts: vec![0; jobs.len()],
            given: vec![None; jobs.len()],
            vocabularies: vec![Vec::new(); users.last().map_or(0, |&last| last as usize + 1)],
            users,
            recalled,
            classes: classes.into_iter().map(as_index).collect(),
            jobs: by_user,
        })
    }

    /// The coin flips.
    fn cut_by_coins(&mut self, repetition: &Repetition, generator: &mut Pcg64) -> Vec<Stretch> {
        let mut stretches = Vec::new();
        let mut start = 0;
        for place in 1..=self.jobs.len() {
            let predecessor = self.predecessors.get(place).copied().flatten();
            let goes_on = predecessor.is_some_and(|before| generator.random::<f64>() < repetition.after(before));
            if !goes_on {
                stretches.push(self.stretch(start..place, generator));
                start = place;
            }
        }
        stretches
    }

    /// These places from now on are a stretch.
    fn stretch(&mut self, Range { start, end }: Range<usize>, generator: &mut Pcg64) -> Stretch {
        self.ends[start] = as_index(end);
        self.starts[end - 1] = as_index(start);
        Stretch { class: self.class_of(start..end), size: end - start, lot: generator.random(), start, end }
    }

    /// Whether the stretch has not changed since it was cut.
    fn is_as_cut(&self, stretch: &Stretch) -> bool {
        self.ends[stretch.start] as usize == stretch.end && self.given[stretch.start].is_none()
    }

    /// Gives a stretch its estimate. What is returned was cut off and is yet to be served.
    fn serve(&mut self, stretch: &Stretch, generator: &mut Pcg64) -> Vec<Stretch> {
        let &Stretch { class, start, end, .. } = stretch;
        let mut classes = self.classes_of(start..end);
        let reach = self.slack.first_out_of_reach(&classes);
        if reach <= class {
            return self.cut_next_to_the_longest(stretch, generator);
        }
        let estimate = self.choose(class..reach, start..end, generator);
        let copies = usize::try_from(self.left[estimate]).unwrap_or(usize::MAX);
        let served = start + copies.min(end - start);
        if served < end {
            classes = self.classes_of(start..served);
        }
        self.left[estimate] -= (served - start) as u64;
        self.slack.give(&classes, estimate);
        self.given[start..served].fill(Some(as_index(estimate)));
        (self.ends[start], self.starts[served - 1]) = (as_index(served), as_index(start));
        self.learn(start, estimate, served - start);
        if served < end { vec![self.joined_to_later(served..end, class, generator)] } else { Vec::new() }
    }

    /// What was cut off a stretch of this class at its beginning, joined to the user's stretch before it where it may.
    fn joined_to_earlier(&mut self, piece: Range<usize>, class: usize, generator: &mut Pcg64) -> Stretch {
        let earlier = piece.start.checked_sub(1).map(|last| self.starts[last] as usize..piece.start);
        let earlier = earlier.filter(|earlier| self.may_join(earlier, class) && self.are_alike(piece.start, piece.end));
        if earlier.is_some() {
            self.ends[piece.start] = 0;
        }
        let start = earlier.map_or(piece.start, |earlier| earlier.start);
        self.stretch(start..piece.end, generator)
    }

    /// What was cut off at its end, joined to the user's stretch after it where it may.
    fn joined_to_later(&mut self, piece: Range<usize>, class: usize, generator: &mut Pcg64) -> Stretch {
        let later = self.ends.get(piece.end).map(|&end| piece.end..end as usize);
        let later = later.filter(|later| self.may_join(later, class) && self.are_alike(piece.start, piece.end));
        if let Some(later) = &later {
            self.ends[later.start] = 0;
        }
        let end = later.map_or(piece.end, |later| later.end);
        self.stretch(piece.start..end, generator)
    }

    /// Only what is shorter and yet to be served: jobs that go from longer to shorter stretches come to rest.
    fn may_join(&self, other: &Range<usize>, class: usize) -> bool {
        self.given[other.start].is_none() && self.class_of(other.clone()) < class
    }

    /// Whether there is a boundary of the same kind before both places, within a session or between two, so that one
    /// may take the place of the other.
    fn are_alike(&self, one: usize, other: usize) -> bool {
        let kind = |place: usize| self.predecessors.get(place).copied().flatten().map(|before| before.same_session);
        kind(one).is_some() && kind(one) == kind(other)
    }

    fn class_of(&self, places: Range<usize>) -> usize {
        self.classes[places].iter().max().map_or(0, |&class| class as usize)
    }

    fn classes_of(&self, places: Range<usize>) -> Vec<usize> {
        let mut classes: Vec<usize> = self.classes[places].iter().map(|&class| class as usize).collect();
        classes.sort_unstable();
        classes
    }

    /// One of these estimates, if it can be with copies for all and not the neighbours', else not the neighbours', else
    /// any.
    fn choose(&self, among: Range<usize>, places: Range<usize>, generator: &mut Pcg64) -> usize {
        let size = places.len() as u64;
        let before = self.predecessors[places.start].and_then(|_| self.given[places.start - 1]);
        let after = self.predecessors.get(places.end).copied().flatten().and_then(|_| self.given[places.end]);
        let is_neighbours = |estimate: usize| [before, after].contains(&Some(as_index(estimate)));
        let new_and_enough = |estimate: usize| self.left[estimate] >= size && !is_neighbours(estimate);
        let vocabulary = &self.vocabularies[self.users[places.start] as usize];
        if generator.random::<f64>() < self.recalled {
            let known = vocabulary.iter().copied();
            let known = known.filter(|&(estimate, _)| among.contains(&estimate) && new_and_enough(estimate));
            if let Some(recalled) = weighted(known, generator) {
                return recalled;
            }
        }
        let left = || among.clone().map(|estimate| (estimate, self.left[estimate]));
        weighted(left().filter(|&(estimate, _)| new_and_enough(estimate)), generator)
            .or_else(|| weighted(left().filter(|&(estimate, _)| !is_neighbours(estimate)), generator))
            .or_else(|| weighted(left(), generator))
            .expect("within reach of the slack there is always an estimate left")
    }

    /// The user at this place has the estimate for so many jobs more.
    fn learn(&mut self, place: usize, estimate: usize, jobs: usize) {
        let vocabulary = &mut self.vocabularies[self.users[place] as usize];
        match vocabulary.iter_mut().find(|(known, _)| *known == estimate) {
            Some((_, used)) => *used += jobs as u64,
            None => vocabulary.push((estimate, jobs as u64)),
        }
    }

    /// Cuts so that as many shorter jobs as possible are rid of the longest.
    fn cut_next_to_the_longest(&mut self, stretch: &Stretch, generator: &mut Pcg64) -> Vec<Stretch> {
        let &Stretch { class, start, end, .. } = stretch;
        let mut longest = (start..end).filter(|&place| self.classes[place] as usize == class);
        let first = longest.next().unwrap_or(start);
        let last = longest.next_back().unwrap_or(first);
        if first - start > end - 1 - last {
            return vec![self.stretch(first..end, generator), self.joined_to_earlier(start..first, class, generator)];
        }
        // With longest jobs at both ends in the middle: only a stretch of several is ever out of reach.
        let cut = if last + 1 < end { last + 1 } else { start + (end - start).div_ceil(2) };
        vec![self.stretch(start..cut, generator), self.joined_to_later(cut..end, class, generator)]
    }
}

/// One of these, each as likely as its weight.
fn weighted(choices: impl Iterator<Item = (usize, u64)> + Clone, generator: &mut Pcg64) -> Option<usize> {
    let total: u64 = choices.clone().map(|(_, weight)| weight).sum();
    if total == 0 {
        return None;
    }
    let mut passed_over = generator.random_range(0..total);
    let mut choices = choices;
    let chosen = choices.find(|&(_, weight)| {
        let is_here = passed_over < weight;
        passed_over = passed_over.saturating_sub(weight);
        is_here
    });
    chosen.map(|(choice, _)| choice)
}

/// Numbers that go up by one wherever something begins.
fn numbered(begins: impl Iterator<Item = bool>) -> Vec<u32> {
    let numbers = begins.scan(0, |begun, begins| {
        *begun += u32::from(begins);
        Some(*begun - 1)
    });
    numbers.collect()
}

/// The jobs, those of a user together, in order.
fn by_user(jobs: &[UsersJob]) -> Vec<u32> {
    let mut users: Vec<u32> = Vec::with_capacity(jobs.len());
    let mut sizes: Vec<usize> = Vec::new();
    for job in jobs {
        let user = job.predecessor.map_or(as_index(sizes.len()), |before| users[before.job as usize]);
        if user as usize == sizes.len() {
            sizes.push(0);
        }
        sizes[user as usize] += 1;
        users.push(user);
    }
    let mut next: Vec<usize> = sizes.iter().scan(0, |sum, size| Some(std::mem::replace(sum, *sum + size))).collect();
    let mut by_user = vec![0; jobs.len()];
    for (job, &user) in users.iter().enumerate() {
        by_user[next[user as usize]] = as_index(job);
        next[user as usize] += 1;
    }
    by_user
}

fn as_index(number: usize) -> u32 {
    u32::try_from(number).expect("jobs and estimates held in memory are fewer than 2^32")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand::SeedableRng;

    use super::super::{EstimateDistribution, EstimateOptions, TimeTally, UserHistories, shuffle};
    use super::*;
    use crate::{Time, UserId};

    /// Users who work in sessions of about six jobs whose run times are alike, from seconds to hours.
    fn busy_users(users: u32, jobs_each: u32, seed: u64) -> Vec<UsersJob> {
        let mut generator = Pcg64::seed_from_u64(seed);
        let mut histories = UserHistories::default();
        let mut now = Time(0);
        let mut usual = 10;
        let jobs = (0..users * jobs_each).map(|number| {
            now = Time(now.0 + generator.random_range(0..60));
            if number % 6 == 0 {
                usual = 10 * 4_i64.pow(generator.random_range(0..6));
            }
            let user = UserId((number / 6).wrapping_mul(2_654_435_761) % users);
            let run_time = Seconds(usual + generator.random_range(0..usual));
            UsersJob { run_time, predecessor: histories.follow(Some(user), now, now) }
        });
        jobs.collect()
    }

    fn runs(jobs: &[UsersJob]) -> Vec<Seconds> {
        jobs.iter().map(|job| job.run_time).collect()
    }

    fn predecessors(jobs: &[UsersJob]) -> Vec<Option<Predecessor>> {
        jobs.iter().map(|job| job.predecessor).collect()
    }

    fn drawn_for(jobs: &[UsersJob], seed: u64) -> EstimateStock {
        let mut generator = Pcg64::seed_from_u64(seed);
        let options = EstimateOptions::new(Seconds(18 * 3600), jobs.len());
        let distribution = EstimateDistribution::generate(&options, &mut generator).unwrap();
        EstimateStock::draw(&runs(jobs).into_iter().collect(), &distribution, &mut generator)
    }

    /// What is asked for comes out to two in a hundred jobs; what is fitted from that comes out again.
    #[test]
    fn users_repeat_themselves_as_often_as_was_fitted() {
        let jobs = busy_users(100, 200, 1);
        let stock = drawn_for(&jobs, 2);
        for (within_session, between_sessions) in [(0.8, 0.5), (0.9, 0.1), (0.3, 0.3)] {
            let asked = Repetition { within_session, between_sessions, recalled: 0.7 };
            let estimates = assign_in_sessions(&jobs, &stock, &asked, &mut Pcg64::seed_from_u64(3)).unwrap();
            let fitted = Repetition::fit(&predecessors(&jobs), &estimates);
            assert!((fitted.within_session - within_session).abs() < 0.02, "{fitted:?} for {asked:?}");
            assert!((fitted.between_sessions - between_sessions).abs() < 0.02, "{fitted:?} for {asked:?}");
            let again = EstimateStock::of(&estimates.iter().copied().collect());
            let again = assign_in_sessions(&jobs, &again, &fitted, &mut Pcg64::seed_from_u64(4)).unwrap();
            let refitted = Repetition::fit(&predecessors(&jobs), &again);
            assert!((refitted.within_session - fitted.within_session).abs() < 0.02, "{refitted:?} for {fitted:?}");
        }
    }

    #[test]
    fn users_who_never_change_their_minds_have_one_estimate() {
        let jobs: Vec<UsersJob> = busy_users(5, 40, 1);
        let always = Repetition { within_session: 1.0, between_sessions: 1.0, recalled: 0.0 };
        let stock = EstimateStock::of(&(0..1_000).map(|copy| Seconds(40_000 + copy % 5)).collect());
        let estimates = assign_in_sessions(&jobs, &stock, &always, &mut Pcg64::seed_from_u64(1)).unwrap();
        assert_eq!(Repetition::fit(&predecessors(&jobs), &estimates), always);
    }

    #[test]
    fn a_stretch_longer_than_the_copies_is_cut() {
        let jobs = busy_users(1, 10, 1);
        let mut estimates: Vec<Seconds> = (0..10).map(|job| Seconds(20_000 + job / 2)).collect();
        let stock = EstimateStock::of(&estimates.iter().copied().collect());
        let always = Repetition { within_session: 1.0, between_sessions: 1.0, recalled: 0.0 };
        let mut assigned = assign_in_sessions(&jobs, &stock, &always, &mut Pcg64::seed_from_u64(1)).unwrap();
        let repeated = Repetition::fit(&predecessors(&jobs), &assigned);
        assert!(repeated.within_session >= 0.5, "five pairs stay together: {assigned:?}");
        assigned.sort();
        estimates.sort();
        assert_eq!(assigned, estimates);
    }

    #[test]
    fn what_cannot_be_dealt_out_is_not() {
        let jobs = [UsersJob { run_time: Seconds(5), predecessor: None }; 2];
        for estimates in [[5, 4], [4, 4]] {
            let stock = EstimateStock::of(&estimates.map(Seconds).into_iter().collect());
            assert_eq!(assign_in_sessions(&jobs, &stock, &Repetition::NONE, &mut Pcg64::seed_from_u64(1)), None);
        }
    }

    proptest! {
        #[test]
        fn every_estimate_is_used_once_and_none_is_below_its_run_time(
            jobs in proptest::collection::vec((0..4_u32, 0..30_i64, 0..20_i64, 0..20_i64), 0..300),
            within_session in 0.0..=1.0_f64,
            between_sessions in 0.0..=1.0_f64,
            recalled in 0.0..=1.0_f64,
            seed: u64,
        ) {
            let mut histories = UserHistories::default();
            let mut now = Time(0);
            let users_jobs: Vec<UsersJob> = jobs.iter().map(|&(user, gap, run, _)| {
                now = Time(now.0 + 60 * gap);
                let user = (user > 0).then_some(UserId(user));
                UsersJob { run_time: Seconds(run), predecessor: histories.follow(user, now, Time(now.0 + run)) }
            }).collect();
            let estimates: TimeTally = jobs.iter().map(|&(_, _, run, more)| Seconds(run + more)).collect();
            let stock = EstimateStock::of(&estimates);
            let repetition = Repetition { within_session, between_sessions, recalled };
            let assign = || assign_in_sessions(&users_jobs, &stock, &repetition, &mut Pcg64::seed_from_u64(seed));
            let assigned = assign().unwrap();
            prop_assert!(assigned.iter().zip(&users_jobs).all(|(estimate, job)| *estimate >= job.run_time));
            prop_assert_eq!(assigned.iter().copied().collect::<TimeTally>(), estimates);
            prop_assert_eq!(Some(assigned), assign());
        }

        #[test]
        fn what_a_shuffle_can_deal_out_so_can_this(
            jobs in proptest::collection::vec((0..9_i64, 0..12_i64), 0..40),
            seed: u64,
        ) {
            let users_jobs: Vec<UsersJob> = jobs.iter().enumerate().map(|(place, &(run, _))| UsersJob {
                run_time: Seconds(run),
                predecessor: place.checked_sub(1).map(|job| Predecessor { job: as_index(job), same_session: true }),
            }).collect();
            let estimates: Vec<Seconds> = jobs.iter().map(|&(_, estimate)| Seconds(estimate)).collect();
            let often = Repetition { within_session: 0.7, between_sessions: 0.0, recalled: 0.5 };
            let stock = EstimateStock::of(&estimates.iter().copied().collect());
            let assigned = assign_in_sessions(&users_jobs, &stock, &often, &mut Pcg64::seed_from_u64(seed));
            let shuffled = shuffle(&runs(&users_jobs), &estimates, &mut Pcg64::seed_from_u64(seed));
            prop_assert_eq!(assigned.is_some(), shuffled.is_some());
        }
    }
}
