//! What a job waits for, as Slurm writes it: `afterok:123(unfulfilled),afterany:124_5(unfulfilled)`.
//!
//! Source: sbatch(1) `--dependency`, squeue(1) `%E`; Slurm's `job_scheduler.c` and `job_mgr.c` (`test_job_array_completed`,
//! `test_job_array_pending`): who names an array waits until all its tasks have ended, or none of them waits (`after`). What
//! depends on failure (`afternotok`) and on burst buffers is not played.

use queuecast_records::{JobPart, JobRecord, array_task_place};

/// One thing that must happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dependency {
    /// The job's number; an array's tasks are found under the array's.
    pub job_id: u64,
    /// A task of it, where one is named; otherwise all of them.
    pub task: Option<u32>,
    /// Whether its end is waited for, or its start is enough (`after`).
    pub end: bool,
}

impl Dependency {
    /// Whether a record is of what is named.
    pub fn names(&self, job: &JobRecord) -> bool {
        let has = |named: u32| match &job.key.part {
            JobPart::ArrayTask { task, .. } => *task == named,
            JobPart::ArrayRemainder { tasks, .. } => array_task_place(tasks, named).is_some(),
            JobPart::Whole | JobPart::HetComponent { .. } => true,
        };
        number(job) == self.job_id && self.task.is_none_or(has)
    }

    /// Which of the tasks that wait together is named, counted from 0; `None` if all are.
    pub fn task_among(&self, job: &JobRecord) -> Option<u32> {
        match (&job.key.part, self.task) {
            (JobPart::ArrayRemainder { tasks, .. }, Some(task)) => {
                array_task_place(tasks, task).and_then(|place| u32::try_from(place).ok())
            }
            _ => None,
        }
    }
}

/// The number by which others name a job: the array's, of its tasks.
pub fn number(job: &JobRecord) -> u64 {
    match &job.key.part {
        JobPart::ArrayTask { array_job_id, .. } | JobPart::ArrayRemainder { array_job_id, .. } => *array_job_id,
        JobPart::Whole | JobPart::HetComponent { .. } => job.key.job_id,
    }
}

/// The task that a job is, or the first of those that it stands for.
fn own_task(job: &JobRecord) -> Option<u32> {
    match &job.key.part {
        JobPart::ArrayTask { task, .. } => Some(*task),
        JobPart::ArrayRemainder { tasks, .. } => {
            tasks.split(|letter: char| !letter.is_ascii_digit()).next()?.parse().ok()
        }
        JobPart::Whole | JobPart::HetComponent { .. } => None,
    }
}

/// Everything a job waits for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dependencies {
    /// What must happen.
    pub all: Vec<Dependency>,
    /// One of it is enough (`?` between them).
    pub any_will_do: bool,
    /// No job of the same user and name may run before it (`singleton`).
    pub singleton: bool,
}

/// What a job waits for; `None` if some of it cannot be played.
pub fn dependencies(job: &JobRecord) -> Option<Dependencies> {
    let text = job.dependency.trim();
    let mut found = Dependencies { any_will_do: text.contains('?'), ..Dependencies::default() };
    if text.is_empty() || text == "(null)" {
        return Some(found);
    }
    let mut kind = "";
    for item in text.split([',', '?']) {
        if item.trim().starts_with("singleton") && !found.any_will_do {
            found.singleton = true;
            continue;
        }
        let mut words = item.trim().split(':').peekable();
        if words.peek().is_some_and(|word| word.starts_with(|letter: char| letter.is_ascii_alphabetic())) {
            kind = words.next().unwrap_or_default();
        }
        let end = match kind {
            "after" => false,
            "afterany" | "afterok" | "aftercorr" => true,
            _ => return None,
        };
        for word in words {
            let word = word.split(['(', '+']).next().unwrap_or_default();
            let (number, task) = word.split_once('_').map_or((word, None), |(number, task)| (number, Some(task)));
            let task = task.filter(|task| *task != "*").map(str::parse).transpose().ok()?;
            // A task of an array waits for the same task of another.
            let task = task.or_else(|| own_task(job).filter(|_| kind == "aftercorr"));
            found.all.push(Dependency { job_id: number.parse().ok()?, task, end });
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::test_cluster::waiting;

    fn of(part: JobPart, text: &str) -> Option<Dependencies> {
        let mut job = waiting(90, 1);
        job.key.part = part;
        job.dependency = text.to_owned();
        dependencies(&job)
    }

    #[test]
    fn what_can_be_played_is_found_and_the_rest_is_refused() {
        let one = |job_id, task, end| Dependency { job_id, task, end };
        let dependencies = |text: &str| of(JobPart::Whole, text).map(|found| found.all);
        assert_eq!(dependencies(""), Some(vec![]));
        assert_eq!(dependencies("afterok:12(unfulfilled)"), Some(vec![one(12, None, true)]));
        assert_eq!(
            dependencies("afterany:12:13_4(unfulfilled),after:14+5(unfulfilled)"),
            Some(vec![one(12, None, true), one(13, Some(4), true), one(14, None, false)])
        );
        assert_eq!(dependencies("afterok:7_*(unfulfilled)"), Some(vec![one(7, None, true)]));
        for text in ["afternotok:3(failed)", "afterok:x", "1", "singleton?afterok:1"] {
            assert_eq!(dependencies(text), None, "{text}");
        }
        let choice = of(JobPart::Whole, "afterok:1(unfulfilled)?afterany:2(unfulfilled)").expect("it can be played");
        assert_eq!((choice.all, choice.any_will_do), (vec![one(1, None, true), one(2, None, true)], true));
        let single = of(JobPart::Whole, "singleton(unfulfilled)").expect("it can be played");
        assert_eq!((single.all, single.singleton), (vec![], true));
    }

    #[test]
    fn a_task_waits_for_the_corresponding_task_and_a_job_that_is_no_array_for_all() {
        let after = |part| of(part, "aftercorr:7_*(unfulfilled)").expect("it can be played").all[0].task;
        assert_eq!(after(JobPart::ArrayTask { array_job_id: 8, task: 5 }), Some(5));
        assert_eq!(after(JobPart::ArrayRemainder { array_job_id: 8, tasks: "6-9%2".to_owned() }), Some(6));
        assert_eq!(after(JobPart::Whole), None);
    }
}
