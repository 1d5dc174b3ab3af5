//! A share of REST `/slurm/v0.0.4x/shares`.
//!
//! Source: what is published of Slurm's parsers for v0.0.40 and v0.0.45; not recorded. 22.05 has no such path. A user's share
//! has the user's name, and the account's as its parent; an account's has its own.

use super::field::{Field, Problem, within};
use queuecast_records::{ShareRecord, Shares};

pub(super) fn decode(share: &Field<'_>) -> Result<ShareRecord, Problem> {
    let name = share.required("name")?.str().map(str::to_owned).ok_or_else(|| share.not("a share with a name"))?;
    let is_user = share.words("type")?.contains(&"USER");
    let (account, user) = if is_user { (share.text("parent")?, name) } else { (name, String::new()) };
    let part = |path: &[&str]| within(share, path, |field, name| field.decimal(name));
    let shares = share.count("shares")?.map(Shares::of).unwrap_or_default();
    Ok(ShareRecord {
        account,
        partition: share.text("partition")?,
        shares,
        normalized_shares: part(&["shares_normalized"])?,
        usage: part(&["usage"])?.filter(|usage| usage.is_finite()).unwrap_or(0.0),
        effective_usage: part(&["effective_usage"])?,
        // As sshare, which leaves an account's factor out with fair tree; in JSON it is zero there.
        fair_share: part(&["fairshare", "factor"])?.filter(|&factor| is_user || factor > 0.0),
        level: part(&["fairshare", "level"])?.filter(|_| shares != Shares::Parent),
        user,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(json: &str) -> Result<ShareRecord, Problem> {
        decode(&Field::root(&serde_json::from_str(json).expect("JSON")))
    }

    #[test]
    fn a_users_share_is_in_its_account() {
        let user = decoded(
            r#"{"id":7,"cluster":"alpha","name":"user01","parent":"proj1","partition":"","shares_normalized":
            {"set":true,"infinite":false,"number":0.25},"shares":{"set":true,"infinite":false,"number":5},"effective_usage":0.5,
            "usage":12345,"fairshare":{"factor":{"set":true,"infinite":false,"number":0.75},"level":{"set":false,"infinite":true,"number":0}},
            "type":["USER"]}"#,
        )
        .expect("a share");
        assert_eq!((user.account.as_str(), user.user.as_str(), user.shares), ("proj1", "user01", Shares::Number(5)));
        assert_eq!((user.normalized_shares, user.effective_usage), (Some(0.25), Some(0.5)));
        assert_eq!((user.usage.to_bits(), user.fair_share), (12_345_f64.to_bits(), Some(0.75)));
        assert_eq!(user.level, Some(f64::INFINITY));
        let account = decoded(r#"{"name":"proj1","parent":"root","type":[],"fairshare":{"factor":0.0,"level":2.5}}"#);
        let account = account.expect("a share");
        assert_eq!((account.account.as_str(), account.user.as_str()), ("proj1", ""));
        assert_eq!((account.fair_share, account.level), (None, Some(2.5)));
        assert!(decoded(r#"{"parent":"root"}"#).is_err());
    }
}
