//! A value and the path to it: what every message of this decoder says.
//!
//! For: reading fields one by one, in whatever form a version writes them, and naming the one that is missing or wrong.
//!
//! Not for: what fields mean.

use std::fmt;

use queuecast_workload::{Seconds, Time};
use serde_json::Value;

use super::number::Number;
use queuecast_records::{TimeLimit, Tres};

/// What is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The path, `jobs[3].time.limit`.
    pub path: String,
    /// What is wrong there.
    pub reason: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.reason)
    }
}

/// A value with the path to it.
#[derive(Clone, Copy)]
pub(super) struct Field<'a> {
    value: &'a Value,
    step: Step<'a>,
    parent: Option<&'a Field<'a>>,
}

#[derive(Clone, Copy)]
enum Step<'a> {
    Root,
    Name(&'a str),
    Place(usize),
}

impl<'a> Field<'a> {
    pub fn root(value: &'a Value) -> Self {
        Self { value, step: Step::Root, parent: None }
    }

    pub fn has(&self, name: &str) -> bool {
        self.value.get(name).is_some()
    }

    /// The field of this name, unless it is missing or null.
    pub fn get<'b>(&'b self, name: &'b str) -> Option<Field<'b>> {
        let value = self.value.get(name).filter(|value| !value.is_null())?;
        Some(Field { value, step: Step::Name(name), parent: Some(self) })
    }

    /// The field of this name, which must be there.
    pub fn required<'b>(&'b self, name: &'b str) -> Result<Field<'b>, Problem> {
        self.get(name).ok_or_else(|| self.missing(name))
    }

    /// That there is no field of this name.
    pub fn missing(&self, name: &str) -> Problem {
        Problem {
            path: self.named(name, self.value).path(),
            reason: "this field is missing; is this a Slurm older than 22.05 or newer than 26.05?".to_owned(),
        }
    }

