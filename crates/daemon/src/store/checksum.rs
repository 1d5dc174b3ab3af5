//! A number that a row's values come to: what was written is what is read.
//!
//! For: noticing that the disk changed a value, which `SQLite` by itself does not; and that a record changes nothing in its row.
//!
//! Not for: anybody who changes the file on purpose.
//!
//! Source: FNV-1a of 64 bits (Fowler, Noll, Vo), over each value's kind, length and bytes. It must stay the same in every version.

use rusqlite::types::{Value, ValueRef};

const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

/// The checksum of these values.
pub(super) fn checksum<'a>(values: impl IntoIterator<Item = ValueRef<'a>>) -> i64 {
    let mut hash = OFFSET;
    let mut take = |bytes: &[u8]| {
        for &byte in bytes {
            hash = (hash ^ u64::from(byte)).wrapping_mul(PRIME);
        }
    };
    for value in values {
        match value {
            ValueRef::Null => take(&[0]),
            ValueRef::Integer(number) => {
                take(&[1]);
                take(&number.to_le_bytes());
            }
            ValueRef::Real(number) => {
                take(&[2]);
                take(&number.to_bits().to_le_bytes());
            }
            ValueRef::Text(bytes) | ValueRef::Blob(bytes) => {
                take(&[3]);
                take(&(bytes.len() as u64).to_le_bytes());
                take(bytes);
            }
        }
    }
    hash.cast_signed()
}

/// The checksum of values that are about to be written.
pub(super) fn checksum_of(values: &[Value]) -> i64 {
    checksum(values.iter().map(ValueRef::from))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_same_in_every_version() {
        let values = [Value::Null, Value::Integer(-7), Value::Text("sim".to_owned())];
        assert_eq!(checksum_of(&values), CHECKED);
    }

    /// Computed apart from this code, in Python.
    const CHECKED: i64 = -123_264_770_902_988_483;

    #[test]
    fn values_do_not_run_into_each_other() {
        let text = |text: &str| Value::Text(text.to_owned());
        assert_ne!(checksum_of(&[text("ab"), text("c")]), checksum_of(&[text("a"), text("bc")]));
        assert_ne!(checksum_of(&[Value::Null, text("")]), checksum_of(&[text(""), Value::Null]));
        assert_ne!(checksum_of(&[Value::Integer(0)]), checksum_of(&[Value::Null]));
    }
}
