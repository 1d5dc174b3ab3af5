//! Programs as predictors, policies and forecasters: they agree with ours where they do the same, hear nothing early, and whatever they do
//! wrong is told. They need python3.

mod faults;
mod forecaster;
mod leak;
mod policy;
mod predictor;
mod support;
