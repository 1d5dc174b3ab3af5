//! A job's number as Slurm writes it for people: `123`, `123_4`, `123_[4-9%2]`, `123+0`, and with `.batch` behind it a
//! step.
//!
//! For: telling the parts of arrays and heterogeneous jobs, and steps, apart.
//!
//! Not for: naming single tasks of a pending remainder; they are counted, and one may be looked for.
//!
//! Source: sacct(1), squeue(1), sbatch(1) `--array`; seen in 22.05 to 26.05.

/// More tasks than any cluster allows (`MaxArraySize` is below 4,000,001): an expression that says more is not one.
const TASKS_MAX: u64 = 4_000_001;

/// Which part of a larger job a record is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum JobPart {
    /// A job by itself.
    #[default]
    Whole,
    /// One task of an array.
    ArrayTask {
        /// The array's own number.
        array_job_id: u64,
        /// The task's index.
        task: u32,
    },
    /// The tasks of an array that wait together, `4-9%2`.
    ArrayRemainder {
        /// The array's own number.
        array_job_id: u64,
        /// The expression without its brackets.
        tasks: String,
    },
    /// One component of a heterogeneous job.
    HetComponent {
        /// The number of the whole.
        het_job_id: u64,
        /// The component's place, from 0.
        offset: u32,
    },
}

impl JobPart {
    /// How many tasks of an array may run at once, where the expression says so.
    pub fn task_limit(&self) -> Option<u32> {
        match self {
            Self::ArrayRemainder { tasks, .. } => tasks.split_once('%')?.1.parse().ok(),
            _ => None,
        }
    }
}

/// A job number taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenJobId {
    /// The number in front.
    pub job_id: u64,
    /// Which part it names.
    pub part: JobPart,
    /// Whether it is a step of a job and not a job.
    pub is_step: bool,
}

impl WrittenJobId {
    /// Reads `123`, `123_4`, `123_[4-9%2]` or `123+0`, each with or without a step behind a dot.
    pub fn parse(text: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(text).ok()?;
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let job_id = text[..digits].parse().ok()?;
        let rest = &text[digits..];
        let (rest, is_step) = match rest.find('.') {
            Some(dot) if rest[dot + 1..].bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+_".contains(&byte)) => {
                (&rest[..dot], rest.len() > dot + 1)
            }
            // A long remainder is abbreviated with dots: `[1,3,5,...]`.
            Some(_) if rest.ends_with(']') => (rest, false),
            Some(_) => return None,
            None => (rest, false),
        };
        let part = Self::part(job_id, rest)?;
        Some(Self { job_id, part, is_step })
    }

    fn part(job_id: u64, rest: &str) -> Option<JobPart> {
        if rest.is_empty() {
            return Some(JobPart::Whole);
        }
        if let Some(offset) = rest.strip_prefix('+') {
            return Some(JobPart::HetComponent { het_job_id: job_id, offset: only_digits(offset)? });
        }
        let task = rest.strip_prefix('_')?;
        if let Some(tasks) = task.strip_prefix('[').and_then(|tasks| tasks.strip_suffix(']')) {
            let is_expression = tasks.bytes().all(|byte| byte.is_ascii_digit() || b"-,:%.".contains(&byte));
            return is_expression.then(|| JobPart::ArrayRemainder { array_job_id: job_id, tasks: tasks.to_owned() });
        }
        Some(JobPart::ArrayTask { array_job_id: job_id, task: only_digits(task)? })
    }
}

/// How many tasks an expression such as `1-10,20%2` or `0-30:10` names; `None` where it is abbreviated or not one.
pub fn array_task_count(tasks: &str) -> Option<u64> {
    let mut count: u64 = 0;
    for range in without_limit(tasks).split(',') {
        count += range_count(range)?;
        if count > TASKS_MAX {
            return None;
        }
    }
    Some(count)
}

/// How many tasks an expression names at least. Slurm cuts a long one off wherever its 64 bytes end and puts dots there
/// (`168,187,2...`, seen in 22.05): what is behind the last comma then stands for one task or more.
pub(super) fn array_tasks_named(tasks: &str) -> u64 {
    let ranges = without_limit(tasks).split(',').filter(|range| range.bytes().any(|byte| byte.is_ascii_digit()));
    let named = ranges.map(|range| range_count(range).unwrap_or(1)).fold(0, u64::saturating_add);
    named.min(TASKS_MAX)
}

