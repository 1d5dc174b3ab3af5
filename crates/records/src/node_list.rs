//! Nodes as Slurm abbreviates them: `alpha[1-3,07-09],beta4,rack[1-2]node[3-4]`.
//!
//! For: knowing how many nodes a list names, and which. Zeros in front are kept (`07`, `08`, ...), as they are a part
//! of the name; the last brackets turn fastest.
//!
//! Not for: words that Slurm writes in the place of a list (`(null)`, `None assigned`), which decoders take out.
//!
//! Source: scontrol(1) `show hostnames`, with which the lab compares this. 22.05 refuses text behind the last
//! brackets, which is taken here, and puts names with three brackets into another order. Bounded, because thirty
//! bytes can name more nodes than there is memory for.

use std::fmt::Write;

/// A longer list is refused. The largest clusters have some ten thousand nodes.
pub const NODES_MAX: u64 = 1_000_000;

/// A longer name is refused: a host's name has at most 253 bytes.
const NAME_BYTES_MAX: usize = 255;

/// More digits than a node's number has.
const DIGITS_MAX: usize = 18;

/// Why a text is not a list of nodes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NodeListError {
    /// More nodes than are taken.
    #[error("the node list `{0}` names more than {NODES_MAX} nodes; check that this is a Slurm node list")]
    TooMany(String),
    /// A name longer than a host's may be.
    #[error(
        "the node list `{0}` contains names longer than {NAME_BYTES_MAX} bytes; check that this is a Slurm node list"
    )]
    TooLong(String),
    /// Brackets that do not match, an empty name, or a range that is none.
    #[error("invalid node list `{0}`; write a list such as alpha[1-3,07-09],beta4")]
    NotAList(String),
}

/// A list of nodes, not yet written out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeList {
    patterns: Vec<Pattern>,
    count: u64,
}

/// A name with brackets in it, or without.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Pattern {
    pieces: Vec<Piece>,
    count: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    /// With how many numbers are before each range, and in all.
    Numbers {
        ranges: Vec<Range>,
        count: u64,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Range {
    first: u64,
    width: usize,
    /// How many numbers are in the ranges before this one.
    before: u64,
}

impl NodeList {
    /// Reads a list; an empty text is an empty list.
    pub fn parse(text: &str) -> Result<Self, NodeListError> {
        let mut list = Self::default();
        if text.is_empty() {
            return Ok(list);
        }
        for written in outer_parts(text)? {
            let pattern = Pattern::parse(written)?;
            list.count += pattern.count;
            if list.count > NODES_MAX {
                return Err(NodeListError::TooMany(shown(text)));
            }
            list.patterns.push(pattern);
        }
        Ok(list)
    }

    /// How many names there are; one that is there twice counts twice.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The names, in the order of the list.
    pub fn names(&self) -> impl Iterator<Item = String> + '_ {
        self.patterns.iter().flat_map(|pattern| (0..pattern.count).map(|place| pattern.name(place)))
    }
}

impl Pattern {
    fn parse(written: &str) -> Result<Self, NodeListError> {
        let wrong = || NodeListError::NotAList(shown(written));
        let mut pieces = Vec::new();
        let (mut count, mut bytes): (u64, usize) = (1, 0);
        let mut rest = written;
        while !rest.is_empty() {
            let piece = if let Some(inside) = rest.strip_prefix('[') {
                let (inside, behind) = inside.split_once(']').ok_or_else(wrong)?;
                rest = behind;
                numbers(inside).ok_or_else(wrong)?
            } else {
                let (text, behind) = rest.split_at(rest.find('[').unwrap_or(rest.len()));
                rest = behind;
                Piece::Text(text.to_owned())
            };
            count = count.saturating_mul(piece.count());
            bytes = bytes.saturating_add(piece.bytes_max());
            pieces.push(piece);
        }
        let is_name = |piece: &Piece| matches!(piece, Piece::Text(text) if text.bytes().all(is_of_a_name));
        if pieces.is_empty() || !pieces.iter().all(|piece| is_name(piece) || matches!(piece, Piece::Numbers { .. })) {
            return Err(wrong());
        }
        if bytes > NAME_BYTES_MAX {
            return Err(NodeListError::TooLong(shown(written)));
        }
        if count > NODES_MAX {
            return Err(NodeListError::TooMany(shown(written)));
        }
        Ok(Self { pieces, count })
    }

