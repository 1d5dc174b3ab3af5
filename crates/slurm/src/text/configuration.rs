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
use queuecast_records::{
    ClusterConfiguration, Enforcement, PartitionLimits, PreemptionConfiguration, PriorityConfiguration, PriorityFlags,
    PriorityWeights, PrivateData, TimeLimit, TresWeights,
};

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
    configuration.priority = priority(&settings)?;
    configuration.enforcement = Enforcement::of(&settings.text("AccountingStorageEnforce").unwrap_or_default());
    configuration.partition_limits = PartitionLimits::of(&settings.text("EnforcePartLimits").unwrap_or_default());
    let exempt = settings.span("PreemptExemptTime")?.filter(|&span| span > Seconds::ZERO);
    configuration.preemption =
        PreemptionConfiguration::of(&configuration.preempt_type, &configuration.preempt_mode, exempt);
    configuration.licenses = settings.text("Licenses").unwrap_or_default();
    configuration.memory_per_cpu_default_mebibytes = settings.size("DefMemPerCPU")?;
    configuration.memory_per_node_default_mebibytes = settings.size("DefMemPerNode")?;
    configuration.memory_per_cpu_max_mebibytes = settings.size("MaxMemPerCPU")?;
    configuration.memory_per_node_max_mebibytes = settings.size("MaxMemPerNode")?;
    Ok(configuration)
}

/// What is not said is Slurm's default; a half-life of zero is none.
fn priority(settings: &Settings<'_>) -> Result<PriorityConfiguration, PrintedError> {
    let default = PriorityConfiguration::default();
    let weight = |name| settings.number(name, "").map(|weight| weight.unwrap_or(0).unsigned_abs());
    let half_life = settings.span("PriorityDecayHalfLife")?;
    let flags = settings.text("PriorityFlags").unwrap_or_default();
    let dampening = settings.number("FairShareDampeningFactor", "")?.and_then(|factor| u32::try_from(factor).ok());
    Ok(PriorityConfiguration {
        multifactor: settings.text("PriorityType").as_deref() == Some("priority/multifactor"),
        decay_half_life: half_life
            .map_or(default.decay_half_life, |span| Some(span).filter(|&span| span > Seconds::ZERO)),
        calculation_period: settings.span("PriorityCalcPeriod")?.unwrap_or(default.calculation_period),
        max_age: settings.span("PriorityMaxAge")?.unwrap_or(default.max_age),
        favors_small: settings.text("PriorityFavorSmall").is_some_and(|word| word.eq_ignore_ascii_case("yes")),
        usage_reset_period: settings.text("PriorityUsageResetPeriod").unwrap_or(default.usage_reset_period),
        fair_share_dampening: dampening.unwrap_or(default.fair_share_dampening),
        weights: PriorityWeights {
            age: weight("PriorityWeightAge")?,
            association: weight("PriorityWeightAssoc")?,
            fair_share: weight("PriorityWeightFairShare")?,
            job_size: weight("PriorityWeightJobSize")?,
            partition: weight("PriorityWeightPartition")?,
            qos: weight("PriorityWeightQOS")?,
            tres: settings.weights("PriorityWeightTRES")?,
        },
        flags: PriorityFlags::of(&flags),
        site_factor_plugin: settings
            .text("PrioritySiteFactorPlugin")
            .filter(|name| !name.ends_with("/none"))
            .unwrap_or_default(),
    })
}

fn missing(name: &'static str) -> PrintedError {
    PrintedError::Missing { name, command: COMMAND }
}

