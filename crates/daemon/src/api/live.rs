//! How the interface behaves, as of now: who is believed and who sees what can be changed while it answers.
//!
//! Not for: where it listens and how many it serves, which are decided when it opens.

use std::sync::{Arc, PoisonError, RwLock};

use super::ApiSettings;

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

    /// Takes over who is believed, who sees what, and by which names it is asked. The rest stays.
    pub fn change(&self, to: &ApiSettings) {
        let ApiSettings {
            host_names,
            administrators,
            others_jobs,
            token_key,
            proxy_header,
            trusted_proxy_users,
            proxy_secret,
            ..
        } = to.clone();
        self.put(ApiSettings {
            host_names,
            administrators,
            others_jobs,
            token_key,
            proxy_header,
            trusted_proxy_users,
            proxy_secret,
            ..(*self.now()).clone()
        });
    }

    /// Puts others in their place.
    pub(super) fn put(&self, settings: ApiSettings) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(settings);
    }
}
