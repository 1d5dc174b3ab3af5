//! The comments of a log, byte for byte, and the few of them that a program needs.
//!
//! For: keeping a log's header intact through every conversion (some carry a licence that says so) and finding
//! `MaxProcs` and its like in it.
//!
//! Not for: comments further down, which the reader hands out in their place among the jobs.
//!
//! Source: the format's definition, `; Label: value` header lines; archive logs put remarks behind the number.

use std::borrow::Cow;

use super::bad_line::LINE_BYTES_MAX;
use super::number::is_blank;
use crate::Seconds;

const DAY_SECONDS: i64 = 24 * 3_600;

/// A comment line without its line end, otherwise byte for byte. Old logs are not UTF-8, so it is bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment(Vec<u8>);

impl Comment {
    /// The comment on this line, or `None` if the line is not one: its first byte that is not blank must be `;`,
    /// it must be one line, and not longer than [`LINE_BYTES_MAX`].
    pub fn from_line(line: &[u8]) -> Option<Self> {
        let end = line.iter().rposition(|&byte| byte != b'\r').map_or(0, |last| last + 1);
        let line = &line[..end];
        let first = line.iter().find(|&&byte| !is_blank(byte));
        let is_comment = first == Some(&b';') && !line.contains(&b'\n') && line.len() <= LINE_BYTES_MAX;
        is_comment.then(|| Self(line.to_vec()))
    }

    /// A header line `; Note: …`. Line breaks and excess in the text are taken out, for it is one line.
    pub fn note(text: &str) -> Self {
        Self::directive("Note", text)
    }

    /// A header line `; Name: value`; see [`Comment::note`] about line breaks.
    pub fn directive(name: &str, value: &str) -> Self {
        let line = format!("; {name}: {value}").replace(['\n', '\r'], " ");
        let mut bytes = line.into_bytes();
        bytes.truncate(LINE_BYTES_MAX);
        Self(bytes)
    }

    /// The line, with its `;` and without its line end.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Name and value of a line `; Name: value`.
    fn name_and_value(&self) -> Option<(&[u8], &[u8])> {
        let content = trim(&self.0);
        let content = trim(content.strip_prefix(b";")?);
        let colon = content.iter().position(|&byte| byte == b':')?;
        Some((trim(&content[..colon]), trim(&content[colon + 1..])))
    }
}

/// The comment lines at the top of a log, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SwfHeader {
    /// The lines.
    pub comments: Vec<Comment>,
}

impl SwfHeader {
    /// The value of the first line `; Name: value` with this name, in any case. Bytes that are not UTF-8 are
    /// replaced in what is returned, not in the header.
    pub fn directive(&self, name: &str) -> Option<Cow<'_, str>> {
        self.comments.iter().find_map(|comment| {
            let (found, value) = comment.name_and_value()?;
            found.eq_ignore_ascii_case(name.as_bytes()).then(|| String::from_utf8_lossy(value))
        })
    }

    /// The machine's processors: `MaxProcs`, or `MaxNodes` where that is missing or not positive.
    pub fn max_procs(&self) -> Option<u32> {
        ["MaxProcs", "MaxNodes"].into_iter().find_map(|name| {
            let processors = u32::try_from(self.leading_integer(name)?).ok()?;
            (processors > 0).then_some(processors)
        })
    }

    /// When the log starts, in Unix time: what submit times are counted from.
    pub fn unix_start_time(&self) -> Option<i64> {
        self.leading_integer("UnixStartTime")
    }

    /// The local time of day at the log's time zero, from `UnixStartTime` and `TimeZone`; midnight where the first is
    /// missing.
    pub fn time_of_day_at_zero(&self) -> Seconds {
        let local = self.unix_start_time().map(|start| {
            let zone = self.leading_integer("TimeZone").unwrap_or(0);
            start.rem_euclid(DAY_SECONDS) + zone.rem_euclid(DAY_SECONDS)
        });
        Seconds(local.unwrap_or(0).rem_euclid(DAY_SECONDS))
    }

    /// Adds a line `; Note: …` at the end.
    pub fn add_note(&mut self, text: &str) {
        self.comments.push(Comment::note(text));
    }

    /// Changes the first line `; Name: value` with this name, or adds one.
    pub fn set_directive(&mut self, name: &str, value: &str) {
        let line = Comment::directive(name, value);
        let is_it = |comment: &&mut Comment| {
            comment.name_and_value().is_some_and(|(found, _)| found.eq_ignore_ascii_case(name.as_bytes()))
        };
        match self.comments.iter_mut().find(is_it) {
            Some(comment) => *comment = line,
            None => self.comments.push(line),
        }
    }

    /// Takes out all lines `; Name: value` with this name.
    pub fn remove_directive(&mut self, name: &str) {
        let is_it = |comment: &Comment| {
            comment.name_and_value().is_some_and(|(found, _)| found.eq_ignore_ascii_case(name.as_bytes()))
        };
        self.comments.retain(|comment| !is_it(comment));
    }

    /// Logs write remarks behind numbers, as in `MaxProcs: 1664 (72, 1368, 224)`; the number must stand alone
    /// before them, so that `1,024` is not read as 1.
    fn leading_integer(&self, name: &str) -> Option<i64> {
        let value = self.directive(name)?;
        let number = value.split(|c: char| c.is_whitespace() || c == '(').next()?;
        number.parse().ok()
    }
}

