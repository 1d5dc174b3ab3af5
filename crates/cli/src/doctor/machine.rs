//! The machine: who we are on it, and how much of it there is.

use std::fs;

use super::finding::Finding;

/// A cluster of some thousand jobs is watched in a quarter of this; long queues take more.
const MEMORY_LEAST_MEBIBYTES: u64 = 2_048;

/// Looks at the machine.
pub fn checked() -> Vec<Finding> {
    let mut findings = vec![user()];
    let memory = fs::read_to_string("/proc/meminfo").ok().and_then(|text| total_mebibytes(&text));
    findings.extend(memory.map(of_memory));
    findings
}

fn user() -> Finding {
    const CHECK: &str = "user";
    let user = rustix::process::geteuid().as_raw();
    if user == 0 {
        return Finding::warning(
            CHECK,
            "running as root; missing permissions of the daemon's user are not detected",
            "runuser -u queuecast -- qcast doctor",
        );
    }
    Finding::good(CHECK, format!("user ID {user}; permissions are checked for this user"))
}

fn total_mebibytes(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    line.trim().trim_end_matches("kB").trim().parse::<u64>().ok().map(|kibibytes| kibibytes / 1_024)
}

fn of_memory(mebibytes: u64) -> Finding {
    const CHECK: &str = "memory";
    let found = format!("{mebibytes} MiB");
    if mebibytes < MEMORY_LEAST_MEBIBYTES {
        return Finding::warning(CHECK, found, "provide at least 2 GiB; a queue of 10,000 jobs needs half of that");
    }
    Finding::good(CHECK, found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::finding::Verdict;

    #[test]
    fn little_memory_is_a_warning() {
        assert_eq!(total_mebibytes("MemTotal:        1048576 kB\nMemFree: 3 kB\n"), Some(1_024));
        assert_eq!(of_memory(1_024).verdict, Verdict::Warning);
        assert_eq!(of_memory(4_096).verdict, Verdict::Good);
    }
}
