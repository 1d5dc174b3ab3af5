//! The daemon's interface and its store, through their public types.

mod api;
mod api_load;
mod api_support;
mod api_tls;
mod fuzz_corpus;
mod fuzz_support;
mod store_damage;
mod store_golden;
mod store_kill;
mod store_speed;
