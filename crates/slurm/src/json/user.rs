//! A user of REST `/slurmdb/.../users`.
//!
//! Source: 22.05 (v0.0.38) in our lab, where the level is one word; from v0.0.40 on it is an array of one, by what is published of
//! Slurm's parsers.

use super::field::{Field, Problem};
use queuecast_records::{AdminLevel, UserRecord};

pub(super) fn decode(user: &Field<'_>) -> Result<UserRecord, Problem> {
    let name = user.required("name")?.str().map(str::to_owned).ok_or_else(|| user.not("a user with a name"))?;
    let levels = user.words("administrator_level")?;
    let mut coordinates = Vec::new();
    if let Some(accounts) = user.get("coordinators") {
        for account in accounts.items()? {
            coordinates.push(account.text("name")?);
        }
    }
    coordinates.retain(|account| !account.is_empty());
    let level = levels.into_iter().map(AdminLevel::of).max().unwrap_or_default();
    Ok(UserRecord { name, user_id: None, level, coordinates })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(json: &str) -> Result<UserRecord, Problem> {
        decode(&Field::root(&serde_json::from_str(json).expect("JSON")))
    }

    #[test]
    fn a_level_is_a_word_or_an_array_of_one() {
        let older = decoded(
            r#"{"administrator_level":"Operator","coordinators":[{"name":"proj1","direct":1}],"name":"user01","associations":[]}"#,
        )
        .expect("a user");
        assert_eq!((older.name.as_str(), older.level), ("user01", AdminLevel::Operator));
        assert_eq!(older.coordinates, ["proj1"]);
        let newer = decoded(r#"{"administrator_level":["Administrator"],"name":"root"}"#).expect("a user");
        assert_eq!((newer.level, newer.coordinates.len()), (AdminLevel::Administrator, 0));
        let plain =
            decoded(r#"{"administrator_level":["Not Set"],"coordinators":[],"name":"user02"}"#).expect("a user");
        assert!(!plain.is_more_than_a_user());
        for wrong in [r#"{"name":7}"#, r#"{"administrator_level":"None"}"#, r#"{"name":"x","coordinators":"proj1"}"#] {
            assert!(decoded(wrong).is_err(), "{wrong}");
        }
    }
}
