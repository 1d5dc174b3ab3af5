//! Templates as text: `(u,e,n=4,mean,rel,mh=16)`, as in the paper's tables.
//!
//! Words may stand in any order; without them an estimate is the `mean` of `act`ual run times over all history. What
//! is printed is in one order, names estimator and data, and reads back as itself.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::{Characteristic, Data, Estimator, Template};

const KNOWN: &str = "q queue, p partition, u user, g group, e executable, l limit, n=PROCESSORS; \
                     mean, lr, inv, log or med; act or rel; mh=COUNT";

/// Why a text is not a template or a set of them.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TemplateError {
    /// No parentheses around it.
    #[error("'{0}' is not a template; templates are written in parentheses, such as (u,n=4,mean,act)")]
    NotInParentheses(String),
    /// A word that means nothing here.
    #[error("unknown template element '{0}'; known: {KNOWN}")]
    UnknownWord(String),
    /// A characteristic of the paper's logs that the product's jobs do not have.
    #[error("logs in Standard Workload Format do not contain '{letter}' ({meaning}); known: {KNOWN}")]
    NotInLogs {
        /// The paper's letter.
        letter: &'static str,
        /// What it stands for there.
        meaning: &'static str,
    },
    /// A word that repeats or contradicts an earlier one of the same template.
    #[error("template element '{0}' repeats or contradicts an earlier element of the same template")]
    Repeated(String),
    /// Not a number, or zero, or too large.
    #[error("'{0}' needs a whole number of at least 1")]
    BadNumber(String),
    /// A rule of selection that does not exist.
    #[error("unknown selection rule '{0}'; known: smallest, shrunk")]
    UnknownSelection(String),
    /// A rule of selection behind a template.
    #[error("the selection rule '{0}' must be written before the templates")]
    LateSelection(String),
    /// Nothing to predict with.
    #[error("no template given; the template of all jobs is ()")]
    NoTemplate,
}

/// What of a foreign text is fit to stand in a message.
pub(super) fn excerpt(text: &str) -> String {
    text.chars().take(40).collect()
}

impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        for characteristic in self.characteristics.iter() {
            write!(f, "{},", characteristic.letter())?;
        }
        if let Some(size) = self.processors_range {
            write!(f, "n={size},")?;
        }
        write!(f, "{},{}", self.estimator.word(), self.data.word())?;
        if let Some(count) = self.maximum_history {
            write!(f, ",mh={count}")?;
        }
        f.write_str(")")
    }
}

impl FromStr for Template {
    type Err = TemplateError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let inside = text.trim().strip_prefix('(').and_then(|text| text.strip_suffix(')'));
        let inside = inside.ok_or_else(|| TemplateError::NotInParentheses(excerpt(text)))?.trim();
        let mut draft = Draft::default();
        if !inside.is_empty() {
            for word in inside.split(',') {
                draft.read(word.trim())?;
            }
        }
        Ok(Self { data: draft.data.unwrap_or_default(), estimator: draft.estimator.unwrap_or_default(), ..draft.rest })
    }
}

/// A template of which not all words have been read.
#[derive(Default)]
struct Draft {
    rest: Template,
    data: Option<Data>,
    estimator: Option<Estimator>,
}

impl Draft {
    fn read(&mut self, word: &str) -> Result<(), TemplateError> {
        let fresh = if let Some((name, value)) = word.split_once('=') {
            match name.trim() {
                "n" => self.rest.processors_range.replace(number(word, value)?).is_none(),
                "mh" => self.rest.maximum_history.replace(number(word, value)?).is_none(),
                _ => return Err(TemplateError::UnknownWord(excerpt(word))),
            }
        } else if let Some(estimator) = Estimator::ALL.into_iter().find(|estimator| estimator.word() == word) {
            self.estimator.replace(estimator).is_none()
        } else if let Some(data) = [Data::Actual, Data::Relative].into_iter().find(|data| data.word() == word) {
            self.data.replace(data).is_none()
        } else if let Some(found) = Characteristic::ALL.into_iter().find(|found| found.letter() == word) {
            let before = self.rest.characteristics;
            self.rest.characteristics = before.with(found);
            !before.contains(found)
        } else {
            return Err(meaningless(word));
        };
        if fresh { Ok(()) } else { Err(TemplateError::Repeated(excerpt(word))) }
    }
}

