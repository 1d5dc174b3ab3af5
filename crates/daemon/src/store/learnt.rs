//! What was learnt, as bytes: one row, written anew from time to time.
//!
//! Not for: what the bytes mean (`watch/learning.rs`), and what is learnt again from jobs and forecasts at every start.

use queuecast_workload::Time;
use rusqlite::types::Value;
use rusqlite::{OptionalExtension, params_from_iter};

use super::checksum::checksum_of;
use super::{Store, StoreError};

/// The columns that are checked, behind the row's number, and the checksum.
pub(super) const COLUMNS: &str = "name, version, stored, bytes, checksum";
const WAITS: &str = "waits";

/// What was learnt of waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptLearning {
    /// Of which version of the forecaster.
    pub version: u32,
    /// When it was kept.
    pub kept: Time,
    /// In its form.
    pub bytes: Vec<u8>,
}

impl Store {
    /// What was learnt of waits, if it was kept.
    pub fn learning(&self) -> Result<Option<KeptLearning>, StoreError> {
        let failed = self.failed("reading the wait-time model");
        let query = "SELECT version, stored, bytes FROM models WHERE name = ?1";
        let read = |row: &rusqlite::Row<'_>| {
            Ok(KeptLearning { version: row.get(0)?, kept: Time(row.get(1)?), bytes: row.get(2)? })
        };
        self.connection.query_row(query, [WAITS], read).optional().map_err(failed)
    }

    /// Keeps what was learnt of waits, in the place of what was.
    pub fn keep_learning(&mut self, learning: &KeptLearning) -> Result<(), StoreError> {
        let KeptLearning { version, kept, bytes } = learning;
        let mut values = vec![
            Value::Text(WAITS.to_owned()),
            Value::Integer(i64::from(*version)),
            Value::Integer(kept.0),
            Value::Blob(bytes.clone()),
        ];
        values.push(Value::Integer(checksum_of(&values)));
        let keep = format!("INSERT OR REPLACE INTO models ({COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5)");
        self.all_or_nothing("storing the wait-time model", |transaction| {
            transaction.prepare_cached(&keep)?.execute(params_from_iter(&values))?;
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_last_is_what_is_found_and_a_changed_byte_is_noticed() {
        let mut store = Store::in_memory().expect("memory");
        assert_eq!(store.learning().expect("read"), None);
        let first = KeptLearning { version: 1, kept: Time(5), bytes: vec![1, 2, 3] };
        let last = KeptLearning { version: 2, kept: Time(9), bytes: vec![0; 100_000] };
        store.keep_learning(&first).expect("kept");
        store.keep_learning(&last).expect("kept");
        assert_eq!(store.learning().expect("read"), Some(last));
        store.check().expect("as it was written");
        store.connection.execute("UPDATE models SET bytes = x'00'", []).expect("changed");
        assert!(store.check().expect_err("noticed").to_string().contains("models"));
    }
}
