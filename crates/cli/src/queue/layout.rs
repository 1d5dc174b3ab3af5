//! A list of jobs laid out: in columns for people, delimited for programs.
//!
//! For: text as wide as a terminal shows it: a character of East Asia takes two columns, an accent none.
//!
//! Source: Unicode Standard Annex 11 (East Asian width), by way of ratatui; sacct(1), option --parsable2.

use ratatui::style::Style;
use ratatui::text::Span;

/// Foreign names are cut to this in tables.
const WIDEST_NAME: usize = 20;

/// How many columns of a terminal a text takes.
pub fn width(text: &str) -> usize {
    Span::raw(text).width()
}

/// A text cut to so many columns; a plus says that there was more, as in Slurm's own tables.
pub fn cut(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let (mut kept, mut taken) = (String::new(), 1);
    for grapheme in Span::raw(text).styled_graphemes(Style::default()) {
        taken += width(grapheme.symbol);
        if taken > columns {
            break;
        }
        kept.push_str(grapheme.symbol);
    }
    if columns > 0 {
        kept.push('+');
    }
    kept
}

/// A text cut or filled to exactly so many columns.
pub fn fitted(text: &str, columns: usize, is_right: bool) -> String {
    let text = cut(text, columns);
    let blank = " ".repeat(columns.saturating_sub(width(&text)));
    if is_right { blank + &text } else { text + &blank }
}

/// Rows in columns, each as wide as its widest cell; `is_right` says which are read from the right.
pub fn table(rows: &[Vec<String>], is_right: &[bool]) -> String {
    let mut widths = vec![0; is_right.len()];
    for row in rows {
        for (widest, cell) in widths.iter_mut().zip(row) {
            *widest = (*widest).max(width(cell).min(WIDEST_NAME.max(*widest)));
        }
    }
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().zip(&widths).zip(is_right);
        let line: Vec<String> = cells.map(|((cell, &wide), &is_right)| fitted(cell, wide, is_right)).collect();
        text.push_str(line.join("  ").trim_end());
        text.push('\n');
    }
    text
}

/// Rows with a bar between the cells, as `--parsable2`. A bar or line break within a cell is written as an escape, so that
/// nobody's name of a job makes a column of its own.
pub fn parsable(rows: &[Vec<String>]) -> String {
    let line =
        |row: &Vec<String>| row.iter().map(|cell| cell.replace('|', "\\u{7c}")).collect::<Vec<_>>().join("|") + "\n";
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn wide_characters_take_two_columns() {
        assert_eq!((width("汉字"), width("Größe"), width("e\u{301}")), (4, 5, 1));
        assert_eq!(cut("汉字汉字", 5), "汉字+");
        assert_eq!(cut("汉字汉字", 4), "汉+");
        assert_eq!(fitted("ab", 4, true), "  ab");
        let rows = [["JOBID", "NAME", "N"], ["1", "汉字", "10"]].map(|row| row.map(str::to_owned).to_vec());
        assert_eq!(table(&rows, &[false, false, true]), "JOBID  NAME   N\n1      汉字  10\n");
    }

    #[test]
    fn a_bar_in_a_name_makes_no_column() {
        assert_eq!(parsable(&[vec!["1".to_owned(), "a|b".to_owned()]]), "1|a\\u{7c}b\n");
    }

    proptest! {
        #[test]
        fn what_is_fitted_takes_just_so_many_columns(text in "\\PC*", columns in 0_usize..40, is_right: bool) {
            let text = crate::ask::inert::inert(&text);
            prop_assert_eq!(width(&fitted(&text, columns, is_right)), columns);
        }
    }
}
