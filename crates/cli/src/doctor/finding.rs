//! What a check found, and what to do about it.

use serde::Serialize;

use crate::ask::inert::inert;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// As it should be.
    Good,
    /// It works, and less well than it could.
    Warning,
    /// It does not work, or is not safe.
    Bad,
}

impl Verdict {
    /// In a word for a terminal.
    pub fn word(self) -> &'static str {
        match self {
            Self::Good => "ok",
            Self::Warning => "warning",
            Self::Bad => "BAD",
        }
    }
}

/// What a check found.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// What was looked at.
    pub check: &'static str,
    /// How bad it is.
    pub verdict: Verdict,
    /// What is there.
    pub found: String,
    /// What to do; nothing if it is good.
    pub remedy: Option<String>,
}

impl Finding {
    /// As it should be.
    pub fn good(check: &'static str, found: impl AsRef<str>) -> Self {
        Self { check, verdict: Verdict::Good, found: inert(found.as_ref()), remedy: None }
    }

    /// It could be better.
    pub fn warning(check: &'static str, found: impl AsRef<str>, remedy: impl Into<String>) -> Self {
        Self { check, verdict: Verdict::Warning, found: inert(found.as_ref()), remedy: Some(remedy.into()) }
    }

    /// It does not work, or is not safe.
    pub fn bad(check: &'static str, found: impl AsRef<str>, remedy: impl Into<String>) -> Self {
        Self { verdict: Verdict::Bad, ..Self::warning(check, found, remedy) }
    }
}
