//! How the interface behaves, as of now: who is believed and who sees what can be changed while it answers.
//!
//! Not for: where it listens and how many it serves, which are decided when it opens.

use std::sync::{Arc, PoisonError, RwLock};

use super::ApiSettings;
use crate::notices::NoticeSettings;

/// Settings that can be changed. All who hold one see the change with their next request.
#[derive(Clone, Debug)]
pub struct LiveSettings(Arc<RwLock<Arc<ApiSettings>>>);

impl From<ApiSettings> for LiveSettings {
    fn from(settings: ApiSettings) -> Self {
        Self(Arc::new(RwLock::new(Arc::new(settings))))
    }
}

impl LiveSettings {
    /// What counts now.
    pub(super) fn now(&self) -> Arc<ApiSettings> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Takes over who is believed, who sees what, by which names it is asked, and how users may be told. The rest stays.
    pub fn change(&self, to: &ApiSettings) {
        let mut settings = (*self.now()).clone();
        settings.host_names.clone_from(&to.host_names);
        settings.administrators.clone_from(&to.administrators);
        settings.others_jobs = to.others_jobs;
        settings.token_key.clone_from(&to.token_key);
        settings.proxy_header.clone_from(&to.proxy_header);
        settings.trusted_proxy_users.clone_from(&to.trusted_proxy_users);
        settings.proxy_secret.clone_from(&to.proxy_secret);
        let folder = settings.notices.folder.take();
        settings.notices = NoticeSettings { folder, ..to.notices.clone() };
        self.put(settings);
    }

    /// Puts others in their place.
    pub(super) fn put(&self, settings: ApiSettings) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(settings);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::OthersJobs;

    #[test]
    fn who_sees_what_is_taken_over_and_where_it_listens_is_not() {
        let notices = NoticeSettings { folder: Some("/kept".into()), ..NoticeSettings::default() };
        let live = LiveSettings::from(ApiSettings { notices, ..ApiSettings::default() });
        let held_elsewhere = live.clone();
        live.change(&ApiSettings {
            administrators: vec![7],
            others_jobs: OthersJobs::AsSlurm,
            trusted_proxy_users: vec![33],
            host_names: vec!["queue.example.org".to_owned()],
            notices: NoticeSettings { command: Some("/bin/tell".into()), ..NoticeSettings::default() },
            socket_mode: 0o600,
            connections: 1,
            ..ApiSettings::default()
        });
        let now = held_elsewhere.now();
        assert_eq!((now.administrators.as_slice(), now.others_jobs), (&[7][..], OthersJobs::AsSlurm));
        assert_eq!(now.trusted_proxy_users, [33]);
        assert_eq!(now.host_names, ["queue.example.org"]);
        assert_eq!(now.notices.command.as_deref(), Some("/bin/tell".as_ref()));
        assert_eq!(now.notices.folder.as_deref(), Some("/kept".as_ref()));
        let before = ApiSettings::default();
        assert_eq!((now.socket_mode, now.connections), (before.socket_mode, before.connections));
    }
}
