//! Who asks, found out from the connection and from what is sent along.
//!
//! For: one answer to it before anything else of a request is looked at. A token of Slurm's counts wherever it comes from; a
//! proxy's word counts if the proxy is one that the site trusts; on the unix socket the kernel's word counts.
//!
//! Not for: what they may see (`asker`).
//!
//! Whoever says who they are in a way that this site has set up, and cannot be believed, is refused and not taken for nobody. In a way
//! that it has not set up nothing can be said: such headers are passed over, as is every other way.
//!
//! Source: unix(7) `SO_PEERCRED`; slurmrestd(8), `X-SLURM-USER-TOKEN`; RFC 6750 on `Authorization: Bearer`.

mod key_file;
mod token;

use std::net::IpAddr;
use std::sync::Arc;

use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use queuecast_workload::Time;

pub use self::key_file::{KeyFileError, TokenKey};
use super::ApiSettings;
use super::asker::Asker;

/// Tokens are at most so long.
const LARGEST_TOKEN: usize = 8 * 1024;
/// Names longer than this are no names.
const LONGEST_NAME: usize = 256;

const SLURM_TOKEN: HeaderName = HeaderName::from_static("x-slurm-user-token");

/// What the system says of the other end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Peer {
    /// A user of this machine, on the unix socket.
    Local(u32),
    /// An address, over TCP.
    Address(IpAddr),
    /// Nothing.
    Unknown,
}

/// Who asks; or why they are not believed.
pub(crate) fn identify(
    peer: Peer,
    headers: &HeaderMap,
    settings: &ApiSettings,
    now: Time,
) -> Result<Asker, &'static str> {
    if let Some(key) = &settings.token_key
        && let Some(token) = sent_token(headers)?
    {
        return named(&token::user(key, token, now)?);
    }
    let is_trusted = match peer {
        Peer::Local(user) => settings.trusted_proxy_users.contains(&user),
        Peer::Address(address) => settings.trusted_proxies.contains(&address.to_canonical()),
        Peer::Unknown => false,
    };
    match (is_trusted, peer) {
        // A proxy that names nobody speaks for nobody: it is not itself who asks.
        (true, _) => match only(headers, &settings.proxy_header)? {
            Some(name) => named(name.to_str().map_err(|_| "the proxy's header is not text")?),
            None => Ok(Asker::Nobody),
        },
        (false, Peer::Local(user)) => Ok(Asker::Local(user)),
        (false, Peer::Address(_) | Peer::Unknown) => Ok(Asker::Nobody),
    }
}

/// The token, if one is sent.
fn sent_token(headers: &HeaderMap) -> Result<Option<&str>, &'static str> {
    let bearer = only(headers, &AUTHORIZATION)?.and_then(|value| {
        let (scheme, token) = value.as_bytes().split_at_checked("Bearer ".len())?;
        scheme.eq_ignore_ascii_case(b"Bearer ").then_some(token)
    });
    let token = match (only(headers, &SLURM_TOKEN)?.map(HeaderValue::as_bytes), bearer) {
        (Some(_), Some(_)) => return Err("there are two tokens"),
        (one, other) => one.or(other),
    };
    match token {
        None => Ok(None),
        Some(token) if token.len() > LARGEST_TOKEN => Err("the token is too long"),
        Some(token) => str::from_utf8(token.trim_ascii()).map(Some).map_err(|_| "the token is not text"),
    }
}

/// The header of this name, which may be there once.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a HeaderValue>, &'static str> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (value, None) => Ok(value),
        (_, Some(_)) => Err("a header that says who you are is there twice"),
    }
}

fn named(name: &str) -> Result<Asker, &'static str> {
    let is_name = !name.is_empty() && name.len() <= LONGEST_NAME && !name.chars().any(char::is_control);
    if is_name { Ok(Asker::Named(Arc::from(name))) } else { Err("that is not a user's name") }
}

#[cfg(test)]
mod tests;