fn not(line: u64, name: &'static str, value: &str, expected: &'static str) -> PrintedError {
    PrintedError::NotA { line, name, value: shown(value), expected }
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
        number.map(Some).ok_or_else(|| not(line, setting, value, "a whole number"))
    }

    /// A span, `7-00:00:00`. A plain number is minutes, as in slurm.conf; `UNLIMITED` is nothing that ends, and as good as zero.
    fn span(&self, setting: &'static str) -> Result<Option<Seconds>, PrintedError> {
        let Some((line, value)) = self.find(setting) else { return Ok(None) };
        match value {
            "" | "(null)" | "N/A" => return Ok(None),
            "UNLIMITED" | "INFINITE" | "NONE" => return Ok(Some(Seconds::ZERO)),
            _ => {}
        }
        let seconds = match value::digits(value.as_bytes()) {
            Some(minutes) => minutes.checked_mul(60).filter(|&seconds| seconds <= Seconds::MAX.0),
            None => value::duration_seconds(value.as_bytes()),
        };
        seconds.map(|seconds| Some(Seconds(seconds))).ok_or_else(|| not(line, setting, value, "a span of time"))
    }

    /// Mebibytes; none where there is no limit.
    fn size(&self, setting: &'static str) -> Result<Option<u64>, PrintedError> {
        if self.text(setting).is_none_or(|value| value == "UNLIMITED") {
            return Ok(None);
        }
        Ok(self.number(setting, "")?.map(i64::unsigned_abs).filter(|&mebibytes| mebibytes > 0))
    }

    fn weights(&self, setting: &'static str) -> Result<TresWeights, PrintedError> {
        let Some((line, value)) = self.find(setting) else { return Ok(TresWeights::default()) };
        TresWeights::parse(value).ok_or_else(|| not(line, setting, value, "a list of weights"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use queuecast_records::{Hidden, PreemptionKind};

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

    /// As 22.05.8 printed it in our lab.
    const RANKED: &str = "ClusterName             = alpha
AccountingStorageEnforce = associations,limits,qos,safe
DefMemPerNode           = 500
EnforcePartLimits       = ANY
FairShareDampeningFactor = 1
Licenses                = matlab:10,x
MaxMemPerCPU            = 4000
PreemptMode             = REQUEUE
PreemptType             = preempt/qos
PreemptExemptTime       = 00:05:00
PrioritySiteFactorPlugin = (null)
PriorityDecayHalfLife   = 7-00:00:00
PriorityCalcPeriod      = 00:01:00
PriorityFavorSmall      = Yes
PriorityFlags           = ACCRUE_ALWAYS,SMALL_RELATIVE_TO_TIME
PriorityMaxAge          = 1-00:00:00
PriorityUsageResetPeriod = NONE
PriorityType            = priority/multifactor
PriorityWeightAge       = 1000
PriorityWeightAssoc     = 7
PriorityWeightFairShare = 20000
PriorityWeightJobSize   = 200
PriorityWeightPartition = 500
PriorityWeightQOS       = 10000
PriorityWeightTRES      = CPU=1000,Mem=2000,GRES/gpu=3000
SLURM_VERSION           = 22.05.8
";

    #[test]
    fn how_jobs_are_ranked_and_what_is_enforced_is_found() {
        let read = configuration(RANKED.as_bytes()).expect("a configuration");
        let priority = &read.priority;
        assert!(priority.multifactor && priority.favors_small);
        assert_eq!((priority.decay_half_life, priority.calculation_period), (Some(Seconds(604_800)), Seconds(60)));
        assert_eq!((priority.max_age, priority.usage_reset_period.as_str()), (Seconds(86_400), "NONE"));
        let weights = &priority.weights;
        assert_eq!((weights.age, weights.association, weights.fair_share), (1000, 7, 20_000));
        assert_eq!((weights.job_size, weights.partition, weights.qos), (200, 500, 10_000));
        assert_eq!(weights.tres.0[2], ("gres/gpu".to_owned(), 3000.0));
        assert!(priority.flags.accrue_always && priority.flags.small_relative_to_time && !priority.flags.no_fair_tree);
        assert_eq!(read.partition_limits, PartitionLimits::ByAny);
        assert!(read.enforcement.safe && read.enforcement.qos && !read.enforcement.wckeys);
        assert_eq!((read.preemption.kind, read.preemption.exempt), (PreemptionKind::Qos, Some(Seconds(300))));
        assert_eq!(
            (read.preemption.mode.as_slice(), read.licenses.as_str()),
            (["REQUEUE".to_owned()].as_slice(), "matlab:10,x")
        );
        assert_eq!(
            (read.memory_per_node_default_mebibytes, read.memory_per_cpu_max_mebibytes),
            (Some(500), Some(4000))
        );
        assert_eq!((read.memory_per_cpu_default_mebibytes, read.memory_per_node_max_mebibytes), (None, None));
        let never = configuration(RANKED.replace("7-00:00:00", "00:00:00").as_bytes()).expect("a configuration");
        assert_eq!(never.priority.decay_half_life, None);
        let basic = configuration(PRINTED.replace("multifactor", "basic").as_bytes()).expect("a configuration");
        assert_eq!(basic.priority, PriorityConfiguration::default());
        assert!(configuration(RANKED.replace("Mem=2000", "Mem").as_bytes()).is_err());
        assert!(configuration(RANKED.replace("00:01:00", "often").as_bytes()).is_err());
    }

    #[test]
    fn what_is_no_configuration_says_why() {
        assert_eq!(configuration(b"garbage"), Err(missing("ClusterName")));
        let error = configuration(PRINTED.replace("2 sec", "soon").as_bytes()).expect_err("not a number");
        assert_eq!(error.to_string(), "4:KillWait: `soon` is not a whole number");
    }
}
