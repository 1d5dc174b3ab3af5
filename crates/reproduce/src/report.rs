//! A reproduction as a page of Markdown: what was run, every table with its verdicts on each trace, and pictures.

use std::fmt::Write;

use crate::{Claim, Interval, Kind, Measured, RULES, Table, Verdict};

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

/// The whole page; the pictures' files are to lie beside it. `made_from` says, a line each, which program and which logs it was made with.
pub fn markdown(heading: &Heading, made_from: &[String], tables: &[Table], pictures: &[Picture]) -> String {
    let mut page = format!("# {}\n\n", heading.title);
    for paragraph in &heading.about {
        let _ = writeln!(page, "{paragraph}\n");
    }
    let _ = writeln!(page, "Made by `{}`; do not edit. Made from:\n", heading.command);
    for line in made_from {
        let _ = writeln!(page, "- {line}");
    }
    page.push('\n');
    let _ = write!(page, "{}\n{RULES}\n", counted(tables));
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

/// How many claims there are, by whose they are and by verdict.
pub fn counted(tables: &[Table]) -> String {
    let mut counts =
        "| claims | ".to_owned() + &Verdict::ALL.map(Verdict::word).join(" | ") + " |\n|---|---:|---:|---:|---:|\n";
    for kind in Kind::ALL {
        let of_kind = || tables.iter().flat_map(|table| &table.claims).filter(|claim| claim.kind == kind);
        let count = |verdict| of_kind().filter(|claim| claim.verdict == verdict).count().to_string();
        let words = match kind {
            Kind::Paper => "the paper's, on its own logs or workload",
            Kind::StandIn => "the paper's, on a stand-in",
            Kind::Ours => "ours",
        };
        let _ = writeln!(counts, "| {words} | {} |", Verdict::ALL.map(count).join(" | "));
    }
    counts
}

fn add_table(page: &mut String, table: &Table) {
    let mut traces: Vec<&str> = Vec::new();
    for trace in table.claims.iter().flat_map(|claim| &claim.traces) {
        if !traces.contains(&trace.trace.as_str()) {
            traces.push(&trace.trace);
        }
    }
    let _ = write!(page, "\n## {}\n\n| claim | whose | published | measured | 95 % interval |", table.title);
    let has_others = table.claims.iter().any(|claim| claim.other_weeks.is_some());
    if has_others {
        page.push_str(" other weeks | other users |");
    }
    page.push_str(" verdict |");
    for trace in &traces {
        let _ = write!(page, " {trace} |");
    }
    let _ = write!(
        page,
        "\n|---|---|---:|---:|---:|{}---|{}",
        if has_others { "---:|---:|" } else { "" },
        "---:|".repeat(traces.len())
    );
    for claim in &table.claims {
        let Claim { claim: words, unit, published, measured, verdict, reason, .. } = claim;
        // What we ask of ourselves is not published by anybody, and says so.
        let published = match (published, claim.asked) {
            (Some(published), _) => figure(*published, unit),
            (None, Some(asked)) => format!("asked: {}", figure(asked, unit)),
            (None, None) => "-".to_owned(),
        };
        let _ = write!(
            page,
            "\n| {words} | {} | {published} | {} | {} |",
            claim.kind.word(),
            of(measured.measured, unit),
            interval(*measured, unit)
        );
        if has_others {
            let other = |other: Option<Interval>| other.map_or("-".to_owned(), |other| between(other, unit));
            let _ = write!(page, " {} | {} |", other(claim.other_weeks), other(claim.other_users));
        }
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
        (Some(low95), Some(high95)) if high95 > low95 => between(Interval { low95, high95 }, unit),
        _ => "-".to_owned(),
    }
}

fn between(Interval { low95, high95 }: Interval, unit: &str) -> String {
    format!("{} to {}", figure(low95, unit), figure(high95, unit))
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
        let claim = Claim::of_figure("Table 1", "shorter waits", "%", 5.0, measured, traces);
        let tables = [Table { title: "Table 1: waits".to_owned(), claims: vec![claim] }];
        let heading = Heading { title: "A paper".to_owned(), about: Vec::new(), command: "qcast".to_owned() };
        let page = markdown(&heading, &["qcast 0, commit 1".to_owned()], &tables, &[]);
        assert!(page.contains("| the paper's, on its own logs or workload | 1 | 0 | 0 | 0 |"), "{page}");
        assert!(page.contains("| shorter waits | paper | 5.0 % | 6.0 % | 5.5 % to 6.5 % | **holds**"), "{page}");
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
        let page = markdown(&heading, &[], &tables, &pictures);
        let (tables, shown) = page.split_once("\n## Pictures\n\n").expect("a section of its own");
        assert!(tables.contains("## Table 1"), "{page}");
        assert_eq!(shown, "![estimates](estimates.svg)\n\nThe estimates.\n\n![waits](waits.svg)\n\nThe waits.\n");
    }
}
