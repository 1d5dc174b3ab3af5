//! Messages that were not taken yet, and when each is tried again. Pure: times go in.
//!
//! Not for: sending (`deliver`); keeping them, which is whoever's they are.

use std::collections::VecDeque;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::event::Message;

/// The pause after the first try, doubled after each, and the longest.
const FIRST_PAUSE_SECONDS: u64 = 1;
const LONGEST_PAUSE_SECONDS: u64 = 60;

/// Messages in order: one waits for those before it. Times are seconds since 1970, so that they mean the same after a restart.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Outbox {
    waiting: VecDeque<Letter>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Letter {
    message: Message,
    first_try: Option<i64>,
    next_try: i64,
    pause_seconds: u64,
}

/// What becomes of a message that was not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotTaken {
    /// It is tried again after this.
    TryAgain(Duration),
    /// It has been tried for so long that it is not tried again.
    GivenUp(Duration),
}

impl Outbox {
    /// Adds a message, which is tried at once.
    pub fn add(&mut self, message: Option<Message>) {
        let letter = message.map(|message| Letter {
            message,
            first_try: None,
            next_try: i64::MIN,
            pause_seconds: FIRST_PAUSE_SECONDS,
        });
        self.waiting.extend(letter);
    }

    /// Whether everything was taken, or given up.
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// How many wait.
    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    /// When to try again; nothing if there is nothing to send.
    pub fn next_try(&self) -> Option<i64> {
        self.waiting.front().map(|letter| letter.next_try)
    }

    /// What is to be sent now. A try that lies further ahead than any pause was set by a clock that has been put back.
    pub fn due(&self, now: i64) -> Option<&Message> {
        let latest = now.saturating_add_unsigned(LONGEST_PAUSE_SECONDS);
        let is_due = |letter: &&Letter| letter.next_try <= now || letter.next_try > latest;
        self.waiting.front().filter(is_due).map(|letter| &letter.message)
    }

    /// What was due has been taken.
    pub fn taken(&mut self) {
        self.waiting.pop_front();
    }

    /// What was due has not been taken. It is tried again, but not for longer than this.
    pub fn not_taken(&mut self, now: i64, give_up: Duration) -> NotTaken {
        let Some(letter) = self.waiting.front_mut() else { return NotTaken::GivenUp(Duration::ZERO) };
        let first_try = *letter.first_try.get_or_insert(now);
        let tried = Duration::from_secs(u64::try_from(now.saturating_sub(first_try)).unwrap_or(0));
        let pause = Duration::from_secs(letter.pause_seconds);
        if tried + pause > give_up {
            self.waiting.pop_front();
            return NotTaken::GivenUp(tried);
        }
        letter.next_try = now.saturating_add_unsigned(letter.pause_seconds);
        letter.pause_seconds = (letter.pause_seconds * 2).min(LONGEST_PAUSE_SECONDS);
        NotTaken::TryAgain(pause)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Kind;
    use crate::sample::message;

    #[test]
    fn a_message_is_tried_at_growing_pauses_until_it_is_given_up_and_the_next_one_then() {
        let mut outbox = Outbox::default();
        outbox.add(Some(message(Kind::AboutToStart)));
        outbox.add(Some(message(Kind::Started)));
        let (mut now, mut pauses) = (1_000, Vec::new());
        let tried = loop {
            assert_eq!(outbox.due(now).map(|message| message.event), Some(Kind::AboutToStart));
            match outbox.not_taken(now, Duration::from_mins(5)) {
                NotTaken::TryAgain(pause) => {
                    assert!(outbox.due(now).is_none(), "not before the pause is over");
                    pauses.push(pause.as_secs());
                    now += i64::try_from(pause.as_secs()).expect("short");
                }
                NotTaken::GivenUp(tried) => break tried,
            }
        };
        assert_eq!(pauses, [1, 2, 4, 8, 16, 32, 60, 60, 60]);
        assert_eq!(tried, Duration::from_secs(243));
        assert_eq!(outbox.due(now).map(|message| message.event), Some(Kind::Started));
        outbox.taken();
        assert!(outbox.is_empty() && outbox.next_try().is_none());
    }

    #[test]
    fn what_waits_is_the_same_after_a_restart() {
        let mut outbox = Outbox::default();
        outbox.add(Some(message(Kind::Gone)));
        outbox.not_taken(1_000, Duration::from_hours(1));
        let kept = serde_json::to_string(&outbox).expect("JSON");
        assert_eq!(serde_json::from_str::<Outbox>(&kept).expect("it is ours"), outbox);
    }

    #[test]
    fn a_clock_that_is_set_back_does_not_make_a_message_wait_for_ever() {
        let mut outbox = Outbox::default();
        outbox.add(Some(message(Kind::Gone)));
        outbox.not_taken(1_000_000, Duration::from_hours(1));
        assert!(outbox.due(0).is_some(), "its next try lies too far ahead to be meant");
    }
}