fn trim(mut bytes: &[u8]) -> &[u8] {
    while let [first, rest @ ..] = bytes
        && is_blank(*first)
    {
        bytes = rest;
    }
    while let [rest @ .., last] = bytes
        && is_blank(*last)
    {
        bytes = rest;
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(lines: &[&str]) -> SwfHeader {
        let comment = |line: &&str| Comment::from_line(line.as_bytes()).expect("a comment line");
        SwfHeader { comments: lines.iter().map(comment).collect() }
    }

    #[test]
    fn directives_are_found_in_any_case_and_spacing() {
        let header = header(&[";MaxNodes: 1524", "  ;  unixstarttime :  843480031 ", "; Note: a: b"]);
        assert_eq!(header.directive("maxnodes").as_deref(), Some("1524"));
        assert_eq!(header.unix_start_time(), Some(843_480_031));
        assert_eq!(header.directive("Note").as_deref(), Some("a: b"));
        assert_eq!(header.directive("MaxProcs"), None);
    }

    #[test]
    fn machine_size_is_max_procs_then_max_nodes() {
        assert_eq!(
            header(&["; MaxNodes: 184  ( 6,  171,   7)", "; MaxProcs: 1664 (72, 1368)"]).max_procs(),
            Some(1664)
        );
        assert_eq!(header(&["; MaxNodes: 128", "; MaxProcs: -1"]).max_procs(), Some(128));
        assert_eq!(header(&["; MaxNodes: 400(48 interactive)"]).max_procs(), Some(400));
        assert_eq!(header(&["; MaxProcs: 1,024"]).max_procs(), None);
        assert_eq!(header(&["; MaxProcs: 0", "; MaxNodes: 99999999999"]).max_procs(), None);
    }

    #[test]
    fn only_comment_lines_are_comments() {
        assert_eq!(Comment::from_line(b" 1 2 3"), None);
        assert_eq!(Comment::from_line(b""), None);
        assert_eq!(Comment::from_line(b"; a\n; b"), None);
        assert_eq!(Comment::from_line(b"; a\r\r").expect("a comment").as_bytes(), b"; a");
        assert_eq!(Comment::note("two\nlines").as_bytes(), b"; Note: two lines");
    }

    #[test]
    fn a_directive_is_changed_in_its_place_or_added() {
        let mut header = header(&["; UnixStartTime: 5", "; MaxProcs: 8"]);
        header.set_directive("UnixStartTime", "17");
        header.set_directive("TimeZone", "0");
        assert_eq!(header, self::header(&["; UnixStartTime: 17", "; MaxProcs: 8", "; TimeZone: 0"]));
    }

    #[test]
    fn a_directive_is_taken_out_wherever_it_stands_and_others_stay() {
        let mut header = header(&["; User: 1 anna", "; Users: see below", ";user : 2 bert", "; Note: User: 3"]);
        header.remove_directive("User");
        assert_eq!(header, self::header(&["; Users: see below", "; Note: User: 3"]));
    }

    #[test]
    fn the_time_of_day_at_zero_is_local() {
        // Mon Sep 23 14:00:31 in Stockholm's summer, which the zone in the header does not know of.
        let kth = header(&["; UnixStartTime: 843480031", "; TimeZone: 3600"]);
        assert_eq!(kth.time_of_day_at_zero(), Seconds(13 * 3_600 + 31));
        assert_eq!(header(&["; UnixStartTime: 0", "; TimeZone: -28800"]).time_of_day_at_zero(), Seconds(16 * 3_600));
        assert_eq!(header(&["; TimeZone: 3600"]).time_of_day_at_zero(), Seconds(0));
        let extreme = format!("; UnixStartTime: {}", i64::MIN);
        assert!((0..86_400).contains(&header(&[&extreme, "; TimeZone: 7"]).time_of_day_at_zero().0));
    }
}
