//! What a web hook is sent, as each kind of receiver wants it.
//!
//! Not for: the sending (`deliver`).
//!
//! Source: Slack, "Sending messages using incoming webhooks" and "Formatting text" (escaping of `&`, `<`, `>`); Mattermost, "Incoming
//! webhooks"; Microsoft, "Create incoming webhooks with Workflows for Teams" and the schema of adaptive cards; ntfy, "Publishing".

use queuecast_api::notification::Template;
use serde_json::json;

use crate::event::Message;
use crate::words::Words;

/// A request without its address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Posted {
    /// What the body is declared as.
    pub content_type: &'static str,
    /// Further headers.
    pub headers: Vec<(&'static str, String)>,
    /// The body.
    pub body: Vec<u8>,
}

/// The request for a message.
pub fn posted(template: Template, message: &Message, words: &Words) -> Result<Posted, serde_json::Error> {
    let json = |value: &serde_json::Value| serde_json::to_vec(value).map(of_json);
    match template {
        Template::Json => serde_json::to_vec(message).map(of_json),
        Template::Slack => json(&json!({ "text": for_slack(&words.text) })),
        Template::Mattermost => json(&json!({ "text": without_mentions(&words.text) })),
        Template::Teams => json(&json!({
            "type": "message",
            "attachments": [{
                "contentType": "application/vnd.microsoft.card.adaptive",
                "content": {
                    "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
                    "type": "AdaptiveCard",
                    "version": "1.4",
                    "body": [
                        { "type": "TextBlock", "text": words.title, "weight": "bolder", "wrap": true },
                        { "type": "TextBlock", "text": words.text, "wrap": true },
                    ],
                },
            }],
        })),
        Template::Ntfy => Ok(Posted {
            content_type: "text/plain; charset=utf-8",
            headers: vec![("title", header(&words.title))],
            body: words.text.clone().into_bytes(),
        }),
    }
}

fn of_json(body: Vec<u8>) -> Posted {
    Posted { content_type: "application/json", headers: Vec::new(), body }
}

/// Or else a job's name could call everybody in a channel, or hide a link.
fn for_slack(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// A name after `@` is not called if something invisible stands between.
fn without_mentions(text: &str) -> String {
    text.replace('@', "@\u{200b}")
}

/// What a header may hold: a cluster's name may hold more.
pub fn header(text: &str) -> String {
    let kept = |character: char| character.is_ascii_graphic() || character == ' ';
    text.chars().map(|character| if kept(character) { character } else { '_' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Kind;
    use crate::sample;
    use crate::words::in_words;
    use jiff::tz::TimeZone;
    use serde_json::Value;

    fn sent(template: Template, name: &str) -> (Posted, Value) {
        let mut message = sample::message(Kind::Started);
        message.job_name = Some(name.to_owned());
        let posted = posted(template, &message, &in_words(&message, &TimeZone::UTC)).expect("it can be written");
        let body = serde_json::from_slice(&posted.body).unwrap_or(Value::Null);
        (posted, body)
    }

    #[test]
    fn programs_are_sent_every_field() {
        let (_, body) = sent(Template::Json, "sim");
        assert_eq!((&body["event"], &body["job_name"]), (&"started".into(), &"sim".into()));
        assert_eq!(body["start"]["median"]["utc"], "2025-11-15T12:55:00Z");
    }

    #[test]
    fn a_name_calls_nobody_and_links_nowhere_in_a_chat() {
        let (_, body) = sent(Template::Slack, "<!channel> & <http://x|y>");
        let text = body["text"].as_str().expect("text");
        assert!(text.contains("&lt;!channel&gt; &amp; &lt;http://x|y&gt;"), "{text}");
        let (_, body) = sent(Template::Mattermost, "@all");
        assert!(!body["text"].as_str().expect("text").contains("@all"), "{body}");
    }

    #[test]
    fn teams_is_sent_a_card_and_ntfy_plain_text_under_a_title() {
        let (_, body) = sent(Template::Teams, "sim");
        let card = &body["attachments"][0];
        assert_eq!(card["contentType"], "application/vnd.microsoft.card.adaptive");
        assert_eq!(card["content"]["body"][1]["text"], "Job 7 (sim) on alpha started at Sat 15 Nov 12:55 UTC.");
        let (posted, _) = sent(Template::Ntfy, "Läufe");
        assert_eq!(posted.headers, [("title", "Job 7 on alpha: has started".to_owned())]);
        assert!(String::from_utf8(posted.body).expect("UTF-8").contains("Läufe"));
    }
}
