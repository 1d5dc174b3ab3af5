//! What a record says of its job: `key=value key="a value" ...`.
//!
//! For: cutting the text at its spaces and quotes, and keeping what is read of it.
//!
//! Not for: what follows from it (`job`).
//!
//! Source: `accounting.c`: a value with spaces stands between double quotes, or between single ones if it has a double one in it, and nothing
//! in it is escaped. So a quote ends a value only before a space or the end. Where that leaves something that is no key with a value, the
//! line is refused, not guessed.

use queuecast_workload::Time;

use crate::bad_line::{Problem, Reason};
use crate::value;

/// The keys that are read, as they were written.
#[derive(Debug, Default)]
pub(crate) struct Attributes<'a> {
    pub user: &'a [u8],
    pub group: &'a [u8],
    pub account: &'a [u8],
    pub project: &'a [u8],
    pub job_name: &'a [u8],
    pub queue: &'a [u8],
    pub reservation: &'a [u8],
    pub depend: &'a [u8],
    pub exec_host: &'a [u8],
    pub exec_vnode: &'a [u8],
    pub select: &'a [u8],
    pub place: &'a [u8],
    pub created: Option<Time>,
    pub queued: Option<Time>,
    pub eligible: Option<Time>,
    pub started: Option<Time>,
    pub ended: Option<Time>,
    pub limit_seconds: Option<u64>,
    pub used_seconds: Option<u64>,
    pub cpus: Option<u64>,
    pub nodes: Option<u64>,
    pub gpus: Option<u64>,
    pub memory_mebibytes: Option<u64>,
    pub exit_status: Option<i64>,
    pub run_count: Option<u64>,
}

impl<'a> Attributes<'a> {
    pub fn parse(text: &'a [u8]) -> Result<Self, Problem> {
        let mut attributes = Self::default();
        let mut rest = text.trim_ascii();
        while !rest.is_empty() {
            let [key, value, behind] = cut(rest)?;
            attributes.take(key, value)?;
            rest = behind.trim_ascii_start();
        }
        Ok(attributes)
    }

    /// Keys that mean nothing here are passed over.
    fn take(&mut self, key: &[u8], value: &'a [u8]) -> Result<(), Problem> {
        match key {
            b"user" => self.user = value,
            b"group" => self.group = value,
            b"account" => self.account = value,
            b"project" => self.project = value,
            b"jobname" => self.job_name = value,
            b"queue" => self.queue = value,
            b"resvID" => self.reservation = value,
            b"depend" => self.depend = value,
            b"exec_host" => self.exec_host = value,
            b"exec_vnode" => self.exec_vnode = value,
            b"Resource_List.select" => self.select = value,
            b"Resource_List.place" => self.place = value,
            b"ctime" => self.created = time("ctime", value)?,
            b"qtime" => self.queued = time("qtime", value)?,
            b"etime" => self.eligible = time("etime", value)?,
            b"start" => self.started = time("start", value)?,
            b"end" => self.ended = time("end", value)?,
            b"Resource_List.walltime" => {
                self.limit_seconds = Some(read("Resource_List.walltime", DURATION, value, value::duration_seconds)?);
            }
            b"resources_used.walltime" => {
                self.used_seconds = Some(read("resources_used.walltime", DURATION, value, value::duration_seconds)?);
            }
            b"Resource_List.ncpus" => self.cpus = Some(read("Resource_List.ncpus", NUMBER, value, value::digits)?),
            b"Resource_List.nodect" => self.nodes = Some(read("Resource_List.nodect", NUMBER, value, value::digits)?),
            b"Resource_List.ngpus" => self.gpus = Some(read("Resource_List.ngpus", NUMBER, value, value::digits)?),
            b"Resource_List.mem" => {
                self.memory_mebibytes = Some(read("Resource_List.mem", "a size", value, value::mebibytes)?);
            }
            b"Exit_status" => self.exit_status = Some(read("Exit_status", NUMBER, value, value::signed)?),
            b"run_count" => self.run_count = Some(read("run_count", NUMBER, value, value::digits)?),
            _ => {}
        }
        Ok(())
    }
}

const TIME: &str = "a time in seconds since 1970";
const DURATION: &str = "a duration such as 01:30:00";
const NUMBER: &str = "a number";

fn read<T>(
    key: &'static str,
    what: &'static str,
    value: &[u8],
    parse: impl Fn(&[u8]) -> Option<T>,
) -> Result<T, Problem> {
    parse(value).ok_or_else(|| Problem::new(Some(key), Reason::NotA(what), value))
}

/// 0 is what PBS writes for what has not happened.
fn time(key: &'static str, value: &[u8]) -> Result<Option<Time>, Problem> {
    Ok(Some(read(key, TIME, value, value::time)?).filter(|&time| time > Time(0)))
}

/// The first key, its value, and what is behind it.
fn cut(text: &[u8]) -> Result<[&[u8]; 3], Problem> {
    let no_attribute = || Problem::new(None, Reason::NotAnAttribute, text);
    let equals = memchr::memchr(b'=', text).ok_or_else(no_attribute)?;
    let (key, value) = (&text[..equals], &text[equals + 1..]);
    if key.is_empty() || key.iter().any(|byte| b" \"'".contains(byte)) {
        return Err(no_attribute());
    }
    let (&[quote @ (b'"' | b'\'')], rest) = value.split_at(value.len().min(1)) else {
        let end = memchr::memchr(b' ', value).unwrap_or(value.len());
        return Ok([key, &value[..end], &value[end..]]);
    };
    let ends = |&place: &usize| matches!(rest.get(place + 1), None | Some(b' '));
    let end = memchr::memchr_iter(quote, rest).find(ends);
    let end = end.ok_or_else(|| Problem::new(None, Reason::OpenQuote, text))?;
    Ok([key, &rest[..end], &rest[end + 1..]])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_values_hold_spaces_semicolons_and_other_quotes() {
        let text = br#"user=ada account="big; job" project='say "hi" now' jobname=it"s queue=work"#;
        let attributes = Attributes::parse(text).expect("attributes");
        assert_eq!(attributes.account, b"big; job");
        assert_eq!(attributes.project, br#"say "hi" now"#);
        assert_eq!((attributes.job_name, attributes.queue), (&br#"it"s"#[..], &b"work"[..]));
    }

    #[test]
    fn what_is_cut_wrongly_is_refused_and_not_guessed() {
        let reason = |text: &str| Attributes::parse(text.as_bytes()).expect_err("refused").reason;
        assert_eq!(reason(r#"account="never closed queue=work"#), Reason::OpenQuote);
        assert_eq!(reason(r#"account="a" b" queue=work"#), Reason::NotAnAttribute);
        assert_eq!(reason("user=ada and queue=work"), Reason::NotAnAttribute);
        assert_eq!(reason("=x"), Reason::NotAnAttribute);
        assert_eq!(reason("user"), Reason::NotAnAttribute);
    }

    #[test]
    fn a_bad_value_names_its_key() {
        let problem = Attributes::parse(b"ctime=soon").expect_err("refused");
        assert_eq!((problem.field, problem.excerpt.as_str()), (Some("ctime"), "soon"));
    }
}
