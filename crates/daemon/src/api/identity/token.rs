//! Slurm's own tokens: JSON Web Tokens signed with the key that slurmctld signs with.
//!
//! For: believing whoever Slurm believes, over TCP.
//!
//! Not for: tokens of others (`jwks`, RS256): they need another key and another algorithm, and are refused.
//!
//! Source: RFC 7519, RFC 7515 and RFC 7518 (HS256); Slurm's `auth/jwt`, which reads the name from `sun` or else from `username` and
//! refuses what has expired. One algorithm is known here, so a token cannot choose another. The signature is looked at before anything
//! in the token is.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use queuecast_workload::{Seconds, Time};
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use sha2::Sha256;

use super::key_file::TokenKey;

/// By so much the clocks of two machines may differ.
const SKEW: Seconds = Seconds(60);

#[derive(Deserialize)]
struct Header {
    alg: String,
    /// What a reader must understand; we understand nothing of the kind.
    crit: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct Claims {
    exp: i64,
    iat: Option<i64>,
    nbf: Option<i64>,
    sun: Option<String>,
    username: Option<String>,
}

/// Whose token it is; or why it does not count.
pub(super) fn user(key: &TokenKey, token: &str, now: Time) -> Result<String, &'static str> {
    const NOT_A_TOKEN: &str = "the token is not a Slurm token";
    let (signed, signature) = token.rsplit_once('.').ok_or(NOT_A_TOKEN)?;
    let (header, claims) = signed.split_once('.').ok_or(NOT_A_TOKEN)?;
    let bytes = |part: &str| URL_SAFE_NO_PAD.decode(part).map_err(|_| NOT_A_TOKEN);
    let mut code = Hmac::<Sha256>::new_from_slice(&key.bytes()).map_err(|_| "the daemon's token key cannot be used")?;
    code.update(signed.as_bytes());
    code.verify_slice(&bytes(signature)?).map_err(|_| "the token is not signed with this cluster's key")?;
    let header: Header = read(&bytes(header)?).ok_or(NOT_A_TOKEN)?;
    if header.alg != "HS256" || header.crit.is_some() {
        return Err("the signature algorithm of the token is not HS256");
    }
    let claims: Claims = read(&bytes(claims)?).ok_or("the claims of the token are missing or invalid")?;
    if claims.exp < now.0 {
        return Err("the token has expired");
    }
    if [claims.iat, claims.nbf].into_iter().flatten().any(|from| from > now.0.saturating_add(SKEW.0)) {
        return Err("the token is not valid yet");
    }
    claims.sun.or(claims.username).ok_or("the token contains no user name")
}

/// What JSON says. It is read twice: members that are passed over are not looked at, and a text that is not JSON (a name that is
/// not UTF-8) would be believed for the rest of it; and of members that are there twice only the other reader knows.
fn read<T: DeserializeOwned>(text: &[u8]) -> Option<T> {
    serde_json::from_slice::<serde_json::Value>(text).ok()?;
    serde_json::from_slice(text).ok()
}
