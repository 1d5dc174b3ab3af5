//! What two jobs may have in common: the job fields of the paper's Table 2 that a Standard Workload Format log carries.

use queuecast_workload::Submission;

/// One thing two jobs may have in common. Processors are not among them: they are compared by ranges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Characteristic {
    /// `q`: the queue.
    Queue,
    /// `p`: the partition.
    Partition,
    /// `u`: who submitted.
    User,
    /// `g`: the submitter's group.
    Group,
    /// `e`: what is run.
    Executable,
    /// `l`: the limit, to the second. Users ask for few different ones, so it says much about the job.
    Limit,
}

impl Characteristic {
    /// All of them, in the order in which templates are written.
    pub const ALL: [Self; 6] = [Self::Queue, Self::Partition, Self::User, Self::Group, Self::Executable, Self::Limit];

    /// The letter it has in a template's text.
    pub fn letter(self) -> &'static str {
        match self {
            Self::Queue => "q",
            Self::Partition => "p",
            Self::User => "u",
            Self::Group => "g",
            Self::Executable => "e",
            Self::Limit => "l",
        }
    }

    /// What the job has of it; `None` where that is not known.
    pub fn of(self, job: &Submission) -> Option<u64> {
        match self {
            Self::Queue => job.queue.map(|queue| queue.0.into()),
            Self::Partition => job.partition.map(|partition| partition.0.into()),
            Self::User => job.user.map(|user| user.0.into()),
            Self::Group => job.group.map(|group| group.0.into()),
            Self::Executable => job.program.map(|program| program.0.into()),
            Self::Limit => job.limit.map(|limit| limit.0.cast_unsigned()),
        }
    }

    fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// A set of characteristics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Characteristics(u8);

impl Characteristics {
    /// None at all.
    pub const NONE: Self = Self(0);

    /// Whether the set holds this one.
    pub fn contains(self, characteristic: Characteristic) -> bool {
        self.0 & characteristic.bit() != 0
    }

    /// The set and this one.
    #[must_use]
    pub fn with(self, characteristic: Characteristic) -> Self {
        Self(self.0 | characteristic.bit())
    }

    /// What is in both sets.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The set without this one.
    #[must_use]
    pub fn without(self, characteristic: Characteristic) -> Self {
        Self(self.0 & !characteristic.bit())
    }

    /// What is in the set, in the order of [`Characteristic::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Characteristic> {
        Characteristic::ALL.into_iter().filter(move |characteristic| self.contains(*characteristic))
    }
}

impl FromIterator<Characteristic> for Characteristics {
    fn from_iter<I: IntoIterator<Item = Characteristic>>(characteristics: I) -> Self {
        characteristics.into_iter().fold(Self::default(), Self::with)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_holds_what_was_put_in_and_nothing_else() {
        for bits in 0..64_u8 {
            let chosen = |characteristic: &Characteristic| bits & characteristic.bit() != 0;
            let set: Characteristics = Characteristic::ALL.into_iter().filter(chosen).collect();
            assert!(set.iter().eq(Characteristic::ALL.into_iter().filter(chosen)));
        }
    }
}
