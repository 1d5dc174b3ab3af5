//! Run-time distributions on made-up histories.

mod distribution_leak;
