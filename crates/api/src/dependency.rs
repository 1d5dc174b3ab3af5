//! What a job waits for, as sbatch takes it: `afterok:123:124_5,after:130+10`, or `afterany:1?afterany:2` for a choice.
//!
//! For: checking it, and for whoever answers, which jobs are named and whether their start or their end counts.
//!
//! Not for: what became of those jobs.
//!
//! Source: sbatch(1) `--dependency`; Slurm's `job_scheduler.c` (`_parse_dependency_str`): words in any case, one kind of separator,
//! a bare number is an end awaited.

use super::problem::Refusal;

/// Everything a job waits for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dependencies {
    /// What must happen.
    pub all: Vec<Dependency>,
    /// Whether any one of them is enough (`?`).
    pub any_is_enough: bool,
}

/// One thing that must happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dependency {
    /// Something of another job.
    Job {
        /// What of it.
        kind: DependencyKind,
        /// Its number, or its array's.
        job_id: u64,
        /// One task of it; otherwise all.
        task: Option<u32>,
        /// So many minutes after that.
        minutes: u32,
    },
    /// No other job of the same name and user.
    Singleton,
}

/// What of another job is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DependencyKind {
    /// That it has started or was cancelled.
    After,
    /// That it has ended.
    AfterAny,
    /// That it has ended well.
    AfterOk,
    /// That it has ended, and not well.
    AfterNotOk,
    /// That the task of the same number has ended well.
    AfterCorrespond,
    /// That its burst buffer is staged out.
    AfterBurstBuffer,
    /// It takes the other's nodes over.
    Expand,
}

const KINDS: [(&str, DependencyKind); 7] = [
    ("after", DependencyKind::After),
    ("afterany", DependencyKind::AfterAny),
    ("afterok", DependencyKind::AfterOk),
    ("afternotok", DependencyKind::AfterNotOk),
    ("aftercorr", DependencyKind::AfterCorrespond),
    ("afterburstbuffer", DependencyKind::AfterBurstBuffer),
    ("expand", DependencyKind::Expand),
];

impl Dependencies {
    /// Reads it.
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        Self::read(text).ok_or_else(|| Refusal {
            message: format!("`dependency` is {text:?}, which sbatch would reject"),
            hint: "write the dependency as for sbatch: afterok:123:124, afterany:123_4, after:123+10, singleton; separate \
                         several with commas, or all with question marks"
                .to_owned(),
        })
    }

    fn read(text: &str) -> Option<Self> {
        let any_is_enough = text.contains('?');
        if any_is_enough && text.contains(',') {
            return None;
        }
        let mut all = Vec::new();
        for item in text.split(if any_is_enough { '?' } else { ',' }) {
            if item.eq_ignore_ascii_case("singleton") {
                all.push(Dependency::Singleton);
            } else if let Some((kind, jobs)) = item.split_once(':') {
                let kind = KINDS.iter().find(|(name, _)| name.eq_ignore_ascii_case(kind))?.1;
                for job in jobs.split(':') {
                    all.push(job_named(kind, job)?);
                }
            } else {
                all.push(job_named(DependencyKind::AfterAny, item)?);
            }
        }
        Some(Self { all, any_is_enough })
    }
}

fn job_named(kind: DependencyKind, text: &str) -> Option<Dependency> {
    let (job, minutes) = match text.split_once('+') {
        Some((job, minutes)) => (job, number(minutes).filter(|minutes| *minutes > 0)?),
        None => (text, 0),
    };
    let (job, task) = match job.split_once('_') {
        Some((job, "*")) => (job, None),
        Some((job, task)) => (job, Some(number(task)?)),
        None => (job, None),
    };
    let job_id = u64::from(number(job)?);
    (job_id > 0).then_some(Dependency::Job { kind, job_id, task, minutes })
}

fn number(text: &str) -> Option<u32> {
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(kind: DependencyKind, job_id: u64, task: Option<u32>, minutes: u32) -> Dependency {
        Dependency::Job { kind, job_id, task, minutes }
    }

    #[test]
    fn every_form_of_sbatch_is_read() {
        let read = |text: &str| Dependencies::parse(text).expect(text);
        assert_eq!(
            read("afterok:12:13_4,AFTER:14+5,singleton").all,
            [
                job(DependencyKind::AfterOk, 12, None, 0),
                job(DependencyKind::AfterOk, 13, Some(4), 0),
                job(DependencyKind::After, 14, None, 5),
                Dependency::Singleton,
            ]
        );
        assert_eq!(read("12").all, [job(DependencyKind::AfterAny, 12, None, 0)]);
        let choice = read("afterany:1?afternotok:2_*");
        assert!(choice.any_is_enough);
        assert_eq!(choice.all.len(), 2);
    }

    #[test]
    fn what_sbatch_refuses_is_refused_with_the_forms() {
        for text in [
            "",
            "afterok",
            "afterok:",
            "afterok:x",
            "aftersome:3",
            "afterok:1,after:2?after:3",
            "afterok:0",
            "after:3+0",
            "afterok:1_",
        ] {
            let refusal = Dependencies::parse(text).expect_err(text);
            assert!(refusal.hint.contains("afterok:123"), "{refusal:?}");
        }
    }
}
