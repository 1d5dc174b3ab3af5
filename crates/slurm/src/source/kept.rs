//! Answers of Slurm's commands, kept in a folder for somebody who asks again soon.
//!
//! For: people who ask without a daemon, one process a question: however often they ask, Slurm is asked at most so often.
//!
//! Not for: the daemon, which remembers by itself; keeping what Slurm refused.
//!
//! Whoever makes one says since when it asks: an answer that was fresh then stays fresh for all of its questions.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use tempfile::NamedTempFile;

/// For so long who waits, who runs and what is free counts as it was told.
const QUEUE_KEPT: Duration = Duration::from_secs(30);
/// For so long what seldom changes, and what ended long ago, does.
const SETTINGS_KEPT: Duration = Duration::from_mins(10);

/// Answers in a folder that belongs to whoever asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptAnswers {
    folder: PathBuf,
    asked: SystemTime,
}

impl KeptAnswers {
    /// Those in this folder, for questions that are asked now.
    pub fn now_in(folder: PathBuf) -> Self {
        Self { folder, asked: SystemTime::now() }
    }

    /// When the queue was asked for: lately, if its answer is kept, else now.
    pub fn queue_asked(&self) -> SystemTime {
        let kept = kept_since(&self.place("squeue", &["--json"]));
        kept.filter(|since| self.is_fresh(*since, QUEUE_KEPT)).unwrap_or(self.asked)
    }

    /// The answer that is kept, or else the one that is had by asking, which is kept then. An answer that cannot be kept is an
    /// answer all the same.
    pub(super) fn or_ask<E>(
        &self,
        program: &str,
        arguments: &[&str],
        ask: impl FnOnce() -> Result<Vec<u8>, E>,
    ) -> Result<Vec<u8>, E> {
        let place = self.place(program, arguments);
        if let Some(kept) = self.find(&place, program, arguments) {
            return Ok(kept);
        }
        let answer = ask()?;
        // A full disk costs a question the next time, and nothing else.
        let _ = keep(&place, &question(arguments), &answer);
        Ok(answer)
    }

    fn find(&self, place: &Path, program: &str, arguments: &[&str]) -> Option<Vec<u8>> {
        let kept_for = match program {
            "squeue" | "sinfo" | "sdiag" => QUEUE_KEPT,
            _ if arguments.contains(&"nodes") => QUEUE_KEPT,
            _ => SETTINGS_KEPT,
        };
        kept_since(place).filter(|since| self.is_fresh(*since, kept_for))?;
        let kept = fs::read(place).ok()?;
        let answer = kept.strip_prefix(question(arguments).as_slice())?;
        Some(answer.to_vec())
    }

    /// What is younger than the question was had by it, a moment ago.
    fn is_fresh(&self, since: SystemTime, kept_for: Duration) -> bool {
        self.asked.duration_since(since).unwrap_or_default() < kept_for
    }

    /// Questions that differ in their numbers only, such as the times of accounting, take each other's place.
    fn place(&self, program: &str, arguments: &[&str]) -> PathBuf {
        let mut hasher = DefaultHasher::new();
        for argument in arguments {
            argument.chars().filter(|character| !character.is_ascii_digit()).collect::<String>().hash(&mut hasher);
        }
        self.folder.join(format!("{program}-{:016x}", hasher.finish()))
    }
}

/// A time in the future is that of a clock that was put back, and says nothing.
fn kept_since(place: &Path) -> Option<SystemTime> {
    let time = fs::metadata(place).ok()?.modified().ok()?;
    (time <= SystemTime::now()).then_some(time)
}

/// What was asked, as it is kept in front of the answer.
fn question(arguments: &[&str]) -> Vec<u8> {
    format!("{arguments:?}\n").into_bytes()
}

/// Whole or not at all, and readable by its owner only, as temporary files are made: names of jobs and users are nobody else's business.
fn keep(place: &Path, question: &[u8], answer: &[u8]) -> io::Result<()> {
    let folder = place.parent().unwrap_or(Path::new("."));
    let mut file = NamedTempFile::new_in(folder)?;
    file.write_all(question)?;
    file.write_all(answer)?;
    file.persist(place)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asks through kept answers as of so many seconds from now.
    fn asked(folder: &Path, in_seconds: u64, program: &str, arguments: &[&str], said: &str) -> String {
        let asked = SystemTime::now() + Duration::from_secs(in_seconds);
        let kept = KeptAnswers { folder: folder.to_owned(), asked };
        let answer = kept.or_ask::<()>(program, arguments, || Ok(said.as_bytes().to_vec()));
        String::from_utf8(answer.expect("an answer")).expect("text")
    }

    #[test]
    fn who_asks_again_within_half_a_minute_is_told_the_same_and_slurm_is_not_asked() {
        let folder = tempfile::tempdir().expect("a folder");
        let queue = |in_seconds, said| asked(folder.path(), in_seconds, "squeue", &["--json"], said);
        assert_eq!(queue(0, "first"), "first");
        assert_eq!(queue(29, "second"), "first");
        assert_eq!(queue(31, "third"), "third");
        let partitions = |in_seconds, said| asked(folder.path(), in_seconds, "scontrol", &["show", "partition"], said);
        assert_eq!(partitions(0, "first"), "first");
        assert_eq!(partitions(599, "second"), "first");
        assert_eq!(partitions(601, "third"), "third");
        let nodes = |in_seconds, said| asked(folder.path(), in_seconds, "scontrol", &["show", "nodes"], said);
        assert_eq!(nodes(0, "first"), "first");
        assert_eq!(nodes(31, "second"), "second");
    }

    #[test]
    fn another_question_has_another_answer_and_numbers_take_each_others_place() {
        let folder = tempfile::tempdir().expect("a folder");
        let sacct = |to: &str, said| asked(folder.path(), 0, "sacct", &[&format!("--endtime=uts{to}")], said);
        assert_eq!(sacct("600", "first"), "first");
        assert_eq!(sacct("600", "again"), "first");
        assert_eq!(sacct("1200", "second"), "second");
        assert_eq!(fs::read_dir(folder.path()).expect("it is there").count(), 1);
        assert_eq!(asked(folder.path(), 0, "sacct", &["--helpformat"], "columns"), "columns");
    }

    #[test]
    fn a_refusal_is_not_kept_and_an_answer_is_its_owners_only() {
        let folder = tempfile::tempdir().expect("a folder");
        let kept = KeptAnswers::now_in(folder.path().to_owned());
        assert_eq!(kept.or_ask("squeue", &["--json"], || Err("down")), Err("down"));
        assert_eq!(kept.queue_asked(), kept.asked);
        assert_eq!(asked(folder.path(), 0, "squeue", &["--json"], "up"), "up");
        let later = KeptAnswers { asked: SystemTime::now() + Duration::from_secs(20), ..kept.clone() };
        assert!(later.queue_asked() <= SystemTime::now(), "it was asked for before");
        let much_later = KeptAnswers { asked: SystemTime::now() + Duration::from_secs(40), ..kept };
        assert_eq!(much_later.queue_asked(), much_later.asked);
        for entry in fs::read_dir(folder.path()).expect("it is there") {
            let metadata = entry.and_then(|entry| entry.metadata()).expect("a file");
            #[cfg(unix)]
            assert_eq!(std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o777, 0o600);
        }
    }
}
