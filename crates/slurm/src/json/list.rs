//! A list, one element at a time: what was decoded is kept, and the tree of its values is not.
//!
//! For: queues of any length. A hundred thousand jobs are half a gigabyte of text, and would be four as values.
//!
//! Not for: what an element means.

use std::fmt;

use queuecast_records::source::MOST_PROBLEMS;
use serde::Deserializer as _;
use serde::de::{SeqAccess, Visitor};
use serde_json::{Deserializer, Value};

use super::field::{Field, Problem};
use super::{Decoded, DocumentError, not_that};

/// Decodes the list that is at this path, from its text.
pub(super) fn decode<T>(
    path: &[&str],
    text: Option<&str>,
    decode: impl Fn(&Field<'_>) -> Result<T, Problem>,
) -> Result<Decoded<T>, DocumentError> {
    let null = Value::Null;
    let root = Field::root(&null);
    let (parents, name) = path.split_at(path.len() - 1);
    let within = parents.first().map_or(root, |parent| root.named(parent, &null));
    let name = name.first().copied().unwrap_or_default();
    let Some(text) = text.filter(|text| *text != "null") else { return Err(not_that(within.missing(name))) };
    let list = within.named(name, &null);
    let mut decoded = Decoded { records: Vec::new(), problems: Vec::new(), bad_records: 0 };
    if !text.starts_with('[') {
        return Err(not_that(list.not("an array")));
    }
    let elements = Elements { list: &list, decode, decoded: &mut decoded };
    Deserializer::from_str(text).deserialize_seq(elements)?;
    Ok(decoded)
}

/// Takes elements as they come.
struct Elements<'a, T, D> {
    list: &'a Field<'a>,
    decode: D,
    decoded: &'a mut Decoded<T>,
}

impl<'de, T, D: Fn(&Field<'_>) -> Result<T, Problem>> Visitor<'de> for Elements<'_, T, D> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<(), A::Error> {
        let mut place = 0;
        while let Some(value) = elements.next_element::<Value>()? {
            match (self.decode)(&self.list.at(place, &value)) {
                Ok(record) => self.decoded.records.push(record),
                Err(problem) => {
                    self.decoded.bad_records += 1;
                    if self.decoded.problems.len() < MOST_PROBLEMS {
                        self.decoded.problems.push(problem);
                    }
                }
            }
            place += 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(text: &str) -> Result<Decoded<u64>, String> {
        let number = |element: &Field<'_>| element.required_count("n");
        decode(&["jobs"], Some(text), number).map_err(|error| error.to_string())
    }

    #[test]
    fn problems_are_counted_and_the_first_are_told() {
        let bad = vec!["{}"; 3_000].join(",");
        let read = count(&format!("[{{\"n\":1}},{bad},{{\"n\":2}}]")).expect("a list");
        assert_eq!((read.records, read.problems.len(), read.bad_records), (vec![1, 2], MOST_PROBLEMS, 3_000));
        assert!(read.problems[0].to_string().starts_with("jobs[1].n: "), "{}", read.problems[0]);
    }

    #[test]
    fn what_is_no_list_is_told_with_where_it_should_be() {
        for text in ["{}", "7", "-7", "0.5", "true", "\"x\"", "{\"a\":[1]}"] {
            let error = count(text).expect_err(text);
            assert!(error.starts_with("jobs: ") && error.contains("an array"), "{error}");
        }
        let missing = decode(&["shares", "shares"], None, |_| Ok(())).expect_err("missing").to_string();
        assert!(missing.starts_with("shares.shares: this field is missing"), "{missing}");
    }
}
