//! What sbatch says when it refuses, in Slurm's words; and what is said of a job that it takes and that never starts.
//!
//! Source: the texts of `slurm_errno.c` and the reasons of `slurm_protocol_defs.c` of 22.05.

use queuecast_forecast::estimate::NoForecast;

pub const INVALID_PARTITION: &str = "Invalid partition name specified";
pub const NO_DEFAULT_PARTITION: &str = "No partition specified or system default partition";
pub const PARTITION_NOT_AVAILABLE: &str = "Required partition not available (inactive or drain)";
pub const ACCESS_DENIED: &str = "Access/permission denied";
pub const INVALID_ACCOUNT: &str = "Invalid account or account/partition combination specified";
pub const INVALID_QOS: &str = "Invalid qos specification";
pub const INVALID_TIME_LIMIT: &str = "Requested time limit is invalid (missing or exceeds some limit)";
pub const INVALID_NODE_COUNT: &str = "Node count specification invalid";
pub const TOO_MANY_CPUS: &str = "More processors requested than permitted";
pub const INVALID_MEMORY: &str = "Memory required by task is not available";
pub const INVALID_NODE_NAME: &str = "Invalid node name specified";
pub const INVALID_FEATURE: &str = "Invalid feature specification";
pub const INVALID_GRES: &str = "Invalid generic resource (gres) specification";
pub const INVALID_LICENCES: &str = "Invalid license specification";
pub const INVALID_RESERVATION: &str = "Requested reservation is invalid";
pub const RESERVATION_ACCESS: &str = "Access denied to requested reservation";
pub const NODE_CONFIGURATION: &str = "Requested node configuration is not available";
pub const POLICY: &str = "Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)";

/// What sbatch refuses, with its words.
pub fn refused(error: &str, why: &str) -> NoForecast {
    NoForecast { code: "refused", why: format!("sbatch rejects the job: {error}. {why}") }
}

/// What sbatch takes and Slurm never starts, with the reason that squeue would show.
pub fn never_starts(reason: &str, why: &str) -> NoForecast {
    NoForecast {
        code: "not_allowed",
        why: format!("sbatch accepts the job, but the job would never start ({reason}). {why}"),
    }
}
