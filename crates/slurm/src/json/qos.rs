//! A quality of service of REST `/slurmdb/.../qos`.
//!
//! Source: 22.05 (v0.0.38) in our lab, which says neither `GrpSubmitJobs` nor `GrpTRESMins`. From v0.0.40 on numbers are
//! `{"set","infinite","number"}` and the limits keep their places by what is published of Slurm's parsers; not
//! recorded.

use super::accounting_job::resources;
use super::field::{Field, Problem, within};
use queuecast_records::{QosRecord, TimeLimit, Tres, TresLimits};

pub(super) fn decode(qos: &Field<'_>) -> Result<QosRecord, Problem> {
    qos.required("name")?;
    let limits = qos.required("limits")?;
    let max = limits.required("max")?;
    let count = |path: &[&str]| within(&max, path, a_count);
    let tres = |path: &[&str]| within::<Tres>(&max, path, resources);
    Ok(QosRecord {
        name: qos.text("name")?,
        priority: qos.count("priority")?.unwrap_or(0),
        flags: qos.names("flags")?,
        preempts: within(qos, &["preempt", "list"], names)?,
        group: TresLimits {
            jobs: count(&["active_jobs", "count"])?,
            submitted_jobs: count(&["jobs", "count"])?,
            tres: tres(&["tres", "total"])?,
        },
        per_user: TresLimits {
            jobs: count(&["jobs", "active_jobs", "per", "user"])?,
            submitted_jobs: count(&["jobs", "per", "user"])?,
            tres: tres(&["tres", "per", "user"])?,
        },
        per_account: TresLimits {
            jobs: count(&["jobs", "active_jobs", "per", "account"])?,
            submitted_jobs: count(&["jobs", "per", "account"])?,
            tres: tres(&["tres", "per", "account"])?,
        },
        per_job: tres(&["tres", "per", "job"])?,
        wall: within(&max, &["wall_clock", "per", "job"], a_limit)?,
        usage_factor: qos.decimal("usage_factor")?.filter(|factor| factor.is_finite()).unwrap_or(1.0),
        usage_threshold: qos.decimal("usage_threshold")?.filter(|threshold| threshold.is_finite()),
        limit_factor: limits.decimal("factor")?.filter(|factor| factor.is_finite()),
        preempt_modes: preempt_modes(&within(qos, &["preempt", "mode"], names)?),
        preempt_exempt: within(qos, &["preempt", "exempt_time"], |field, name| field.span(name))?,
        grace: limits.span("grace_time")?,
        // From v0.0.41 or so on; 22.05 does not say it.
        group_minutes: tres(&["tres", "minutes", "total"])?,
        group_running_minutes: tres(&["tres", "minutes", "per", "qos"])?,
        minutes_per_job: tres(&["tres", "minutes", "per", "job"])?,
        running_minutes_per_user: tres(&["tres", "minutes", "per", "user"])?,
        running_minutes_per_account: tres(&["tres", "minutes", "per", "account"])?,
        group_wall: within(&max, &["wall_clock", "per", "qos"], a_limit)?,
        per_node: tres(&["tres", "per", "node"])?,
        min_per_job: within(&limits, &["min", "tres", "per", "job"], resources)?,
    })
}

/// `DISABLED`, which is zero, is what text calls `cluster`: the cluster's setting counts.
fn preempt_modes(words: &[String]) -> Vec<String> {
    let own = words.iter().filter(|word| !word.eq_ignore_ascii_case("disabled"));
    own.map(|word| word.to_ascii_uppercase()).collect()
}

fn a_count(field: &Field<'_>, name: &str) -> Result<Option<u64>, Problem> {
    field.count(name)
}

fn a_limit(field: &Field<'_>, name: &str) -> Result<TimeLimit, Problem> {
    field.limit(name)
}

fn names(field: &Field<'_>, name: &str) -> Result<Vec<String>, Problem> {
    field.names(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(json: &str) -> Result<QosRecord, Problem> {
        decode(&Field::root(&serde_json::from_str(json).expect("JSON")))
    }

    /// As 22.05.8 wrote it in our lab, shortened.
    #[test]
    fn every_limit_is_found_in_its_place() {
        let qos = decoded(
            r#"{"flags":["NO_RESERVE","DENY_LIMIT"],"name":"urgent","priority":100,"preempt":{"list":["normal"]},"limits":{"max":{
            "active_jobs":{"accruing":null,"count":50},"wall_clock":{"per":{"qos":100,"job":3630}},
            "tres":{"total":[{"type":"cpu","name":null,"id":1,"count":1000},{"type":"mem","name":null,"id":2,"count":2097152}],
                    "per":{"account":[{"type":"cpu","name":null,"id":1,"count":9}],"job":[{"type":"node","name":null,"id":4,"count":3}],
                           "node":[],"user":[{"type":"cpu","name":null,"id":1,"count":64}]}},
            "jobs":{"active_jobs":{"per":{"account":6,"user":5}},"per":{"account":8,"user":7}}}}}"#,
        );
        let qos = qos.expect("a quality of service");
        assert_eq!((qos.name.as_str(), qos.priority, qos.preempts), ("urgent", 100, vec!["normal".to_owned()]));
        assert_eq!((qos.group.jobs, qos.group.submitted_jobs), (Some(50), None));
        assert_eq!((qos.group.tres.cpus, qos.group.tres.memory_mebibytes), (Some(1000), Some(2_097_152)));
        assert_eq!(
            (qos.per_user.jobs, qos.per_user.submitted_jobs, qos.per_user.tres.cpus),
            (Some(5), Some(7), Some(64))
        );
        assert_eq!((qos.per_account.jobs, qos.per_account.submitted_jobs), (Some(6), Some(8)));
        assert_eq!((qos.per_account.tres.cpus, qos.per_job.nodes), (Some(9), Some(3)));
        assert_eq!(qos.wall, TimeLimit::Minutes(3630));
    }

    #[test]
    fn what_is_not_set_is_no_limit_in_either_form() {
        let qos = decoded(
            r#"{"name":"normal","priority":{"set":true,"infinite":false,"number":3},"limits":{"max":{"active_jobs":{"count":
            {"set":false,"infinite":true,"number":0}},"wall_clock":{"per":{"job":{"set":false,"infinite":true,"number":0}}}}}}"#,
        );
        let qos = qos.expect("a quality of service");
        assert_eq!((qos.priority, qos.group, qos.wall), (3, TresLimits::default(), TimeLimit::Unlimited));
        assert!(decoded(r#"{"name":"normal"}"#).is_err());
    }
}
