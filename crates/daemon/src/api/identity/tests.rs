//! Every way to say who one is, and every way to lie about it.

use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::{Value, json};
use sha2::{Sha256, Sha512};

use super::*;
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};

const KEY: &[u8] = b"0123456789abcdef0123456789abcdef";
const NOW: Time = Time(1_763_209_200);
const SOMEBODY: Peer = Peer::Address(IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 7)));

fn signature(key: &[u8], signed: &str) -> Vec<u8> {
    let mut code = Hmac::<Sha256>::new_from_slice(key).expect("any key does");
    code.update(signed.as_bytes());
    code.finalize().into_bytes().to_vec()
}

fn signed_with(key: &[u8], header: &Value, claims: &Value) -> String {
    let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let signed = format!("{}.{}", part(header), part(claims));
    let signature = URL_SAFE_NO_PAD.encode(signature(key, &signed));
    format!("{signed}.{signature}")
}

fn header() -> Value {
    json!({ "alg": "HS256", "typ": "JWT" })
}

fn claims() -> Value {
    json!({ "exp": NOW.0 + 1_800, "iat": NOW.0, "sun": "alice" })
}

fn token(change: impl FnOnce(&mut Value)) -> String {
    let mut claims = claims();
    change(&mut claims);
    signed_with(KEY, &header(), &claims)
}

fn settings() -> ApiSettings {
    ApiSettings { token_key: Some(TokenKey::known(KEY)), ..ApiSettings::default() }
}

fn with(headers: &[(&str, &str)]) -> HeaderMap {
    let header = |(name, value): &(&str, &str)| {
        (HeaderName::try_from(*name).expect("a name"), HeaderValue::from_bytes(value.as_bytes()).expect("a value"))
    };
    headers.iter().map(header).collect()
}

fn sent(token: &str) -> Result<Asker, &'static str> {
    identify(SOMEBODY, &with(&[("x-slurm-user-token", token)]), &settings(), NOW)
}

fn alice() -> Asker {
    Asker::Named(Arc::from("alice"))
}

#[test]
fn a_token_of_slurms_says_who_asks_in_either_header_and_over_either_door() {
    let token = token(|_| {});
    for header in ["X-SLURM-USER-TOKEN", "Authorization"] {
        let value = if header == "Authorization" { format!("bearer {token}") } else { token.clone() };
        for peer in [SOMEBODY, Peer::Local(33), Peer::Unknown] {
            assert_eq!(identify(peer, &with(&[(header, &value)]), &settings(), NOW), Ok(alice()), "{header} {peer:?}");
        }
    }
    let older = json!({ "exp": NOW.0 + 5, "username": "alice" });
    assert_eq!(sent(&signed_with(KEY, &header(), &older)), Ok(alice()), "before `sun`");
    let both = json!({ "exp": NOW.0 + 5, "sun": "alice", "username": "bob" });
    assert_eq!(sent(&signed_with(KEY, &header(), &both)), Ok(alice()), "`sun` counts");
    assert_eq!(sent(&signed_with(KEY, &json!({ "alg": "HS256" }), &claims())), Ok(alice()));
}

#[test]
fn the_edges_of_a_tokens_time_are_where_slurm_has_them_give_or_take_a_clock() {
    assert_eq!(sent(&token(|claims| claims["exp"] = NOW.0.into())), Ok(alice()));
    for change in [("exp", NOW.0 - 1), ("exp", 0), ("exp", i64::MIN), ("iat", NOW.0 + 61), ("nbf", NOW.0 + 61)] {
        assert!(sent(&token(|claims| claims[change.0] = change.1.into())).is_err(), "{change:?}");
    }
    assert_eq!(sent(&token(|claims| claims["iat"] = (NOW.0 + 60).into())), Ok(alice()), "two clocks");
    assert_eq!(sent(&token(|claims| claims["nbf"] = (NOW.0 - 5).into())), Ok(alice()));
}

