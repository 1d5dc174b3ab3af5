//! `--details`, `--replicate-values`: what a result is made of, row by row, in a file of its own.
//!
//! For: whoever wants to check a figure or compute another. A name that ends in `.parquet` makes a Parquet file, one that ends in `.csv`,
//! `.csv.gz` or `.csv.zst` makes CSV. The file says where it comes from: Parquet in its metadata, under `queuecast.provenance`; CSV, which
//! has no place for it, in a file beside it, `NAME.provenance.json`. `docs/reference/details.md` defines every column.
//!
//! Not for: results ([`crate::output`]); what is in the rows, which each subcommand knows.

mod jobs;
mod parquet;

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use queuecast_workload::files::Output;

use self::parquet::ParquetRows;
use crate::failure::{Failure, OnSide, say};
use crate::output::not_a_formula;
use crate::provenance::Provenance;

pub use self::jobs::{JOB_COLUMNS, JobRows};

/// What the metadata of a Parquet file calls the provenance.
const PROVENANCE: &str = "queuecast.provenance";

/// The option `--details`.
#[derive(Clone, Debug, Args)]
pub struct DetailsArgs {
    /// File for job-level details, as CSV or, with the extension .parquet, as Parquet.
    #[arg(long, value_name = "FILE")]
    details: Option<PathBuf>,
}

impl DetailsArgs {
    /// The file, if one is asked for: before anything is replayed, so that it is not in vain.
    pub fn create<Name: AsRef<str>>(&self, columns: &[(Name, Kind)]) -> Result<Option<Details>, Failure> {
        self.details.as_deref().map(|path| Details::create(path, columns)).transpose()
    }

    /// Whether one is asked for.
    pub fn is_asked_for(&self) -> bool {
        self.details.is_some()
    }
}

/// The option `--replicate-values`.
#[derive(Clone, Debug, Args)]
pub struct ReplicateValuesArgs {
    /// File for all metrics of all replicates, as CSV or, with the extension .parquet, as Parquet.
    #[arg(long, value_name = "FILE")]
    replicate_values: Option<PathBuf>,
}

impl ReplicateValuesArgs {
    /// The file, if one is asked for: before anything is replayed, so that it is not in vain.
    pub fn create(&self, columns: &[Column]) -> Result<Option<Details>, Failure> {
        self.replicate_values.as_deref().map(|path| Details::create(path, columns)).transpose()
    }
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Integer,
    Number,
    Text,
    Truth,
}

/// A column's name and what it holds.
pub type Column = (&'static str, Kind);

/// What a row has in one column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    Integer(i64),
    Number(f64),
    Text(&'a str),
    Truth(bool),
    /// Not known, or there is none.
    Missing,
}

impl From<i64> for Value<'_> {
    fn from(value: i64) -> Self {
        Self::Integer(value)
    }
}

impl From<u32> for Value<'_> {
    fn from(value: u32) -> Self {
        Self::Integer(value.into())
    }
}

impl From<f64> for Value<'_> {
    fn from(value: f64) -> Self {
        if value.is_finite() { Self::Number(value) } else { Self::Missing }
    }
}

impl From<bool> for Value<'_> {
    fn from(value: bool) -> Self {
        Self::Truth(value)
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(value: &'a str) -> Self {
        Self::Text(value)
    }
}

impl<T: Into<Self>> From<Option<T>> for Value<'_> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Missing, Into::into)
    }
}

/// A file of rows being written. It appears under its name when it is [finished](Details::finish).
pub struct Details {
    rows: Rows,
    /// What went wrong first; told at the end, because observers cannot fail.
    failure: Option<Failure>,
    path: PathBuf,
}

enum Rows {
    Csv(Box<csv::Writer<Output>>),
    Parquet(Box<ParquetRows>),
}

impl Details {
    /// Makes sure that the file can be written.
    pub fn create<Name: AsRef<str>>(path: &Path, columns: &[(Name, Kind)]) -> Result<Self, Failure> {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let rows = if name.ends_with(".parquet") {
            Rows::Parquet(Box::new(
                ParquetRows::new(Output::create(path).writing()?, columns).map_err(parquet::told).writing()?,
            ))
        } else if [".csv", ".csv.gz", ".csv.zst"].iter().any(|ending| name.ends_with(ending)) {
            let mut writer = csv::Writer::from_writer(Output::create(path).writing()?);
            writer.write_record(columns.iter().map(|(name, _)| name.as_ref())).writing()?;
            Rows::Csv(Box::new(writer))
        } else {
            let message = format!("{}: unknown file format; details are written as CSV or Parquet", path.display());
            return Err(
                Failure::usage(message).with_hint("use a file name that ends in .csv, .csv.gz, .csv.zst or .parquet")
            );
        };
        Ok(Self { rows, failure: None, path: path.to_owned() })
    }

