//! Which numbers users have on this machine.
//!
//! For: those few who are more than users: who comes to a unix socket is a number to the kernel, and to Slurm a name.
//!
//! Not for: everybody else; nothing depends on their numbers.
//!
//! Source: getent(1), which asks whatever the machine asks (files, LDAP, SSSD) and prints `name:password:number:...`. It ends with 2 if
//! it knows some of the names only.

use std::process::Command;

use super::question::answer;
use queuecast_records::UserRecord;
use queuecast_records::source::AnswerLimits;

/// So many names are asked for at once.
const AT_ONCE: usize = 500;
/// Not knowing somebody is an answer.
const ASK: &str = "getent passwd -- \"$@\" || [ $? -eq 2 ]";

/// Gives those who are more than users their numbers, as far as this machine knows them. What cannot be asked is not known.
pub(super) fn number(users: &mut [UserRecord], shell: impl Fn() -> Command, limits: AnswerLimits) {
    let mut more: Vec<&mut UserRecord> = users.iter_mut().filter(|user| user.is_more_than_a_user()).collect();
    for some in more.chunks_mut(AT_ONCE) {
        let mut command = shell();
        command.args(["-c", ASK, "sh"]).args(some.iter().map(|user| &user.name));
        let Ok(said) = answer(command, limits) else { return };
        let said = String::from_utf8_lossy(&said);
        for user in some {
            user.user_id = said.lines().find_map(|line| number_in(line, &user.name));
        }
    }
}

/// The number in an entry, if it is of this name: asked for a name of digits alone, getent takes it for a number.
fn number_in(entry: &str, name: &str) -> Option<u32> {
    let mut fields = entry.split(':');
    (fields.next()? == name).then(|| fields.nth(1)?.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;
    use queuecast_records::AdminLevel;

    #[test]
    fn those_who_are_more_than_users_get_their_numbers() {
        let user = |name: &str, level| UserRecord { name: name.to_owned(), level, ..UserRecord::default() };
        let mut users = vec![
            user("root", AdminLevel::Administrator),
            user("daemon", AdminLevel::None),
            user("0", AdminLevel::Operator),
            user("nobody-of-this-name", AdminLevel::Operator),
            user("--help", AdminLevel::Operator),
            user("$(id)", AdminLevel::Operator),
        ];
        number(&mut users, || Command::new("sh"), AnswerLimits::default());
        assert_eq!(users.iter().map(|user| user.user_id).collect::<Vec<_>>(), [Some(0), None, None, None, None, None]);
        assert_eq!(number_in("alice:x:1000:100::/home/alice:/bin/sh", "alice"), Some(1_000));
        for wrong in ["alice:x:1000", "bob:x:1000:", "alice:x:", "alice", "", "alice:x:-1:"] {
            assert_eq!(number_in(wrong, "alice"), if wrong == "alice:x:1000" { Some(1_000) } else { None }, "{wrong}");
        }
    }
}
