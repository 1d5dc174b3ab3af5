//! A directive cut into words, with the quotes and backslashes that keep one together, up to a comment.
//!
//! Source: sbatch(1); Slurm's `get_argument`, and what `sbatch -v` of 22.05 made of such lines.

/// The words of a line, or the quote that is not closed, which sbatch refuses.
pub(super) fn split(line: &str) -> Result<Vec<String>, char> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        match (character, quote) {
            ('\\', _) => word.get_or_insert_default().extend(characters.next()),
            (_, Some(open)) if character == open => quote = None,
            ('"' | '\'', None) => {
                quote = Some(character);
                // An empty pair of quotes is a word.
                word.get_or_insert_default();
            }
            ('#', None) => break,
            (space, None) if space.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    quote.map_or(Ok(words), Err)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_and_backslashes_keep_words_together_and_a_comment_ends_them() {
        let words = |line: &str| split(line).expect("it is closed");
        assert_eq!(words(" -J 'a b' --x=\"c d\" e\\ f # g"), ["-J", "a b", "--x=c d", "e f"]);
        assert_eq!(words("--x='#1' y\\"), ["--x=#1", "y"]);
        assert_eq!(words("-J '' z"), ["-J", "", "z"]);
        assert!(words("  \t").is_empty());
        assert_eq!(split("-J \"un closed"), Err('"'));
    }
}
