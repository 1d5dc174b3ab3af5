//! The forecaster: the model's futures, what waits have been, and what was learnt of both, weighed by how good they have been.
//!
//! For: when a job starts, said at its submission, after it has waited, or before it exists; from a log or from a live site. Whoever asks gives
//! the model's word ([`Word`]) and what the site looks like ([`Question`]); the same events teach it everywhere ([`Pooled`]).
//!
//! Not for: playing futures ([`crate::forward`], [`crate::queue`]) or run times (`queuecast-predict`).
//!
//! The experts, each a distribution ([`WaitCurve`]): the futures as they come and repaired ([`crate::forward`]), the last waits of the partition, the
//! class and the user (`recent_waits.rs`), and a forest over all that is known (`forest.rs`). The `weights.rs`
//! follow the score in each regime, the `levels.rs` make ranges hold. `docs/adr/0014-one-forecaster.md` says why, and what each part is worth.

mod at_arrival;
mod curve;
mod experts;
mod forecaster;
mod forest;
mod inputs;
mod learnt;
mod levels;
mod open_answers;
mod part;
mod recent_by_kind;
mod recent_waits;
mod regime;
mod rows;
mod still_waiting;
mod tree;
mod weights;
mod word;

pub use at_arrival::PooledForecaster;
pub use curve::WaitCurve;
pub use experts::EXPERTS;
pub use forecaster::{Answer, Lesson, Pooled, PooledSettings, Question};
pub use forest::{Forest, ForestSettings};
pub use learnt::LearntWaits;
pub use part::Part;
pub use recent_by_kind::RecentByKind;
pub use recent_waits::RecentWaits;
pub use word::Word;
