//! What a job waits for, as Slurm writes it: `afterok:123(unfulfilled),afterany:124_5(unfulfilled)`.
//!
//! Source: sbatch(1) `--dependency`, squeue(1) `%E`. A choice (`?`) and `singleton` are not played.

/// One thing that must happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dependency {
    /// The job's number; an array's tasks are found under the array's.
    pub job_id: u64,
    /// A task of it, where one is named.
    pub task: Option<u32>,
    /// Whether its end is waited for, or its start is enough (`after`).
    pub end: bool,
}

/// Everything a job waits for; `None` if some of it cannot be played.
pub fn dependencies(text: &str) -> Option<Vec<Dependency>> {
    let text = text.trim();
    if text.is_empty() {
        return Some(Vec::new());
    }
    if text.contains('?') {
        return None;
    }
    let mut all = Vec::new();
    let mut kind = "";
    for item in text.split(',') {
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
            let (job, task) = word.split_once('_').map_or((word, None), |(job, task)| (job, Some(task)));
            let task = task.filter(|task| *task != "*").map(str::parse).transpose().ok()?;
            all.push(Dependency { job_id: job.parse().ok()?, task, end });
        }
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_played_is_found_and_the_rest_is_refused() {
        let one = |job_id, task, end| Dependency { job_id, task, end };
        assert_eq!(dependencies(""), Some(vec![]));
        assert_eq!(dependencies("afterok:12(unfulfilled)"), Some(vec![one(12, None, true)]));
        assert_eq!(
            dependencies("afterany:12:13_4(unfulfilled),after:14+5(unfulfilled)"),
            Some(vec![one(12, None, true), one(13, Some(4), true), one(14, None, false)])
        );
        assert_eq!(dependencies("afterok:7_*(unfulfilled)"), Some(vec![one(7, None, true)]));
        for text in ["singleton(unfulfilled)", "afternotok:3(failed)", "afterok:1?afterok:2", "afterok:x", "1"] {
            assert_eq!(dependencies(text), None, "{text}");
        }
    }
}