/// Where a task stands among those that an expression names, counted from 0; `None` if it is not among them. Behind where Slurm
/// has cut an expression any task may be.
pub fn array_task_place(tasks: &str, task: u32) -> Option<u64> {
    let mut before = 0;
    for range in without_limit(tasks).split(',') {
        let Some((first, last, step)) = range_of(range) else { return Some(before) };
        if (first..=last).contains(&task) && (task - first).is_multiple_of(step) {
            return Some(before + u64::from((task - first) / step));
        }
        before += u64::from((last - first) / step) + 1;
    }
    None
}

fn without_limit(tasks: &str) -> &str {
    tasks.split_once('%').map_or(tasks, |(tasks, _)| tasks)
}

fn range_count(range: &str) -> Option<u64> {
    let (first, last, step) = range_of(range)?;
    Some(u64::from((last - first) / step) + 1)
}

/// First, last and step of `4`, `4-9` or `0-30:10`.
fn range_of(range: &str) -> Option<(u32, u32, u32)> {
    let (range, step) = match range.split_once(':') {
        Some((range, step)) => (range, only_digits(step)?),
        None => (range, 1),
    };
    let (first, last) = match range.split_once('-') {
        Some((first, last)) => (only_digits(first)?, only_digits(last)?),
        None => (only_digits(range)?, only_digits(range)?),
    };
    (first <= last && step > 0).then_some((first, last, step))
}

fn only_digits(text: &str) -> Option<u32> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Option<(u64, JobPart, bool)> {
        WrittenJobId::parse(text.as_bytes()).map(|id| (id.job_id, id.part, id.is_step))
    }

    #[test]
    fn every_form_is_taken_apart() {
        assert_eq!(parsed("123"), Some((123, JobPart::Whole, false)));
        assert_eq!(parsed("123_4"), Some((123, JobPart::ArrayTask { array_job_id: 123, task: 4 }, false)));
        assert_eq!(parsed("15+1"), Some((15, JobPart::HetComponent { het_job_id: 15, offset: 1 }, false)));
        assert_eq!(parsed("1.batch"), Some((1, JobPart::Whole, true)));
        assert_eq!(parsed("21_2.0"), Some((21, JobPart::ArrayTask { array_job_id: 21, task: 2 }, true)));
        assert_eq!(parsed("15+0.extern").map(|(_, _, is_step)| is_step), Some(true));
        let (_, remainder, _) = parsed("123_[4-9%2]").expect("a remainder");
        assert_eq!(remainder.task_limit(), Some(2));
        assert!(parsed("7_[1,3,5,...]").is_some());
    }

    #[test]
    fn what_is_no_job_number_is_none() {
        for text in
            ["", "x", "-1", "12_", "12+", "12_x", "12_[a]", "1 2", "12_[1-2", "1.ba tch", "99999999999999999999"]
        {
            assert_eq!(parsed(text), None, "{text}");
        }
    }

    #[test]
    fn tasks_are_counted() {
        assert_eq!(array_task_count("1-10,20%2"), Some(11));
        assert_eq!(array_task_count("0-30:10"), Some(4));
        assert_eq!(array_task_count("7"), Some(1));
        assert_eq!(array_task_count("1,3,..."), None);
        assert_eq!(array_task_count("9-1"), None);
        assert_eq!(array_task_count("0-4294967295"), None);
        assert_eq!(array_task_count("1-5:0"), None);
    }

    #[test]
    fn a_task_is_found_among_those_that_wait_together() {
        let places = |tasks: &str| [3, 4, 9, 20].map(|task| array_task_place(tasks, task));
        assert_eq!(places("4-9,20%2"), [None, Some(0), Some(5), Some(6)]);
        assert_eq!(places("0-30:10,9"), [None, None, Some(4), Some(2)]);
        assert_eq!(places("3,4,2..."), [Some(0), Some(1), Some(2), Some(2)], "it may be behind the cut");
    }

    #[test]
    fn of_an_expression_cut_short_as_many_are_counted_as_it_names() {
        assert_eq!(array_tasks_named("1-10,20%2"), 11);
        assert_eq!(array_tasks_named("0-1,3,7,2..."), 5, "the number that was cut is a task too");
        assert_eq!(array_tasks_named("0-1,3,..."), 3);
        assert_eq!(array_tasks_named("1-3,..%2"), 3);
        assert_eq!(array_tasks_named(""), 0);
        assert_eq!(array_tasks_named("0-4294967295,0-4294967295"), TASKS_MAX);
    }
}
