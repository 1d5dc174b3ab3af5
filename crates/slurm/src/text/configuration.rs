//! `scontrol show config`: a setting a line, `KillWait                = 30 sec`.
//!
//! For: the settings that scheduling depends on.
//!
//! Not for: the others, which are passed over; they hold paths and names of hosts that nobody needs here.
//!
//! Source: 22.05.8 in our lab. A setting that a version does not have has Slurm's default, or is empty.

use queuecast_workload::Seconds;

use super::listing::shown;
use super::printed::PrintedError;
use super::value;
use queuecast_records::{ClusterConfiguration, PrivateData, TimeLimit};

/// What prints it, in messages.
const COMMAND: &str = "scontrol show config";

/// Reads what `scontrol show config` prints.
pub fn configuration(bytes: &[u8]) -> Result<ClusterConfiguration, PrintedError> {
    let text = String::from_utf8_lossy(bytes);
    let settings = Settings(&text);
    let name = settings.text("ClusterName").ok_or(missing("ClusterName"))?;
    let version = settings.text("SLURM_VERSION").ok_or(missing("SLURM_VERSION"))?;
    let mut configuration = ClusterConfiguration::new(name, version);
    if let Some(scheduler_type) = settings.text("SchedulerType") {
        configuration.scheduler_type = scheduler_type;
    }
    configuration.schedule_by(settings.text("SchedulerParameters").unwrap_or_default());
    configuration.select_type = settings.text("SelectType").unwrap_or_default();
    configuration.select_type_parameters = settings.text("SelectTypeParameters").unwrap_or_default();
    configuration.priority_type = settings.text("PriorityType").unwrap_or_default();
    configuration.preempt_type = settings.text("PreemptType").unwrap_or_default();
    configuration.preempt_mode = settings.text("PreemptMode").unwrap_or_default();
    configuration.private_data = PrivateData::parse(&settings.text("PrivateData").unwrap_or_default());
    if let Some(seconds) = settings.number("KillWait", " sec")? {
        configuration.kill_wait = Seconds(seconds);
    }
    if let Some(seconds) = settings.number("MinJobAge", " sec")? {
        configuration.min_job_age = Seconds(seconds);
    }
    if let Some(count) = settings.number("MaxJobCount", "")? {
        configuration.max_job_count = count.unsigned_abs();
    }
    if settings.text("OverTimeLimit").as_deref() == Some("UNLIMITED") {
        configuration.over_time_limit = TimeLimit::Unlimited;
    } else if let Some(minutes) = settings.number("OverTimeLimit", " min")? {
        configuration.over_time_limit = TimeLimit::Minutes(u32::try_from(minutes).unwrap_or(u32::MAX));
    }
    Ok(configuration)
}

fn missing(name: &'static str) -> PrintedError {
    PrintedError::Missing { name, command: COMMAND }
}

struct Settings<'a>(&'a str);

impl<'a> Settings<'a> {
    /// The line of a setting and what stands there; where it is there twice, the first.
    fn find(&self, setting: &str) -> Option<(u64, &'a str)> {
        let mut lines = (1_u64..).zip(self.0.lines());
        lines.find_map(|(number, line)| {
            let (name, value) = line.split_once('=')?;
            (name.trim() == setting).then(|| (number, value.trim()))
        })
    }

    /// What it says; nothing where Slurm says that it has none.
    fn text(&self, setting: &str) -> Option<String> {
        let (_, value) = self.find(setting)?;
        (!matches!(value, "" | "(null)" | "N/A")).then(|| value.to_owned())
    }

    /// A number with this unit behind it, or without it.
    fn number(&self, setting: &'static str, unit: &str) -> Result<Option<i64>, PrintedError> {
        let Some((line, value)) = self.find(setting) else { return Ok(None) };
        let digits = value.strip_suffix(unit).unwrap_or(value);
        let number = value::digits(digits.as_bytes());
        number.map(Some).ok_or_else(|| PrintedError::NotA {
            line,
            name: setting,
            value: shown(value),
            expected: "a whole number",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use queuecast_records::Hidden;

    const PRINTED: &str = "Configuration data as of 1794747486
AuthInfo                = socket=/lab/run/munge.sock,cred_expire=10
ClusterName             = alpha
KillWait                = 2 sec
MaxJobCount             = 100000
MinJobAge               = 300 sec
OverTimeLimit           = 3 min
PowerPlugin             = 
PreemptMode             = REQUEUE
PreemptType             = preempt/partition_prio
PriorityType            = priority/multifactor
PrivateData             = jobs,usage
SchedulerParameters     = bf_interval=1,bf_continue,bf_window=10080
SchedulerType           = sched/backfill
SelectType              = select/cons_tres
SelectTypeParameters    = CR_CORE_MEMORY
SLURM_VERSION           = 22.05.8

Slurmctld(primary) at vm is UP
";

    #[test]
    fn the_settings_that_matter_are_found() {
        let read = configuration(PRINTED.as_bytes()).expect("a configuration");
        assert_eq!((read.cluster_name.as_str(), read.slurm_version.as_str()), ("alpha", "22.05.8"));
        assert_eq!((read.kill_wait, read.min_job_age), (Seconds(2), Seconds(300)));
        assert_eq!((read.over_time_limit, read.max_job_count), (TimeLimit::Minutes(3), 100_000));
        assert_eq!(read.private_data, PrivateData::NOTHING.and(Hidden::Jobs).and(Hidden::Usage));
        assert!(read.backfill.is_on && read.backfill.continues);
        assert_eq!((read.backfill.interval, read.backfill.window), (Seconds(1), Seconds(604_800)));
        assert_eq!((read.main_depth, read.main_interval), (100, Seconds(60)), "Slurm's defaults");
        assert_eq!((read.preempt_mode.as_str(), read.select_type.as_str()), ("REQUEUE", "select/cons_tres"));
        let builtin = configuration(PRINTED.replace("sched/backfill", "sched/builtin").as_bytes());
        assert!(!builtin.expect("a configuration").backfill.is_on);
        let unlimited = configuration(PRINTED.replace("3 min", "UNLIMITED").as_bytes());
        assert_eq!(unlimited.expect("a configuration").over_time_limit, TimeLimit::Unlimited);
    }

    #[test]
    fn what_is_no_configuration_says_why() {
        assert_eq!(configuration(b"garbage"), Err(missing("ClusterName")));
        let error = configuration(PRINTED.replace("2 sec", "soon").as_bytes()).expect_err("not a number");
        assert_eq!(error.to_string(), "4:KillWait: `soon` is not a whole number");
    }
}
