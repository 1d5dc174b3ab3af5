//! Exports of accounting, taken into the store before the daemon watches: for sites whose accounting forgets sooner than it
//! takes to learn, and for clusters that are new where their users are not.

use std::path::{Path, PathBuf};

use queuecast_records::JobRecord;
use queuecast_slurm::text::{Entry, HeaderError, SacctReader};
use queuecast_workload::Time;
use queuecast_workload::files::Input;

use crate::store::{ReadingKind, Store, StoreError};

/// So many records are taken in at once.
const AT_ONCE: usize = 10_000;

/// Why an export could not be taken in.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The file.
    #[error("{}: {error}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// It is no export.
    #[error("{}: {error}; for the export command, see docs/guides/reading-slurm.md", path.display())]
    NotAnExport {
        /// Which.
        path: PathBuf,
        /// Why.
        error: HeaderError,
    },
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What became of an export.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// Records that were taken in; those that were there already too.
    pub records: u64,
    /// Those that could not be read, in words: the first few.
    pub problems: Vec<String>,
    /// How many those are.
    pub bad_records: u64,
}

/// Takes an export of `sacct -P` in. The same export again changes nothing.
pub fn import(store: &mut Store, path: &Path, now: Time) -> Result<Imported, ImportError> {
    let on_file = |error| ImportError::File { path: path.to_owned(), error };
    let input = Input::open(path).map_err(on_file)?;
    let not_an_export = |error| ImportError::NotAnExport { path: path.to_owned(), error };
    let mut reader = SacctReader::new(input, None).map_err(not_an_export)?;
    let mut imported = Imported::default();
    let mut records = Vec::new();
    loop {
        let entry = reader.next_entry().map_err(on_file)?;
        match entry {
            Some(Entry::Job(record)) => records.push(*record),
            Some(Entry::Bad(bad)) => {
                imported.bad_records += 1;
                if imported.problems.len() < 5 {
                    imported.problems.push(bad.to_string());
                }
            }
            Some(Entry::Step) => {}
            None => {
                take(store, &mut records, &mut imported, now)?;
                return Ok(imported);
            }
        }
        if records.len() == AT_ONCE {
            take(store, &mut records, &mut imported, now)?;
        }
    }
}

fn take(store: &mut Store, records: &mut Vec<JobRecord>, imported: &mut Imported, now: Time) -> Result<(), StoreError> {
    // Who waited or ran when it was exported is known better by now, or will be.
    records.retain(|record| record.state.has_ended());
    imported.records += records.len() as u64;
    store.take_in(records, ReadingKind::Export, now)?;
    records.clear();
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn an_export_taken_in_twice_is_there_once_and_what_is_wrong_in_it_is_told() {
        let mut file = tempfile::NamedTempFile::new().expect("a scratch file");
        writeln!(
            file,
            "JobIDRaw|JobID|Cluster|State|Submit|Start|End|ElapsedRaw|TimelimitRaw|ReqCPUS|AllocCPUS|ExitCode"
        )
        .expect("written");
        writeln!(file, "7|7|alpha|COMPLETED|1000|1100|1400|300|60|4|4|0:0").expect("written");
        writeln!(file, "8|8|alpha|RUNNING|1000|1100|Unknown|300|60|4|4|0:0").expect("written");
        writeln!(file, "nonsense").expect("written");
        let mut store = Store::in_memory().expect("a store");
        for _ in 0..2 {
            let imported = import(&mut store, file.path(), Time(2_000)).expect("an export");
            assert_eq!((imported.records, imported.bad_records, imported.problems.len()), (1, 1, 1));
        }
        assert_eq!(store.job_count(), 1);
        assert_eq!(store.history(10, |_, _| {}).expect("history"), 1);
        assert_eq!(store.accounting_read_up_to().expect("a mark"), None, "an export is not all of accounting");
    }

    #[test]
    fn what_is_no_export_is_said() {
        let mut file = tempfile::NamedTempFile::new().expect("a scratch file");
        writeln!(file, "1 2 3 4").expect("written");
        let mut store = Store::in_memory().expect("a store");
        let error = import(&mut store, file.path(), Time(0)).expect_err("it has no header").to_string();
        assert!(error.contains("reading-slurm"), "{error}");
    }
}
