//! Several templates and the rule by which one of their estimates is chosen, as a value and as text.
//!
//! As a file: one template a line, `#` for remarks, and perhaps `select shrunk` before the first. In a result: one line,
//! `shrunk/(u,mean,act)/(q,u,n=4,lr,act)`, without the rule where it is the paper's.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::text::excerpt;
use super::{Template, TemplateError};

/// How the surest of several estimates is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Selection {
    /// The paper's (R-S2): the narrowest interval, Chebyshev's for a mean and Student's for a regression. Two equal
    /// run times make an interval of no width, which wins over anything.
    #[default]
    Smallest,
    /// The narrowest interval of one kind for all, in which the little that a small category has seen counts little:
    /// see the notes on widths in the source.
    Shrunk,
}

/// Templates, and how to choose among their estimates. Of equally sure ones the first is taken.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TemplateSet {
    /// The templates, at least one.
    pub templates: Vec<Template>,
    /// The rule.
    pub selection: Selection,
}

/// What is wrong with a file of templates, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {problem}")]
pub struct TemplateLineError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: TemplateError,
}

impl TemplateSet {
    /// Reads a file of templates.
    pub fn from_lines(text: &str) -> Result<Self, TemplateLineError> {
        let mut selection = None;
        let mut templates = Vec::new();
        let mut lines = 0;
        for (line, content) in (1..).zip(text.lines()) {
            lines = line;
            let content = content.split('#').next().unwrap_or_default().trim();
            let at_line = |problem| TemplateLineError { line, problem };
            if content.is_empty() {
                continue;
            }
            match content.strip_prefix("select").map(str::trim) {
                None => templates.push(content.parse().map_err(at_line)?),
                Some(rule) if selection.is_none() && templates.is_empty() => {
                    selection = Some(rule.parse().map_err(at_line)?);
                }
                Some(rule) => return Err(at_line(TemplateError::LateSelection(excerpt(rule)))),
            }
        }
        if templates.is_empty() {
            return Err(TemplateLineError { line: lines.max(1), problem: TemplateError::NoTemplate });
        }
        Ok(Self { templates, selection: selection.unwrap_or_default() })
    }

    /// The set as a file.
    pub fn to_lines(&self) -> String {
        let rule = format!("select {}\n", self.selection);
        self.templates.iter().fold(rule, |lines, template| lines + &format!("{template}\n"))
    }
}

impl fmt::Display for TemplateSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.selection != Selection::default() {
            write!(f, "{}/", self.selection)?;
        }
        for (index, template) in self.templates.iter().enumerate() {
            let separator = if index == 0 { "" } else { "/" };
            write!(f, "{separator}{template}")?;
        }
        Ok(())
    }
}

impl FromStr for TemplateSet {
    type Err = TemplateError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        let (selection, templates) = match text.split_once('/') {
            Some((rule, templates)) if !rule.starts_with('(') => (rule.parse()?, templates),
            _ => (Selection::default(), text),
        };
        if templates.is_empty() {
            return Err(TemplateError::NoTemplate);
        }
        let templates = templates.split('/').map(str::parse).collect::<Result<_, _>>()?;
        Ok(Self { templates, selection })
    }
}

impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Smallest => "smallest",
            Self::Shrunk => "shrunk",
        })
    }
}

impl FromStr for Selection {
    type Err = TemplateError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "smallest" => Ok(Self::Smallest),
            "shrunk" => Ok(Self::Shrunk),
            _ => Err(TemplateError::UnknownSelection(excerpt(text))),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;

    #[test]
    fn the_line_of_a_result_reads_back_as_itself() {
        for text in ["(mean,act)", "(u,mean,act)/(q,u,n=4,lr,act)", "shrunk/(u,mean,act)/(mean,rel,mh=4)"] {
            assert_eq!(text.parse::<TemplateSet>().expect(text).to_string(), text);
        }
        assert_eq!("smallest/(u)".parse::<TemplateSet>().unwrap().to_string(), "(u,mean,act)");
    }

    #[test]
    fn a_file_has_remarks_blank_lines_and_perhaps_a_rule() {
        let file = "# found on KTH\n\nselect shrunk # ours\n(u) # who\r\n\n  (q,u,n=4,lr)\n";
        let set = TemplateSet::from_lines(file).unwrap();
        assert_eq!(set.to_string(), "shrunk/(u,mean,act)/(q,u,n=4,lr,act)");
        assert_eq!(TemplateSet::from_lines(&set.to_lines()), Ok(set));
        assert_eq!(TemplateSet::from_lines("(u)\n").unwrap().selection, Selection::Smallest);
    }

    #[test]
    fn a_bad_file_is_refused_with_line_and_word() {
        for (file, message) in [
            ("(u)\n# remark\n(u,x)\n", "line 3: unknown template element 'x'; known: q queue"),
            ("(u)\n(u,s)\n", "line 2: logs in Standard Workload Format do not contain 's' (script)"),
            ("select best\n(u)\n", "line 1: unknown selection rule 'best'; known: smallest, shrunk"),
            ("(u)\nselect shrunk\n", "line 2: the selection rule 'shrunk' must be written before the templates"),
            ("select shrunk\nselect shrunk\n(u)", "line 2: the selection rule 'shrunk' must be written before"),
            ("users\n", "line 1: 'users' is not a template; templates are written in parentheses"),
            ("# nothing\n\n", "line 2: no template given"),
            ("", "line 1: no template given"),
        ] {
            let error = TemplateSet::from_lines(file).expect_err(file).to_string();
            assert!(error.starts_with(message), "{error}");
        }
        assert_eq!("".parse::<TemplateSet>(), Err(TemplateError::NoTemplate));
        assert_eq!("shrunk/".parse::<TemplateSet>(), Err(TemplateError::NoTemplate));
        assert!("best/(u)".parse::<TemplateSet>().is_err());
    }

    /// Pieces that come close to a set of templates, and some that do not.
    fn texts() -> impl Strategy<Value = String> {
        let words =
            "( ) , / = n= mh= u q l na mean lr rel select shrunk # 0 7 - 99999999999999999999 é \u{1f600} () \0";
        let pieces: Vec<&str> = words.split(' ').chain([" ", "\n", "\r"]).collect();
        let piece = prop_oneof![9 => select(pieces).prop_map(str::to_owned), 1 => any::<char>().prop_map(String::from)];
        proptest::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(5_000))]

        #[test]
        fn no_text_breaks_the_readers_and_what_they_accept_reads_back(text in texts()) {
            if let Ok(set) = text.parse::<TemplateSet>() {
                prop_assert_eq!(set.to_string().parse(), Ok(set));
            }
            if let Ok(set) = TemplateSet::from_lines(&text) {
                prop_assert_eq!(TemplateSet::from_lines(&set.to_lines()), Ok(set));
            }
        }
    }
}
