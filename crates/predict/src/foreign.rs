//! Predictors that this crate does not know: somebody else's, who brings a name and makes models.
//!
//! For: methods that are no part of this workspace, such as a program of a user's own (`queuecast-exec`). They stand wherever ours do,
//! and hear of the same events and nothing else.
//!
//! Not for: how such a model is asked. Nothing here starts a program or opens a file.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::panic::RefUnwindSafe;
use std::sync::Arc;

use crate::RuntimeModel;

/// Makes models of one kind, each of which has heard nothing.
pub trait ModelSource: fmt::Debug + RefUnwindSafe + Send + Sync {
    /// What it is called on the command line and in results. Two of one name are the same.
    fn name(&self) -> &str;

    /// One more model.
    fn model(&self) -> Box<dyn RuntimeModel>;
}

/// A predictor from elsewhere, known by its name.
#[derive(Clone, Debug)]
pub struct ForeignPredictor(Arc<dyn ModelSource>);

impl ForeignPredictor {
    /// Models from here.
    pub fn new(source: impl ModelSource + 'static) -> Self {
        Self(Arc::new(source))
    }

    pub(crate) fn model(&self) -> Box<dyn RuntimeModel> {
        self.0.model()
    }
}

impl PartialEq for ForeignPredictor {
    fn eq(&self, other: &Self) -> bool {
        self.0.name() == other.0.name()
    }
}

impl Eq for ForeignPredictor {}

impl Hash for ForeignPredictor {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.name().hash(state);
    }
}

impl fmt::Display for ForeignPredictor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name())
    }
}
