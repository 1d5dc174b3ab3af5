//! The page in a browser: four files that are in the program (`web/`), served to everybody. They hold no word about any job; what the page
//! shows it asks for, as whoever looks.
//!
//! Not for: what is in them. They are built by `web/build` and committed, so that building the program needs no Node.
//!
//! Source: Content Security Policy level 3 and Trusted Types: nothing is loaded from another host, nothing inline is run, and no text becomes
//! markup but through Svelte's own templates. RFC 9110, `ETag` and `If-None-Match`.

use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, IF_NONE_MATCH, REFERRER_POLICY};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};

/// What the page may do. Asking the daemon that has served it is all it needs.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types svelte-trusted-html";

/// A file of the page.
pub(super) struct PageFile {
    /// Where it is asked for.
    pub path: &'static str,
    kind: &'static str,
    bytes: &'static [u8],
}

/// All of them.
pub(super) const FILES: &[PageFile] = &[
    PageFile {
        path: "/",
        kind: "text/html; charset=utf-8",
        bytes: include_bytes!("../../../../../web/dist/index.html"),
    },
    PageFile { path: "/icon.svg", kind: "image/svg+xml", bytes: include_bytes!("../../../../../web/dist/icon.svg") },
    PageFile {
        path: "/assets/page.js",
        kind: "text/javascript; charset=utf-8",
        bytes: include_bytes!("../../../../../web/dist/assets/page.js"),
    },
    PageFile {
        path: "/assets/page.css",
        kind: "text/css; charset=utf-8",
        bytes: include_bytes!("../../../../../web/dist/assets/page.css"),
    },
];

/// Whether this is the path of one of them.
pub(crate) fn is_of_page(path: &str) -> bool {
    FILES.iter().any(|file| file.path == path)
}

impl PageFile {
    /// The file; or that it is the one that the browser has.
    pub fn served(&self, headers: &HeaderMap) -> Response {
        let tag = self.tag();
        let is_known = headers.get(IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes());
        let body = if is_known { Body::empty() } else { Body::from(self.bytes) };
        let status = if is_known { StatusCode::NOT_MODIFIED } else { StatusCode::OK };
        let mut response = (status, body).into_response();
        let answer = response.headers_mut();
        answer.insert(CONTENT_TYPE, HeaderValue::from_static(self.kind));
        answer.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
        answer.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
        // Its names stay when it changes, so a browser asks each time whether it has.
        answer.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        answer.extend(HeaderValue::try_from(tag).ok().map(|tag| (ETAG, tag)));
        response
    }

    fn tag(&self) -> String {
        let hash = Sha256::digest(self.bytes);
        let words: Vec<String> = hash.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        format!("\"{}\"", words.concat())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(path: &str) -> String {
        let file = FILES.iter().find(|file| file.path == path).expect("it is one of them");
        String::from_utf8_lossy(file.bytes).into_owned()
    }

    #[test]
    fn the_page_names_its_own_files_and_no_other_host() {
        let page = text("/");
        for file in ["./assets/page.js", "./assets/page.css", "./icon.svg"] {
            assert!(page.contains(file), "{file}: {page}");
        }
        assert!(!page.contains("http"), "{page}");
        // Names of standards, and pages that explain an error, look like addresses; nobody asks there.
        let script = text("/assets/page.js");
        let addresses = script.split("://").skip(1).filter(|address| !address.starts_with(['$', '/']));
        let others: Vec<&str> = addresses
            .filter(|address| !address.starts_with("svelte.dev/e/") && !address.starts_with("www.w3.org/"))
            .map(|address| address.get(..40).unwrap_or(address))
            .collect();
        assert!(others.is_empty(), "{others:?}");
        assert!(!text("/assets/page.css").contains("url("));
    }

    #[test]
    fn a_browser_that_has_a_file_is_told_so_and_is_told_what_the_page_may_do() {
        let file = &FILES[2];
        let first = file.served(&HeaderMap::new());
        assert_eq!(first.status(), StatusCode::OK);
        let policy = first.headers()[CONTENT_SECURITY_POLICY].to_str().expect("text");
        assert!(policy.starts_with("default-src 'none'") && policy.contains("require-trusted-types-for 'script'"));
        let mut headers = HeaderMap::new();
        headers.insert(IF_NONE_MATCH, first.headers()[ETAG].clone());
        assert_eq!(file.served(&headers).status(), StatusCode::NOT_MODIFIED);
    }
}
