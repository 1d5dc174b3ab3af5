//! Messages by mail: by SMTP, or by the machine's own `sendmail`.
//!
//! Source: RFC 5321; RFC 5322, of which lettre makes what is sent; RFC 3834 (`Auto-Submitted`, so that nobody's vacation answers);
//! sendmail(8) `-i`.

use std::path::PathBuf;
use std::process::Command;
use std::str::FromStr;

use lettre::message::Mailbox;
use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::transport::smtp::SmtpTransportBuilder;
use lettre::{Message as Mail, SmtpTransport, Transport};

use super::program::fed;
use super::{DEADLINE, NotDelivered, Setup};
use crate::event::Message;
use crate::words::Words;

/// Who takes mail.
#[derive(Clone, PartialEq, Eq)]
pub enum MailServer {
    /// The program `sendmail`, or one that is called the same way.
    Program(PathBuf),
    /// A server, by address: `smtp://HOST`, `smtps://HOST`, `smtp://HOST:587?tls=required`. It may hold a password.
    Smtp(String),
}

/// An address may hold a password.
impl std::fmt::Debug for MailServer {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Program(path) => formatter.debug_tuple("Program").field(path).finish(),
            Self::Smtp(_) => formatter.debug_tuple("Smtp").finish_non_exhaustive(),
        }
    }
}

/// A path is a program, anything else an address.
impl FromStr for MailServer {
    type Err = Setup;

    fn from_str(text: &str) -> Result<Self, Setup> {
        if text.starts_with('/') {
            return Ok(Self::Program(PathBuf::from(text)));
        }
        builder(text).map(|_| Self::Smtp(text.to_owned()))
    }
}

impl MailServer {
    /// Whether a server answers as one should; why not. A program is not run for it.
    pub fn greet(&self) -> Result<(), String> {
        let Self::Smtp(address) = self else { return Ok(()) };
        match builder(address).map_err(|setup| setup.0)?.build().test_connection() {
            Ok(true) => Ok(()),
            Ok(false) => Err("the mail server is not ready".to_owned()),
            Err(error) => Err(told(&error)),
        }
    }
}

fn builder(address: &str) -> Result<SmtpTransportBuilder, Setup> {
    let wrong =
        |_| Setup("write smtp://HOST, smtps://HOST, smtp://HOST:587?tls=required, or the path of sendmail".to_owned());
    Ok(SmtpTransport::from_url(address).map_err(wrong)?.timeout(Some(DEADLINE)))
}

/// Mail from one to one.
#[derive(Clone, Debug)]
pub struct Mailer {
    server: MailServer,
    from: Mailbox,
    to: Mailbox,
}

impl Mailer {
    /// From and to these addresses. Nothing is sent yet.
    pub fn new(server: &MailServer, from: &str, to: &str) -> Result<Self, Setup> {
        Ok(Self { server: server.clone(), from: mailbox(from)?, to: mailbox(to)? })
    }

    /// To whom.
    pub fn to(&self) -> String {
        self.to.email.to_string()
    }

    pub(super) fn send(&self, message: &Message, words: &Words) -> Result<(), NotDelivered> {
        let mail = self.mail(message, words).map_err(|error| NotDelivered { why: error.0, is_final: true })?;
        match &self.server {
            MailServer::Program(path) => {
                let mut command = Command::new(path);
                command.arg("-i").arg("-f").arg(&self.from.email);
                command.arg("--").arg(&self.to.email);
                fed(&mut command, &mail.formatted())
            }
            MailServer::Smtp(address) => {
                let transport = builder(address).map_err(|error| NotDelivered { why: error.0, is_final: true })?;
                match transport.build().send(&mail) {
                    Ok(_) => Ok(()),
                    Err(error) => Err(NotDelivered { why: told(&error), is_final: error.is_permanent() }),
                }
            }
        }
    }

    fn mail(&self, message: &Message, words: &Words) -> Result<Mail, Setup> {
        let failed = |error: &dyn std::fmt::Display| Setup(error.to_string());
        let automatic = HeaderName::new_from_ascii_str("Auto-Submitted");
        Mail::builder()
            .from(self.from.clone())
            .to(self.to.clone())
            .subject(&words.title)
            .message_id(Some(message_id(&message.key)))
            .raw_header(HeaderValue::new(automatic, "auto-generated".to_owned()))
            .header(ContentType::TEXT_PLAIN)
            .body(format!("{}\n", words.text))
            .map_err(|error| failed(&error))
    }
}

/// The same for every try, so that mailboxes leave out what they have.
fn message_id(key: &str) -> String {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || character == '-' || character == '.';
    let kept: String = key.chars().map(|character| if is_plain(character) { character } else { '.' }).collect();
    format!("<{kept}@queuecast>")
}

fn mailbox(address: &str) -> Result<Mailbox, Setup> {
    let wrong = |why: &dyn std::fmt::Display| Setup(format!("{address:?} is not a mail address: {why}"));
    // What begins so could be taken for an option.
    if address.starts_with('-') {
        return Err(wrong(&"an address cannot start with -"));
    }
    // A name without a host is somebody on this machine; lettre wants a host, and sendmail takes this one for itself.
    let whole = if address.contains('@') { address.to_owned() } else { format!("{address}@localhost") };
    Ok(Mailbox::new(None, whole.parse().map_err(|error| wrong(&error))?))
}

