//! Parts of the forecaster that can be left out, to see what each is worth.

use super::experts::{EXPERTS, PRIOR, PRIOR_WHERE_PRIORITIES_ARE_TOLD};

/// A part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// The model's futures.
    Futures,
    /// Futures of the queue put right where nobody tells who may start and who goes first.
    Repair,
    /// The last waits as experts; the forest still sees them.
    Recent,
    /// The forest.
    Forest,
    /// Ranges made to hold.
    Levels,
}

/// What each expert is worth at first without a part: who belongs to it, nothing.
pub fn prior(are_priorities_told: bool, without: Option<Part>) -> [f64; EXPERTS.len()] {
    let mut prior = if are_priorities_told { PRIOR_WHERE_PRIORITIES_ARE_TOLD } else { PRIOR };
    for (worth, expert) in prior.iter_mut().zip(EXPERTS) {
        let is_out = match without {
            None | Some(Part::Levels) => false,
            Some(Part::Futures) => expert.starts_with("simulation"),
            Some(Part::Repair) => expert.ends_with(":repaired"),
            Some(Part::Recent) => expert.starts_with("recent"),
            Some(Part::Forest) => expert == "forest",
        };
        if is_out {
            *worth = 0.0;
        }
    }
    prior
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_that_has_experts_takes_them_along_and_leaves_others() {
        for part in [Part::Futures, Part::Repair, Part::Recent, Part::Forest] {
            let left = prior(false, Some(part)).iter().filter(|worth| **worth > 0.0).count();
            assert!(left > 0 && left < EXPERTS.len(), "{part:?}");
        }
        assert!(prior(false, Some(Part::Levels)).iter().all(|worth| *worth > 0.0));
    }
}
