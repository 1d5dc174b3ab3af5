//! A quality of service of REST `/slurmdb/.../qos`.
//!
//! Source: 22.05 (v0.0.38) in our lab, which does not say `GrpSubmitJobs`. From v0.0.40 on numbers are
//! `{"set","infinite","number"}` and the limits keep their places by what is published of Slurm's parsers; not
//! recorded.

use super::accounting_job::resources;
use super::field::{Field, Problem};
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
        ..QosRecord::default()
    })
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

/// The value at the end of a path; what a value is that is not said, if a step of the path is missing.
fn within<T: Default>(
    field: &Field<'_>,
    path: &[&str],
    read: impl FnOnce(&Field<'_>, &str) -> Result<T, Problem>,
) -> Result<T, Problem> {
    match path {
        [] => Ok(T::default()),
        [name] => read(field, name),
        [name, rest @ ..] => match field.get(name) {
            Some(inner) => within(&inner, rest, read),
            None => Ok(T::default()),
        },
    }
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
