//! Judgements of forecasts on whole logs.

mod limit_promises;
