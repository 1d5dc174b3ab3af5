//! Nodes, memory and GPUs as sbatch takes them.
//!
//! Source: sbatch(1) `--nodes`, `--mem`, `--gpus`, `--gres`.

/// A plain count above zero.
pub(super) fn count(text: &str) -> Option<u32> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok().filter(|count| *count > 0) } else { None }
}

/// `4`, or the least of `2-4`.
pub(super) fn nodes(text: &str) -> Option<u32> {
    match text.split_once('-') {
        Some((least, most)) => count(least).filter(|least| count(most).is_some_and(|most| *least <= most)),
        None => count(text),
    }
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

/// `2`, `a100:2`, or several of them: how many in all.
pub(super) fn gpus(text: &str) -> Option<u32> {
    text.split(',').try_fold(0_u32, |sum, kind| {
        let number = kind.rsplit(':').next().unwrap_or(kind);
        sum.checked_add(count(number)?)
    })
}

/// The GPUs among `gpu:2`, `gpu:a100:2`, `gpu`, and whether there is anything else.
pub(super) fn gpus_of_resources(text: &str) -> Option<u32> {
    text.split(',').try_fold(0_u32, |sum, resource| {
        let mut parts = resource.split(':');
        let kind = parts.next()?;
        if kind != "gpu" && kind != "gres/gpu" {
            return None;
        }
        // A type without a count means one.
        let number = match (parts.next(), parts.next(), parts.next()) {
            (Some(one), None, _) if one.starts_with(|first: char| first.is_ascii_digit()) => count(one),
            (_, None, _) => Some(1),
            (Some(_), Some(number), None) => count(number),
            _ => None,
        };
        sum.checked_add(number?)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_are_read_as_sbatch_reads_them() {
        assert_eq!(
            (nodes("4"), nodes("2-4"), nodes("4-2"), nodes("0"), nodes("-4")),
            (Some(4), Some(2), None, None, None)
        );
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
        assert_eq!((gpus("2"), gpus("a100:2,v100:1"), gpus("a100"), gpus("")), (Some(2), Some(3), None, None));
        for (text, read) in [
            ("gpu", Some(1)),
            ("gpu:2", Some(2)),
            ("gpu:a100", Some(1)),
            ("gpu:a100:2", Some(2)),
            ("gpu:a100:2,gpu:1", Some(3)),
            ("gres/gpu:2", Some(2)),
            ("license:2", None),
            ("gpu:a:b:c", None),
        ] {
            assert_eq!(gpus_of_resources(text), read, "{text}");
        }
    }
}
