//! Messages sent, again and again until they are taken.
//!
//! Not for: what they say (`event`).
//!
//! Source: RFC 9110 (a 2xx is taken, anything else is not); the header Idempotency-Key as in draft-ietf-httpapi-idempotency-key.

use std::collections::VecDeque;
use std::error::Error;
use std::time::{Duration, Instant};

use anyhow::anyhow;
use queuecast_wire::client;
use reqwest::Url;
use reqwest::blocking::Client;

use super::event::Message;
use crate::ask::inert::inert;
use crate::failure::{Cause, Failure, say};

/// A hook that takes longer is tried again.
const DEADLINE: Duration = Duration::from_secs(10);
/// The pause after the first try, doubled after each, and the longest.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_mins(1);

/// Where messages go.
pub struct Hook {
    client: Client,
    url: Url,
}

impl Hook {
    /// At this address. Nothing is sent yet.
    pub fn at(address: &str) -> Result<Self, Failure> {
        let wrong = |why: &str| Failure::usage(format_args!("--webhook {}: {why}", inert(address)));
        let url = Url::parse(address).map_err(|error| wrong(&error.to_string()))?;
        let is_encrypted = match url.scheme() {
            "http" => false,
            "https" => true,
            _ => return Err(wrong("not an address that begins with http:// or https://")),
        };
        let client = client::with_proxies(is_encrypted).timeout(DEADLINE);
        let client = client.build().map_err(|error| Failure::new(Cause::Output, error))?;
        Ok(Self { client, url })
    }

    fn post(&self, message: &Message) -> Result<(), String> {
        let body = serde_json::to_vec(message).map_err(|error| error.to_string())?;
        let request = self.client.post(self.url.clone()).header("content-type", "application/json");
        let sent = request.header("idempotency-key", header(&message.key)).body(body).send();
        match sent {
            Ok(response) if response.status().is_success() => Ok(()),
            Ok(response) => Err(format!("it answered with status {}", response.status())),
            Err(error) => {
                let causes = std::iter::successors(error.source(), |&cause| cause.source());
                Err(causes.last().map_or_else(|| error.to_string(), ToString::to_string))
            }
        }
    }
}

/// A cluster's name may hold what a header may not.
fn header(key: &str) -> String {
    key.chars().map(|character| if character.is_ascii_graphic() { character } else { '_' }).collect()
}

/// Messages that were not taken yet, in order.
pub struct Outbox {
    give_up: Duration,
    waiting: VecDeque<Letter>,
}

struct Letter {
    message: Message,
    first_try: Option<Instant>,
    next_try: Option<Instant>,
    pause: Duration,
}

impl Outbox {
    /// Whose messages are given up after so long.
    pub fn new(give_up: Duration) -> Self {
        Self { give_up, waiting: VecDeque::new() }
    }

    /// Adds a message.
    pub fn add(&mut self, message: Option<Message>) {
        let letter = message.map(|message| Letter { message, first_try: None, next_try: None, pause: FIRST_PAUSE });
        self.waiting.extend(letter);
    }

    /// Whether everything was taken.
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// When to try again; nothing if there is nothing to send.
    pub fn next_try(&self) -> Option<Instant> {
        self.waiting.front().map(|letter| letter.next_try.unwrap_or_else(Instant::now))
    }

    /// Sends what is due, the oldest first; a message waits for those before it.
    pub fn send(&mut self, hook: &Hook, now: Instant) -> Result<(), Failure> {
        while let Some(letter) = self.waiting.front_mut() {
            if letter.next_try.is_some_and(|next| next > now) {
                return Ok(());
            }
            let first_try = *letter.first_try.get_or_insert(now);
            let Err(why) = hook.post(&letter.message) else {
                self.waiting.pop_front();
                continue;
            };
            let tried = first_try.elapsed();
            if tried + letter.pause > self.give_up {
                let told = anyhow!(
                    "the web hook did not take {} within {} s: {}",
                    inert(&letter.message.key),
                    tried.as_secs(),
                    inert(&why)
                );
                return Err(
                    Failure::new(Cause::Output, told).with_hint("look at --webhook, or give it longer with --give-up")
                );
            }
            say(format_args!("not taken, trying again in {} s: {}", letter.pause.as_secs(), inert(&why)));
            letter.next_try = Some(Instant::now() + letter.pause);
            letter.pause = (letter.pause * 2).min(LONGEST_PAUSE);
        }
        Ok(())
    }
}
