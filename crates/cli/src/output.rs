//! Results as a table for people, JSON or CSV for programs.
//!
//! For: the `--format` of every subcommand that prints a result, and the few ways numbers look in tables.
//!
//! Not for: what the result is; a subcommand makes its [`Report`].

use std::io::{self, IsTerminal, Write};

use anyhow::Context;
use clap::{Args, ValueEnum};
use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Table, Width, presets};
use ratatui::crossterm::terminal;
use serde::Serialize;

use crate::ask::wall::span;
use crate::failure::{Failure, OnSide};
use crate::provenance::Provenance;

/// Blanks between two columns of a table.
const BETWEEN_COLUMNS: u16 = 2;

/// Broken into shorter pieces than this, a name is not read any more.
const NAME_LEAST: usize = 24;

/// How a result is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Table with rounded values and units.
    #[default]
    Table,
    /// One JSON object with all values.
    Json,
    /// CSV with a header line.
    Csv,
}

/// The option `--format`.
#[derive(Clone, Copy, Debug, Args)]
pub struct FormatArgs {
    /// Output format.
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

/// A result that can be printed. Its JSON is its serialisation, an object.
pub trait Report: Serialize {
    /// What people see, one table below the other.
    fn tables(&self) -> Vec<Sheet>;
    /// What programs get as CSV: plain numbers, empty where there is none.
    fn csv(&self) -> Sheet;
}

/// Prints a result to standard output; JSON says where it comes from.
pub fn print(report: &impl Report, provenance: &Provenance, format: Format) -> Result<(), Failure> {
    print_as(&Proven { provenance, report }, format)
}

/// Prints what somebody else answered, who says himself where it comes from.
pub fn print_answer(report: &impl Report, format: Format) -> Result<(), Failure> {
    print_as(report, format)
}

fn print_as(report: &impl Report, format: Format) -> Result<(), Failure> {
    let columns = columns_of(&io::stdout());
    write(report, format, columns, io::stdout().lock()).context("standard output").writing()
}

/// A result as JSON, with where it comes from, as a file holds it.
pub fn as_json(report: &impl Report, provenance: &Provenance) -> Result<String, Failure> {
    Ok(serde_json::to_string_pretty(&Proven { provenance, report }).writing()? + "\n")
}

/// Prints a result to standard error: when standard output carries the data.
pub fn print_aside(report: &impl Report, provenance: &Provenance, format: Format) -> Result<(), Failure> {
    let columns = columns_of(&io::stderr());
    write(&Proven { provenance, report }, format, columns, io::stderr().lock()).context("standard error").writing()
}

/// A result and where it comes from: one object in JSON.
#[derive(Serialize)]
struct Proven<'a, R> {
    provenance: &'a Provenance,
    #[serde(flatten)]
    report: &'a R,
}

impl<R: Report> Report for Proven<'_, R> {
    fn tables(&self) -> Vec<Sheet> {
        self.report.tables()
    }

    fn csv(&self) -> Sheet {
        self.report.csv()
    }
}

/// How wide the terminal is, if this is one; a file or a pipe takes lines of any length.
fn columns_of(stream: &impl IsTerminal) -> Option<u16> {
    stream.is_terminal().then(terminal::size)?.ok().map(|(columns, _)| columns).filter(|&columns| columns > 0)
}

fn write(report: &impl Report, format: Format, columns: Option<u16>, mut sink: impl Write) -> anyhow::Result<()> {
    match format {
        Format::Table => {
            let tables: Vec<String> = report.tables().iter().map(|sheet| lay_out_within(sheet, columns)).collect();
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
            // Not as an error of the system's: that conversion would hide that nobody reads the pipe any more.
            rows.into_iter().try_for_each(|row| writer.write_record(row))?;
            writer.flush()?;
        }
    }
    sink.flush()?;
    Ok(())
}

/// A table as text, as wide as it takes.
pub fn lay_out(sheet: &Sheet) -> String {
    lay_out_within(sheet, None)
}

/// A table as text, within so many columns of a terminal if that can be: headings and the names in the first column are
/// broken, figures are not. Where they would not fit, each row is written below the other.
fn lay_out_within(sheet: &Sheet, columns: Option<u16>) -> String {
    let least: Vec<usize> = (0..sheet.columns.len()).map(|column| least_width(sheet, column)).collect();
    match columns {
        Some(columns) if least.iter().sum::<usize>() > usize::from(columns) => row_by_row(sheet),
        _ => side_by_side(sheet, &least, columns),
    }
}

fn side_by_side(sheet: &Sheet, least: &[usize], columns: Option<u16>) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    if let Some(columns) = columns {
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(columns);
    }
    table.set_header(sheet.columns.clone()).add_rows(sheet.rows.clone());
    for ((index, column), &least) in table.column_iter_mut().enumerate().zip(least) {
        column.set_padding((0, BETWEEN_COLUMNS));
        if columns.is_some() {
            let least = u16::try_from(least).unwrap_or(u16::MAX);
            column.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(least)));
        }
        if index > 0 && !sheet.columns[index].is_empty() {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.trim_fmt()
}

