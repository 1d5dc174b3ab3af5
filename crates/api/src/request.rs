//! Parts of a job that somebody thinks of submitting: an array, a generic resource.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// No Slurm has larger arrays (`MaxArraySize` is at most 4,000,001).
const TASKS_MOST: u64 = 4_000_001;

/// A job array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ArrayRequest {
    /// Number of tasks.
    #[schema(minimum = 1)]
    pub tasks: u32,
    /// Maximum number of tasks that run at the same time; if left out or `null`, no maximum.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1)]
    pub at_once: Option<u32>,
}

impl ArrayRequest {
    /// Reads what sbatch takes: `0-15`, `1,3,5-9:2`, with `%4` for so many at once. `None` if sbatch would refuse it.
    ///
    /// Source: sbatch(1) `--array`; Slurm's `slurm_parse_array_tok`.
    pub fn parse(text: &str) -> Option<Self> {
        let (tasks, at_once) = match text.split_once('%') {
            Some((tasks, at_once)) => (tasks, Some(number(at_once)?)),
            None => (text, None),
        };
        let tasks = tasks.strip_prefix('[').map_or(Some(tasks), |inner| inner.strip_suffix(']'))?;
        let mut named: Vec<(u64, u64, u64)> = Vec::new();
        for range in tasks.split(',') {
            let (ends, step) = match range.split_once(':') {
                Some((ends, step)) if ends.contains('-') => (ends, number(step).filter(|step| *step > 0)?),
                Some(_) => return None,
                None => (range, 1),
            };
            let (first, last) = ends.split_once('-').unwrap_or((ends, ends));
            let (first, last) = (number(first)?, number(last)?);
            if last < first || last >= TASKS_MOST {
                return None;
            }
            named.push((first, last, step));
        }
        let tasks = u32::try_from(distinct(&named)).ok()?;
        // Slurm takes a throttle of zero for none.
        let at_once = at_once.filter(|most| *most > 0).map(|most| u32::try_from(most).unwrap_or(u32::MAX));
        Some(Self { tasks, at_once })
    }
}

/// How many numbers ranges name, each once.
fn distinct(ranges: &[(u64, u64, u64)]) -> usize {
    if let [(first, last, step)] = ranges {
        return usize::try_from((last - first) / step + 1).unwrap_or(usize::MAX);
    }
    // A bit for every number: ranges may name the same ones over and over again, and no Slurm has larger ones.
    let mut named = vec![0_u64; usize::try_from(TASKS_MOST / 64 + 1).unwrap_or(usize::MAX)];
    for (first, last, step) in ranges {
        let mut number = *first;
        while number <= *last {
            let word = usize::try_from(number / 64).unwrap_or(usize::MAX);
            if *step == 1 && number % 64 == 0 && number + 63 <= *last {
                named[word] = u64::MAX;
                number += 64;
            } else {
                named[word] |= 1 << (number % 64);
                number += step;
            }
        }
    }
    named.iter().map(|word| word.count_ones() as usize).sum()
}

fn number(text: &str) -> Option<u64> {
    let is_number = (1..=10).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { text.parse().ok() } else { None }
}

/// GPUs, or another generic resource.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GresRequest {
    /// Name of the resource, such as `gpu`.
    pub name: String,
    /// Type of the resource, such as `a100`; if left out or `null`, any type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Number of units.
    #[schema(minimum = 1)]
    pub count: u64,
    /// Part of the job to which the number applies.
    pub per: GresPerRequest,
}

/// Part of the job to which a number of generic resources applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum GresPerRequest {
    /// Each node.
    Node,
    /// The whole job.
    Job,
    /// Each task.
    Task,
    /// Each socket.
    Socket,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fuzzing found a script of 79 bytes that took a second.
    #[test]
    fn large_arrays_named_again_and_again_are_counted_in_no_time() {
        let text = vec!["0-4000000"; 2_000].join(",");
        assert_eq!(ArrayRequest::parse(&text).map(|array| array.tasks), Some(4_000_001));
        assert_eq!(ArrayRequest::parse("7-3828080,20").map(|array| array.tasks), Some(3_828_074));
    }

    #[test]
    fn arrays_are_read_as_sbatch_reads_them() {
        let read = |text: &str| ArrayRequest::parse(text).map(|array| (array.tasks, array.at_once));
        assert_eq!(read("0-15"), Some((16, None)));
        assert_eq!(read("1-7:2%3"), Some((4, Some(3))));
        assert_eq!(read("[1,3,3,5-6]%1"), Some((4, Some(1))));
        assert_eq!(read("5"), Some((1, None)));
        assert_eq!(read("0-200,63-64,100-300:100,4000000"), Some((203, None)));
        assert_eq!(read("60-130,70-140"), Some((81, None)));
        for text in ["", "a", "5-3", "1-", "1-9:0", "1:2", "1%", "1%x", "-3", "1-4000001", "1,,2", "99999999999"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
