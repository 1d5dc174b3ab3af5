//! In which order jobs are listed.

use std::cmp::Ordering;
use std::str::FromStr;

use queuecast_api::forecast::ForecastResponse;

/// What jobs are ordered by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum By {
    /// The median start, the next first.
    #[default]
    Start,
    /// The median completion, the next first.
    Completion,
    /// The wait so far, the longest first.
    Waited,
    /// Nodes, the most first.
    Nodes,
    /// The limit, the longest first.
    Limit,
    /// Slurm's number.
    Number,
}

impl By {
    /// All there are.
    pub const ALL: [Self; 6] = [Self::Start, Self::Completion, Self::Waited, Self::Nodes, Self::Limit, Self::Number];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Completion => "completion",
            Self::Waited => "waited",
            Self::Nodes => "nodes",
            Self::Limit => "limit",
            Self::Number => "id",
        }
    }
}

/// An order, forwards or backwards. What is not known comes last in both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Order {
    /// By what.
    pub by: By,
    /// Whether backwards.
    pub is_reversed: bool,
}

impl Order {
    /// Which of two jobs comes first; of equal ones the smaller number.
    pub fn compare(self, first: &ForecastResponse, second: &ForecastResponse) -> Ordering {
        let known = match (self.key(first), self.key(second)) {
            (Some(first), Some(second)) if self.is_reversed => second.cmp(&first),
            (Some(first), Some(second)) => first.cmp(&second),
            (first, second) => first.is_none().cmp(&second.is_none()),
        };
        known.then_with(|| first.job.job_id.cmp(&second.job.job_id))
    }

    /// As squeue's --sort: the same name again turns it round.
    #[must_use]
    pub fn pressed(self, by: By) -> Self {
        Self { by, is_reversed: self.by == by && !self.is_reversed }
    }

    fn key(self, answer: &ForecastResponse) -> Option<i128> {
        let largest_first = |number: i128| -number;
        match self.by {
            By::Start => answer.start.as_ref().map(|start| start.median.unix.into()),
            By::Completion => answer.completion.as_ref().map(|completion| completion.median.unix.into()),
            By::Waited => waited_seconds(answer).map(i128::from).map(largest_first),
            By::Nodes => answer.job.nodes.map(i128::from).map(largest_first),
            By::Limit => answer.job.limit_seconds.map(i128::from).map(largest_first),
            By::Number => answer.job.job_id.map(i128::from),
        }
    }
}

/// How long a job has waited, or did until it started.
pub fn waited_seconds(answer: &ForecastResponse) -> Option<i64> {
    let until = answer.started.as_ref().unwrap_or(&answer.now);
    answer.submitted.as_ref().map(|submitted| until.unix.saturating_sub(submitted.unix).max(0))
}

impl FromStr for Order {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, is_reversed) = text.strip_prefix('-').map_or((text, false), |name| (name, true));
        let by = By::ALL.into_iter().find(|by| by.name() == name.trim_start_matches('+'));
        by.map(|by| Self { by, is_reversed }).ok_or_else(|| {
            let names = By::ALL.map(By::name);
            format!("expected one of {}; a leading - reverses the order", names.join(", "))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queue::sample;

    #[test]
    fn what_is_not_known_comes_last_forwards_and_backwards() {
        let order = |text: &str| {
            let order: Order = text.parse().expect("an order");
            let mut jobs = [sample::held(1), sample::starting_in(2, 900), sample::starting_in(3, 300)];
            jobs.sort_by(|first, second| order.compare(first, second));
            jobs.iter().map(|job| job.job.job_id.expect("a number")).collect::<Vec<u64>>()
        };
        assert_eq!(order("start"), [3, 2, 1]);
        assert_eq!(order("-start"), [2, 3, 1]);
        assert_eq!(order("-id"), [3, 2, 1]);
        assert!("begin".parse::<Order>().is_err_and(|told| told.contains("start, completion")));
    }
}
