//! The papers' own methods, and those they compare themselves with: nearest neighbours, quick starters and support vector machines of
//! Kumar and Vadhiyar, Downey's queue times, instance-based learning after Li et al., bounds after QBETS.
//!
//! For: reproducing what was published, by name ([`crate::MethodSpecification`]). The features they share are in `crate::features`.
//!
//! Not for: what the product says (`crate::queue`, `crate::forward`, `crate::learned`).

pub(crate) mod bounds;
pub(crate) mod downey;
pub(crate) mod ibl;
pub(crate) mod neighbours;
pub(crate) mod quick;
mod size_groups;
pub(crate) mod svm;
