//! The options that sbatch has: what each is called, whether it takes a value, and what it has to do with a start.
//!
//! For: one table for job scripts and for the command line. What is not in it sbatch refuses, and so do we.
//!
//! Not for: what the values mean (`asked`).
//!
//! Source: `slurm_opt.c` of 26.05 and sbatch(1) of 22.05 (whose `--share` and the like are in it too).

/// Whether an option takes a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// Always.
    Value,
    /// Behind `=`, or not.
    Maybe,
    /// Never.
    Nothing,
}

/// What an option has to do with when a job starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bearing {
    /// It is part of the question.
    Asked,
    /// It may matter, and has no part in the forecast: it is told.
    LeftOut,
    /// None.
    None,
}

/// One option.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// Behind two dashes.
    pub long: &'static str,
    /// Behind one.
    pub short: Option<char>,
    /// Whether it takes a value.
    pub takes: Takes,
    /// What it has to do with a start.
    pub bearing: Bearing,
    /// What stands for its value, and what it is, for those who ask for help; empty for those that are not shown.
    pub help: (&'static str, &'static str),
}

const fn asked(
    long: &'static str,
    short: Option<char>,
    takes: Takes,
    value: &'static str,
    help: &'static str,
) -> Known {
    Known { long, short, takes, bearing: Bearing::Asked, help: (value, help) }
}

const fn left_out(long: &'static str, short: Option<char>, takes: Takes) -> Known {
    Known { long, short, takes, bearing: Bearing::LeftOut, help: ("", "") }
}

const fn without(long: &'static str, short: Option<char>, takes: Takes) -> Known {
    Known { long, short, takes, bearing: Bearing::None, help: ("", "") }
}

use Takes::{Maybe, Nothing, Value};

/// Every option.
#[rustfmt::skip]
pub const KNOWN: &[Known] = &[
    asked("nodes", Some('N'), Value, "COUNT", "Number of nodes: 4, or 2-4"),
    asked("ntasks", Some('n'), Value, "COUNT", "Number of tasks"),
    asked("ntasks-per-node", None, Value, "COUNT", "Tasks per node"),
    asked("cpus-per-task", Some('c'), Value, "COUNT", "CPUs per task"),
    asked("time", Some('t'), Value, "TIME", "Time limit: minutes, mm:ss, hh:mm:ss, d-hh, d-hh:mm or d-hh:mm:ss"),
    asked("partition", Some('p'), Value, "NAMES", "Partition, or several separated by commas; the job starts in the first that can run it"),
    asked("mem", None, Value, "SIZE", "Memory per node, such as 16G"),
    asked("mem-per-cpu", None, Value, "SIZE", "Memory per CPU, such as 4G"),
    asked("mem-per-gpu", None, Value, "SIZE", "Memory per GPU, such as 32G"),
    asked("gres", None, Value, "LIST", "GPUs and other resources per node, such as gpu:2 or gpu:a100:2"),
    asked("gpus", Some('G'), Value, "COUNT", "Total number of GPUs: 2, or a100:2"),
    asked("gpus-per-node", None, Value, "COUNT", "GPUs per node"),
    asked("gpus-per-task", None, Value, "COUNT", "GPUs per task"),
    asked("gpus-per-socket", None, Value, "COUNT", "GPUs per socket"),
    asked("exclusive", None, Maybe, "user", "Use whole nodes; with =user, share nodes only with your own jobs"),
    asked("begin", Some('b'), Value, "TIME", "Earliest start: now+1hour, 16:00, tomorrow, teatime, 1116, 11/16 or 2026-11-16T16:00"),
    asked("dependency", Some('d'), Value, "LIST", "Jobs to wait for: afterok:123:124, afterany:123_4, after:123+10, singleton"),
    asked("array", Some('a'), Value, "TASKS", "Array tasks: 0-15 or 1,3,5-9:2; a suffix such as %4 limits how many run at once"),
    asked("constraint", Some('C'), Value, "FEATURES", "Required node features"),
    asked("nodelist", Some('w'), Value, "NODES", "Required nodes"),
    asked("exclude", Some('x'), Value, "NODES", "Nodes to avoid"),
    asked("account", Some('A'), Value, "NAME", "Account to charge"),
    asked("qos", Some('q'), Value, "NAME", "Quality of service (QOS)"),
    asked("job-name", Some('J'), Value, "NAME", "Job name"),
    asked("reservation", None, Value, "NAME", "Reservation to run in"),
    asked("licenses", Some('L'), Value, "LIST", "Required licenses"),
    asked("tasks-per-node", None, Value, "", ""),
    left_out("hold", Some('H'), Nothing),
    left_out("nice", None, Maybe),
    left_out("priority", None, Value),
    left_out("deadline", None, Value),
    left_out("time-min", None, Value),
    left_out("mincpus", None, Value),
    left_out("tmp", None, Value),
    left_out("cpus-per-gpu", None, Value),
    left_out("ntasks-per-gpu", None, Value),
    left_out("ntasks-per-tres", None, Value),
    left_out("ntasks-per-core", None, Value),
    left_out("ntasks-per-socket", None, Value),
    left_out("tres-per-task", None, Value),
    left_out("sockets-per-node", None, Value),
    left_out("cores-per-socket", None, Value),
    left_out("threads-per-core", None, Value),
    left_out("extra-node-info", Some('B'), Value),
    left_out("core-spec", Some('S'), Value),
    left_out("thread-spec", None, Value),
    left_out("hint", None, Value),
    left_out("distribution", Some('m'), Value),
    left_out("contiguous", None, Nothing),
    left_out("spread-job", None, Nothing),
    left_out("use-min-nodes", None, Nothing),
    left_out("oversubscribe", Some('s'), Nothing),
    left_out("share", None, Nothing),
    left_out("overcommit", Some('O'), Nothing),
    left_out("switches", None, Value),
    left_out("prefer", None, Value),
    left_out("cluster-constraint", None, Value),
    left_out("segment", None, Value),
    left_out("consolidate-segments", None, Nothing),
    left_out("spread-segments", None, Nothing),
    left_out("nodefile", Some('F'), Value),
    left_out("resources", None, Value),
    left_out("bb", None, Value),
    left_out("bbf", None, Value),
    left_out("gres-flags", None, Value),
    left_out("network", None, Value),
    left_out("power", None, Value),
    left_out("reboot", None, Nothing),
    left_out("delay-boot", None, Value),
    left_out("resv-ports", None, Maybe),
    left_out("cluster", None, Value),
    left_out("clusters", Some('M'), Value),
    left_out("uid", None, Value),
    left_out("gid", None, Value),
    without("output", Some('o'), Value),
    without("error", Some('e'), Value),
    without("input", Some('i'), Value),
    without("chdir", Some('D'), Value),
    without("workdir", None, Value),
    without("mail-type", None, Value),
    without("mail-user", None, Value),
    without("comment", None, Value),
    without("extra", None, Value),
    without("context", None, Value),
    without("export", None, Value),
    without("export-file", None, Value),
    without("get-user-env", None, Maybe),
    without("open-mode", None, Value),
    without("signal", None, Value),
    without("profile", None, Value),
    without("acctg-freq", None, Value),
    without("container", None, Value),
    without("container-id", None, Value),
    without("runtime", None, Value),
    without("cpu-freq", None, Value),
    without("gpu-freq", None, Value),
    without("gpu-bind", None, Value),
    without("tres-bind", None, Value),
    without("mem-bind", None, Value),
    without("mem-update", None, Value),
    without("mcs-label", None, Value),
    without("wckey", None, Value),
    without("kill-on-invalid-dep", None, Value),
    without("no-kill", Some('k'), Maybe),
    without("oom-kill-step", None, Maybe),
    without("propagate", None, Maybe),
    without("requeue", None, Maybe),
    without("no-requeue", None, Nothing),
    without("ignore-pbs", None, Nothing),
    without("batch", None, Value),
    without("external", None, Nothing),
    without("stepmgr", None, Nothing),
    without("wait-all-nodes", None, Value),
    without("parsable", None, Nothing),
    without("quiet", Some('Q'), Nothing),
    without("verbose", Some('v'), Nothing),
    without("wait", Some('W'), Nothing),
    without("test-only", None, Nothing),
    without("wrap", None, Value),
    without("help", Some('h'), Nothing),
    without("usage", None, Nothing),
    without("version", Some('V'), Nothing),
    without("autocomplete", None, Value),
];