/// Every row as a name with its figures below, each after its heading.
fn row_by_row(sheet: &Sheet) -> String {
    let rows = sheet.rows.iter().map(|row| {
        let mut figures = Sheet::new([row.first().map_or("", String::as_str), ""]);
        let cells = sheet.columns.iter().zip(row).skip(1).filter(|(_, cell)| !cell.is_empty());
        for (heading, cell) in cells {
            figures.add([format!("  {heading}"), cell.clone()]);
        }
        let name = std::mem::take(&mut figures.columns[0]);
        let figures = side_by_side(&figures, &[0, 0], None);
        format!("{name}\n{}", figures.trim_matches('\n'))
    });
    rows.collect::<Vec<_>>().join("\n")
}

/// Less than this a column must not be given: what cannot be broken, which are cells but for long names, and words of
/// headings; with what sets it apart from the next column.
fn least_width(sheet: &Sheet, column: usize) -> usize {
    let width = |text: &str| text.chars().count();
    let cells = sheet.rows.iter().filter_map(|row| row.get(column)).map(|cell| width(cell)).max().unwrap_or(0);
    let cells = if column == 0 { cells.min(NAME_LEAST) } else { cells };
    let words = sheet.columns[column].split(' ').map(width).max().unwrap_or(0);
    cells.max(words) + usize::from(BETWEEN_COLUMNS)
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

/// A duration in its two largest units of days, hours and minutes; in seconds below a minute.
pub fn whole_duration(seconds: f64) -> String {
    #[expect(clippy::cast_possible_truncation, reason = "a cast to an integer stops at its ends")]
    let whole = seconds.round() as i64;
    span(whole)
}

/// A duration in minutes up to an hour, where a tenth of one counts, and in its two largest units from there on.
pub fn duration(seconds: f64) -> String {
    if seconds < 3_600.0 { format!("{:.1} min", seconds / 60.0) } else { whole_duration(seconds) }
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
    fn durations_have_minutes_up_to_an_hour_and_two_units_from_there_on() {
        let seconds = [0.0, 90.0, 3_599.0, 3_600.0, 4_800.4, 90_000.0, 931_860.0];
        assert_eq!(
            seconds.map(duration),
            ["0.0 min", "1.5 min", "60.0 min", "1 h", "1 h 20 min", "1 d 1 h", "10 d 18 h"]
        );
        assert_eq!([59.6, 900.0, 4_800.0].map(whole_duration), ["1 min", "15 min", "1 h 20 min"]);
    }

    #[test]
    fn numbers_line_up_on_the_right() {
        let mut sheet = Sheet::new(["name", "value"]);
        sheet.add(["a".to_owned(), "1".to_owned()]);
        sheet.add(["long name".to_owned(), "1,000".to_owned()]);
        assert_eq!(lay_out(&sheet), "name       value\na              1\nlong name  1,000");
    }

    fn wide_sheet() -> Sheet {
        let mut sheet = Sheet::new(["policy/predictor", "", "mean bounded slowdown", "longest wait, s"]);
        let name = "easy:queue=arrival,backfill=f1/templates:(u,s,mean,act)/(q,u,n=4,lr,act,mh=16)";
        sheet.add([name, "baseline", "89.55 ± 1.25", "281,232"].map(str::to_owned));
        sheet.add(["easy/perfect", "", "49.12 ± 0.75", "81,232"].map(str::to_owned));
        sheet
    }

    #[test]
    fn a_table_wider_than_the_terminal_breaks_names_and_headings_but_no_figure() {
        let sheet = wide_sheet();
        let text = lay_out_within(&sheet, Some(70));
        assert!(text.lines().all(|line| line.chars().count() <= 70), "{text}");
        for whole in ["baseline", "89.55 ± 1.25", "281,232", "easy/perfect"] {
            assert!(text.contains(whole), "{whole}:\n{text}");
        }
        let letters = |text: &str| text.chars().filter(|letter| !letter.is_whitespace()).count();
        assert_eq!(letters(&text), letters(&lay_out(&sheet)), "something is lost:\n{text}");
        assert!(text.lines().count() <= 8, "names are broken into long pieces:\n{text}");
        assert_eq!(lay_out_within(&sheet, Some(400)), lay_out(&sheet), "what fits stays as it is");
    }

    #[test]
    fn a_table_that_no_breaking_fits_into_the_terminal_is_written_row_by_row() {
        let text = lay_out_within(&wide_sheet(), Some(50));
        let (first, second) = text.split_once("easy/perfect\n").expect("a row of its own");
        assert!(first.starts_with("easy:queue=arrival,backfill=f1/templates:"), "{text}");
        assert!(first.lines().any(|line| line.trim() == "baseline"), "{text}");
        assert!(second.lines().any(|line| line.starts_with("  longest wait, s") && line.ends_with("81,232")), "{text}");
    }
}
