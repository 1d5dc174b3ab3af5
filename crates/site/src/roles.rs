//! Who is more than a user: operators, administrators and coordinators of accounts, as Slurm last said.
//!
//! For: finding what somebody is by name or by number, at once.
//!
//! Not for: what that lets them see (`api`).

use std::collections::HashMap;

use queuecast_records::UserRecord;

/// Those who are more than users. Everybody else is not in here, so it stays small.
#[derive(Clone, Debug, Default)]
pub struct Roles {
    by_name: HashMap<String, UserRecord>,
    names: HashMap<u32, String>,
}

impl Roles {
    /// Of what Slurm said.
    pub fn of(users: impl IntoIterator<Item = UserRecord>) -> Self {
        let more = users.into_iter().filter(UserRecord::is_more_than_a_user);
        let by_name: HashMap<String, UserRecord> = more.map(|user| (user.name.clone(), user)).collect();
        let names = by_name.values().filter_map(|user| Some((user.user_id?, user.name.clone()))).collect();
        Self { by_name, names }
    }

    /// By name.
    pub fn named(&self, name: &str) -> Option<&UserRecord> {
        self.by_name.get(name)
    }

    /// By number, where this machine knew it.
    pub fn numbered(&self, user_id: u32) -> Option<&UserRecord> {
        self.named(self.names.get(&user_id)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use queuecast_records::AdminLevel;

    #[test]
    fn those_who_are_more_than_users_are_found_by_name_and_by_number() {
        let user = |name: &str, user_id, level, account: &str| UserRecord {
            name: name.to_owned(),
            user_id,
            level,
            coordinates: account.split(',').filter(|account| !account.is_empty()).map(str::to_owned).collect(),
        };
        let roles = Roles::of([
            user("olga", Some(7), AdminLevel::Operator, ""),
            user("carl", None, AdminLevel::None, "physics"),
            user("alice", Some(9), AdminLevel::None, ""),
        ]);
        assert_eq!(roles.numbered(7).map(|user| user.level), Some(AdminLevel::Operator));
        assert_eq!(roles.named("carl").map(|user| user.coordinates.len()), Some(1));
        assert!(roles.named("alice").is_none() && roles.numbered(9).is_none() && roles.named("Olga").is_none());
    }
}
