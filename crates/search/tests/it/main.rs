//! Template search on real logs.

mod real_logs;
