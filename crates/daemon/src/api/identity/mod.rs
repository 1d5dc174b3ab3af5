//! Who asks, found out from the connection and from what is sent along.
//!
//! For: one answer to it before anything else of a request is looked at. A token of Slurm's counts wherever it comes from; a
//! proxy's word counts if the kernel says that it is the proxy, on the unix socket, or if it sends the secret that it shares with us,
//! and never for the address it comes from; on the unix socket the kernel's word counts.
//!
//! Not for: what they may see (`asker`).
//!
//! Whoever says who they are in a way that this site has set up, and cannot be believed, is refused and not taken for nobody. In a way
//! that it has not set up nothing can be said: such headers are passed over, as is every other way.
//!
//! Source: unix(7) `SO_PEERCRED`; slurmrestd(8), `X-SLURM-USER-TOKEN`; RFC 6750 on `Authorization: Bearer`.

mod key_file;
mod proxy_secret;
mod token;

use std::net::IpAddr;
use std::sync::Arc;

use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use queuecast_workload::Time;

pub use self::key_file::{KeyFileError, TokenKey};
use self::proxy_secret::PROXY_SECRET;
pub use self::proxy_secret::{ProxySecret, ProxySecretError};
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
    // Without a header to say it in there is no proxy to speak for anybody.
    let Some(header) = &settings.proxy_header else { return Ok(of_kernel(peer)) };
    let shared = match (&settings.proxy_secret, only(headers, &PROXY_SECRET)?) {
        (Some(secret), Some(sent)) if secret.is(sent) => true,
        (Some(_), Some(_)) => return Err("the proxy secret is wrong"),
        (_, None) | (None, _) => false,
    };
    let is_trusted = shared || matches!(peer, Peer::Local(user) if settings.trusted_proxy_users.contains(&user));
    let said = only(headers, header)?;
    match said {
        // A proxy that names nobody speaks for nobody: it is not itself who asks.
        None if is_trusted => Ok(Asker::Nobody),
        Some(name) if is_trusted => named(name.to_str().map_err(|_| "the proxy's user header is not text")?),
        Some(_) if settings.proxy_secret.is_some() && !matches!(peer, Peer::Local(_)) => {
            Err("a proxy sent a user name without the shared proxy secret")
        }
        _ => Ok(of_kernel(peer)),
    }
}

/// Who asks by the kernel's word alone.
fn of_kernel(peer: Peer) -> Asker {
    match peer {
        Peer::Local(user) => Asker::Local(user),
        Peer::Address(_) | Peer::Unknown => Asker::Nobody,
    }
}

/// The token, if one is sent.
fn sent_token(headers: &HeaderMap) -> Result<Option<&str>, &'static str> {
    let bearer = only(headers, &AUTHORIZATION)?.and_then(|value| {
        let (scheme, token) = value.as_bytes().split_at_checked("Bearer ".len())?;
        scheme.eq_ignore_ascii_case(b"Bearer ").then_some(token)
    });
    let token = match (only(headers, &SLURM_TOKEN)?.map(HeaderValue::as_bytes), bearer) {
        (Some(_), Some(_)) => return Err("the request has two tokens"),
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
        (_, Some(_)) => Err("an authentication header occurs twice"),
    }
}

fn named(name: &str) -> Result<Asker, &'static str> {
    let is_name = !name.is_empty() && name.len() <= LONGEST_NAME && !name.chars().any(char::is_control);
    if is_name { Ok(Asker::Named(Arc::from(name))) } else { Err("the user name is invalid") }
}

#[cfg(test)]
mod tests;