    /// The name at a place: its brackets are the digits of the place, the last one the smallest.
    fn name(&self, place: u64) -> String {
        let mut name = String::new();
        let mut below = self.count;
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => name.push_str(text),
                Piece::Numbers { ranges, count } => {
                    below /= count;
                    let index = place / below % count;
                    let range = &ranges[ranges.partition_point(|range| range.before <= index) - 1];
                    let number = range.first + (index - range.before);
                    write!(name, "{number:0width$}", width = range.width).expect("a string takes all that is written");
                }
            }
        }
        name
    }
}

impl Piece {
    fn count(&self) -> u64 {
        match self {
            Self::Text(_) => 1,
            Self::Numbers { count, .. } => *count,
        }
    }

    fn bytes_max(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Numbers { .. } => DIGITS_MAX,
        }
    }
}

/// `1-3,07-09`: the zeros of a range are those of its first number.
fn numbers(inside: &str) -> Option<Piece> {
    let mut ranges = Vec::new();
    let mut count: u64 = 0;
    for written in inside.split(',') {
        let (first, last) = written.split_once('-').unwrap_or((written, written));
        let (from, to) = (number(first)?, number(last)?);
        ranges.push(Range { first: from, width: first.len(), before: count });
        count = count.checked_add(to.checked_sub(from)?)?.checked_add(1)?;
    }
    Some(Piece::Numbers { ranges, count })
}

fn number(text: &str) -> Option<u64> {
    let is_number = !text.is_empty() && text.len() <= DIGITS_MAX && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { text.parse().ok() } else { None }
}

/// Cut at the commas that are not in brackets.
fn outer_parts(text: &str) -> Result<Vec<&str>, NodeListError> {
    let wrong = || NodeListError::NotAList(shown(text));
    let mut parts = Vec::new();
    let (mut begin, mut is_inside) = (0, false);
    for (place, byte) in text.bytes().enumerate() {
        match byte {
            b'[' if is_inside => return Err(wrong()),
            b']' if !is_inside => return Err(wrong()),
            b'[' => is_inside = true,
            b']' => is_inside = false,
            b',' if !is_inside => {
                parts.push(&text[begin..place]);
                begin = place + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[begin..]);
    if is_inside { Err(wrong()) } else { Ok(parts) }
}

fn is_of_a_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-_.".contains(&byte)
}

fn shown(text: &str) -> String {
    let beginning = &text[..text.floor_char_boundary(60)];
    let dots = if beginning.len() < text.len() { "..." } else { "" };
    format!("{}{dots}", beginning.escape_debug())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        NodeList::parse(text).expect("a list").names().collect()
    }

    #[test]
    fn lists_are_written_out_in_order_with_their_zeros() {
        assert_eq!(
            names("alpha[1-3,07-09],beta4"),
            ["alpha1", "alpha2", "alpha3", "alpha07", "alpha08", "alpha09", "beta4"]
        );
        assert_eq!(names("x[1-2]y[3-4]"), ["x1y3", "x1y4", "x2y3", "x2y4"]);
        assert_eq!(names("n[8-10,098-100]-ib"), ["n8-ib", "n9-ib", "n10-ib", "n098-ib", "n099-ib", "n100-ib"]);
        assert_eq!(names(""), Vec::<String>::new());
        assert_eq!(names("[1-2]"), ["1", "2"]);
    }

    #[test]
    fn what_is_no_list_says_so() {
        for text in
            ["a[", "a]", "a[]", "a[1", "a[1-]", "a[3-1]", "a[x]", "a[[1]]", ",", "a,,b", "a b", "(null)", "a[1-2:2]"]
        {
            let error = NodeList::parse(text).expect_err(text);
            assert!(matches!(error, NodeListError::NotAList(_)), "{text}: {error}");
        }
    }

    #[test]
    fn a_list_beyond_memory_is_refused_with_the_limit_named() {
        for text in ["n[1-9999999]", "n[1-1000]x[1-1001]", "n[0-999999999999999999]m[0-999999999999999999]"] {
            let error = NodeList::parse(text).expect_err(text).to_string();
            assert!(error.contains("more than 1000000 nodes"), "{error}");
        }
        assert_eq!(NodeList::parse("n[1-1000000]").map(|list| list.count()), Ok(1_000_000));
        let error = NodeList::parse(&"n".repeat(300)).expect_err("too long");
        assert!(matches!(error, NodeListError::TooLong(_)), "{error}");
    }
}
