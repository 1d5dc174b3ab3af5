//! One record of `scontrol --oneliner show ...`: `PartitionName=batch AllowGroups=ALL ... State=UP`.
//!
//! For: finding values by their names.
//!
//! Not for: `scontrol show job`, in which a job's name, written by its user, stands among the others and can pretend
//! to be any of them.
//!
//! Source: 22.05.8 in our lab. Nothing is quoted. Values hold blanks (`OS=Linux 6.1 #1 SMP`), so a value goes on
//! until a word that begins with a name and `=`. What administrators write (`Reason=`, `Comment=`, `Extra=`) is at
//! the end: behind the first of these no other name is one, whatever it looks like. Of a name that is there twice the
//! first counts.

use queuecast_workload::Time;

use super::listing::{Listing, Wrong, shown};
use super::value::{self, WrittenTime};
use queuecast_records::{TimeLimit, Tres};

/// Behind one of these stands whatever somebody wrote.
const FREE_TEXTS: [&str; 3] = ["Reason", "Comment", "Extra"];

/// A record as names and values.
pub(super) struct OneLine<'a> {
    line: &'a str,
    fields: Vec<(&'a str, &'a str)>,
    /// From the first free text on.
    free: &'a str,
}

/// Every line that begins with this name is a record; `No reservations in the system` and blank lines are none.
pub(super) fn records<T>(
    bytes: &[u8],
    first_name: &'static str,
    decode: impl Fn(&OneLine<'_>) -> Result<T, Wrong>,
) -> Listing<T> {
    let text = String::from_utf8_lossy(bytes);
    let mut listing = Listing::empty();
    for (number, line) in (1_u64..).zip(text.lines()) {
        if line.trim().is_empty() || (line.starts_with("No ") && !line.contains('=')) {
            continue;
        }
        let record = OneLine::of(line);
        let is_record = record.fields.first().is_some_and(|&(name, _)| name == first_name);
        let read = if is_record { decode(&record) } else { Err(Wrong::missing(first_name, line)) };
        listing.take(number, read);
    }
    listing
}

impl<'a> OneLine<'a> {
    pub fn of(line: &'a str) -> Self {
        let mut fields: Vec<(&str, &str)> = Vec::new();
        let mut open: Option<(&str, usize)> = None;
        let mut close = |open: Option<(&'a str, usize)>, end: usize| {
            if let Some((name, begin)) = open {
                fields.push((name, line[begin..end].trim()));
            }
        };
        let mut place = 0;
        for word in line.split(' ') {
            let begin = place;
            place += word.len() + 1;
            let Some((name, value)) = word.split_once('=') else { continue };
            if !is_name(name) {
                continue;
            }
            close(open, begin);
            if FREE_TEXTS.contains(&name) {
                return Self { line, fields, free: &line[begin..] };
            }
            open = Some((name, begin + word.len() - value.len()));
        }
        close(open, line.len());
        Self { line, fields, free: "" }
    }

    /// What stands behind a name; nothing if Slurm says that there is none.
    pub fn get(&self, name: &str) -> Option<&'a str> {
        let found = self.fields.iter().find(|(known, _)| *known == name)?;
        (!matches!(found.1, "" | "(null)" | "N/A" | "n/a")).then_some(found.1)
    }

    pub fn required(&self, name: &'static str) -> Result<&'a str, Wrong> {
        self.get(name).ok_or_else(|| Wrong::missing(name, self.line))
    }

    pub fn text(&self, name: &str) -> String {
        self.get(name).unwrap_or_default().to_owned()
    }

    /// Text where a word stands for everybody or nobody.
    pub fn text_unless(&self, name: &str, word: &str) -> String {
        self.get(name).filter(|&value| value != word).unwrap_or_default().to_owned()
    }

    pub fn words(&self, name: &str, separator: char) -> Vec<String> {
        self.get(name).into_iter().flat_map(|value| value.split(separator)).map(str::to_owned).collect()
    }

    /// A count; none where it is not said or without limit.
    pub fn count(&self, name: &'static str) -> Result<Option<u64>, Wrong> {
        let Some(value) = self.get(name).filter(|&value| !matches!(value, "UNLIMITED" | "INFINITE" | "NONE")) else {
            return Ok(None);
        };
        let count = value::digits(value.as_bytes()).and_then(|number| u64::try_from(number).ok());
        count.map(Some).ok_or_else(|| Wrong::not(name, value, "a whole number"))
    }

    /// A count that is none where it is zero.
    pub fn some(&self, name: &'static str) -> Result<Option<u64>, Wrong> {
        Ok(self.count(name)?.filter(|&count| count > 0))
    }

    /// Whether a word stands behind a name.
    pub fn is(&self, name: &str, word: &str) -> bool {
        self.get(name) == Some(word)
    }

    pub fn required_count(&self, name: &'static str) -> Result<u64, Wrong> {
        self.count(name)?.ok_or_else(|| Wrong::missing(name, self.line))
    }

    /// A limit; `NONE` is one that nobody has set.
    pub fn limit(&self, name: &'static str) -> Result<TimeLimit, Wrong> {
        let Some(value) = self.get(name).filter(|&value| value != "NONE") else { return Ok(TimeLimit::NotKnown) };
        value::limit(value.as_bytes()).ok_or_else(|| Wrong::not(name, value, "a time limit"))
    }

    /// A point in time, in seconds since 1970: `SLURM_TIME_FORMAT` was set to `%s`.
    pub fn time(&self, name: &'static str) -> Result<Option<Time>, Wrong> {
        let Some(value) = self.get(name) else { return Ok(None) };
        match value::time(value.as_bytes(), None) {
            Some(WrittenTime::Known(time)) => Ok(Some(time)),
            Some(WrittenTime::NotKnown) => Ok(None),
            Some(WrittenTime::Local) | None => Err(Wrong::not(name, value, "a time in seconds since 1970")),
        }
    }

    pub fn tres(&self, name: &'static str) -> Result<Tres, Wrong> {
        let value = self.get(name).unwrap_or_default();
        Tres::parse(value.as_bytes()).ok_or_else(|| Wrong::not(name, &shown(value), "a list of resources"))
    }

    /// Why, and since when: `Reason=bad disk [root@1794747486]`, which more free text may follow.
    pub fn reason(&self) -> (String, Option<Time>) {
        let Some(rest) = self.free.strip_prefix("Reason=") else { return (String::new(), None) };
        for (begin, _) in rest.match_indices(" [") {
            let Some((who_and_when, _)) = rest[begin + 2..].split_once(']') else { break };
            let Some((_, when)) = who_and_when.rsplit_once('@') else { continue };
            if let Some(WrittenTime::Known(time)) = value::time(when.as_bytes(), None) {
                return (rest[..begin].to_owned(), Some(time));
            }
        }
        (rest.trim_end().to_owned(), None)
    }
}

fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_:/".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_with_blanks_go_on_until_the_next_name() {
        let line =
            OneLine::of("NodeName=alpha1 Arch=x86_64  OS=Linux 6.1 #1 SMP @0  RealMemory=64000 AllocTRES= Gres=(null)");
        assert_eq!(line.get("OS"), Some("Linux 6.1 #1 SMP @0"));
        assert_eq!(line.count("RealMemory"), Ok(Some(64_000)));
        assert_eq!((line.get("AllocTRES"), line.get("Gres"), line.get("Version")), (None, None, None));
    }

    /// Tried in our lab: Slurm prints all of it as it is.
    #[test]
    fn what_somebody_wrote_is_not_taken_for_a_value() {
        let line = OneLine::of(
            "NodeName=a State=IDLE Reason=r s State=DOWN ReservationName=z [x@y] [root@17] Comment=c Gres=no",
        );
        assert_eq!((line.get("State"), line.get("ReservationName"), line.get("Gres")), (Some("IDLE"), None, None));
        assert_eq!(line.reason(), ("r s State=DOWN ReservationName=z [x@y]".to_owned(), Some(Time(17))));
        assert_eq!(OneLine::of("NodeName=a Comment=c Reason=d").reason(), (String::new(), None));
    }

    #[test]
    fn a_line_that_is_no_record_is_reported_and_none_at_all_is_none() {
        let name = |line: &OneLine<'_>| line.required("PartitionName").map(str::to_owned);
        let listing = records(b"PartitionName=a\n\ngarbage\nPartitionName=b\n", "PartitionName", name);
        assert_eq!(listing.records, ["a", "b"]);
        assert_eq!(listing.problems[0].to_string(), "3:PartitionName: missing in `garbage`");
        let none = records(b"No reservations in the system\n", "ReservationName", name);
        assert_eq!((none.records.len(), none.problems.len()), (0, 0));
    }
}