fn number<N: FromStr>(word: &str, value: &str) -> Result<N, TemplateError> {
    value.trim().parse().map_err(|_| TemplateError::BadNumber(excerpt(word)))
}

fn meaningless(word: &str) -> TemplateError {
    let not_in_logs = |letter, meaning| TemplateError::NotInLogs { letter, meaning };
    match word {
        "t" => not_in_logs("t", "type"),
        "c" => not_in_logs("c", "class"),
        "s" => not_in_logs("s", "script"),
        "a" => not_in_logs("a", "arguments"),
        "na" => not_in_logs("na", "network adaptor"),
        _ => TemplateError::UnknownWord(excerpt(word)),
    }
}

impl Estimator {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Mean, Self::Linear, Self::Inverse, Self::Logarithmic, Self::Median];

    fn word(self) -> &'static str {
        match self {
            Self::Mean => "mean",
            Self::Linear => "lr",
            Self::Inverse => "inv",
            Self::Logarithmic => "log",
            Self::Median => "med",
        }
    }
}

impl Data {
    fn word(self) -> &'static str {
        match self {
            Self::Actual => "act",
            Self::Relative => "rel",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(text: &str) -> String {
        text.parse::<Template>().expect_err(text).to_string()
    }

    #[test]
    fn a_template_in_its_usual_form_reads_back_as_itself() {
        for text in [
            "(mean,act)",
            "(u,e,n=4,mean,rel,mh=16)",
            "(q,p,u,g,e,l,n=512,log,rel,mh=65536)",
            "(n=1,inv,act)",
            "(q,u,lr,act,mh=2)",
        ] {
            assert_eq!(text.parse::<Template>().expect(text).to_string(), text);
        }
    }

    #[test]
    fn words_come_in_any_order_and_have_defaults() {
        for (text, usual) in [
            ("()", "(mean,act)"),
            (" ( ) ", "(mean,act)"),
            ("(e,u)", "(u,e,mean,act)"),
            ("(mh=8, rel, n = 4 ,lr,u)", "(u,n=4,lr,rel,mh=8)"),
        ] {
            assert_eq!(text.parse::<Template>().expect(text).to_string(), usual);
        }
    }

    #[test]
    fn the_papers_letters_that_no_log_has_are_refused_by_name() {
        for (letter, meaning) in
            [("t", "type"), ("c", "class"), ("s", "script"), ("a", "arguments"), ("na", "network adaptor")]
        {
            let message = refusal(&format!("(u,{letter},mean)"));
            assert!(message.contains(&format!("do not contain '{letter}' ({meaning})")), "{message}");
            assert!(message.contains("u user"), "{message}");
        }
    }

    #[test]
    fn nonsense_is_refused_with_the_word_and_what_is_known() {
        for (text, word) in [("(u,x)", "'x'"), ("(u,,e)", "''"), ("(k=4)", "'k=4'"), ("(U)", "'U'"), ("((u))", "'(u)'")]
        {
            let message = refusal(text);
            assert!(message.contains(word) && message.contains("mh=COUNT"), "{message}");
        }
        assert_eq!(refusal("(n=0)"), "'n=0' needs a whole number of at least 1");
        assert_eq!(refusal("(mh=-3)"), "'mh=-3' needs a whole number of at least 1");
        assert_eq!(refusal("(n=99999999999)"), "'n=99999999999' needs a whole number of at least 1");
        assert_eq!(
            refusal("(u,e,u)"),
            "template element 'u' repeats or contradicts an earlier element of the same template"
        );
        assert_eq!(
            refusal("(mean,lr)"),
            "template element 'lr' repeats or contradicts an earlier element of the same template"
        );
        assert!(refusal("u,e").starts_with("'u,e' is not a template"));
        assert!(refusal(&"x".repeat(1_000_000)).len() < 200);
    }
}
