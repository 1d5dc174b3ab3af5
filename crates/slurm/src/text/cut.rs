//! Where to cut a record that has more delimiters than its columns need.
//!
//! For: finding the cuts that the forms of the columns leave, and knowing whether there is one answer.
//!
//! Not for: records with the right number of delimiters, which are cut at every one.
//!
//! A text column takes one piece or more, any other exactly one of its form. Two passes over a table of (piece, column)
//! say which pieces can be which column: reachable from the left, and completable to the right.

use super::header::Place;

/// More pieces than this are not cut: a table of that size would be slow, and no command line has them.
const PIECES_MAX: usize = 2048;

/// How a record was cut.
pub(super) enum Cut {
    /// The piece each column begins with. Whether texts side by side might have been cut otherwise.
    At { first_pieces: Vec<usize>, texts_are_certain: bool },
    /// No way makes sense.
    None,
    /// More than one way makes sense, and a column that is no text would differ.
    Several,
}

/// Cuts the pieces between delimiters into columns.
pub(super) fn cut(pieces: &[&[u8]], places: &[Place]) -> Cut {
    let (n, c) = (pieces.len(), places.len());
    if n > PIECES_MAX || n < c {
        return Cut::None;
    }
    let width = c + 1;
    let admits = |piece: usize, column: usize| places[column].form.admits(pieces[piece]);
    let is_text = |column: usize| places[column].form.is_text();
    // completable[i][j]: pieces i.. can be columns j.., piece i being one of column j's.
    let mut completable = vec![false; (n + 1) * width];
    completable[n * width + c] = true;
    for i in (0..n).rev() {
        // Only if there are pieces enough behind for the columns behind, and before for those before.
        for j in (c.saturating_sub(n - i)..c.min(i + 1)).rev() {
            let goes_on = completable[(i + 1) * width + j + 1] || (is_text(j) && completable[(i + 1) * width + j]);
            completable[i * width + j] = goes_on && admits(i, j);
        }
    }
    if !completable[0] {
        return Cut::None;
    }
    let mut reachable = vec![false; (n + 1) * width];
    reachable[0] = true;
    for i in 0..n {
        for j in c.saturating_sub(n - i)..c.min(i + 1) {
            if reachable[i * width + j] && completable[i * width + j] {
                reachable[(i + 1) * width + j + 1] = true;
                reachable[(i + 1) * width + j] |= is_text(j);
            }
        }
    }
    let possible = |i: usize, j: usize| reachable[i * width + j] && completable[i * width + j];
    for j in (0..c).filter(|&j| !is_text(j)) {
        // Before it are as many pieces as columns, and at most all that are too many.
        if (j..=j + n - c).filter(|&i| possible(i, j)).nth(1).is_some() {
            return Cut::Several;
        }
    }
    let mut first_pieces = Vec::with_capacity(c);
    let mut i = 0;
    for j in 0..c {
        first_pieces.push(i);
        // As few pieces as leave a way on.
        i += 1;
        while !completable[i * width + j + 1] {
            i += 1;
        }
    }
    let begins = |j: usize| first_pieces.get(j).copied().unwrap_or(n);
    let is_uncertain = |j: usize| is_text(j - 1) && is_text(j) && begins(j + 1) - begins(j - 1) > 2;
    let texts_are_certain = !(1..c).any(is_uncertain);
    Cut::At { first_pieces, texts_are_certain }
}