/// What the server said, without its address, which may hold a password.
fn told(error: &lettre::transport::smtp::Error) -> String {
    let causes = std::iter::successors(std::error::Error::source(error), |&cause| cause.source());
    causes.last().map_or_else(|| error.to_string(), ToString::to_string)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Kind;
    use crate::sample;
    use crate::words::in_words;
    use jiff::tz::TimeZone;
    use std::fs;
    use std::io::{BufRead, BufReader, Write};
    use std::net::TcpListener;
    use std::os::unix::fs::PermissionsExt;
    use std::thread::{self, JoinHandle};

    fn sent(server: &MailServer) -> Result<(), NotDelivered> {
        let mut message = sample::message(Kind::Started);
        message.job_name = Some("Läufe\nBcc: everybody@example.org".to_owned());
        let mailer = Mailer::new(server, "queuecast@example.org", "alice@example.org").expect("addresses");
        mailer.send(&message, &in_words(&message, &TimeZone::UTC))
    }

    /// A server that takes one mail, or none; and what it heard.
    fn server(answer_to_mail: &'static str) -> (MailServer, JoinHandle<Vec<String>>) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("smtp://{}", listener.local_addr().expect("an address"));
        let heard = thread::spawn(move || {
            let (stream, _) = listener.accept().expect("a connection");
            let mut reader = BufReader::new(stream);
            let (mut lines, mut is_body) = (Vec::new(), false);
            reader.get_mut().write_all(b"220 test\r\n").expect("it is taken");
            loop {
                let mut line = String::new();
                if reader.read_line(&mut line).expect("a line") == 0 {
                    return lines;
                }
                let line = line.trim_end().to_owned();
                let answer = match line.get(..4) {
                    _ if line == "." => "250 kept",
                    _ if is_body => "",
                    Some("EHLO") => "250 test",
                    Some("MAIL") => answer_to_mail,
                    Some("DATA") => "354 go on",
                    Some("QUIT") => "221 bye",
                    _ => "250 good",
                };
                is_body = (is_body || line == "DATA") && line != ".";
                lines.push(line);
                if !answer.is_empty() {
                    reader.get_mut().write_all(format!("{answer}\r\n").as_bytes()).expect("it is taken");
                }
            }
        });
        (MailServer::from_str(&address).expect("an address"), heard)
    }

    #[test]
    fn a_server_is_handed_a_mail_that_says_whose_it_is_and_that_a_machine_wrote_it() {
        let (server, heard) = server("250 good");
        assert_eq!(sent(&server), Ok(()));
        let heard = heard.join().expect("it ends");
        let has = |line: &str| heard.iter().any(|heard| heard == line);
        assert!(has("MAIL FROM:<queuecast@example.org>") && has("RCPT TO:<alice@example.org>"), "{heard:#?}");
        assert!(has("Subject: Job 7 on alpha: has started") && has("Auto-Submitted: auto-generated"), "{heard:#?}");
        assert!(has("Message-ID: <queuecast.alpha.7.1763208600.started@queuecast>"), "{heard:#?}");
        assert!(!heard.iter().any(|line| line.starts_with("Bcc:")), "{heard:#?}");
    }

    #[test]
    fn a_refusal_for_good_is_not_tried_again_and_one_for_now_is() {
        for (answer, is_final) in [("550 nobody of that name", true), ("451 later", false)] {
            let (server, heard) = server(answer);
            let refused = sent(&server).expect_err("it is refused");
            assert_eq!(refused.is_final, is_final, "{refused:?}");
            heard.join().expect("it ends");
        }
    }

    #[test]
    fn sendmail_is_told_from_whom_to_whom_and_what() {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, out) = (folder.path().join("sendmail"), folder.path().join("out"));
        fs::write(&path, format!("#!/bin/sh\n{{ echo \"$@\"; cat; }} > {}\n", out.display())).expect("our folder");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it is ours");
        assert_eq!(sent(&MailServer::Program(path)), Ok(()));
        let out = fs::read_to_string(out).expect("it wrote");
        assert!(out.starts_with("-i -f queuecast@example.org -- alice@example.org\n"), "{out}");
        assert!(out.contains("Subject: Job 7 on alpha: has started"), "{out}");
    }

    #[test]
    fn what_is_no_address_is_refused_before_anything_is_sent() {
        let server = MailServer::Program(PathBuf::from("/usr/sbin/sendmail"));
        assert_eq!(Mailer::new(&server, "queuecast", "alice").expect("names will do").to(), "alice@localhost");
        for wrong in ["", "-oQ/tmp@x", "a b@x", "alice@", "alice\n@x", "a@x, b@y"] {
            assert!(Mailer::new(&server, "queuecast@x.org", wrong).is_err(), "{wrong:?}");
        }
        for wrong in ["example.org", "http://x", "smtp://"] {
            assert!(MailServer::from_str(wrong).is_err(), "{wrong}");
        }
        let nobody = MailServer::from_str("smtp://127.0.0.1:1").expect("an address");
        assert!(nobody.greet().is_err());
        let secret = MailServer::from_str("smtps://me:password@mail.example.org").expect("an address");
        assert!(!format!("{secret:?}").contains("password"));
    }
}
