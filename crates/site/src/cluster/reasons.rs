//! Why there is no estimate: what Slurm says holds a job back that is no queue.
//!
//! Source: squeue(1), "JOB REASON CODES", of 22.05; `slurm.h`. A word that is not known here is taken for a queue.

use queuecast_records::{JobRecord, StateFlag};

use queuecast_forecast::estimate::NoForecast;

/// What is played of what may hold a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// The limits of its quality of service.
    pub limits_of_qos: bool,
    /// Those of its account and user.
    pub limits_of_associations: bool,
    /// Nodes by name.
    pub single_nodes: bool,
}

/// Why nothing can be said of a waiting job, going by the job alone.
pub fn no_forecast(job: &JobRecord, played: Played) -> Option<NoForecast> {
    let because = |code: &'static str, why: String| Some(NoForecast { code, why });
    let is_held = job.priority == Some(0)
        || job.state.flags.has(StateFlag::RequeueHold)
        || job.state.flags.has(StateFlag::SpecialExit);
    if !job.reservation.is_empty() && !played.single_nodes {
        let why = format!(
            "The job runs in the reservation {}, which is not simulated on a cluster with this many nodes.",
            job.reservation
        );
        return because("in_reservation", why);
    }
    if !job.required_nodes.is_empty() && !played.single_nodes {
        let why = format!(
            "The job requests the nodes {} by name. Without --nodelist the job could be forecast, and would not wait for them.",
            job.required_nodes
        );
        return because("named_nodes", why);
    }
    let reason = job.reason.as_str();
    match reason {
        "JobHeldUser" => because("held", "The job is held; `scontrol release` releases the job.".to_owned()),
        "JobHeldAdmin" => because(
            "held",
            "The job is held by an administrator, and only an administrator can release the job.".to_owned(),
        ),
        "DependencyNeverSatisfied" => {
            let why = "The job's dependency can no longer be fulfilled, so the job will never start. Cancel the job, or change its dependency.";
            because("never", why.to_owned())
        }
        "PartitionDown" | "PartitionInactive" => {
            because("partition_down", format!("The job's partition starts no jobs now ({reason})."))
        }
        "PartitionNodeLimit" | "PartitionTimeLimit" | "AccountNotAllowed" | "BadConstraints" | "InvalidAccount"
        | "InvalidQOS" | "QOSUsageThreshold" => {
            let why = format!(
                "The job's request is not allowed ({reason}); the job will not start unless you change the request."
            );
            because("not_allowed", why)
        }
        "BurstBufferResources" | "BurstBufferStageIn" | "BurstBufferOperation" => {
            because("burst_buffer", "The job waits for a burst buffer, which is not simulated.".to_owned())
        }
        "DeadLine" => because("never", "The job can no longer end before its deadline.".to_owned()),
        _ if reason.ends_with("PerJobLimit")
            || reason.ends_with("PerJob")
            || reason.ends_with("MaxWallDurationPerJobLimit") =>
        {
            let why = format!(
                "The job requests more than one job may have ({reason}), and will not start unless you change the request."
            );
            because("not_allowed", why)
        }
        _ if reason.starts_with("Assoc") && !played.limits_of_associations => because(
            "limit",
            format!("The job waits for a limit of its account or user ({reason}) that could not be read."),
        ),
        _ if (reason.starts_with("QOS") || reason.starts_with("Max")) && !played.limits_of_qos => {
            because("limit", format!("The job waits for a limit ({reason}) that could not be read."))
        }
        _ if reason.contains("Minutes") && !reason.contains("RunMin") => {
            because("limit", format!("The job waits for a limit on used minutes ({reason}), which is not simulated."))
        }
        _ if is_held => because("held", "The job is held (its priority is 0).".to_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::test_cluster::waiting;

    fn code(change: impl FnOnce(&mut JobRecord), is_known: bool) -> Option<&'static str> {
        let mut job = waiting(1, 1);
        change(&mut job);
        let played = Played { limits_of_qos: is_known, limits_of_associations: is_known, single_nodes: is_known };
        no_forecast(&job, played).map(|none| none.code)
    }

    #[test]
    fn who_waits_for_nodes_is_played_and_who_is_held_is_not() {
        assert_eq!(code(|job| job.reason = "Resources".to_owned(), false), None);
        assert_eq!(code(|job| job.reason = "Priority".to_owned(), false), None);
        assert_eq!(code(|job| job.reason = "SomethingNew".to_owned(), false), None);
        assert_eq!(code(|job| job.reason = "JobHeldUser".to_owned(), false), Some("held"));
        assert_eq!(code(|job| job.priority = Some(0), false), Some("held"));
        assert_eq!(code(|job| job.reservation = "course".to_owned(), false), Some("in_reservation"));
        assert_eq!(code(|job| job.reservation = "course".to_owned(), true), None);
    }

    #[test]
    fn a_limit_of_a_quality_of_service_is_played_where_it_is_known() {
        let limited = |job: &mut JobRecord| job.reason = "QOSMaxJobsPerUserLimit".to_owned();
        assert_eq!(code(limited, true), None);
        assert_eq!(code(limited, false), Some("limit"));
        assert_eq!(code(|job| job.reason = "AssocGrpCpuLimit".to_owned(), true), None);
        assert_eq!(code(|job| job.reason = "AssocGrpCpuLimit".to_owned(), false), Some("limit"));
        assert_eq!(code(|job| job.reason = "QOSMaxCpuPerJobLimit".to_owned(), true), Some("not_allowed"));
        assert_eq!(code(|job| job.reason = "QOSGrpCPURunMinutesLimit".to_owned(), true), None);
        assert_eq!(code(|job| job.reason = "QOSGrpCPUMinutesLimit".to_owned(), true), Some("limit"));
    }
}
