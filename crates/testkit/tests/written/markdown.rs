//! As much of Markdown as is needed to look up what pages name: links, headings, code.

use std::collections::BTreeSet;

/// A block of code, with the words behind its fence and the line before it.
pub struct Block<'text> {
    /// `console`, `console,ignore`, `toml`, or nothing.
    pub language: &'text str,
    /// The last line before the fence that is not blank.
    pub before: &'text str,
    /// What stands between the fences.
    pub lines: Vec<&'text str>,
}

/// The lines that are no code, and the blocks that are.
pub fn parts(page: &str) -> (Vec<&str>, Vec<Block<'_>>) {
    let (mut words, mut blocks, mut fence) = (Vec::<&str>::new(), Vec::<Block<'_>>::new(), None);
    for line in page.lines() {
        let trimmed = line.trim_start();
        match fence {
            None if trimmed.starts_with("```") => {
                let before = words.iter().rev().find(|line| !line.trim().is_empty()).copied().unwrap_or("");
                blocks.push(Block { language: trimmed.trim_start_matches('`').trim(), before, lines: Vec::new() });
                fence = Some(());
                words.push("");
            }
            None => words.push(line),
            Some(()) if trimmed.trim_end() == "```" => fence = None,
            Some(()) => blocks.last_mut().expect("a fence was opened").lines.push(line),
        }
    }
    (words, blocks)
}

/// What stands between backquotes in a line.
pub fn spans(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

/// A line without what stands between backquotes.
fn without_spans(line: &str) -> String {
    line.split('`').step_by(2).collect::<Vec<_>>().join("_")
}

/// Where a page links to: everything behind `](`, pictures included.
pub fn links(page: &str) -> Vec<String> {
    let (words, _) = parts(page);
    // Links may go over the end of a line.
    let text = words.iter().map(|line| without_spans(line)).collect::<Vec<_>>().join("\n");
    let behind = text.match_indices("](").map(|(place, _)| &text[place + 2..]);
    behind.filter_map(|rest| rest.split_once(')')).map(|(target, _)| target.to_owned()).collect()
}

/// By what names the headings of a page can be linked to, as mdBook and GitHub give them.
pub fn anchors(page: &str) -> BTreeSet<String> {
    let (words, _) = parts(page);
    let headings = words.iter().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
    headings.map(anchor).collect()
}

fn anchor(heading: &str) -> String {
    let kept = |letter: &char| letter.is_alphanumeric() || matches!(letter, '-' | '_' | ' ');
    heading.to_lowercase().chars().filter(kept).map(|letter| if letter == ' ' { '-' } else { letter }).collect()
}

#[test]
fn links_headings_and_code_are_found() {
    let page = "# What `qcast when` prints\n\nSee [a](rules.md#c), `[no](link)` and [two\nlines](where.md).\n\n<!-- lab: user01 -->\n```console,ignore\n$ qcast when 1 ](x)\n```\n";
    assert_eq!(links(page), ["rules.md#c", "where.md"]);
    assert_eq!(anchors(page), BTreeSet::from(["what-qcast-when-prints".to_owned()]));
    let (_, blocks) = parts(page);
    assert_eq!((blocks[0].language, blocks[0].before), ("console,ignore", "<!-- lab: user01 -->"));
    assert_eq!(blocks[0].lines, ["$ qcast when 1 ](x)"]);
}
