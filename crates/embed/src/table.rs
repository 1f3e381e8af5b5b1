//! The table of word pieces, and the cutting of words into them.
//!
//! Pieces are WordPiece's (Schuster and Nakajima 2012; the vocabulary is BERT's, English, without
//! case and accents): a word is cut greedily, longest piece first, and a piece that goes on from
//! another is written `##piece`. Every Latin letter and digit is a piece of its own, so every word
//! of these can be cut.

use std::collections::HashMap;

use crate::hash::BuildFnv;
use crate::sum::{DIMENSIONS, Row};

/// One piece a line, in the order of the rows of [`VECTORS`].
pub(crate) const PIECES: &str = include_str!("../data/pieces.txt");
/// Signed 8-bit codes, [`DIMENSIONS`] to a row; the length of a row is the weight of its piece.
pub(crate) const VECTORS: &[u8] = include_bytes!("../data/vectors.i8");

/// Word pieces and their vectors.
pub(crate) struct Table {
    rows: &'static [Row],
    /// Row of each piece that begins a word.
    begins: HashMap<&'static str, u32, BuildFnv>,
    /// Row of each piece that goes on within one, without its `##`.
    goes_on: HashMap<&'static str, u32, BuildFnv>,
    /// Length of the longest piece in bytes.
    longest: usize,
}

impl Table {
    /// Reads the table that the program contains.
    pub(crate) fn read() -> Self {
        let (rows, rest) = VECTORS.as_chunks::<DIMENSIONS>();
        debug_assert!(rest.is_empty());
        let mut table = Self {
            rows,
            begins: HashMap::default(),
            goes_on: HashMap::default(),
            longest: 0,
        };
        for (row, piece) in (0u32..).zip(PIECES.lines()) {
            let (pieces, piece) = match piece.strip_prefix("##") {
                Some(rest) => (&mut table.goes_on, rest),
                None => (&mut table.begins, piece),
            };
            pieces.insert(piece, row);
            table.longest = table.longest.max(piece.len());
        }
        table
    }

    /// Cuts a word of the letters a–z and digits 0–9 into pieces, hands each one's row to `take`,
    /// and returns how many there were.
    pub(crate) fn cut(&self, word: &str, mut take: impl FnMut(&Row)) -> usize {
        debug_assert!(word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit()));
        let mut count = 0;
        let mut rest = word;
        while !rest.is_empty() {
            let pieces = if count == 0 { &self.begins } else { &self.goes_on };
            let found = (1..=rest.len().min(self.longest))
                .rev()
                .find_map(|end| Some((end, *pieces.get(&rest[..end])?)));
            // A character without a piece would be left out; the tests see to it that there is none.
            let end = found.map_or(1, |(end, row)| {
                take(&self.rows[row as usize]);
                end
            });
            rest = &rest[end..];
            count += 1;
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces_of(table: &Table, word: &str) -> Vec<&'static str> {
        let mut found = Vec::new();
        table.cut(word, |row| {
            let index = table.rows.iter().position(|r| std::ptr::eq(r, row));
            found.push(PIECES.lines().nth(index.unwrap()).unwrap());
        });
        found
    }

    #[test]
    fn every_piece_has_a_row_and_no_piece_comes_twice() {
        let table = Table::read();
        assert_eq!(VECTORS.len() % DIMENSIONS, 0);
        assert_eq!(table.rows.len(), PIECES.lines().count());
        assert_eq!(table.begins.len() + table.goes_on.len(), table.rows.len());
    }

    #[test]
    fn every_letter_and_digit_can_be_read_wherever_it_stands() {
        let table = Table::read();
        for c in ('a'..='z').chain('0'..='9') {
            let letter = c.to_string();
            assert!(table.begins.contains_key(letter.as_str()), "{letter}");
            assert!(table.goes_on.contains_key(letter.as_str()), "##{letter}");
        }
    }

    #[test]
    fn words_are_cut_longest_piece_first() {
        let table = Table::read();
        assert_eq!(pieces_of(&table, "bakery"), ["bakery"]);
        assert_eq!(pieces_of(&table, "townsfolk"), ["towns", "##folk"]);
        assert_eq!(pieces_of(&table, "xqj"), ["x", "##q", "##j"]);
    }
}
