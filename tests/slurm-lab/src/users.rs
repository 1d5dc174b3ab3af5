//! The lab's users: in files of its own, shown to every process of the lab by `libnss_wrapper`, so that none is added
//! to the machine's own users.

use std::fmt::Write;
use std::fs;

use anyhow::Result;

use crate::folder::Folder;

/// Numbers of users begin after this one; groups have the same.
const BEFORE_FIRST_NUMBER: u32 = 20_000;
/// How many accounts the users are dealt over.
const ACCOUNTS: u32 = 4;

/// The name of a user, counted from one.
pub fn name(user: u32) -> String {
    format!("user{user:02}")
}

/// The account of a user, counted from one.
pub fn account(user: u32) -> String {
    format!("project{}", (user - 1) % ACCOUNTS + 1)
}

/// The number of a user's name, which is also the number of the group. `root` has 0.
pub fn number(name: &str) -> Option<u32> {
    if name == "root" {
        return Some(0);
    }
    let user: u32 = name.strip_prefix("user")?.parse().ok()?;
    (user > 0).then_some(BEFORE_FIRST_NUMBER + user)
}

/// Writes the lists of users and groups.
pub fn write(folder: &Folder, users: u32) -> Result<()> {
    let mut passwd = fs::read_to_string("/etc/passwd")?;
    let mut group = fs::read_to_string("/etc/group")?;
    for user in 1..=users {
        let (name, number) = (name(user), BEFORE_FIRST_NUMBER + user);
        writeln!(passwd, "{name}:x:{number}:{number}:lab user:{}:/bin/sh", folder.work().display())?;
        writeln!(group, "{name}:x:{number}:")?;
    }
    fs::write(folder.configuration("passwd"), passwd)?;
    fs::write(folder.configuration("group"), group)?;
    Ok(())
}

/// What sacctmgr is told of clusters.
pub fn clusters<'a>(clusters: impl Iterator<Item = &'a str>) -> String {
    clusters.fold(String::new(), |orders, cluster| orders + "add cluster " + cluster + "\n")
}

/// What sacctmgr is told: clusters, accounts and users.
pub fn accounting<'a>(names: impl Iterator<Item = &'a str>, users: u32) -> String {
    let mut orders = Vec::new();
    let accounts: Vec<String> = (1..=ACCOUNTS).map(|account| format!("project{account}")).collect();
    orders.push(format!("add account {} description=lab organization=lab", accounts.join(",")));
    for (account, first) in accounts.iter().zip(1..) {
        let members: Vec<String> = (first..=users).step_by(ACCOUNTS as usize).map(name).collect();
        if !members.is_empty() {
            orders.push(format!("add user {} account={account}", members.join(",")));
        }
    }
    orders.push("add user root account=project1\n".to_owned());
    clusters(names) + &orders.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_have_numbers_of_their_own() {
        assert_eq!(number(&name(3)), Some(20_003));
        assert_eq!(number("root"), Some(0));
        assert_eq!(number("user00"), None);
        assert_eq!(number("daemon"), None);
    }

    #[test]
    fn users_are_dealt_over_the_accounts() {
        let orders = accounting(["alpha"].into_iter(), 5);
        assert!(orders.contains("add user user01,user05 account=project1\n"));
        assert!(orders.contains("add user user04 account=project4\n"));
        assert_eq!((account(5), account(4)), ("project1".to_owned(), "project4".to_owned()));
    }
}
