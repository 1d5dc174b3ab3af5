//! Whether a request over TCP means this daemon, by the name it asks for.
//!
//! For: browsers on the same machine. A page of anybody's can have its own name lead to 127.0.0.1 and ask as if it were ours; the name
//! it asks for gives it away.
//!
//! Not for: the unix socket, which no page reaches; who asks (`identity`).
//!
//! Source: DNS rebinding; RFC 9110, 7.2 (`Host`) and 15.5.20 (421); RFC 9112, 3.2.2: a name in the request's first line counts too.

use std::net::IpAddr;

use axum::http::header::HOST;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, Uri};
use queuecast_wire::address::is_this_machine;

use super::ApiSettings;

/// Whether every name that is asked for, and one must be, is ours.
pub(super) fn is_meant(uri: &Uri, headers: &HeaderMap, settings: &ApiSettings) -> bool {
    let mut hosts = headers.get_all(HOST).iter();
    let (Some(host), None) = (hosts.next(), hosts.next()) else { return false };
    let host = Authority::try_from(host.as_bytes());
    host.is_ok_and(|host| is_ours(&host, settings)) && uri.authority().is_none_or(|asked| is_ours(asked, settings))
}

fn is_ours(authority: &Authority, settings: &ApiSettings) -> bool {
    if authority.as_str().contains('@') {
        return false;
    }
    let host = authority.host();
    let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    let is_own = match (bare.parse::<IpAddr>(), settings.own_address) {
        // A number is nobody's name: whoever asks for it has come here.
        (Ok(_), Some(own)) if own.is_unspecified() => true,
        (Ok(asked), Some(own)) => asked.to_canonical() == own.to_canonical(),
        (Ok(_), None) => false,
        (Err(_), _) => {
            let name = host.strip_suffix('.').unwrap_or(host);
            settings.host_names.iter().any(|own| own.eq_ignore_ascii_case(name))
        }
    };
    is_own || is_this_machine(host)
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn is_answered(hosts: &[&str], uri: &str, own_address: &str) -> bool {
        let settings = ApiSettings {
            own_address: Some(own_address.parse().expect("an address")),
            host_names: vec!["queue.example.org".to_owned()],
            ..ApiSettings::default()
        };
        let headers = hosts.iter().map(|host| (HOST, HeaderValue::try_from(*host).expect("a value"))).collect();
        is_meant(&uri.parse().expect("a place"), &headers, &settings)
    }

    #[test]
    fn a_name_that_is_not_ours_is_not_answered_wherever_it_leads() {
        for ours in [
            "localhost",
            "localhost:8642",
            "127.0.0.1:8642",
            "[::1]:8642",
            "192.0.2.7:8642",
            "Queue.Example.org:1",
            "queue.example.org.",
        ] {
            assert!(is_answered(&[ours], "/v1/queue", "192.0.2.7"), "{ours}");
        }
        for other in [
            "evil.example",
            "evil.example:8642",
            "127.0.0.1.evil.example",
            "localhost.evil.example",
            "192.0.2.8",
            "queue.example.org.evil.example",
            "x@localhost",
            "",
            "a b",
        ] {
            assert!(!is_answered(&[other], "/v1/queue", "192.0.2.7"), "{other}");
        }
        assert!(!is_answered(&[], "/v1/queue", "127.0.0.1"), "none");
        assert!(!is_answered(&["localhost", "evil.example"], "/v1/queue", "127.0.0.1"), "two");
        assert!(!is_answered(&["localhost"], "http://evil.example/v1/queue", "127.0.0.1"), "in the first line");
        assert!(is_answered(&["203.0.113.9"], "/v1/queue", "0.0.0.0"), "any number of a daemon that listens on all");
        assert!(!is_answered(&["evil.example"], "/v1/queue", "0.0.0.0"));
    }
}
