//! The tree of the site: three institutes, eight accounts, sixty users, all with unequal shares.
//!
//! Not for: limits (`limits.rs`).
//!
//! Source: sacctmgr(1), and `fair_tree` of Slurm's documentation: shares count among siblings only. One account has
//! `fairshare=parent` for its users, who then stand as one.

use crate::users;

/// How many users there are.
pub const USERS: u32 = 60;

/// An account: its name, its institute, its share among the institute's, and how many users it has. Users are dealt in this order.
struct Account {
    name: &'static str,
    institute: &'static str,
    share: u32,
    users: u32,
}

/// The institutes and their shares.
const INSTITUTES: [(&str, u32); 3] = [("physics", 50), ("biology", 30), ("engineering", 20)];

const fn account(name: &'static str, institute: &'static str, share: u32, users: u32) -> Account {
    Account { name, institute, share, users }
}

const ACCOUNTS: [Account; 8] = [
    account("astro", "physics", 40, 12),
    account("particles", "physics", 40, 9),
    account("plasma", "physics", 20, 5),
    account("genome", "biology", 60, 11),
    account("cells", "biology", 30, 7),
    account("ecology", "biology", 10, 3),
    account("flow", "engineering", 70, 9),
    account("structures", "engineering", 30, 4),
];
/// The one whose users have no shares of their own.
const SHARED_BY_ALL: &str = "ecology";

/// Who has more than one share: those whose number leaves this when divided by four, and how many.
const LARGER_SHARES: [(u32, u32); 3] = [(0, 10), (1, 5), (2, 2)];

/// The account a user, counted from one, works for.
pub fn account_of(user: u32) -> &'static str {
    let mut before = 0;
    let found = ACCOUNTS.iter().find(|account| {
        before += account.users;
        user <= before
    });
    found.unwrap_or(&ACCOUNTS[0]).name
}

/// The account a user works for beside that, if any: every seventh is a guest in the next.
pub fn second_account_of(user: u32) -> Option<&'static str> {
    let place = ACCOUNTS.iter().position(|account| account.name == account_of(user))?;
    user.is_multiple_of(7).then(|| ACCOUNTS[(place + 1) % ACCOUNTS.len()].name)
}

/// What sacctmgr is told of the tree. In as few orders as it can be said: each takes half a second on a busy machine.
pub fn tree() -> String {
    let mut orders = Vec::new();
    for (institute, share) in INSTITUTES {
        orders.push(format!(
            "add account {institute} description=lab organization=lab fairshare={share} \
             qos=normal,high,history defaultqos=normal"
        ));
    }
    for Account { name, institute, share, .. } in ACCOUNTS {
        orders
            .push(format!("add account {name} parent={institute} description=lab organization=lab fairshare={share}"));
    }
    for Account { name, .. } in ACCOUNTS {
        let share = if name == SHARED_BY_ALL { "parent" } else { "1" };
        orders.push(format!("add user {} account={name} fairshare={share}", named(|user| account_of(user) == name)));
    }
    for (remainder, share) in LARGER_SHARES {
        let have_it = named(|user| user % 4 == remainder && account_of(user) != SHARED_BY_ALL);
        orders.push(format!("modify user where name={have_it} set fairshare={share}"));
    }
    for Account { name, .. } in ACCOUNTS {
        let guests = named(|user| second_account_of(user) == Some(name));
        if !guests.is_empty() {
            orders.push(format!("add user {guests} account={name} fairshare=1"));
        }
    }
    orders.push("add user root account=astro fairshare=1\n".to_owned());
    orders.join("\n")
}

/// The names of those users, with commas.
fn named(is_one: impl Fn(u32) -> bool) -> String {
    let names: Vec<String> = (1..=USERS).filter(|user| is_one(*user)).map(users::name).collect();
    names.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_user_has_an_account_and_every_account_its_users() {
        assert_eq!(ACCOUNTS.iter().map(|account| account.users).sum::<u32>(), USERS);
        for account in ACCOUNTS {
            let members = (1..=USERS).filter(|user| account_of(*user) == account.name).count();
            assert_eq!(members, account.users as usize, "{}", account.name);
            assert!(INSTITUTES.iter().any(|(institute, _)| *institute == account.institute));
        }
        assert_eq!(
            (account_of(1), account_of(12), account_of(13), account_of(60)),
            ("astro", "astro", "particles", "structures")
        );
    }

    #[test]
    fn guests_are_in_another_account_than_their_own() {
        let guests = (1..=USERS).filter_map(|user| Some((account_of(user), second_account_of(user)?)));
        assert!(guests.clone().count() >= 6);
        assert!(guests.clone().all(|(own, second)| own != second));
    }

    #[test]
    fn shares_are_unequal_and_one_account_has_none_for_its_users() {
        let tree = tree();
        assert!(tree.contains("modify user where name=user04,user08,"));
        assert!(tree.contains("add user user45,user46,user47 account=ecology fairshare=parent\n"));
        assert!(tree.contains("add account flow parent=engineering description=lab organization=lab fairshare=70\n"));
    }
}
