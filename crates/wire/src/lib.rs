//! Secrets on the wire and on disk.
//!
//! For: one rule, wherever a token is sent or a secret is read. A token goes over TLS, or stays on this machine; it never follows a
//! redirection; and a file that others can read holds no secret.
//!
//! Not for: what is asked (`queuecast-api`, `queuecast-slurm`); who is believed (`queuecast-daemon`).

pub mod address;
pub mod client;
pub mod secret;

pub use address::{Address, AddressError};
pub use client::ClientError;
pub use secret::{SecretError, SecretReaders};
