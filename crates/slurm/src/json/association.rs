//! An association of REST `/slurmdb/.../associations`.
//!
//! Source: 22.05 (v0.0.38) of our lab, which says no number of it. From v0.0.40 on numbers are `{"set","infinite","number"}`,
//! `id` is there (a number, in some versions within an object), and the limits keep their places, by what is published of
//! Slurm's parsers (v0.0.40 and v0.0.45); not recorded.

use super::accounting_job::resources;
use super::field::{Field, Problem, within};
use queuecast_records::{AssociationRecord, Shares, TimeLimit, Tres, TresLimits};

pub(super) fn decode(association: &Field<'_>) -> Result<AssociationRecord, Problem> {
    association.required("account")?;
    association.required("cluster")?;
    let count = |path: &[&str]| within(association, path, |field, name| field.count(name));
    let tres = |path: &[&str]| within::<Tres>(association, path, resources);
    let wall = |path: &[&str]| within::<TimeLimit>(association, path, |field, name| field.limit(name));
    let number = match association.get("id") {
        Some(id) if id.has("id") => id.small_count("id")?,
        _ => association.small_count("id")?,
    };
    Ok(AssociationRecord {
        cluster: association.text("cluster")?,
        account: association.text("account")?,
        user: association.text("user")?,
        partition: association.text("partition")?,
        parent: association.text("parent_account")?,
        id: number.filter(|&id| id > 0),
        shares: association.count("shares_raw")?.map(Shares::of).unwrap_or_default(),
        priority: association.count("priority")?.unwrap_or(0),
        qos: association.names("qos")?,
        qos_default: within(association, &["default", "qos"], |field, name| field.text(name))?,
        group: TresLimits {
            jobs: count(&["max", "jobs", "per", "count"])?,
            submitted_jobs: count(&["max", "jobs", "per", "submitted"])?,
            tres: tres(&["max", "tres", "total"])?,
        },
        group_minutes: tres(&["max", "tres", "group", "minutes"])?,
        group_running_minutes: tres(&["max", "tres", "group", "active"])?,
        group_wall: wall(&["max", "per", "account", "wall_clock"])?,
        own: TresLimits {
            jobs: count(&["max", "jobs", "active"])?,
            submitted_jobs: count(&["max", "jobs", "total"])?,
            tres: Tres::default(),
        },
        per_job: tres(&["max", "tres", "per", "job"])?,
        per_node: tres(&["max", "tres", "per", "node"])?,
        minutes_per_job: tres(&["max", "tres", "minutes", "per", "job"])?,
        wall: wall(&["max", "jobs", "per", "wall_clock"])?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(json: &str) -> Result<AssociationRecord, Problem> {
        decode(&Field::root(&serde_json::from_str(json).expect("JSON")))
    }

    #[test]
    fn a_newer_version_says_the_same_with_other_numbers() {
        let newer = decoded(
            r#"{"account":"proj1","cluster":"alpha","user":"user01","partition":"","parent_account":"","id":7,"shares_raw":2147483647,
            "priority":{"set":true,"infinite":false,"number":3},"qos":["normal","urgent"],"default":{"qos":"urgent"},
            "max":{"jobs":{"per":{"count":{"set":false,"infinite":true,"number":0},"wall_clock":{"set":true,"infinite":false,"number":150}},
            "active":{"set":true,"infinite":false,"number":4},"total":{"set":true,"infinite":false,"number":6}},
            "tres":{"total":[],"per":{"job":[{"type":"cpu","name":"","id":1,"count":16}]}}}}"#,
        )
        .expect("an association");
        assert_eq!((newer.id, newer.shares, newer.priority), (Some(7), Shares::Parent, 3));
        assert_eq!((newer.own.jobs, newer.own.submitted_jobs, newer.group.jobs), (Some(4), Some(6), None));
        assert_eq!((newer.wall, newer.per_job.cpus), (TimeLimit::Minutes(150), Some(16)));
        assert_eq!((newer.qos_default.as_str(), newer.qos.len()), ("urgent", 2));
        let older = decoded(r#"{"account":"proj1","cluster":"alpha","id":{"id":7,"cluster":"alpha"},"user":"user01"}"#);
        assert_eq!(older.expect("an association").id, Some(7));
        assert!(decoded(r#"{"account":"proj1","user":"user01"}"#).is_err());
        assert!(decoded(r#"{"account":"proj1","cluster":"alpha","max":{"jobs":{"active":"x"}}}"#).is_err());
    }
}
