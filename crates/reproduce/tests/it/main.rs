//! The papers' claims on made-up logs.

mod estimates;
