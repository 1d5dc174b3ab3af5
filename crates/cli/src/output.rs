//! Results as a table for people, JSON or CSV for programs.
//!
//! For: the `--format` of every subcommand that prints a result, and the few ways numbers look in tables.
//!
//! Not for: what the result is; a subcommand makes its [`Report`].

use std::io::{self, Write};

use anyhow::Context;
use clap::{Args, ValueEnum};
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use serde::Serialize;

use crate::failure::{Failure, OnSide};

/// How a result is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people: rounded, with units.
    #[default]
    Table,
    /// For programs: everything, in one object.
    Json,
    /// For programs: one line a row, with a header line.
    Csv,
}

/// The option `--format`.
#[derive(Clone, Copy, Debug, Args)]
pub struct FormatArgs {
    /// How to print the result.
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// Rows under column names. The first column is text, and so is one without a name; the others are numbers.
#[derive(Debug, Default)]
pub struct Sheet {
    /// Names of the columns.
    pub columns: Vec<String>,
    /// The rows, each as long as the columns.
    pub rows: Vec<Vec<String>>,
}

impl Sheet {
    /// One without rows.
    pub fn new<const N: usize>(columns: [&str; N]) -> Self {
        Self { columns: columns.map(str::to_owned).to_vec(), rows: Vec::new() }
    }

    /// Adds a row.
    pub fn add(&mut self, row: impl IntoIterator<Item = String>) {
        self.rows.push(row.into_iter().collect());
    }
}

/// A result that can be printed. Its JSON is its serialisation.
pub trait Report: Serialize {
    /// What people see, one table below the other.
    fn tables(&self) -> Vec<Sheet>;
    /// What programs get as CSV: plain numbers, empty where there is none.
    fn csv(&self) -> Sheet;
}

/// Prints a result to standard output.
pub fn print(report: &impl Report, format: Format) -> Result<(), Failure> {
    write(report, format, io::stdout().lock()).context("standard output").writing()
}

/// Prints a result to standard error: when standard output carries the data.
pub fn print_aside(report: &impl Report, format: Format) -> Result<(), Failure> {
    write(report, format, io::stderr().lock()).context("standard error").writing()
}

fn write(report: &impl Report, format: Format, mut sink: impl Write) -> anyhow::Result<()> {
    match format {
        Format::Table => {
            let tables: Vec<String> = report.tables().iter().map(lay_out).collect();
            writeln!(sink, "{}", tables.join("\n\n"))?;
        }
        Format::Json => {
            serde_json::to_writer_pretty(&mut sink, report).map_err(io::Error::from)?;
            writeln!(sink)?;
        }
        Format::Csv => {
            let sheet = report.csv();
            let mut writer = csv::Writer::from_writer(&mut sink);
            let rows = std::iter::once(&sheet.columns).chain(&sheet.rows);
            rows.into_iter().try_for_each(|row| writer.write_record(row)).map_err(io::Error::from)?;
            writer.flush()?;
        }
    }
    sink.flush()?;
    Ok(())
}

/// A table as text.
pub fn lay_out(sheet: &Sheet) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(sheet.columns.clone()).add_rows(sheet.rows.clone());
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
    }
    let numbers = sheet.columns.iter().enumerate().skip(1).filter(|(_, name)| !name.is_empty());
    for (index, _) in numbers {
        if let Some(column) = table.column_mut(index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.trim_fmt()
}

/// A whole number with its thousands set apart.
pub fn grouped(number: impl Into<i128>) -> String {
    let number: i128 = number.into();
    let digits = number.unsigned_abs().to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3 + 1);
    if number < 0 {
        text.push('-');
    }
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A share of one in per cent.
pub fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// A foreign name for a cell of CSV: spreadsheets take cells that begin so for formulas.
pub fn not_a_formula(name: &str) -> String {
    if name.starts_with(['=', '+', '-', '@', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}']) {
        format!("'{name}")
    } else {
        name.to_owned()
    }
}

/// Something that may not be known.
pub fn or_dash(text: Option<String>) -> String {
    text.unwrap_or_else(|| "-".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_000), "1,000");
        assert_eq!(grouped(-1_234_567), "-1,234,567");
        assert_eq!(grouped(-123), "-123");
    }

    #[test]
    fn numbers_line_up_on_the_right() {
        let mut sheet = Sheet::new(["name", "value"]);
        sheet.add(["a".to_owned(), "1".to_owned()]);
        sheet.add(["long name".to_owned(), "1,000".to_owned()]);
        assert_eq!(lay_out(&sheet), "name       value\na              1\nlong name  1,000");
    }
}
