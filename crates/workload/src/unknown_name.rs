//! The error for a name that means nothing: policies, predictors, orders and rules are all chosen by name.

/// A name that means nothing here, with the names that do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown {what} '{given}'; known: {known}")]
pub struct UnknownName {
    what: &'static str,
    given: String,
    known: &'static str,
}

impl UnknownName {
    /// `given` is not one of the `known` names of `what`.
    pub fn new(what: &'static str, given: &str, known: &'static str) -> Self {
        Self { what, given: given.to_owned(), known }
    }
}
