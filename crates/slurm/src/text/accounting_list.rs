//! The form of what sacctmgr and sshare list: a record a line, columns delimited by bars, no header.
//!
//! For: columns by their names, each with what is expected in it. The last takes the rest of its line: a name may hold bars.
//!
//! Not for: which columns are asked for (`sacctmgr`, `association`, `sshare`).

use queuecast_workload::Seconds;

use super::listing::{Listing, Wrong};
use super::value;
use queuecast_records::{TimeLimit, Tres};

/// Reads every line that is not empty.
pub(super) fn lines<T>(bytes: &[u8], decode: impl Fn(&str) -> Result<T, Wrong>) -> Listing<T> {
    let text = String::from_utf8_lossy(bytes);
    let mut listing = Listing::empty();
    for (number, line) in (1_u64..).zip(text.lines()).filter(|(_, line)| !line.is_empty()) {
        listing.take(number, decode(line));
    }
    listing
}

/// A line as the columns that were asked for.
pub(super) struct Row<'a> {
    names: &'static [&'static str],
    values: Vec<&'a str>,
}

impl<'a> Row<'a> {
    pub fn of(line: &'a str, names: &'static [&'static str]) -> Result<Self, Wrong> {
        let values: Vec<&str> = line.splitn(names.len(), '|').collect();
        if values.len() == names.len() {
            Ok(Self { names, values })
        } else {
            Err(Wrong::missing(names.last().copied().unwrap_or_default(), line))
        }
    }

    /// The column of this name, one of those asked for.
    pub fn get(&self, name: &'static str) -> Column<'a> {
        let place = self.names.iter().position(|known| *known == name);
        Column { name, value: place.map_or("", |place| self.values[place]) }
    }

    /// The last column, which must say something.
    pub fn last(&self) -> Result<&'a str, Wrong> {
        let name = self.names.last().copied().unwrap_or_default();
        match self.values.last().map(|value| value.trim_start_matches(' ')) {
            Some(value) if !value.is_empty() => Ok(value),
            _ => Err(Wrong::missing(name, &self.values.join("|"))),
        }
    }
}

/// A value and whose it is. An empty one is no limit.
#[derive(Clone, Copy)]
pub(super) struct Column<'a> {
    pub name: &'static str,
    pub value: &'a str,
}

impl Column<'_> {
    pub fn text(self) -> String {
        self.value.to_owned()
    }

    pub fn count(self) -> Result<Option<u64>, Wrong> {
        if self.value.is_empty() {
            return Ok(None);
        }
        let count = value::digits(self.value.as_bytes()).and_then(|number| u64::try_from(number).ok());
        count.map(Some).ok_or_else(|| self.not("a whole number"))
    }

    /// A number with a fraction; `inf` is infinity, and `nan` is none.
    pub fn decimal(self) -> Result<Option<f64>, Wrong> {
        match self.value {
            "" | "nan" | "-nan" => return Ok(None),
            "inf" => return Ok(Some(f64::INFINITY)),
            _ => {}
        }
        let is_number = self.value.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        let number = self.value.parse().ok().filter(|number: &f64| is_number && number.is_finite());
        number.map(Some).ok_or_else(|| self.not("a number"))
    }

    /// A span; zero is none.
    pub fn span(self) -> Result<Option<Seconds>, Wrong> {
        if self.value.is_empty() {
            return Ok(None);
        }
        let seconds = value::duration_seconds(self.value.as_bytes()).ok_or_else(|| self.not("a span of time"))?;
        Ok(Some(Seconds(seconds)).filter(|&span| span > Seconds::ZERO))
    }

    pub fn tres(self) -> Result<Tres, Wrong> {
        Tres::parse(self.value.as_bytes()).ok_or_else(|| self.not("a list of resources"))
    }

    pub fn limit(self) -> Result<TimeLimit, Wrong> {
        value::limit(self.value.as_bytes()).ok_or_else(|| self.not("a time limit"))
    }

    pub fn words(self) -> Vec<String> {
        self.value.split(',').filter(|word| !word.is_empty()).map(str::to_owned).collect()
    }

    fn not(self, expected: &str) -> Wrong {
        Wrong::not(self.name, self.value, expected)
    }
}
