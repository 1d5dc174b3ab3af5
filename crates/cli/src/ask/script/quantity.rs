//! Nodes, memory, GPUs and other resources as sbatch takes them.
//!
//! Source: sbatch(1) `--nodes`, `--mem`, `--gpus`, `--gres`; Slurm's `proc_args.c` (`verify_node_count`, `str_to_mbytes`).

use queuecast_api::request::{GresPerRequest, GresRequest};

/// A plain count above zero.
pub(super) fn count(text: &str) -> Option<u32> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { text.parse().ok().filter(|count| *count > 0) } else { None }
}

/// `4`, `2-4`, `1,4` or `2-8:2`, numbers with `k` or `m` behind them too: the least and the most.
pub(super) fn nodes(text: &str) -> Option<(u32, u32)> {
    if text.contains([',', ':']) {
        let numbers: Option<Vec<u32>> =
            text.split(',').flat_map(|range| range.split(':').next().unwrap_or(range).split('-')).map(count).collect();
        let numbers = numbers?;
        return Some((*numbers.iter().min()?, *numbers.iter().max()?));
    }
    let (least, most) = match text.split_once('-') {
        Some((least, most)) => (many(least)?, many(most)?),
        None => (many(text)?, many(text)?),
    };
    (least <= most).then_some((least, most))
}

fn many(text: &str) -> Option<u32> {
    let (digits, factor) = match text.as_bytes().last() {
        Some(b'k' | b'K') => (&text[..text.len() - 1], 1_024),
        Some(b'm' | b'M') => (&text[..text.len() - 1], 1_024 * 1_024),
        _ => (text, 1),
    };
    count(digits)?.checked_mul(factor)
}

/// `4096`, `4096M`, `4G` and so on, rounded up to mebibytes. Zero, all the memory there is, is `Some(0)`.
pub(super) fn mebibytes(text: &str) -> Option<u64> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let number: u64 = number.parse().ok()?;
    match unit.strip_suffix(['b', 'B']).filter(|unit| !unit.is_empty()).unwrap_or(unit) {
        "k" | "K" => Some(number.div_ceil(1_024)),
        "" | "m" | "M" => Some(number),
        "g" | "G" => number.checked_mul(1 << 10),
        "t" | "T" => number.checked_mul(1 << 20),
        _ => None,
    }
}

/// `2`, `a100:2`, `a100`, or several of them.
pub(super) fn gpus(text: &str, per: GresPerRequest) -> Option<Vec<GresRequest>> {
    text.split(',').map(|one| resource(&format!("gpu:{one}"), per)).collect()
}

/// `gpu:2`, `gpu:a100:2`, `gpu`, `gres/gpu:2`, `shard:4`, or several of them; nothing of `none`.
pub(super) fn resources(text: &str, per: GresPerRequest) -> Option<Vec<GresRequest>> {
    if text.eq_ignore_ascii_case("none") {
        return Some(Vec::new());
    }
    text.split(',').map(|one| resource(one.strip_prefix("gres/").unwrap_or(one), per)).collect()
}

/// A kind without a count means one.
fn resource(text: &str, per: GresPerRequest) -> Option<GresRequest> {
    let mut parts = text.split(':');
    let name = parts.next().filter(|name| !name.is_empty())?.to_owned();
    let is_number = |part: &str| part.starts_with(|first: char| first.is_ascii_digit());
    let (model, count) = match (parts.next(), parts.next(), parts.next()) {
        (None, None, _) => (None, 1),
        (Some(number), None, _) if is_number(number) => (None, amount(number)?),
        (Some(model), None, _) => (Some(model), 1),
        (Some(model), Some(number), None) => (Some(model), amount(number)?),
        _ => return None,
    };
    let model = match model {
        Some("") => return None,
        model => model.map(str::to_owned),
    };
    Some(GresRequest { name, model, count, per })
}

/// A count above zero, with a unit behind it for resources that have many.
fn amount(text: &str) -> Option<u64> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let factor: u64 = match unit {
        "" => 1,
        "k" | "K" => 1 << 10,
        "m" | "M" => 1 << 20,
        "g" | "G" => 1 << 30,
        _ => return None,
    };
    number.parse::<u64>().ok()?.checked_mul(factor).filter(|count| *count > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_are_read_as_sbatch_reads_them() {
        for (text, read) in [
            ("4", Some((4, 4))),
            ("2-4", Some((2, 4))),
            ("2k", Some((2_048, 2_048))),
            ("1,4,8", Some((1, 8))),
            ("2-8:2", Some((2, 8))),
            ("4-2", None),
            ("0", None),
            ("-4", None),
            ("", None),
            ("4-", None),
            ("two", None),
        ] {
            assert_eq!(nodes(text), read, "{text}");
        }
        for (text, read) in [
            ("4096", Some(4_096)),
            ("4G", Some(4_096)),
            ("4gb", Some(4_096)),
            ("1T", Some(1 << 20)),
            ("1500K", Some(2)),
            ("0", Some(0)),
            ("4X", None),
            ("G", None),
            ("b", None),
            ("99999999999999999999", None),
            ("99999999999999999T", None),
        ] {
            assert_eq!(mebibytes(text), read, "{text}");
        }
    }

    #[test]
    fn gpus_and_other_resources_are_told_apart() {
        let read = |text: &str| {
            let all = resources(text, GresPerRequest::Node)?;
            Some(all.into_iter().map(|one| (one.name, one.model, one.count)).collect::<Vec<_>>())
        };
        let one = |name: &str, model: Option<&str>, count| (name.to_owned(), model.map(str::to_owned), count);
        for (text, expected) in [
            ("gpu", Some(vec![one("gpu", None, 1)])),
            ("gpu:2", Some(vec![one("gpu", None, 2)])),
            ("gpu:a100", Some(vec![one("gpu", Some("a100"), 1)])),
            ("gpu:a100:2,gres/gpu:1", Some(vec![one("gpu", Some("a100"), 2), one("gpu", None, 1)])),
            ("shard:4", Some(vec![one("shard", None, 4)])),
            ("bandwidth:2k", Some(vec![one("bandwidth", None, 2_048)])),
            ("none", Some(vec![])),
            ("gpu:0", None),
            ("gpu:a:b:c", None),
            ("gpu:a:b", None),
            ("", None),
            (":2", None),
            ("gpu:", None),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
        let counts =
            |text: &str| gpus(text, GresPerRequest::Job).map(|all| all.iter().map(|one| one.count).sum::<u64>());
        assert_eq!(
            [counts("2"), counts("a100:2,v100:1"), counts("a100"), counts("")],
            [Some(2), Some(3), Some(1), None]
        );
    }
}
