//! A number in each of the forms Slurm's JSON has for it.
//!
//! Source: plain in 22.05 (4294967294 not set, 4294967295 without limit, -1 without limit in partitions, -2 not set in
//! resources); `{"set","infinite","number"}` from v0.0.39 on; `"Infinity"` with `+complex`. UNLIMITED is
//! `{"set":false,"infinite":true}`, so `infinite` is looked at first.

use serde_json::Value;

/// A number, or why it is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number {
    NotSet,
    Infinite,
    Is(i64),
}

impl Number {
    /// `None` if it is in none of the forms.
    pub fn of(value: &Value) -> Option<Self> {
        match value {
            Value::Null => Some(Self::NotSet),
            Value::Number(number) => Self::plain(number),
            Value::String(word) => match word.as_str() {
                "Infinity" => Some(Self::Infinite),
                "" | "NaN" => Some(Self::NotSet),
                // Job numbers are text in some answers.
                digits => digits.parse().ok().map(Self::Is),
            },
            Value::Object(parts) => {
                if parts.get("infinite")?.as_bool()? {
                    return Some(Self::Infinite);
                }
                if parts.get("set")?.as_bool()? {
                    return Self::of(parts.get("number").filter(|number| !number.is_object())?);
                }
                Some(Self::NotSet)
            }
            Value::Bool(_) | Value::Array(_) => None,
        }
    }

    #[expect(clippy::cast_possible_truncation, reason = "bounded just before")]
    fn plain(number: &serde_json::Number) -> Option<Self> {
        if let Some(number) = number.as_i64() {
            return Some(match number {
                -2 | 4_294_967_294 => Self::NotSet,
                -1 | 4_294_967_295 => Self::Infinite,
                number => Self::Is(number),
            });
        }
        if let Some(number) = number.as_u64() {
            return match number {
                0xffff_ffff_ffff_fffe => Some(Self::NotSet),
                u64::MAX => Some(Self::Infinite),
                _ => None,
            };
        }
        let number = number.as_f64()?;
        (number.abs() <= 1e15).then(|| Self::Is(number.round() as i64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(json: &str) -> Option<Number> {
        Number::of(&serde_json::from_str(json).expect("JSON"))
    }

    #[test]
    fn every_form_is_read() {
        assert_eq!(number("1440"), Some(Number::Is(1440)));
        assert_eq!(number("4.0"), Some(Number::Is(4)));
        assert_eq!(number("null"), Some(Number::NotSet));
        assert_eq!(number("4294967294"), Some(Number::NotSet));
        assert_eq!(number("4294967295"), Some(Number::Infinite));
        assert_eq!(number("\"Infinity\""), Some(Number::Infinite));
        assert_eq!(number(r#"{"set":true,"infinite":false,"number":60}"#), Some(Number::Is(60)));
        assert_eq!(number(r#"{"set":false,"infinite":true,"number":0}"#), Some(Number::Infinite));
        assert_eq!(number(r#"{"set":false,"infinite":false,"number":0}"#), Some(Number::NotSet));
        assert_eq!(number(r#"{"set":true,"infinite":false,"number":4294967294}"#), Some(Number::NotSet));
    }

    #[test]
    fn other_things_are_no_number() {
        for json in
            ["true", "[]", "{}", "\"x\"", "1e300", "18446744073709551613", r#"{"set":1,"infinite":0,"number":1}"#]
        {
            assert_eq!(number(json), None, "{json}");
        }
    }
}
