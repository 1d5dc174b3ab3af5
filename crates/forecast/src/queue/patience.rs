//! For how long a queue is played.
//!
//! For: a deadline, a signal to end, an asker who has left. The core has no clock: whoever asks looks at one, and says when it is over.
//!
//! Not for: what is said of those who had not started by then (`player`).

use std::fmt;
use std::sync::Arc;

/// Says when playing is to end, finished or not.
#[derive(Clone, Default)]
pub struct Patience(Option<Arc<dyn Fn() -> bool + Send + Sync>>);

impl Patience {
    /// It is played to the end, however long that takes.
    pub const ENDLESS: Self = Self(None);

    /// Until this says that it is over. It is asked often: at every event of every future.
    pub fn until(is_over: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(is_over)))
    }

    /// Whether it is over.
    pub fn is_over(&self) -> bool {
        self.0.as_ref().is_some_and(|is_over| is_over())
    }
}

impl fmt::Debug for Patience {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(if self.0.is_some() { "Patience::until(..)" } else { "Patience::ENDLESS" })
    }
}
