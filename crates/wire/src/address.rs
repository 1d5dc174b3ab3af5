//! An address that is asked over HTTP, and whether a secret may be sent there.
//!
//! Not for: finding out who listens there; a certificate does that.
//!
//! Source: RFC 6761, 6.3: `localhost` is this machine. What is sent to any other name or number can be read on the way.

use std::net::IpAddr;

use reqwest::Url;

/// Where somebody is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    base: String,
    is_encrypted: bool,
    is_this_machine: bool,
}

/// Why nobody is asked there.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum AddressError {
    /// It is no address.
    #[error("{text} is not an address such as https://host:6820, or http://127.0.0.1:6820 on this machine")]
    NotAnAddress {
        /// What was given.
        text: String,
    },
    /// Whoever listens on the way could read the token.
    #[error("{text} is another machine, and a token sent there over http could be read on the way; write https://")]
    InClear {
        /// What was given.
        text: String,
    },
}

impl Address {
    /// Reads one that begins with `http://` or `https://`.
    pub fn parse(text: &str) -> Result<Self, AddressError> {
        let wrong = || AddressError::NotAnAddress { text: text.to_owned() };
        let url = Url::parse(text).map_err(|_| wrong())?;
        // A password in an address ends up in logs and lists of processes.
        let is_bare = url.username().is_empty() && url.password().is_none() && url.query().is_none();
        let (Some(host), true, None) = (url.host_str(), is_bare, url.fragment()) else { return Err(wrong()) };
        if !matches!(url.scheme(), "http" | "https") {
            return Err(wrong());
        }
        Ok(Self {
            base: url.as_str().trim_end_matches('/').to_owned(),
            is_encrypted: url.scheme() == "https",
            is_this_machine: is_this_machine(host),
        })
    }

    /// The same, if a secret may be sent there: over TLS, or to this machine.
    pub fn for_a_secret(text: &str) -> Result<Self, AddressError> {
        let address = Self::parse(text)?;
        if address.is_encrypted || address.is_this_machine {
            Ok(address)
        } else {
            Err(AddressError::InClear { text: text.to_owned() })
        }
    }

    /// Where paths are put behind.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// Whether TLS is spoken.
    pub fn is_encrypted(&self) -> bool {
        self.is_encrypted
    }
}

/// Whether a host, as it is written in an address, is this machine.
pub fn is_this_machine(host: &str) -> bool {
    let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    match bare.parse::<IpAddr>() {
        Ok(address) => address.to_canonical().is_loopback(),
        Err(_) => host.eq_ignore_ascii_case("localhost"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_goes_over_tls_or_stays_on_this_machine() {
        for fine in [
            "https://slurm.example.org:6820",
            "https://192.0.2.7",
            "http://localhost:6820/",
            "http://127.0.0.1:6820",
            "http://127.9.9.9",
            "http://[::1]:6820",
            "http://[::ffff:127.0.0.1]:1",
            "HTTP://LOCALHOST:1",
        ] {
            assert!(Address::for_a_secret(fine).is_ok(), "{fine}");
        }
        for clear in [
            "http://slurm.example.org:6820",
            "http://192.0.2.7:6820",
            "http://0.0.0.0:6820",
            "http://localhost.example.org",
            "http://127.0.0.1.example.org",
            "http://[2001:db8::1]:6820",
        ] {
            let refused = Address::for_a_secret(clear).expect_err(clear);
            assert!(matches!(refused, AddressError::InClear { .. }) && refused.to_string().contains("https://"));
            assert!(Address::parse(clear).is_ok(), "without a token it is an address like others: {clear}");
        }
    }

    #[test]
    fn what_is_no_address_or_holds_a_password_is_refused() {
        for wrong in [
            "",
            "localhost:6820",
            "ftp://localhost",
            "unix:/run/x.sock",
            "https://",
            "https://alice:secret@host/",
            "https://127.0.0.1@evil.example/",
            "https://host/?token=x",
        ] {
            assert!(matches!(Address::parse(wrong), Err(AddressError::NotAnAddress { .. })), "{wrong}");
        }
        assert_eq!(
            Address::parse("https://portal/queuecast/").map(|address| address.base),
            Ok("https://portal/queuecast".to_owned())
        );
    }
}
