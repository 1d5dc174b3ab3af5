//! The one way to draw a plot, on a page or in a file of its own: axes, the area between them, lettering and looks.
//!
//! For: what all plots share. Where a page and a file differ they do so in [`area::Across`]: only a file knows how wide it is.
//!
//! Not for: what a plot shows; that stands with its page, or in [`crate::chart`].

pub mod area;
pub mod axis;
pub mod dot_rows;
pub mod lettering;
pub mod look;
pub mod square;
