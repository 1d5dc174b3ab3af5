//! A line in the log for each request: who, what, how long, and what came of it.
//!
//! For: finding out afterwards who asked for what. So many lines a second are written; of the others it is said how many there were, so that nobody can fill a disk by asking.
//!
//! Not for: what was asked in words, which may hold names of jobs: a route is told by its pattern; figures over time (`metrics`).

use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use super::asker::Asker;

/// So many lines are written at once, and as many each second.
const LINES_A_SECOND: f64 = 20.0;

/// What came of a request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked<'a> {
    pub who: &'a Asker,
    pub method: &'a str,
    pub route: &'a str,
    pub status: u16,
    pub took: Duration,
}

/// Who asked, once that is known: also of a request that is refused, or takes too long.
#[derive(Clone, Debug, Default)]
pub(crate) struct WhoAsked(Arc<OnceLock<Asker>>);

impl WhoAsked {
    /// It is this one.
    pub fn is(&self, asker: &Asker) {
        // It is found out once for each request.
        let _ = self.0.set(asker.clone());
    }

    /// Who it is; nobody, if it was not found out.
    pub fn who(&self) -> &Asker {
        self.0.get().unwrap_or(&Asker::Nobody)
    }
}

/// How many lines may still be written.
pub(crate) struct Audit(Mutex<Room>);

struct Room {
    lines: f64,
    since: Instant,
    left_out: u64,
}

impl Audit {
    pub fn begin(now: Instant) -> Self {
        Self(Mutex::new(Room { lines: LINES_A_SECOND, since: now, left_out: 0 }))
    }

    /// Writes the line, if there is room for it.
    pub fn write(&self, asked: &Asked<'_>, now: Instant) {
        let Some(left_out) = self.room(now) else { return };
        if left_out > 0 {
            tracing::warn!(target: "audit", requests = left_out, "too many requests; some audit lines were dropped");
        }
        let Asked { who, method, route, status, took } = asked;
        tracing::info!(target: "audit", who = %Shown(who), method, route, status, milliseconds = took.as_millis(), "request");
    }

    /// Whether there is room for a line, and how many were left out before it.
    fn room(&self, now: Instant) -> Option<u64> {
        let mut room = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let passed = now.saturating_duration_since(room.since).as_secs_f64();
        room.lines = (room.lines + passed * LINES_A_SECOND).min(LINES_A_SECOND);
        room.since = now;
        if room.lines < 1.0 {
            room.left_out += 1;
            return None;
        }
        room.lines -= 1.0;
        Some(std::mem::take(&mut room.left_out))
    }
}

/// Somebody, for a line: a name is what somebody else has chosen.
struct Shown<'a>(&'a Asker);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Asker::Local(user) => write!(formatter, "uid {user}"),
            Asker::Named(name) => write!(formatter, "{}", name.escape_default()),
            Asker::Nobody => formatter.write_str("anonymous"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn so_many_lines_a_second_are_written_and_of_the_others_it_is_said_how_many() {
        let begun = Instant::now();
        let audit = Audit::begin(begun);
        let written = (0..1_000).filter(|_| audit.room(begun).is_some()).count();
        assert_eq!(written, 20);
        assert_eq!(audit.room(begun + Duration::from_secs(1)), Some(980));
        assert_eq!(audit.room(begun + Duration::from_secs(1)), Some(0));
    }

    #[test]
    fn a_name_cannot_begin_a_line_of_its_own() {
        let name = Asker::Named(Arc::from("eve\n2026 INFO forged\u{1b}[2J"));
        let shown = Shown(&name).to_string();
        assert!(!shown.contains(['\n', '\u{1b}']), "{shown}");
        assert_eq!(
            (Shown(&Asker::Local(7)).to_string(), Shown(&Asker::Nobody).to_string()),
            ("uid 7".to_owned(), "anonymous".to_owned())
        );
    }
}