/// The option of this short name.
pub fn short(letter: char) -> Option<&'static Known> {
    KNOWN.iter().find(|known| known.short == Some(letter))
}

/// The option of this long name, which may be cut short as long as only one begins so.
pub fn long(name: &str) -> Result<&'static Known, String> {
    if let Some(known) = KNOWN.iter().find(|known| known.long == name) {
        return Ok(known);
    }
    let begun: Vec<&Known> = KNOWN.iter().filter(|known| known.long.starts_with(name) && !name.is_empty()).collect();
    match begun.as_slice() {
        [one] => Ok(KNOWN.iter().find(|known| known.long == one.long).expect("it is from there")),
        [] => Err(match nearest(name) {
            Some(near) => format!("sbatch has no option --{name}; did you mean --{near}?"),
            None => format!("sbatch has no option --{name}"),
        }),
        [one, two, ..] => Err(format!("--{name} is ambiguous: --{} or --{}", one.long, two.long)),
    }
}

/// The option that differs least, if it is not another word altogether.
fn nearest(name: &str) -> Option<&'static str> {
    // Longer words are no options, and the distance takes as long as both are.
    let name = Some(name).filter(|name| name.len() <= 40)?;
    let near = KNOWN.iter().map(|known| (distance(name, known.long), known.long)).min()?;
    (near.0 <= 1 + name.len() / 4).then_some(near.1)
}

/// How many letters must be put in, taken out or changed.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (place, letter) in one.chars().enumerate() {
        let mut before = row[0];
        row[0] = place + 1;
        for (column, against) in other.iter().enumerate() {
            let changed = before + usize::from(letter != *against);
            before = row[column + 1];
            row[column + 1] = changed.min(before + 1).min(row[column] + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_there_once_and_may_be_cut_short_where_that_is_clear() {
        for (place, known) in KNOWN.iter().enumerate() {
            let before = &KNOWN[..place];
            assert!(before.iter().all(|other| other.long != known.long), "{}", known.long);
            assert!(known.short.is_none() || before.iter().all(|other| other.short != known.short), "{}", known.long);
        }
        assert_eq!(long("part").map(|known| known.long), Ok("partition"));
        assert_eq!(long("mem").map(|known| known.long), Ok("mem"), "the whole name, though others begin so");
        assert!(long("gpus-per").is_err_and(|told| told.contains("--gpus-per-node")));
        assert!(long("").is_err());
    }

    #[test]
    fn a_misspelt_option_is_told_with_the_one_that_is_near() {
        assert_eq!(
            long("patition").err().as_deref(),
            Some("sbatch has no option --patition; did you mean --partition?")
        );
        assert_eq!(
            long("ntask-per-node").err().as_deref(),
            Some("sbatch has no option --ntask-per-node; did you mean --ntasks-per-node?")
        );
        assert_eq!(long("frobnicate").err().as_deref(), Some("sbatch has no option --frobnicate"));
    }
}
