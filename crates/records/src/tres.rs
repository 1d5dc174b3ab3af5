//! Trackable resources: `cpu=32,mem=12.50G,node=8,gres/gpu=2`.
//!
//! For: the four resources a forecast can use and the billing weight.
//!
//! Not for: licences, burst buffers, energy and the like, which are passed over.
//!
//! Source: sacct(1) `ReqTRES`, `AllocTRES`; seen in 22.05 to 26.05.

/// Amounts of the resources that matter here; `None` where Slurm does not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Tres {
    /// CPUs.
    pub cpus: Option<u64>,
    /// Memory in mebibytes.
    pub memory_mebibytes: Option<u64>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// GPUs of all types together.
    pub gpus: Option<u64>,
    /// What is charged.
    pub billing: Option<u64>,
}

impl Tres {
    /// Reads the list; `None` if it is not one. Names that mean nothing here are passed over.
    pub fn parse(text: &[u8]) -> Option<Self> {
        let mut tres = Self::default();
        let mut typed_gpus: Option<u64> = None;
        if text.is_empty() {
            return Some(tres);
        }
        for item in text.split(|&byte| byte == b',') {
            let equals = memchr::memchr(b'=', item)?;
            let (name, amount) = (&item[..equals], &item[equals + 1..]);
            match name {
                b"cpu" => tres.cpus = Some(count(amount)?),
                b"mem" => tres.memory_mebibytes = Some(mebibytes(amount)?),
                b"node" => tres.nodes = Some(count(amount)?),
                b"billing" => tres.billing = Some(count(amount)?),
                b"gres/gpu" => tres.gpus = Some(count(amount)?),
                _ if name.starts_with(b"gres/gpu:") => {
                    typed_gpus = Some(typed_gpus.unwrap_or(0).saturating_add(count(amount)?));
                }
                _ => {}
            }
        }
        tres.gpus = tres.gpus.or(typed_gpus);
        Some(tres)
    }
}

/// A whole number; Slurm abbreviates thousands with K and so on unless told not to.
pub fn count(text: &[u8]) -> Option<u64> {
    if let Some(number) = whole(text) {
        return Some(number);
    }
    let (number, factor) = scaled(text, 1024.0)?;
    to_whole(number * factor)
}

/// A memory size. Without a unit it is mebibytes, as in Slurm's own settings. `n` and `c` (per node, per CPU) follow
/// the unit before 21.08.
pub fn mebibytes(text: &[u8]) -> Option<u64> {
    let text = text.strip_suffix(b"n").or_else(|| text.strip_suffix(b"c")).unwrap_or(text);
    match text.last()? {
        b'0'..=b'9' => to_whole(decimal(text)?),
        b'K' => to_whole(decimal(&text[..text.len() - 1])? / 1024.0),
        b'M' => match whole(&text[..text.len() - 1]) {
            Some(number) => Some(number),
            None => to_whole(decimal(&text[..text.len() - 1])?),
        },
        _ => {
            let (number, factor) = scaled(text, 1024.0)?;
            to_whole(number * factor / (1024.0 * 1024.0))
        }
    }
}

fn whole(text: &[u8]) -> Option<u64> {
    if text.is_empty() || text.len() > 18 {
        return None;
    }
    text.iter().try_fold(0, |number: u64, &byte| byte.is_ascii_digit().then(|| number * 10 + u64::from(byte - b'0')))
}

fn scaled(text: &[u8], base: f64) -> Option<(f64, f64)> {
    let (unit, number) = text.split_last()?;
    let power = match unit {
        b'K' => 1,
        b'M' => 2,
        b'G' => 3,
        b'T' => 4,
        b'P' => 5,
        b'E' => 6,
        _ => return None,
    };
    Some((decimal(number)?, base.powi(power)))
}

/// Digits with at most one point among them: no sign, exponent or infinity.
fn decimal(text: &[u8]) -> Option<f64> {
    let is_decimal =
        text.first().is_some_and(u8::is_ascii_digit) && text.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.');
    if is_decimal { std::str::from_utf8(text).ok()?.parse().ok() } else { None }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "not negative, and bounded just before")]
fn to_whole(number: f64) -> Option<u64> {
    (0.0..=1e15).contains(&number).then(|| number.round() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_resources_that_matter_are_found() {
        let tres =
            Tres::parse(b"billing=512,cpu=512,mem=12.50G,node=32,gres/gpu=2,gres/gpu:a100=2,energy=7").expect("a list");
        assert_eq!(tres.cpus, Some(512));
        assert_eq!(tres.memory_mebibytes, Some(12_800));
        assert_eq!(tres.nodes, Some(32));
        assert_eq!(tres.gpus, Some(2));
        assert_eq!(Tres::parse(b"gres/gpu:a100=2,gres/gpu:h100=1").expect("a list").gpus, Some(3));
        assert_eq!(Tres::parse(b"cpu=1.50K").expect("a list").cpus, Some(1536));
        assert_eq!(Tres::parse(b""), Some(Tres::default()));
    }

    #[test]
    fn memory_has_units() {
        let cases = [("3200M", 3200), ("50G", 51_200), ("1T", 1_048_576), ("2048K", 2), ("100", 100), ("4Gn", 4096)];
        for (text, mebibytes_expected) in cases {
            assert_eq!(mebibytes(text.as_bytes()), Some(mebibytes_expected), "{text}");
        }
        for text in ["", "M", "-1M", "1e9M", "infM", "99999999999999E", "0x10"] {
            assert_eq!(mebibytes(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn what_is_no_list_is_none() {
        assert_eq!(Tres::parse(b"cpu"), None);
        assert_eq!(Tres::parse(b"cpu=x"), None);
        assert_eq!(Tres::parse(b"cpu=-1"), None);
    }
}