#[test]
fn a_token_that_was_tampered_with_counts_for_nothing_whatever_it_says_of_itself() {
    let good = token(|_| {});
    let parts: Vec<&str> = good.split('.').collect();
    let forged = URL_SAFE_NO_PAD.encode(json!({ "exp": NOW.0 + 9, "sun": "root" }).to_string());
    let none = |alg: &str| URL_SAFE_NO_PAD.encode(json!({ "alg": alg, "typ": "JWT" }).to_string());
    let sha512 = {
        let signed = format!("{}.{}", none("HS512"), parts[1]);
        let mut code = Hmac::<Sha512>::new_from_slice(KEY).expect("any key does");
        code.update(signed.as_bytes());
        format!("{signed}.{}", URL_SAFE_NO_PAD.encode(code.finalize().into_bytes()))
    };
    let mut wrong: Vec<String> = vec![
        String::new(),
        ".".to_owned(),
        "..".to_owned(),
        "a.b.c".to_owned(),
        format!("{}.{forged}.{}", parts[0], parts[2]),
        format!("{}.{forged}.", none("none")),
        format!("{}.{}.", none("none"), parts[1]),
        format!("{}.{}", parts[0], parts[1]),
        format!("{good}.{}", parts[2]),
        format!("{}.{}.{}", parts[0], parts[1], &parts[2][..20]),
        format!("{}.{}.{}=", parts[0], parts[1], parts[2]),
        format!("{}.{}.{}", parts[0], parts[1], STANDARD.encode(signature(KEY, &format!("{}.{}", parts[0], parts[1])))),
        sha512,
        signed_with(b"another key of thirty-two bytes!", &header(), &claims()),
        signed_with(b"", &header(), &claims()),
        "x".repeat(1 << 20),
    ];
    // Signed with the right key, and still not to be believed.
    for alg in ["none", "None", "RS256", "HS512", "hs256", ""] {
        wrong.push(signed_with(KEY, &json!({ "alg": alg }), &claims()));
    }
    wrong.push(signed_with(KEY, &json!({}), &claims()));
    wrong.push(signed_with(KEY, &json!({ "alg": "HS256", "crit": ["b64"], "b64": false }), &claims()));
    for (name, value) in [
        ("sun", json!("")),
        ("sun", json!("a\nb")),
        ("sun", json!("x".repeat(300))),
        ("sun", json!(7)),
        ("exp", json!("soon")),
        ("exp", json!(1e300)),
        ("exp", Value::Null),
        ("iat", json!("now")),
    ] {
        wrong.push(token(|claims| claims[name] = value));
    }
    wrong.push(signed_with(KEY, &header(), &json!({ "exp": NOW.0 + 5 })));
    wrong.push(signed_with(KEY, &header(), &json!([])));
    let long = token(|claims| claims["padding"] = "x".repeat(LARGEST_TOKEN).into());
    wrong.push(long);
    for (place, token) in wrong.iter().enumerate() {
        assert!(sent(token).is_err(), "{place}: {}", &token[..token.len().min(200)]);
    }
    // Every single letter counts, but for the last, of which two bits are not in the signature and must be zero.
    for place in 0..good.len() {
        let mut bytes = good.clone().into_bytes();
        bytes[place] = if bytes[place] == b'A' { b'B' } else { b'A' };
        let changed = String::from_utf8(bytes).expect("letters");
        assert!(sent(&changed).is_err(), "{place}: {changed}");
    }
}

#[test]
fn two_who_are_said_to_ask_are_nobody_to_be_believed() {
    let (one, other) = (token(|_| {}), token(|claims| claims["sun"] = "bob".into()));
    let bearer = format!("Bearer {one}");
    for headers in [
        vec![("x-slurm-user-token", one.as_str()), ("x-slurm-user-token", other.as_str())],
        vec![("x-slurm-user-token", one.as_str()), ("authorization", bearer.as_str())],
        vec![("authorization", bearer.as_str()), ("authorization", "Basic YTpi")],
    ] {
        assert!(identify(SOMEBODY, &with(&headers), &settings(), NOW).is_err(), "{headers:?}");
    }
}

#[test]
fn a_way_that_is_not_set_up_says_nothing_and_one_that_is_cannot_be_got_around() {
    let (token, none) = (token(|_| {}), ApiSettings::default());
    let headers = with(&[
        ("x-slurm-user-token", &token),
        ("x-remote-user", "root"),
        ("x-slurm-user-name", "root"),
        ("x-forwarded-for", "::1"),
    ]);
    assert_eq!(identify(SOMEBODY, &headers, &none, NOW), Ok(Asker::Nobody));
    assert_eq!(identify(Peer::Local(7), &headers, &none, NOW), Ok(Asker::Local(7)));
    assert_eq!(identify(SOMEBODY, &headers, &settings(), NOW), Ok(alice()), "a token is not outvoted");
    let basic = with(&[("authorization", "Basic cm9vdDpyb290")]);
    assert_eq!(identify(SOMEBODY, &basic, &settings(), NOW), Ok(Asker::Nobody), "the proxy's own password is not ours");
}

