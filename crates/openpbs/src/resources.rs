//! Resources: what a job asked for (`select`, `place`), and where it ran (`exec_vnode`, `exec_host`).
//!
//! Not for: placing anything.
//!
//! Source: `pbs_resources(7B)`; `qsub(1B)` on `select` and `place`. Of what cannot be read nothing is said.

use queuecast_records::Tres;

use crate::value::{digits, mebibytes};

/// `2:ncpus=16:ngpus=1+1:ncpus=4`: chunks, each with a number in front. A chunk that names no `ncpus` has one.
pub(crate) fn selected(select: &[u8]) -> Tres {
    let mut sum = Tres::default();
    for chunk in select.split(|&byte| byte == b'+').filter(|chunk| !chunk.is_empty()) {
        let first = chunk.split(|&byte| byte == b':').next().unwrap_or(chunk);
        let count = digits(first).unwrap_or(1);
        let each = amounts(chunk);
        let each = Tres { cpus: each.cpus.or(Some(1)), nodes: Some(1), ..each };
        add(&mut sum, each, count);
    }
    sum
}

/// `(n1:ncpus=16:mem=8gb)+(n2:ncpus=8+n3:ncpus=8)`: the parts of nodes a job had.
pub(crate) fn on_vnodes(exec_vnode: &[u8]) -> Tres {
    let mut sum = Tres::default();
    for part in exec_vnode.split(|&byte| byte == b'+') {
        let part = part.strip_prefix(b"(").unwrap_or(part);
        add(&mut sum, amounts(part.strip_suffix(b")").unwrap_or(part)), 1);
    }
    sum
}

/// `n1/0*16+n2/1*8`: the hosts, each once, and how many processors; one where no number is behind a `*`.
pub(crate) fn on_hosts(exec_host: &[u8]) -> (Vec<&[u8]>, u64) {
    let mut hosts: Vec<&[u8]> = Vec::new();
    let mut cpus: u64 = 0;
    for part in exec_host.split(|&byte| byte == b'+').filter(|part| !part.is_empty()) {
        let host = part.split(|&byte| byte == b'/').next().unwrap_or(part);
        let count = memchr::memchr(b'*', part).and_then(|star| digits(&part[star + 1..])).unwrap_or(1);
        cpus = cpus.saturating_add(count);
        hosts.push(host);
    }
    hosts.sort_unstable();
    hosts.dedup();
    (hosts, cpus)
}

/// Whether a job wants its nodes for itself, `place=scatter:excl`; `None` where it says nothing of placement.
pub(crate) fn is_exclusive(place: &[u8]) -> Option<bool> {
    let mut words = place.split(|&byte| byte == b':');
    (!place.is_empty()).then(|| words.any(|word| word == b"excl" || word == b"exclhost"))
}

fn amounts(part: &[u8]) -> Tres {
    let mut tres = Tres::default();
    for amount in part.split(|&byte| byte == b':') {
        if let Some(count) = amount.strip_prefix(b"ncpus=") {
            tres.cpus = digits(count);
        } else if let Some(count) = amount.strip_prefix(b"ngpus=") {
            tres.gpus = digits(count);
        } else if let Some(size) = amount.strip_prefix(b"mem=") {
            tres.memory_mebibytes = mebibytes(size);
        }
    }
    tres
}

fn add(sum: &mut Tres, each: Tres, count: u64) {
    for (sum, each) in [
        (&mut sum.cpus, each.cpus),
        (&mut sum.gpus, each.gpus),
        (&mut sum.nodes, each.nodes),
        (&mut sum.memory_mebibytes, each.memory_mebibytes),
    ] {
        if let Some(each) = each {
            *sum = Some(sum.unwrap_or(0).saturating_add(each.saturating_mul(count)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_multiplied_and_added() {
        let tres = selected(b"2:ncpus=16:ngpus=1:mem=4gb+1:ncpus=4");
        assert_eq!((tres.cpus, tres.gpus, tres.nodes, tres.memory_mebibytes), (Some(36), Some(2), Some(3), Some(8192)));
        assert_eq!(selected(b"ncpus=8").cpus, Some(8));
        assert_eq!(selected(b"3").cpus, Some(3));
        assert_eq!(selected(b""), Tres::default());
    }

    #[test]
    fn a_chunk_on_several_vnodes_is_added_up() {
        let tres = on_vnodes(b"(n1:ncpus=16:mem=8gb)+(n2:ncpus=8:ngpus=2+n3:ncpus=8)");
        assert_eq!((tres.cpus, tres.gpus, tres.memory_mebibytes), (Some(32), Some(2), Some(8192)));
    }

    #[test]
    fn hosts_are_named_once() {
        assert_eq!(on_hosts(b"n1/0*16+n1/1*16+n2/0"), (vec![&b"n1"[..], b"n2"], 33));
        assert_eq!(on_hosts(b""), (vec![], 0));
    }

    #[test]
    fn exclusive_is_a_word_of_placement() {
        assert_eq!(is_exclusive(b"scatter:excl"), Some(true));
        assert_eq!(is_exclusive(b"pack:shared"), Some(false));
        assert_eq!(is_exclusive(b""), None);
    }
}
