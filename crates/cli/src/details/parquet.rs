//! Rows as a Parquet file, by the library of the Arrow project: columns that may be missing, packed with Snappy.

use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;
use queuecast_workload::files::Output;

use super::{Kind, Value};

/// So many rows are held before they are written together.
const ROWS_TOGETHER: usize = 1 << 16;

/// The rows of a file.
pub struct ParquetRows {
    writer: SerializedFileWriter<Output>,
    columns: Vec<Held>,
    rows: usize,
}

/// What a column holds of the rows that are not written yet: the values there are, and of each row whether there is one.
struct Held {
    values: Values,
    present: Vec<i16>,
}

enum Values {
    Integers(Vec<i64>),
    Numbers(Vec<f64>),
    Texts(Vec<ByteArray>),
    Truths(Vec<bool>),
}

impl ParquetRows {
    /// Without rows.
    pub fn new<Name: AsRef<str>>(output: Output, columns: &[(Name, Kind)]) -> Result<Self> {
        let fields: Result<Vec<_>> =
            columns.iter().map(|(name, kind)| field(name.as_ref(), *kind).map(Arc::new)).collect();
        let schema = Type::group_type_builder("row").with_fields(fields?).build()?;
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
        let writer = SerializedFileWriter::new(output, Arc::new(schema), Arc::new(properties))?;
        let columns = columns.iter().map(|(_, kind)| Held { values: Values::of(*kind), present: Vec::new() }).collect();
        Ok(Self { writer, columns, rows: 0 })
    }

    /// Adds a row, a value for each column.
    pub fn add(&mut self, row: &[Value<'_>]) -> Result<()> {
        debug_assert_eq!(row.len(), self.columns.len());
        for (column, value) in self.columns.iter_mut().zip(row) {
            let is_present = match (&mut column.values, *value) {
                (Values::Integers(values), Value::Integer(value)) => {
                    values.push(value);
                    true
                }
                (Values::Numbers(values), Value::Number(value)) => {
                    values.push(value);
                    true
                }
                (Values::Texts(values), Value::Text(value)) => {
                    values.push(ByteArray::from(value));
                    true
                }
                (Values::Truths(values), Value::Truth(value)) => {
                    values.push(value);
                    true
                }
                (_, value) => {
                    debug_assert_eq!(value, Value::Missing, "a value of the column's kind");
                    false
                }
            };
            column.present.push(i16::from(is_present));
        }
        self.rows += 1;
        if self.rows == ROWS_TOGETHER { self.write() } else { Ok(()) }
    }

    /// Writes the rest, says something of the file in its metadata, and gives it back.
    pub fn finish(mut self, key: &str, value: String) -> Result<Output> {
        self.write()?;
        self.writer.append_key_value_metadata(KeyValue::new(key.to_owned(), value));
        self.writer.into_inner()
    }

    fn write(&mut self) -> Result<()> {
        if self.rows == 0 {
            return Ok(());
        }
        let mut group = self.writer.next_row_group()?;
        for Held { values, present } in &mut self.columns {
            match values {
                Values::Integers(values) => write_column::<Int64Type>(&mut group, values, present)?,
                Values::Numbers(values) => write_column::<DoubleType>(&mut group, values, present)?,
                Values::Texts(values) => write_column::<ByteArrayType>(&mut group, values, present)?,
                Values::Truths(values) => write_column::<BoolType>(&mut group, values, present)?,
            }
        }
        group.close()?;
        self.rows = 0;
        Ok(())
    }
}

impl Values {
    fn of(kind: Kind) -> Self {
        match kind {
            Kind::Integer => Self::Integers(Vec::new()),
            Kind::Number => Self::Numbers(Vec::new()),
            Kind::Text => Self::Texts(Vec::new()),
            Kind::Truth => Self::Truths(Vec::new()),
        }
    }
}

fn field(name: &str, kind: Kind) -> Result<Type> {
    let (physical, logical) = match kind {
        Kind::Integer => (Physical::INT64, None),
        Kind::Number => (Physical::DOUBLE, None),
        Kind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        Kind::Truth => (Physical::BOOLEAN, None),
    };
    let builder = Type::primitive_type_builder(name, physical).with_repetition(Repetition::OPTIONAL);
    builder.with_logical_type(logical).build()
}

/// What went wrong, in the words of whoever it went wrong for first: a full disk is told as that.
pub fn told(error: ParquetError) -> anyhow::Error {
    match error {
        ParquetError::External(cause) => anyhow::anyhow!("{cause}"),
        other => other.into(),
    }
}

fn write_column<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, Output>,
    values: &mut Vec<T::T>,
    present: &mut Vec<i16>,
) -> Result<()> {
    let mut column = group.next_column()?.expect("a writer for each column of the schema");
    column.typed::<T>().write_batch(values, Some(present), None)?;
    column.close()?;
    values.clear();
    present.clear();
    Ok(())
}
