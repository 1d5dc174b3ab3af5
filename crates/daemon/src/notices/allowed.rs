//! What the daemon may do to tell users something: nothing, unless the administrator says so.

use std::path::PathBuf;

use queuecast_api::notification::Destination;
use queuecast_notify::{AllowedHost, Carrier, Hook, MailServer, Mailer, Program, Setup};

/// In a rule for addresses, the user's name.
const USER: &str = "{user}";

/// Ways by which users may be told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NoticeSettings {
    /// Where notices are kept. Without it there are none.
    pub folder: Option<PathBuf>,
    /// Hosts at which web hooks may be called.
    pub hosts: Vec<AllowedHost>,
    /// How mail is sent.
    pub mail: Option<MailRule>,
    /// A program that is run with each message.
    pub command: Option<PathBuf>,
}

/// Who gets mail from whom, by whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailRule {
    /// A user's address; `{user}` in it is the name.
    pub to: String,
    /// The daemon's.
    pub from: String,
    /// Who takes it.
    pub server: MailServer,
}

impl MailRule {
    /// A rule, if mail to a user called so would have addresses.
    pub fn new(to: String, from: String, server: MailServer) -> Result<Self, Setup> {
        if !to.contains(USER) {
            return Err(Setup(format!(
                "mail address {to:?} does not contain {USER}, so all mail would go to one address"
            )));
        }
        let rule = Self { to, from, server };
        rule.mailer("alice").map(|_| rule)
    }

    fn mailer(&self, user: &str) -> Result<Mailer, Setup> {
        // A name is Slurm's word, and part of an address that we make.
        let is_plain = |character: char| character.is_ascii_alphanumeric() || "._-+".contains(character);
        if user.is_empty() || user.starts_with('-') || !user.chars().all(is_plain) {
            return Err(Setup("the job's user name cannot be used in a mail address".to_owned()));
        }
        Mailer::new(&self.server, &self.from, &self.to.replace(USER, user))
    }
}

impl NoticeSettings {
    /// Whether this destination is allowed.
    pub(crate) fn check(&self, to: &Destination, user: &str) -> Result<(), Setup> {
        self.carrier(to, user).map(drop)
    }

    /// The way to this destination, if it is allowed.
    pub(super) fn carrier(&self, to: &Destination, user: &str) -> Result<Carrier, Setup> {
        match to {
            Destination::Webhook { url, template } => {
                // First, so that what is wrong with an address is told rather than that it is not listed.
                let hook = Hook::at(url, *template)?;
                if self.hosts.iter().any(|host| host.allows(url)) {
                    Ok(Carrier::Webhook(hook))
                } else {
                    Err(Setup(format!(
                        "the administrator has not allowed the host {} (notification-host)",
                        hook.host()
                    )))
                }
            }
            Destination::Mail {} => match &self.mail {
                Some(rule) => rule.mailer(user).map(Carrier::Mail),
                None => Err(Setup("the administrator has not set up mail (notification-mail)".to_owned())),
            },
            Destination::Command {} => match &self.command {
                Some(path) => Ok(Carrier::Program(Program { path: path.clone(), user: Some(user.to_owned()) })),
                None => Err(Setup("the administrator has not set up a program (notification-command)".to_owned())),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use queuecast_api::notification::Template;

    fn hook(url: &str) -> Destination {
        Destination::Webhook { url: url.to_owned(), template: Template::Json }
    }

    #[test]
    fn nothing_is_allowed_unless_it_is_said() {
        for to in [hook("https://hooks.example.org/x"), Destination::Mail {}, Destination::Command {}] {
            let refused = NoticeSettings::default().carrier(&to, "alice").expect_err("nothing is said");
            assert!(refused.0.contains("the administrator has not"), "{refused}");
        }
    }

    #[test]
    fn mail_goes_to_the_users_own_address_and_to_no_other() {
        let server = MailServer::Program(PathBuf::from("/usr/sbin/sendmail"));
        let rule = |to: &str| MailRule::new(to.to_owned(), "queuecast@example.org".to_owned(), server.clone());
        let rule_of_site = rule("{user}@example.org").expect("a rule");
        assert_eq!(rule_of_site.mailer("alice").expect("an address").to(), "alice@example.org");
        for wrong in ["alice@evil.net", "a,b", "-x", "", "a b", "alice\n"] {
            assert!(rule_of_site.mailer(wrong).is_err(), "{wrong:?}");
        }
        assert!(rule("everybody@example.org").is_err() && rule("{user}@").is_err());
    }

    #[test]
    fn a_web_hook_is_called_where_it_is_listed() {
        let hosts = vec!["hooks.example.org".parse().expect("a host")];
        let settings = NoticeSettings { hosts, ..NoticeSettings::default() };
        assert!(settings.carrier(&hook("https://hooks.example.org/x"), "alice").is_ok());
        let refused = settings.carrier(&hook("https://169.254.169.254/x"), "alice").expect_err("not listed");
        assert_eq!(refused.0, "the administrator has not allowed the host 169.254.169.254 (notification-host)");
        let wrong = settings.carrier(&hook("ftp://hooks.example.org/x"), "alice").expect_err("no web hook");
        assert!(wrong.0.contains("http://"), "{wrong}");
    }
}
