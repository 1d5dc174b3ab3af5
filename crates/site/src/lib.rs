//! One site, pure: what becomes known of its jobs, its cluster as the core sees it, what is said of everybody, what is advised.
//!
//! For: the way from facts to forecasts, the same live and on a history that is over. Facts become known once ([`ledger`]), the cluster
//! is seen as pools and an order ([`cluster`]), everybody is forecast ([`forecasting`]), people are advised ([`adviser`]), and what is
//! said is a value ([`published`]). A history is played the same way ([`backtest`]).
//!
//! Not for: a clock, a socket or a file. Whoever asks a resource manager, keeps what was seen and answers is `queuecast-daemon`.

pub mod adviser;
pub mod backtest;
pub mod cluster;
pub mod forecasting;
pub mod ledger;
pub mod observed;
pub mod past_waits;
pub mod people;
pub mod published;
pub mod roles;
pub mod twin;
