//! Features that jobs ask for, as sbatch writes them: `a100&(fast|new)`, `[rack1|rack2]`, `gpu*2`.
//!
//! Simplified: of counts (`*2`) only the name counts, and that all nodes be of one kind (`[a|b]`) is not asked for.
//!
//! Source: sbatch(1) `--constraint`.

use std::collections::BTreeSet;

/// Whether a node with these features will do.
pub fn has_features(asked: &str, features: &BTreeSet<String>) -> bool {
    let mut reader = Reader { rest: asked.trim(), features, depth: 0 };
    asked.trim().is_empty() || reader.either()
}

struct Reader<'a> {
    rest: &'a str,
    features: &'a BTreeSet<String>,
    depth: u32,
}

/// Nobody writes deeper.
const DEPTH_MAX: u32 = 32;

impl Reader<'_> {
    fn either(&mut self) -> bool {
        let mut fits = self.all();
        while self.takes('|') {
            fits |= self.all();
        }
        fits
    }

    fn all(&mut self) -> bool {
        let mut fits = self.one();
        while self.takes('&') || self.takes(',') {
            fits &= self.one();
        }
        fits
    }

    fn one(&mut self) -> bool {
        if self.depth < DEPTH_MAX && (self.takes('(') || self.takes('[')) {
            self.depth += 1;
            let fits = self.either();
            self.depth -= 1;
            let _closed = self.takes(')') || self.takes(']');
            self.count();
            return fits;
        }
        let end = self.rest.find(['&', ',', '|', ')', ']', '(', '[', '*']).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        self.rest = rest;
        self.count();
        let name = name.trim();
        match name.strip_prefix('!') {
            Some(unwanted) => !self.features.contains(unwanted),
            None => self.features.contains(name),
        }
    }

    fn count(&mut self) {
        if self.takes('*') {
            self.rest = self.rest.trim_start_matches(|letter: char| letter.is_ascii_digit());
        }
    }

    fn takes(&mut self, letter: char) -> bool {
        let Some(rest) = self.rest.trim_start().strip_prefix(letter) else { return false };
        self.rest = rest;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_either_and_brackets_are_understood() {
        let features: BTreeSet<String> = ["a", "b"].map(str::to_owned).into();
        let fits = |asked: &str| has_features(asked, &features);
        for asked in ["", "a", "a&b", "a,b", "c|b", "a&(c|b)", "[a|c]", "a*4&b*2", "(a&c)|b", "a&!c"] {
            assert!(fits(asked), "{asked}");
        }
        for asked in ["c", "a&c", "a&(c|d)", "[c|d]", "c*2", "(a|b)&c", "&", "((((", "!a"] {
            assert!(!fits(asked), "{asked}");
        }
    }

    #[test]
    fn nobody_is_asked_too_deep() {
        assert!(!has_features(&"(".repeat(100_000), &BTreeSet::new()));
    }
}
