//! What makes two jobs of a user alike: an ordered list of criteria such as `PE/P/E/*`.

use std::fmt;

/// What must be equal: any of processors, estimate (limit) and executable; nothing for `*`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Criterion(u8);

const LETTERS: [(char, u8); 3] = [('P', 1), ('E', 2), ('X', 4)];

impl Criterion {
    /// Whether processors must be equal.
    pub fn processors(self) -> bool {
        self.0 & 1 != 0
    }

    /// Whether limits must be equal.
    pub fn limit(self) -> bool {
        self.0 & 2 != 0
    }

    /// Whether executables must be equal.
    pub fn program(self) -> bool {
        self.0 & 4 != 0
    }

    fn parse(text: &str) -> Option<Self> {
        if text == "*" {
            return Some(Self(0));
        }
        let mut bits = 0;
        for letter in text.chars() {
            let (_, bit) = LETTERS.iter().find(|(known, _)| *known == letter)?;
            if bits & bit != 0 {
                return None;
            }
            bits |= bit;
        }
        (bits != 0).then_some(Self(bits))
    }
}

impl fmt::Display for Criterion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == 0 {
            return f.write_str("*");
        }
        LETTERS.iter().filter(|(_, bit)| self.0 & bit != 0).try_for_each(|(letter, _)| write!(f, "{letter}"))
    }
}

/// Criteria in the order they are tried, no two the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Criteria(Vec<Criterion>);

impl Criteria {
    /// In the order they are tried.
    pub fn as_slice(&self) -> &[Criterion] {
        &self.0
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut criteria = Vec::new();
        for criterion in text.split('/') {
            let criterion = Criterion::parse(criterion)?;
            if criteria.contains(&criterion) {
                return None;
            }
            criteria.push(criterion);
        }
        Some(Self(criteria))
    }
}

impl fmt::Display for Criteria {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self.0.iter().map(Criterion::to_string).collect();
        f.write_str(&names.join("/"))
    }
}
