//! The six classes of wait of Kumar and Vadhiyar (R-K5).

use queuecast_workload::Seconds;

/// How many classes there are.
pub const WAIT_CLASSES: usize = 6;

/// The longest wait of each class but the last: 1, 3, 6, 12 and 24 hours.
pub const CLASS_BOUNDS: [Seconds; WAIT_CLASSES - 1] =
    [Seconds(3_600), Seconds(3 * 3_600), Seconds(6 * 3_600), Seconds(12 * 3_600), Seconds(24 * 3_600)];

/// How likely each class is, from the shortest waits; they sum to one.
pub type WaitClassProbabilities = [f64; WAIT_CLASSES];

/// A class of wait, from zero (up to an hour) to five (more than a day).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WaitClass(u8);

impl WaitClass {
    /// The class of a wait in seconds.
    pub fn of(wait_seconds: f64) -> Self {
        let shorter = CLASS_BOUNDS.iter().filter(|bound| wait_seconds > bound.as_f64()).count();
        Self(u8::try_from(shorter).unwrap_or(u8::MAX))
    }

    /// The class in this place, counted from zero; `None` beyond the last.
    pub fn at(index: usize) -> Option<Self> {
        u8::try_from(index).ok().filter(|_| index < WAIT_CLASSES).map(Self)
    }

    /// Its place, from zero.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// What a class of waits is called.
pub fn class_name(place: usize) -> String {
    let hours = |bound: &Seconds| bound.0 / 3_600;
    match (CLASS_BOUNDS.get(place), CLASS_BOUNDS.last()) {
        (Some(bound), _) => format!("up to {} h", hours(bound)),
        (None, longest) => format!("more than {} h", longest.map_or(0, hours)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_belongs_to_the_class_it_ends() {
        let classes = [0.0, 3_600.0, 3_601.0, 10_800.0, 21_601.0, 86_400.0, 86_401.0, 1e9].map(WaitClass::of);
        assert_eq!(classes.map(WaitClass::index), [0, 0, 1, 1, 3, 4, 5, 5]);
    }
}
