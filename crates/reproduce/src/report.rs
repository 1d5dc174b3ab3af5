//! A reproduction as a page of Markdown: what was run, every table with its verdicts on each trace, and pictures.

use std::fmt::Write;

use crate::{Claim, Measured, Table, Verdict};

/// What a report says of itself.
#[derive(Clone, Debug)]
pub struct Heading {
    /// The paper.
    pub title: String,
    /// What was run, a paragraph each.
    pub about: Vec<String>,
    /// The command that makes the report again.
    pub command: String,
}

/// A picture that a report shows.
#[derive(Clone, Debug)]
pub struct Picture {
    /// What its file is called, beside the report: `estimates.svg`.
    pub file: String,
    /// What is seen on it, in Markdown; stands below it.
    pub caption: String,
    /// What is in the file.
    pub svg: String,
}

/// The whole page; the pictures' files are to lie beside it.
pub fn markdown(heading: &Heading, tables: &[Table], pictures: &[Picture]) -> String {
    let mut page = format!("# {}\n\n", heading.title);
    for paragraph in &heading.about {
        let _ = writeln!(page, "{paragraph}\n");
    }
    let _ = writeln!(page, "Made by `{}`; do not edit.\n", heading.command);
    let count =
        |verdict| tables.iter().flat_map(|table| &table.claims).filter(|claim| claim.verdict == verdict).count();
    let (holds, fails) = (count(Verdict::Holds), count(Verdict::Fails));
    let _ = writeln!(
        page,
        "**{holds} claims hold, {fails} do not reproduce, {} are not testable.**",
        count(Verdict::NotTestable)
    );
    for table in tables {
        add_table(&mut page, table);
    }
    if !pictures.is_empty() {
        page.push_str("\n## Pictures\n");
    }
    for Picture { file, caption, .. } in pictures {
        // Who cannot see it is told its name; the caption is read anyway.
        let name = file.strip_suffix(".svg").unwrap_or(file);
        let _ = writeln!(page, "\n![{name}]({file})\n\n{caption}");
    }
    page
}

fn add_table(page: &mut String, table: &Table) {
    let mut traces: Vec<&str> = Vec::new();
    for trace in table.claims.iter().flat_map(|claim| &claim.traces) {
        if !traces.contains(&trace.trace.as_str()) {
            traces.push(&trace.trace);
        }
    }
    let _ = write!(page, "\n## {}\n\n| claim | published | measured | 95 % interval | verdict |", table.title);
    for trace in &traces {
        let _ = write!(page, " {trace} |");
    }
    let _ = write!(page, "\n|---|---:|---:|---:|---|{}", "---:|".repeat(traces.len()));
    for claim in &table.claims {
        let Claim { claim: words, unit, published, measured, verdict, reason, .. } = claim;
        let published = published.map_or("-".to_owned(), |value| figure(value, unit));
        let _ = write!(
            page,
            "\n| {words} | {published} | {} | {} |",
            of(measured.measured, unit),
            interval(*measured, unit)
        );
        let _ = write!(page, " **{}**: {reason} |", verdict.word());
        for trace in &traces {
            let on_trace = claim.traces.iter().find(|on_trace| on_trace.trace == *trace);
            let value = on_trace.map_or("-".to_owned(), |on_trace| of(on_trace.measured.measured, unit));
            let _ = write!(page, " {value} |");
        }
    }
    page.push('\n');
}

fn of(value: Option<f64>, unit: &str) -> String {
    value.map_or("-".to_owned(), |value| figure(value, unit))
}

fn interval(measured: Measured, unit: &str) -> String {
    match (measured.low95, measured.high95) {
        (Some(low), Some(high)) if high > low => format!("{} to {}", figure(low, unit), figure(high, unit)),
        _ => "-".to_owned(),
    }
}

/// A figure as tables show it.
pub fn figure(value: f64, unit: &str) -> String {
    match unit {
        "%" => format!("{value:.1} %"),
        "min" | "" => format!("{value:.2}"),
        _ => format!("{value:.1} {unit}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::OnTrace;

    #[test]
    fn a_page_has_every_claim_with_its_verdict_and_every_trace() {
        let traces = vec![OnTrace { trace: "KTH".to_owned(), measured: Measured::exactly(9.0) }];
        let measured = Measured { measured: Some(6.0), low95: Some(5.5), high95: Some(6.5) };
        let claim = Claim::of_figure("Table 1", "shorter waits".to_owned(), "%", 5.0, measured, traces);
        let tables = [Table { title: "Table 1: waits".to_owned(), claims: vec![claim] }];
        let heading = Heading { title: "A paper".to_owned(), about: Vec::new(), command: "qcast".to_owned() };
        let page = markdown(&heading, &tables, &[]);
        assert!(page.contains("**1 claims hold, 0 do not reproduce, 0 are not testable.**"), "{page}");
        assert!(page.contains("| shorter waits | 5.0 % | 6.0 % | 5.5 % to 6.5 % | **holds**"), "{page}");
        assert!(page.contains("| 9.0 % |"), "{page}");
        assert!(!page.contains("Pictures"), "{page}");
    }

    #[test]
    fn pictures_come_after_the_tables_each_with_its_caption_below() {
        let heading = Heading { title: "A paper".to_owned(), about: Vec::new(), command: "qcast".to_owned() };
        let tables = [Table { title: "Table 1: waits".to_owned(), claims: Vec::new() }];
        let pictures = ["estimates", "waits"].map(|name| Picture {
            file: format!("{name}.svg"),
            caption: format!("The {name}."),
            svg: "<svg/>".to_owned(),
        });
        let page = markdown(&heading, &tables, &pictures);
        let (tables, shown) = page.split_once("\n## Pictures\n\n").expect("a section of its own");
        assert!(tables.contains("## Table 1"), "{page}");
        assert_eq!(shown, "![estimates](estimates.svg)\n\nThe estimates.\n\n![waits](waits.svg)\n\nThe waits.\n");
    }
}