    /// A field of this name with this value.
    pub fn named<'b>(&'b self, name: &'b str, value: &'b Value) -> Field<'b> {
        Field { value, step: Step::Name(name), parent: Some(self) }
    }

    /// An element at this place of the array that this is.
    pub fn at<'b>(&'b self, place: usize, value: &'b Value) -> Field<'b> {
        Field { value, step: Step::Place(place), parent: Some(self) }
    }

    /// The elements of an array, which this must be.
    pub fn items(&self) -> Result<impl Iterator<Item = Field<'_>>, Problem> {
        let items = self.value.as_array().ok_or_else(|| self.not("an array"))?;
        Ok(items.iter().enumerate().map(|(place, value)| Field { value, step: Step::Place(place), parent: Some(self) }))
    }

    pub fn number(&self) -> Result<Number, Problem> {
        Number::of(self.value).ok_or_else(|| self.not("a number"))
    }

    /// Text; null and a missing field are empty. 22.05 has a number in the place of one name.
    pub fn text(&self, name: &str) -> Result<String, Problem> {
        let Some(field) = self.get(name) else { return Ok(String::new()) };
        match field.value {
            Value::String(text) => Ok(text.clone()),
            Value::Number(_) => Ok(String::new()),
            _ => Err(field.not("text")),
        }
    }

    /// One word or an array of words; none if it is missing.
    pub fn words(&self, name: &str) -> Result<Vec<&'a str>, Problem> {
        match self.value.get(name) {
            None | Some(Value::Null) => Ok(Vec::new()),
            Some(Value::String(word)) if word.is_empty() => Ok(Vec::new()),
            Some(Value::String(word)) => Ok(vec![word]),
            Some(value @ Value::Array(words)) => {
                let all = words.iter().map(Value::as_str).collect::<Option<Vec<&str>>>();
                all.ok_or_else(|| Field { value, step: Step::Name(name), parent: Some(self) }.not("an array of words"))
            }
            Some(value) => {
                Err(Field { value, step: Step::Name(name), parent: Some(self) }.not("a word or an array of words"))
            }
        }
    }

    /// Words, also where a version writes them into one text with commas.
    pub fn names(&self, name: &str) -> Result<Vec<String>, Problem> {
        let words = self.words(name)?;
        Ok(words.into_iter().flat_map(|word| word.split(',')).map(str::to_owned).collect())
    }

    /// A count that may be missing or unset.
    pub fn count(&self, name: &str) -> Result<Option<u64>, Problem> {
        let Some(field) = self.get(name) else { return Ok(None) };
        match field.number()? {
            Number::NotSet | Number::Infinite => Ok(None),
            Number::Is(number) => u64::try_from(number).map(Some).map_err(|_| field.not("a count")),
        }
    }

    pub fn required_count(&self, name: &str) -> Result<u64, Problem> {
        let field = self.required(name)?;
        self.count(name)?.ok_or_else(|| field.not("a count"))
    }

    pub fn small_count(&self, name: &str) -> Result<Option<u32>, Problem> {
        let count = self.count(name)?;
        count
            .map(|count| u32::try_from(count).map_err(|_| self.wrong(name, "a number up to 4,294,967,295")))
            .transpose()
    }

    /// A point in time; 0 and what is not set are not known.
    pub fn time(&self, name: &str) -> Result<Option<Time>, Problem> {
        let Some(seconds) = self.count(name)?.filter(|&seconds| seconds > 0) else { return Ok(None) };
        let time = i64::try_from(seconds).ok().filter(|&seconds| seconds <= Time::MAX.0);
        time.map(|seconds| Some(Time(seconds))).ok_or_else(|| self.wrong(name, "a time"))
    }

    /// A limit in minutes.
    pub fn limit(&self, name: &str) -> Result<TimeLimit, Problem> {
        let Some(field) = self.get(name) else { return Ok(TimeLimit::NotKnown) };
        match field.number()? {
            Number::Infinite => Ok(TimeLimit::Unlimited),
            Number::NotSet => Ok(TimeLimit::NotKnown),
            Number::Is(minutes) => {
                u32::try_from(minutes).map(TimeLimit::Minutes).map_err(|_| field.not("a limit in minutes"))
            }
        }
    }

    /// A number with a fraction, which may be missing or unset; without limit it is infinity.
    pub fn decimal(&self, name: &str) -> Result<Option<f64>, Problem> {
        let Some(field) = self.get(name) else { return Ok(None) };
        if let Some(number) = field.value.as_f64() {
            return Ok(Some(number));
        }
        // A number in parts says by itself whether it is one.
        if let Number::Is(_) = field.number()? {
            return Ok(field.value.get("number").and_then(Value::as_f64));
        }
        Ok((field.number()? == Number::Infinite).then_some(f64::INFINITY))
    }

    /// A number that may be below zero, -1 and -2 too; nothing where it is not set.
    pub fn signed(&self) -> Result<Option<i64>, Problem> {
        if let Some(number) = self.value.as_i64() {
            return Ok(Some(number));
        }
        match self.number()? {
            Number::Is(number) => Ok(Some(number)),
            Number::NotSet | Number::Infinite => Ok(None),
        }
    }

    /// A span in seconds; zero and what is not set are none.
    pub fn span(&self, name: &str) -> Result<Option<Seconds>, Problem> {
        let Some(seconds) = self.count(name)?.filter(|&seconds| seconds > 0) else { return Ok(None) };
        let span = i64::try_from(seconds).ok().filter(|&seconds| seconds <= Seconds::MAX.0);
        span.map(|seconds| Some(Seconds(seconds))).ok_or_else(|| self.wrong(name, "a span of seconds"))
    }

    /// Whether it is said to be so.
    pub fn is_true(&self, name: &str) -> Result<bool, Problem> {
        match self.get(name) {
            None => Ok(false),
            Some(field) => field.value.as_bool().ok_or_else(|| field.not("true or false")),
        }
    }

    /// Resources as text.
    pub fn tres(&self, name: &str) -> Result<Tres, Problem> {
        let text = self.text(name)?;
        Tres::parse(text.as_bytes()).ok_or_else(|| self.wrong(name, "a list of resources"))
    }

    pub fn str(&self) -> Option<&'a str> {
        self.value.as_str()
    }

    pub fn wrong(&self, name: &str, expected: &str) -> Problem {
        self.get(name).map_or_else(|| self.not(expected), |field| field.not(expected))
    }

    pub fn not(&self, expected: &str) -> Problem {
        let mut shown = self.value.to_string();
        if shown.len() > 40 {
            shown.truncate(shown.floor_char_boundary(40));
            shown.push_str("...");
        }
        Problem { path: self.path(), reason: format!("`{}` is not {expected}", shown.escape_debug()) }
    }

    fn path(&self) -> String {
        let before = self.parent.map(Field::path).unwrap_or_default();
        match self.step {
            Step::Root => before,
            Step::Name(name) if before.is_empty() => name.to_owned(),
            Step::Name(name) => format!("{before}.{name}"),
            Step::Place(place) => format!("{before}[{place}]"),
        }
    }
}

/// The value at the end of a path; what a value is that is not said, if a step of the path is missing.
pub(super) fn within<T: Default>(
    field: &Field<'_>,
    path: &[&str],
    read: impl FnOnce(&Field<'_>, &str) -> Result<T, Problem>,
) -> Result<T, Problem> {
    match path {
        [] => Ok(T::default()),
        [name] => read(field, name),
        [name, rest @ ..] => match field.get(name) {
            Some(inner) => within(&inner, rest, read),
            None => Ok(T::default()),
        },
    }
}
