//! A message in words, for people: a line for a subject, and a sentence or two.
//!
//! Not for: how a chat or a mail wants them (`template`, `deliver`).

use jiff::Timestamp;
use jiff::tz::TimeZone;
use queuecast_api::ranges::TimesResponse;

use crate::event::{Kind, Message};

/// What people read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words {
    /// One line, without the job's name, which may hold anything.
    pub title: String,
    /// The whole.
    pub text: String,
}

/// The message in words; times are those of this zone.
pub fn in_words(message: &Message, zone: &TimeZone) -> Words {
    let id = message.job_id.as_deref().map_or_else(|| "?".to_owned(), harmless);
    let cluster = harmless(&message.cluster);
    let job = match message.job_name.as_deref().filter(|name| !name.is_empty()) {
        Some(name) => format!("Job {id} ({}) on {cluster}", harmless(name)),
        None => format!("Job {id} on {cluster}"),
    };
    let (end_of_title, end_of_text) = match message.event {
        Kind::Asked => (
            "you will be notified",
            match &message.start {
                Some(start) => format!(": you will be notified when it starts. {}.", expected(start, zone)),
                None => ": you will be notified when it starts.".to_owned(),
            },
        ),
        Kind::AboutToStart => (
            "is about to start",
            match &message.start {
                Some(start) => format!(" is about to start. {}.", expected(start, zone)),
                None => " is about to start.".to_owned(),
            },
        ),
        Kind::Started => (
            "has started",
            match &message.start {
                Some(start) => format!(" started at {}.", shown(start.median.unix, zone)),
                None => " has started.".to_owned(),
            },
        ),
        Kind::Gone => (
            "is no longer in the queue",
            " is no longer in the queue: it was cancelled, or it started and ended between two checks.".to_owned(),
        ),
    };
    Words { title: format!("Job {id} on {cluster}: {end_of_title}"), text: format!("{job}{end_of_text}") }
}

fn expected(start: &TimesResponse, zone: &TimeZone) -> String {
    let range = &start.range80;
    format!(
        "Expected start: {} (80 % range: {} to {})",
        shown(start.median.unix, zone),
        shown(range.from.unix, zone),
        shown(range.to.unix, zone)
    )
}

fn shown(unix: i64, zone: &TimeZone) -> String {
    let timestamp = Timestamp::from_second(unix).unwrap_or(Timestamp::MAX);
    timestamp.to_zoned(zone.clone()).strftime("%a %d %b %H:%M %Z").to_string()
}

/// Without line breaks and whatever else a reader's program might obey.
fn harmless(text: &str) -> String {
    // Marks that turn text around or hide it (UTS #55).
    let is_mark = |character| matches!(character, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}');
    let replaced = |character: char| if character.is_control() || is_mark(character) { '\u{fffd}' } else { character };
    text.chars().map(replaced).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    fn text(kind: Kind) -> String {
        in_words(&sample::message(kind), &TimeZone::UTC).text
    }

    #[test]
    fn people_are_told_what_happened_and_when() {
        assert_eq!(
            text(Kind::AboutToStart),
            "Job 7 (name7) on alpha is about to start. Expected start: Sat 15 Nov 12:55 UTC (80 % range: \
             Sat 15 Nov 12:45 UTC to Sat 15 Nov 13:05 UTC)."
        );
        assert_eq!(text(Kind::Started), "Job 7 (name7) on alpha started at Sat 15 Nov 12:55 UTC.");
        let asked = text(Kind::Asked);
        assert!(
            asked
                .starts_with("Job 7 (name7) on alpha: you will be notified when it starts. Expected start: Sat 15 Nov"),
            "{asked}"
        );
        assert!(text(Kind::Gone).contains("no longer in the queue"));
        let title = in_words(&sample::message(Kind::Started), &TimeZone::UTC).title;
        assert_eq!(title, "Job 7 on alpha: has started");
    }

    #[test]
    fn a_name_cannot_begin_a_line_of_its_own_or_turn_text_around() {
        let mut message = sample::message(Kind::Started);
        message.job_name = Some("a\r\nBcc: x\u{202e}".to_owned());
        let words = in_words(&message, &TimeZone::UTC);
        assert!(words.text.contains("(a\u{fffd}\u{fffd}Bcc: x\u{fffd})"), "{words:?}");
    }
}
