//! The interface over TLS, with certificates made up for the test.

use std::fs::{self, Permissions};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::api_support::{Served, job, published};
use queuecast_api::{AskError, Client};
use queuecast_daemon::api::{ApiError, ApiSettings, Listen, Listener, Tls, TlsError};

const DEADLINE: Duration = Duration::from_secs(10);

/// Where a certificate and its key are.
struct Files {
    certificate: PathBuf,
    key: PathBuf,
}

impl Files {
    fn in_folder(folder: &Path, name: &str) -> Self {
        let files =
            Self { certificate: folder.join(format!("{name}.pem")), key: folder.join(format!("{name}-key.pem")) };
        files.renew();
        files
    }

    /// Puts another certificate there, as those do who renew them.
    fn renew(&self) {
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned(), "127.0.0.1".to_owned()]);
        let made = made.expect("a certificate");
        fs::write(&self.certificate, made.cert.pem()).expect("it is ours");
        fs::write(&self.key, made.signing_key.serialize_pem()).expect("it is ours");
        fs::set_permissions(&self.key, Permissions::from_mode(0o600)).expect("it is ours");
    }

    fn served(&self) -> Served {
        let tls = Tls::read(&self.certificate, &self.key).expect("a pair");
        let settings = ApiSettings { tls: Some(tls), patience: Duration::from_secs(3), ..ApiSettings::default() };
        Served::on_tcp(published(vec![job(7)]), settings)
    }
}

fn asked(served: &Served, scheme: &str, authorities: Option<&Path>) -> Result<String, AskError> {
    let port = served.address.expect("an address").port();
    let client = Client::at_url(&format!("{scheme}://localhost:{port}"), DEADLINE, None, authorities)?;
    client.health().map(|health| health.cluster)
}

#[test]
fn over_tls_it_answers_whoever_believes_its_certificate_and_nobody_in_clear() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = Files::in_folder(folder.path(), "own");
    let served = files.served();
    assert_eq!(asked(&served, "https", Some(&files.certificate)).expect("an answer"), "alpha");
    let stranger = Files::in_folder(folder.path(), "stranger");
    let refused = asked(&served, "https", Some(&stranger.certificate)).expect_err("another authority");
    assert!(matches!(refused, AskError::Nobody { .. }) && refused.to_string().contains("certificate"), "{refused}");
    assert!(asked(&served, "https", None).is_err(), "nor do the machine's own know it");
    assert!(asked(&served, "http", None).is_err(), "in clear nothing is said");
    let mut clear = TcpStream::connect(served.address.expect("an address")).expect("somebody listens");
    clear.write_all(b"GET /v1/health HTTP/1.1\r\nhost: localhost\r\n\r\n").expect("it is taken");
    let mut said = Vec::new();
    let _ = clear.read_to_end(&mut said);
    assert!(!String::from_utf8_lossy(&said).contains("HTTP"), "{said:?}");
}

#[test]
fn a_new_certificate_counts_without_a_restart_and_a_broken_one_does_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = Files::in_folder(folder.path(), "own");
    let served = files.served();
    let old = folder.path().join("old.pem");
    fs::copy(&files.certificate, &old).expect("a copy");
    assert!(asked(&served, "https", Some(&old)).is_ok());
    fs::write(&files.certificate, "half a certif").expect("it is ours");
    // Longer than the second between two looks at the files.
    let until = Instant::now() + Duration::from_millis(1_500);
    while Instant::now() < until {
        assert!(asked(&served, "https", Some(&old)).is_ok(), "the certificate that was read before stays in use");
        std::thread::sleep(Duration::from_millis(100));
    }
    files.renew();
    let until = Instant::now() + Duration::from_secs(20);
    while asked(&served, "https", Some(&files.certificate)).is_err() {
        assert!(Instant::now() < until, "the new certificate never counts");
        std::thread::sleep(Duration::from_millis(100));
    }
    assert!(asked(&served, "https", Some(&old)).is_err(), "the old one does not any more");
}

#[test]
fn who_never_ends_the_greeting_is_shown_out_and_nobody_waits_for_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = Files::in_folder(folder.path(), "own");
    let served = files.served();
    let connect = || TcpStream::connect(served.address.expect("an address")).expect("somebody listens");
    let mut silent: Vec<TcpStream> = (0..20).map(|_| connect()).collect();
    for stream in &mut silent {
        stream.write_all(&[22, 3, 1, 2]).expect("the beginning of a greeting");
    }
    let began = Instant::now();
    assert!(asked(&served, "https", Some(&files.certificate)).is_ok());
    assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
    let mut said = Vec::new();
    let _ = silent[0].read_to_end(&mut said);
    assert!(began.elapsed() < Duration::from_secs(10), "it is shown out after its patience");
}

#[test]
fn other_machines_reach_it_over_tls_or_not_at_all_unless_a_proxy_is_said_to_speak_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = Files::in_folder(folder.path(), "own");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let opened = |settings: &ApiSettings| {
        runtime.block_on(Listener::open(&Listen::Tcp("0.0.0.0:0".parse().expect("an address")), settings)).map(|_| ())
    };
    let refused = opened(&ApiSettings::default()).expect_err("in clear");
    assert!(matches!(refused, ApiError::InClear { .. }), "{refused}");
    assert!(["--tls-certificate", "--tls-by-proxy"].iter().all(|flag| refused.to_string().contains(flag)), "{refused}");
    let tls = Some(Tls::read(&files.certificate, &files.key).expect("a pair"));
    opened(&ApiSettings { tls, ..ApiSettings::default() }).expect("nobody reads along");
    opened(&ApiSettings { tls_by_proxy: true, ..ApiSettings::default() }).expect("it was said");
}

#[test]
fn a_key_that_others_could_have_or_of_another_certificate_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let (one, other) = (Files::in_folder(folder.path(), "one"), Files::in_folder(folder.path(), "other"));
    for (mode, is_read) in [(0o600, true), (0o640, true), (0o644, false), (0o660, false)] {
        fs::set_permissions(&one.key, Permissions::from_mode(mode)).expect("it is ours");
        let read = Tls::read(&one.certificate, &one.key);
        assert_eq!(read.is_ok(), is_read, "{mode:o}: {read:?}");
        assert!(is_read || matches!(read, Err(TlsError::KeyFile(_))), "{mode:o}");
    }
    assert!(matches!(Tls::read(&one.certificate, &other.key), Err(TlsError::NotAPair { .. })));
    assert!(matches!(Tls::read(&other.key, &other.key), Err(TlsError::Certificate { .. })));
    assert!(matches!(
        Tls::read(&other.certificate, &other.certificate),
        Err(TlsError::Key { .. } | TlsError::KeyFile(_))
    ));
    assert!(matches!(Tls::read(&folder.path().join("none"), &other.key), Err(TlsError::Certificate { .. })));
}