    /// Adds a row, a value for each column.
    pub fn add(&mut self, row: &[Value<'_>]) {
        if self.failure.is_some() {
            return;
        }
        let added = match &mut self.rows {
            Rows::Csv(writer) => writer.write_record(row.iter().map(in_csv)).writing(),
            Rows::Parquet(rows) => rows.add(row).map_err(parquet::told).writing(),
        };
        self.failure = added.err();
    }

    /// Completes the file and says where it comes from.
    pub fn finish(self, provenance: &Provenance) -> Result<(), Failure> {
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        let json = serde_json::to_string_pretty(provenance).writing()? + "\n";
        match self.rows {
            Rows::Csv(writer) => {
                let mut output = writer.into_inner().map_err(|error| anyhow::anyhow!("{}", error.error())).writing()?;
                output.flush().writing()?;
                let mut beside = Output::create(&self.path.with_added_extension("provenance.json")).writing()?;
                beside.write_all(json.as_bytes()).writing()?;
                beside.finish().writing()?;
                output.finish().writing()?;
            }
            Rows::Parquet(rows) => {
                rows.finish(PROVENANCE, json).map_err(parquet::told).writing()?.finish().writing()?;
            }
        }
        say(format_args!("{}: written", self.path.display()));
        Ok(())
    }
}

fn in_csv(value: &Value<'_>) -> String {
    match value {
        Value::Integer(value) => value.to_string(),
        Value::Number(value) => value.to_string(),
        Value::Text(value) => not_a_formula(value),
        Value::Truth(value) => value.to_string(),
        Value::Missing => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const COLUMNS: [Column; 4] =
        [("job", Kind::Integer), ("wait", Kind::Number), ("who", Kind::Text), ("right", Kind::Truth)];

    fn write(path: &Path) -> Result<(), Failure> {
        let mut details = Details::create(path, &COLUMNS)?;
        details.add(&[1_i64.into(), 2.5.into(), "=x".into(), true.into()]);
        details.add(&[2_i64.into(), f64::NAN.into(), Value::Missing, false.into()]);
        details.finish(&Provenance::of_this_command())
    }

    #[test]
    fn csv_has_a_row_for_each_and_says_beside_it_where_it_comes_from() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("jobs.csv");
        write(&path).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "job,wait,who,right\n1,2.5,'=x,true\n2,,,false\n");
        let beside = fs::read_to_string(folder.path().join("jobs.csv.provenance.json")).unwrap();
        assert!(beside.contains(env!("CARGO_PKG_VERSION")), "{beside}");
    }

    #[test]
    fn parquet_has_the_same_rows_and_says_inside_where_it_comes_from() {
        use ::parquet::file::reader::{FileReader, SerializedFileReader};
        use ::parquet::record::{Field, RowAccessor};
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("jobs.parquet");
        write(&path).unwrap();
        let reader = SerializedFileReader::new(fs::File::open(&path).unwrap()).unwrap();
        let rows: Vec<_> = reader.get_row_iter(None).unwrap().map(Result::unwrap).collect();
        assert_eq!((rows.len(), rows[0].get_long(0).unwrap(), rows[0].get_double(1).unwrap()), (2, 1, 2.5));
        assert_eq!((rows[0].get_string(2).unwrap().as_str(), rows[0].get_bool(3).unwrap()), ("=x", true));
        let missing = rows[1].get_column_iter().filter(|(_, field)| **field == Field::Null).count();
        assert_eq!(missing, 2);
        let metadata = reader.metadata().file_metadata().key_value_metadata().unwrap();
        let provenance = metadata.iter().find(|entry| entry.key == PROVENANCE).unwrap();
        assert!(provenance.value.as_ref().unwrap().contains("\"version\""));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing beside it");
    }

    #[test]
    fn a_name_that_does_not_say_how_is_refused_before_anything_is_done() {
        let folder = tempfile::tempdir().unwrap();
        let failure = Details::create(&folder.path().join("jobs.txt"), &COLUMNS).err().unwrap();
        assert!(failure.told().contains("CSV or Parquet"));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
