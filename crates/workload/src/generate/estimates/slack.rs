//! How many long estimates may be given to short jobs before a long job is left without.
//!
//! For: dealing estimates in any order without ever coming to a job for which none is left.
//!
//! Not for: choosing (`sessions`).
//!
//! Every job can be given an estimate exactly if for every class the estimates from there up are at least as many as
//! the jobs of that class and above (Hall's condition). The slack of a class is by how many they are more. A job of
//! class c that takes the estimate at place e costs every class above c, up to e, one.

/// The slack by class.
#[derive(Clone, Debug)]
pub(super) struct Slack(Vec<u64>);

impl Slack {
    /// Of that many estimates and jobs by class; none if some job must go without.
    pub(super) fn new(estimates: &[u64], jobs: &[u64]) -> Option<Self> {
        let mut slack = vec![0; estimates.len()];
        let (mut estimates_from_here, mut jobs_from_here) = (0, 0);
        for class in (0..estimates.len()).rev() {
            estimates_from_here += estimates[class];
            jobs_from_here += jobs[class];
            slack[class] = u64::checked_sub(estimates_from_here, jobs_from_here)?;
        }
        Some(Self(slack))
    }

    /// The first place that jobs of these classes, the lowest first, cannot all take without leaving others without.
    pub(super) fn first_out_of_reach(&self, classes: &[usize]) -> usize {
        let places = classes.first().map_or(0, |lowest| lowest + 1)..self.0.len();
        let mut cost = Cost::of(classes);
        places.into_iter().find(|&place| self.0[place] < cost.at(place)).unwrap_or(self.0.len())
    }

    /// Jobs of these classes, the lowest first, take the estimate at this place, which is within reach.
    pub(super) fn give(&mut self, classes: &[usize], place: usize) {
        let mut cost = Cost::of(classes);
        for class in classes.first().map_or(0, |lowest| lowest + 1)..=place {
            self.0[class] -= cost.at(class);
        }
    }
}

/// What jobs cost each class: one for every job of a lower class. Asked from the lowest class up.
struct Cost<'a> {
    classes: &'a [usize],
    lower: usize,
}

impl<'a> Cost<'a> {
    fn of(classes: &'a [usize]) -> Self {
        Self { classes, lower: 0 }
    }

    fn at(&mut self, class: usize) -> u64 {
        self.lower += self.classes[self.lower..].iter().take_while(|&&other| other < class).count();
        self.lower as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_few_long_estimates_are_seen_at_once() {
        assert!(Slack::new(&[3, 0, 1], &[2, 1, 1]).is_none());
        assert!(Slack::new(&[3, 1, 1], &[2, 1, 1]).is_some());
    }

    #[test]
    fn the_last_long_estimate_is_kept_for_the_job_that_needs_it() {
        // Four estimates at each of three places; one job needs the last place, five the first.
        let mut slack = Slack::new(&[4, 4, 4], &[5, 0, 1]).unwrap();
        assert_eq!(slack.first_out_of_reach(&[0, 0, 0]), 3);
        assert_eq!(slack.first_out_of_reach(&[0, 0, 0, 0]), 2, "three of the last place are free, not four");
        assert_eq!(slack.first_out_of_reach(&[0, 0, 0, 2]), 3, "the long job costs nothing");
        slack.give(&[0, 0, 0], 2);
        assert_eq!(slack.first_out_of_reach(&[0]), 2);
        assert_eq!(slack.first_out_of_reach(&[2]), 3);
    }
}
