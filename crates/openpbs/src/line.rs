//! The front of a line: local time, type of record, job.
//!
//! Not for: what is said of the job (`attributes`).

use crate::bad_line::{Problem, Reason};
use crate::value::{digits, local_seconds};
use queuecast_records::JobPart;

/// What a record tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `Q`: came into a queue.
    Queued,
    /// `S`: started.
    Started,
    /// `E`: ended.
    Ended,
    /// `R`: ran, and was queued again.
    Requeued,
    /// `D`, `A`: somebody or the server took it away.
    Deleted,
    /// `M`: is another server's now.
    Moved,
    /// `z`: suspended.
    Suspended,
    /// Checkpoints, alterations, phases, reservations, provisioning and licences.
    Other,
}

/// A line taken apart.
#[derive(Debug)]
pub(crate) struct Line<'a> {
    /// The time in front, as if it were UTC.
    pub local_seconds: i64,
    pub kind: Kind,
    /// The job's name in full, `123[4].server`.
    pub job: &'a [u8],
    pub text: &'a [u8],
}

/// A job's name taken apart.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct JobName {
    pub number: u64,
    pub part: JobPart,
    pub server: String,
}

impl<'a> Line<'a> {
    pub fn parse(line: &'a [u8]) -> Result<Self, Problem> {
        let not_a_record = || Problem::new(None, Reason::NotARecord, line);
        let mut pieces = line.splitn(4, |&byte| byte == b';');
        let [Some(time), Some(kind), Some(job), Some(text)] = std::array::from_fn(|_| pieces.next()) else {
            return Err(not_a_record());
        };
        let local_seconds = local_seconds(time).ok_or_else(not_a_record)?;
        let kind =
            Kind::parse(kind).ok_or_else(|| Problem::new(Some("type"), Reason::NotA("a type of record"), kind))?;
        Ok(Self { local_seconds, kind, job, text })
    }
}

impl Kind {
    fn parse(text: &[u8]) -> Option<Self> {
        Some(match text {
            b"Q" => Self::Queued,
            b"S" => Self::Started,
            b"E" => Self::Ended,
            b"R" => Self::Requeued,
            b"D" | b"A" => Self::Deleted,
            b"M" => Self::Moved,
            b"z" => Self::Suspended,
            [letter] if b"CTLsuecarUYBFKkPp".contains(letter) => Self::Other,
            _ => return None,
        })
    }
}

impl JobName {
    /// Reads `123.server` or `123[4].server`; `Ok(None)` for what is no job: an array as a whole, `123[].server`, and a reservation,
    /// `R123.server`.
    pub fn parse(text: &[u8]) -> Result<Option<Self>, Problem> {
        let wrong = || Problem::new(Some("job"), Reason::NotA("the name of a job"), text);
        let (name, server) = match memchr::memchr(b'.', text) {
            Some(dot) => (&text[..dot], &text[dot + 1..]),
            None => (text, &b""[..]),
        };
        if let [b'R' | b'S' | b'M', number @ ..] = name {
            return if digits(number).is_some() { Ok(None) } else { Err(wrong()) };
        }
        let (number, index) = match memchr::memchr(b'[', name) {
            Some(bracket) => (&name[..bracket], Some(name[bracket + 1..].strip_suffix(b"]").ok_or_else(wrong)?)),
            None => (name, None),
        };
        let number = digits(number).ok_or_else(wrong)?;
        let part = match index {
            None => JobPart::Whole,
            Some(b"") => return Ok(None),
            Some(index) => {
                let task = digits(index).and_then(|task| u32::try_from(task).ok()).ok_or_else(wrong)?;
                JobPart::ArrayTask { array_job_id: number, task }
            }
        };
        Ok(Some(Self { number, part, server: String::from_utf8_lossy(server).into_owned() }))
    }
}

/// Whether a log that begins with this line is one of accounting.
pub fn is_accounting(first_line: &[u8]) -> bool {
    let time = first_line.get(..19).is_some_and(|time| local_seconds(time).is_some());
    time && matches!(first_line.get(19..22), Some([b';', kind, b';']) if Kind::parse(&[*kind]).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(name: &str) -> Result<Option<JobPart>, Problem> {
        JobName::parse(name.as_bytes()).map(|name| name.map(|name| name.part))
    }

    #[test]
    fn a_subjob_is_a_job_and_an_array_is_none() {
        assert_eq!(part("123.pbs"), Ok(Some(JobPart::Whole)));
        assert_eq!(part("123[4].pbs"), Ok(Some(JobPart::ArrayTask { array_job_id: 123, task: 4 })));
        for name in ["123[].pbs", "R5.pbs", "S5.pbs", "M5.pbs"] {
            assert_eq!(part(name), Ok(None), "{name}");
        }
        for name in ["", "x.pbs", "123[.pbs", "123[4", "123[x].pbs", "-1.pbs", "R.pbs", "123[99999999999].pbs"] {
            assert!(part(name).is_err(), "{name}");
        }
    }

    #[test]
    fn a_log_is_known_by_its_first_line() {
        assert!(is_accounting(b"03/02/2026 10:00:00;Q;1.pbs;queue=work\n"));
        assert!(is_accounting(b"03/02/2026 10:00:00;L;license;floating license hour:0"));
        for line in [
            "",
            "; MaxProcs: 8",
            "1 0 0 60 4",
            "JobID|State|Submit",
            "03/02/2026 10:00:00;0100;Server@pbs;Svr;x",
            "03/02/2026 10:00:00",
        ] {
            assert!(!is_accounting(line.as_bytes()), "{line}");
        }
    }
}
