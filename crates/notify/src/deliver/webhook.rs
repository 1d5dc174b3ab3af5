//! Messages by POST, and the hosts that may be posted to.
//!
//! Source: RFC 9110 (a 2xx is taken, anything else is not); the header Idempotency-Key as in draft-ietf-httpapi-idempotency-key.

use std::error::Error;
use std::str::FromStr;

use queuecast_api::notification::Template;
use queuecast_wire::client;
use reqwest::blocking::Client;
use reqwest::{StatusCode, Url};

use super::{DEADLINE, NotDelivered, Setup};
use crate::event::Message;
use crate::template::{header, posted};
use crate::words::Words;

/// Addresses longer than this are none.
const LONGEST_URL: usize = 2_048;

/// An address that is posted to.
#[derive(Debug)]
pub struct Hook {
    client: Client,
    url: Url,
    template: Template,
}

impl Hook {
    /// At this address. Nothing is sent yet.
    pub fn at(address: &str, template: Template) -> Result<Self, Setup> {
        let url = parsed(address)?;
        let client = client::with_proxies(url.scheme() == "https").timeout(DEADLINE);
        let client = client.build().map_err(|error| Setup(error.to_string()))?;
        Ok(Self { client, url, template })
    }

    /// The host, which may be told: the path may not, since whoever has it can write there.
    pub fn host(&self) -> &str {
        self.url.host_str().unwrap_or_default()
    }

    pub(super) fn post(&self, message: &Message, words: &Words) -> Result<(), NotDelivered> {
        let posted = posted(self.template, message, words).map_err(|error| NotDelivered::for_now(error.to_string()))?;
        let mut request = self.client.post(self.url.clone()).header("content-type", posted.content_type);
        for (name, value) in posted.headers {
            request = request.header(name, value);
        }
        match request.header("idempotency-key", header(&message.key)).body(posted.body).send() {
            Ok(response) => taken(response.status()),
            Err(error) => {
                // The whole error names the address, which is a secret.
                let causes = std::iter::successors(error.source(), |&cause| cause.source());
                let why = causes.last().map_or_else(|| "the host cannot be reached".to_owned(), ToString::to_string);
                Err(NotDelivered::for_now(if error.is_timeout() { "no answer in time".to_owned() } else { why }))
            }
        }
    }
}

/// What the status means. That an address is wrong or forbidden does not change by asking again.
fn taken(status: StatusCode) -> Result<(), NotDelivered> {
    if status.is_success() {
        return Ok(());
    }
    let may_change = [StatusCode::REQUEST_TIMEOUT, StatusCode::TOO_EARLY, StatusCode::TOO_MANY_REQUESTS];
    let is_final = (status.is_client_error() && !may_change.contains(&status)) || status.is_redirection();
    Err(NotDelivered { why: format!("the webhook responded with status {status}"), is_final })
}

fn parsed(address: &str) -> Result<Url, Setup> {
    let wrong = |why: &str| Setup(why.to_owned());
    if address.len() > LONGEST_URL {
        return Err(wrong("an address of more than 2048 characters"));
    }
    let url = Url::parse(address).map_err(|error| wrong(&error.to_string()))?;
    match url.scheme() {
        "http" | "https" if url.host_str().is_none_or(str::is_empty) => Err(wrong("an address without a host")),
        "http" | "https" => Ok(url),
        _ => Err(wrong("not an address that begins with http:// or https://")),
    }
}

/// A host that may be posted to: `hooks.example.org`, `*.example.org`, or `http://hooks.example.org:8065` where there is no TLS.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AllowedHost {
    is_encrypted: bool,
    /// In small letters, as addresses have it.
    host: String,
    /// Whether hosts under it are meant, and not itself.
    is_above: bool,
    port: u16,
}

impl FromStr for AllowedHost {
    type Err = Setup;

    fn from_str(text: &str) -> Result<Self, Setup> {
        let wrong = || Setup("write hooks.example.org, *.example.org, or http://hooks.example.org:8065".to_owned());
        let address = if text.contains("://") { text.to_owned() } else { format!("https://{text}") };
        let (is_above, address) = match address.split_once("://*.") {
            Some((scheme, rest)) => (true, format!("{scheme}://{rest}")),
            None => (false, address),
        };
        let url = parsed(&address).map_err(|_| wrong())?;
        let host = url.host_str().unwrap_or_default().to_owned();
        let is_bare = url.path() == "/" && url.query().is_none() && url.username().is_empty() && !host.contains('*');
        // `*.org` would be half the world.
        let is_wide = is_above && !host.contains('.');
        let port = url.port_or_known_default().filter(|_| is_bare && !is_wide).ok_or_else(wrong)?;
        Ok(Self { is_encrypted: url.scheme() == "https", host, is_above, port })
    }
}

impl AllowedHost {
    /// The host of an address, if it is one that can be posted to.
    pub fn host_of(address: &str) -> Option<String> {
        parsed(address).ok()?.host_str().map(str::to_owned)
    }

    /// Whether this address is there.
    pub fn allows(&self, address: &str) -> bool {
        let Ok(url) = parsed(address) else { return false };
        let host = url.host_str().unwrap_or_default();
        let is_meant = if self.is_above {
            host.strip_suffix(self.host.as_str()).is_some_and(|rest| rest.len() > 1 && rest.ends_with('.'))
        } else {
            host == self.host
        };
        is_meant
            && (url.scheme() == "https") == self.is_encrypted
            && url.port_or_known_default() == Some(self.port)
            && url.username().is_empty()
            && url.password().is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_allowed_by_its_name_its_port_and_its_encryption_and_by_nothing_that_looks_like_it() {
        let exact: AllowedHost = "hooks.example.org".parse().expect("a host");
        let above: AllowedHost = "*.example.org".parse().expect("a host");
        let inside: AllowedHost = "http://chat.internal:8065".parse().expect("a host");
        for (allowed, address, expected) in [
            (&exact, "https://hooks.example.org/services/T0/B0/x", true),
            (&exact, "https://HOOKS.example.org:443/x", true),
            (&exact, "http://hooks.example.org/x", false),
            (&exact, "https://hooks.example.org:444/x", false),
            (&exact, "https://hooks.example.org.evil.net/x", false),
            (&exact, "https://hooks.example.org@evil.net/x", false),
            (&exact, "https://me@hooks.example.org/x", false),
            (&exact, "https://evil.net/hooks.example.org", false),
            (&exact, "file:///hooks.example.org", false),
            (&above, "https://a.example.org/x", true),
            (&above, "https://a.b.example.org/x", true),
            (&above, "https://example.org/x", false),
            (&above, "https://evilexample.org/x", false),
            (&inside, "http://chat.internal:8065/hooks/x", true),
            (&inside, "https://chat.internal:8065/hooks/x", false),
            (&inside, "http://chat.internal/hooks/x", false),
        ] {
            assert_eq!(allowed.allows(address), expected, "{allowed:?} {address}");
        }
        for wrong in ["", "*", "*.org", "hooks.example.org/path", "ftp://x.org", "a b", "me@x.org", "*.*.org"] {
            assert!(wrong.parse::<AllowedHost>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_asking_again_cannot_change_is_not_asked_again() {
        for (status, is_final) in [(404, true), (400, true), (302, true), (429, false), (408, false), (500, false)] {
            let refused = taken(StatusCode::from_u16(status).expect("a status")).expect_err("not taken");
            assert_eq!(refused.is_final, is_final, "{status}");
        }
        assert!(taken(StatusCode::NO_CONTENT).is_ok());
    }
}
