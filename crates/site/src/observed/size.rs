//! Four sizes of jobs, by how many nodes they have: enough to tell whether wide jobs wait longer.

use std::fmt;

/// How wide a job is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum JobSize {
    /// One node, or a part of one.
    OneNode,
    /// Two to eight nodes.
    Few,
    /// Nine to sixty-four nodes.
    Many,
    /// More.
    Most,
}

impl JobSize {
    /// All of them, the smallest first.
    pub const ALL: [Self; 4] = [Self::OneNode, Self::Few, Self::Many, Self::Most];

    /// Of so many nodes.
    pub fn of(nodes: u64) -> Self {
        match nodes {
            0..=1 => Self::OneNode,
            2..=8 => Self::Few,
            9..=64 => Self::Many,
            _ => Self::Most,
        }
    }

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::OneNode => "1 node",
            Self::Few => "2 to 8 nodes",
            Self::Many => "9 to 64 nodes",
            Self::Most => "more than 64 nodes",
        }
    }

    /// The size of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|size| size.name() == name)
    }
}

impl fmt::Display for JobSize {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_found_by_its_name_and_its_bounds_are_as_named() {
        assert_eq!(
            [0, 1, 2, 8, 9, 64, 65].map(JobSize::of).map(JobSize::name).map(|name| &name[..1]),
            ["1", "1", "2", "2", "9", "9", "m"]
        );
        assert!(JobSize::ALL.into_iter().all(|size| JobSize::named(size.name()) == Some(size)));
        assert_eq!(JobSize::named("huge"), None);
    }
}
