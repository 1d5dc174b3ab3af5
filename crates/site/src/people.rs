//! Who is who: the names that users' jobs bore, by the users' numbers.
//!
//! For: finding one's own past by the number that the kernel tells, whether or not one has a job in the queue.
//!
//! Not for: what somebody may see (`queuecast_daemon::api`).

use std::collections::HashMap;

use queuecast_records::JobRecord;

/// So many names of one number are remembered: one, unless a machine has several for it.
const NAMES_MOST: usize = 4;

/// Names by number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct People(HashMap<u32, Vec<String>>);

impl People {
    /// Whether a record says nothing that is not known.
    pub fn knows(&self, record: &JobRecord) -> bool {
        match record.user_id {
            Some(user_id) if !record.user.is_empty() => self.names(user_id).contains(&record.user),
            _ => true,
        }
    }

    /// Remembers whose job this is.
    pub fn see(&mut self, record: &JobRecord) {
        if let Some(user_id) = record.user_id {
            self.add(user_id, &record.user);
        }
    }

    /// Remembers that this number has this name.
    pub fn add(&mut self, user_id: u32, name: &str) {
        if name.is_empty() {
            return;
        }
        let names = self.0.entry(user_id).or_default();
        if !names.iter().any(|known| known == name) && names.len() < NAMES_MOST {
            names.push(name.to_owned());
        }
    }

    /// The names of a number, the first seen first.
    pub fn names(&self, user_id: u32) -> &[String] {
        self.0.get(&user_id).map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_has_the_names_its_jobs_bore_and_not_endlessly_many() {
        let mut people = People::default();
        people.add(7, "ada");
        people.add(7, "ada");
        people.add(7, "");
        assert_eq!(people.names(7), ["ada"]);
        assert!(people.names(8).is_empty());
        for number in 0..100 {
            people.add(7, &format!("user{number}"));
        }
        assert_eq!(people.names(7).len(), NAMES_MOST);
    }
}
