//! How a job's part and state are written in their columns, and read again.
//!
//! Not for: what Slurm writes (`queuecast_records`).

use queuecast_records::{BaseState, JobPart, JobState, StateFlag};

/// The part as it is kept. What tasks the rest of an array stands for changes as they start, so it is not part of the key.
pub(super) fn written(part: &JobPart) -> (String, &str) {
    match part {
        JobPart::Whole => (String::new(), ""),
        JobPart::ArrayTask { array_job_id, task } => (format!("{array_job_id}_{task}"), ""),
        JobPart::ArrayRemainder { array_job_id, tasks } => (format!("{array_job_id}_[]"), tasks),
        JobPart::HetComponent { het_job_id, offset } => (format!("{het_job_id}+{offset}"), ""),
    }
}

pub(super) fn part(written: &str, tasks: String) -> JobPart {
    let number = |text: &str| text.parse().unwrap_or(0);
    if let Some((array, task)) = written.split_once('_') {
        return match task.parse() {
            Ok(task) => JobPart::ArrayTask { array_job_id: number(array), task },
            Err(_) => JobPart::ArrayRemainder { array_job_id: number(array), tasks },
        };
    }
    match written.split_once('+') {
        Some((het, offset)) => JobPart::HetComponent { het_job_id: number(het), offset: offset.parse().unwrap_or(0) },
        None => JobPart::Whole,
    }
}

/// Slurm's words for a state, separated by commas; a word that was not known is OTHER.
pub(crate) fn state_words(state: JobState) -> String {
    let base = match state.base {
        BaseState::Pending => "PENDING",
        BaseState::Running => "RUNNING",
        BaseState::Suspended => "SUSPENDED",
        BaseState::Completed => "COMPLETED",
        BaseState::Cancelled => "CANCELLED",
        BaseState::Failed => "FAILED",
        BaseState::Timeout => "TIMEOUT",
        BaseState::NodeFail => "NODE_FAIL",
        BaseState::Preempted => "PREEMPTED",
        BaseState::BootFail => "BOOT_FAIL",
        BaseState::Deadline => "DEADLINE",
        BaseState::OutOfMemory => "OUT_OF_MEMORY",
        BaseState::Other => "OTHER",
    };
    let mut words = base.to_owned();
    for (flag, word) in FLAGS {
        if state.flags.has(flag) {
            words.push(',');
            words.push_str(word);
        }
    }
    words
}

/// The flags that say something of an attempt's fate. The others are of the moment.
const FLAGS: [(StateFlag, &str); 4] = [
    (StateFlag::Requeued, "REQUEUED"),
    (StateFlag::Resizing, "RESIZING"),
    (StateFlag::Revoked, "REVOKED"),
    (StateFlag::SpecialExit, "SPECIAL_EXIT"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_read_as_it_was_written() {
        let parts = [
            JobPart::Whole,
            JobPart::ArrayTask { array_job_id: 9, task: 4 },
            JobPart::ArrayRemainder { array_job_id: 9, tasks: "4-9%2".into() },
            JobPart::HetComponent { het_job_id: 15, offset: 1 },
        ];
        for original in parts {
            let (text, tasks) = written(&original);
            assert_eq!(part(&text, tasks.to_owned()), original);
        }
    }

    #[test]
    fn a_state_is_read_as_it_was_written() {
        let states = [
            &["PENDING"][..],
            &["RUNNING"],
            &["SUSPENDED"],
            &["COMPLETED"],
            &["CANCELLED"],
            &["FAILED"],
            &["TIMEOUT"],
            &["NODE_FAIL"],
            &["PREEMPTED"],
            &["BOOT_FAIL"],
            &["DEADLINE"],
            &["OUT_OF_MEMORY"],
            &["A_NEW_WORD"],
            &["PENDING", "REQUEUED"],
            &["RESIZING"],
            &["REVOKED"],
            &["PENDING", "SPECIAL_EXIT"],
        ];
        for words in states {
            let state = JobState::from_words(words.iter().copied());
            assert_eq!(JobState::from_words(state_words(state).split(',')), state, "{words:?}");
        }
    }
}
