//! A comparison, wait forecasts or a back-test as one page for people: self-contained HTML with inline SVG; and [charts](Chart) as
//! files of their own.
//!
//! For: looking at what `qcast compare`, `qcast wait` and `qcast backtest` found, on paper, a telephone or a dark screen; pictures for written reports.
//! Neither needs network, script or font, and the same figures give the same bytes.
//!
//! Not for: judging (`queuecast-evaluate`), programs (they have JSON and CSV), or writing files.

mod backtest;
mod chart;
mod comparison;
mod markup;
mod page;
mod plot;
mod quantity;
mod wait;

pub use backtest::{BacktestReport, DurationRows, ReliabilityCurve, TextTable};
pub use chart::{Chart, CurvePanel, Drawn, Panel, REFERENCE_COLOUR, Row, RowPanel, Series};
pub use comparison::{ComparisonReport, HowMade, TraceSection};
pub use plot::axis::{Axis, Tick};
pub use wait::{ForecastMilliseconds, MethodSection, WaitReport};