const SECRET: &str = "a secret of thirty-two letters...";

fn behind_a_proxy() -> ApiSettings {
    ApiSettings {
        trusted_proxy_users: vec![33],
        proxy_header: Some(HeaderName::from_static("x-auth-user")),
        proxy_secret: Some(ProxySecret::known(SECRET.as_bytes())),
        ..ApiSettings::default()
    }
}

#[test]
fn a_proxys_word_counts_on_the_socket_by_its_user_and_anywhere_by_its_secret() {
    let settings = behind_a_proxy();
    let sent = |headers: &[(&'static str, &'static str)], peer| {
        let with_secret = [headers, &[("x-queuecast-proxy-secret", SECRET)]].concat();
        let headers = if matches!(peer, Peer::Local(33)) { headers } else { with_secret.as_slice() };
        identify(peer, &with(headers), &settings, NOW)
    };
    for peer in [SOMEBODY, Peer::Local(33), Peer::Local(34), Peer::Unknown] {
        assert_eq!(sent(&[("x-auth-user", "alice")], peer), Ok(alice()), "{peer:?}");
        assert_eq!(sent(&[], peer), Ok(Asker::Nobody), "{peer:?} is not who asks");
        let twice = [("x-auth-user", "alice"), ("x-auth-user", "bob")];
        for lie in [&twice[..], &[("x-auth-user", "")], &[("x-auth-user", "\u{e9}")]] {
            assert!(sent(lie, peer).is_err(), "{peer:?} {lie:?}");
        }
    }
}

#[test]
fn a_proxys_word_without_its_secret_counts_for_nothing_wherever_it_comes_from() {
    let settings = behind_a_proxy();
    let loopback = Peer::Address(IpAddr::V4(std::net::Ipv4Addr::LOCALHOST));
    for peer in [SOMEBODY, loopback, Peer::Unknown] {
        let bare = with(&[("x-auth-user", "alice")]);
        assert!(identify(peer, &bare, &settings, NOW).is_err(), "{peer:?}");
        for secret in ["", "a secret of thirty-two letters..", "A secret of thirty-two letters..."] {
            let guessed = with(&[("x-auth-user", "alice"), ("x-queuecast-proxy-secret", secret)]);
            assert!(identify(peer, &guessed, &settings, NOW).is_err(), "{peer:?} {secret}");
        }
        let twice = with(&[("x-queuecast-proxy-secret", SECRET), ("x-queuecast-proxy-secret", "guessed")]);
        assert!(identify(peer, &twice, &settings, NOW).is_err(), "{peer:?}");
        assert_eq!(identify(peer, &HeaderMap::new(), &settings, NOW), Ok(Asker::Nobody), "{peer:?}");
        let by_user = ApiSettings { proxy_secret: None, ..settings.clone() };
        assert_eq!(identify(peer, &bare, &by_user, NOW), Ok(Asker::Nobody), "no address is trusted: {peer:?}");
    }
    let other = with(&[("x-auth-user", "alice")]);
    assert_eq!(identify(Peer::Local(34), &other, &settings, NOW), Ok(Asker::Local(34)), "the kernel's word");
}

#[test]
fn no_header_has_a_meaning_that_the_site_has_not_given_it() {
    let settings = ApiSettings { proxy_header: None, ..behind_a_proxy() };
    for name in ["x-remote-user", "x-forwarded-user", "remote-user", "x-auth-user"] {
        let says = with(&[(name, "root"), ("x-queuecast-proxy-secret", SECRET)]);
        assert_eq!(identify(SOMEBODY, &says, &settings, NOW), Ok(Asker::Nobody), "{name}");
        assert_eq!(identify(Peer::Local(33), &says, &settings, NOW), Ok(Asker::Local(33)), "{name}");
    }
    let renamed = with(&[("x-remote-user", "alice"), ("x-queuecast-proxy-secret", SECRET)]);
    assert_eq!(identify(SOMEBODY, &renamed, &behind_a_proxy(), NOW), Ok(Asker::Nobody), "another header");
}
