//! Others' methods by name: `exec:` and a program, wherever a predictor, a policy or a wait forecaster is named.
//!
//! Not for: what is said to a program (`queuecast-exec`, `docs/guides/own-methods.md`).

use std::time::Duration;

use queuecast_evaluate::ReplayPolicy;
use queuecast_exec::{PATIENCE, Program, ProgramPolicy};
use queuecast_schedule::PolicySpecification;
use queuecast_workload::UnknownName;

use super::signals::end_programs_with_us;

/// For how many seconds a program may start, and think about each answer.
const PATIENCE_VARIABLE: &str = "QCAST_EXEC_TIMEOUT";

/// What `--policy` takes where a log is replayed.
pub const POLICY_HELP: &str = "Scheduling policy: fcfs, easy, easy-sjbf, conservative, spf, saf, with parameters such as \
     easy:queue=arrival,backfill=f1,depth=4, or exec:PROGRAM (docs/guides/own-methods.md)";

/// The program of that name; `None` if it is none.
pub fn parse(text: &str) -> Option<Result<Program, String>> {
    text.starts_with("exec:").then(|| {
        let program = Program::named(text).ok_or("exec: needs a program, such as exec:./mine.py")?;
        let patience = patience(std::env::var(PATIENCE_VARIABLE).ok().as_deref())?;
        end_programs_with_us();
        Ok(program.with_patience(patience))
    })
}

fn patience(seconds: Option<&str>) -> Result<Duration, String> {
    let Some(seconds) = seconds else { return Ok(PATIENCE) };
    let sound = seconds.parse().ok().filter(|seconds| (1..=86_400).contains(seconds)).map(Duration::from_secs);
    sound.ok_or_else(|| {
        format!("invalid value for {PATIENCE_VARIABLE}: {seconds:?}; expected whole seconds from 1 to 86400")
    })
}

/// Reads a policy's name, ours or a program's.
pub fn parse_policy(text: &str) -> Result<ReplayPolicy, String> {
    if let Some(program) = parse(text) {
        return Ok(ReplayPolicy::Foreign(ProgramPolicy::new(program?).into_foreign()));
    }
    let ours: Result<PolicySpecification, UnknownName> = text.parse();
    ours.map(ReplayPolicy::Ours).map_err(|error| format!("{error}, exec:PROGRAM"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patience_is_whole_seconds_and_never_none() {
        assert_eq!(patience(None), Ok(PATIENCE));
        assert_eq!(patience(Some("5")), Ok(Duration::from_secs(5)));
        for wrong in ["", "0", "-1", "soon", "100000"] {
            assert!(patience(Some(wrong)).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_policy_is_ours_or_a_program() {
        for name in ["easy", "exec:./mine.py", "exec:python3 mine.py --fast"] {
            assert_eq!(parse_policy(name).expect(name).to_string(), name);
        }
        for wrong in ["exec:", "esay"] {
            assert!(parse_policy(wrong).expect_err(wrong).contains("exec:"), "{wrong}");
        }
    }
}
