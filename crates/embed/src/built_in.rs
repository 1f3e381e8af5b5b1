//! The built-in embedder.

use std::sync::OnceLock;

use townsfolk_memory::{Embedder, Embedding};

use crate::grams::{add_alphabetic, add_run};
use crate::scan::{Word, scan};
use crate::sum::{DIMENSIONS, Sum};
use crate::table::Table;

/// The model, and the hash of its data and of what it makes of a few sentences. A test works it out
/// again, so that neither data nor arithmetic can change under an old name.
const NAME: &str = "townsfolk-minilm-256@5e9002b7";

/// Embeds English by meaning and everything else by its characters. There is one for the whole
/// program; see [`get`](Self::get).
pub struct BuiltIn {
    table: Table,
}

impl BuiltIn {
    /// The embedder, read from the program's own data at the first call.
    pub fn get() -> &'static Self {
        static BUILT_IN: OnceLock<BuiltIn> = OnceLock::new();
        BUILT_IN.get_or_init(|| Self { table: Table::read() })
    }

    /// The sum over the words of a text.
    ///
    /// A word in Latin letters adds the rows of its pieces. One that has to be cut into several
    /// is none that the table knows: mostly a name or a rare form. It adds its letters besides,
    /// because pieces alone say little of a name. Words in any other script add their characters only.
    fn sum(&self, text: &str) -> Sum {
        let mut sum = Sum::new();
        let mut letters = Vec::new();
        scan(text, |word| match word {
            Word::Latin(word) => {
                if self.table.cut(word, |row| sum.add_row(row)) > 1 {
                    letters.clear();
                    letters.extend(word.chars());
                    add_alphabetic(&letters, &mut sum);
                }
            }
            Word::Other(run) => add_run(run, &mut sum),
        });
        sum
    }
}

impl Embedder for BuiltIn {
    fn name(&self) -> &str {
        NAME
    }

    fn dimensions(&self) -> usize {
        DIMENSIONS
    }

    fn embed(&self, text: &str) -> Embedding {
        self.sum(text).embedding()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{PIECES, VECTORS};

    const SENTENCES: [&str; 3] = [
        "Isabella is planning a party at the café",
        "Zoë O'Neill-Ångström met 林 秋 at 7pm",
        "图书馆里王芳正在看书 📚",
    ];

    #[test]
    fn the_first_codes_are_the_same_on_every_machine() {
        let first_codes = SENTENCES.map(|text| BuiltIn::get().embed(text).codes()[..8].to_vec());
        assert_eq!(
            first_codes,
            [
                [95, 1, -35, 46, 8, 5, -18, -78],
                [43, -118, 29, -50, 7, -3, -11, -3],
                [44, 34, -42, -23, 15, 42, -11, 44],
            ]
        );
    }

    #[test]
    fn the_name_carries_the_hash_of_data_and_results() {
        let mut hasher = blake3::Hasher::new();
        hasher.update(PIECES.as_bytes()).update(VECTORS);
        for text in SENTENCES {
            let codes = BuiltIn::get().embed(text);
            hasher.update(&codes.codes().iter().map(|code| *code as u8).collect::<Vec<_>>());
        }
        let hash = &hasher.finalize().to_hex()[..8];
        assert_eq!(
            NAME,
            format!("townsfolk-minilm-256@{hash}"),
            "vectors differ from those in older runs: take the new name"
        );
    }

    #[test]
    fn an_unreadable_word_weighs_about_as_much_as_a_rare_one() {
        let (rows, _) = VECTORS.as_chunks::<DIMENSIONS>();
        let length = |row: &[u8; DIMENSIONS]| {
            let squares = row.iter().map(|code| i32::from(*code as i8).pow(2));
            f64::from(squares.sum::<i32>()).sqrt()
        };
        let mut lengths: Vec<f64> = rows.iter().map(length).collect();
        lengths.sort_by(f64::total_cmp);
        let ratio = 16.0 * f64::from(crate::grams::WORD_WEIGHT) / lengths[lengths.len() / 2];
        assert!((0.8..1.25).contains(&ratio), "{ratio:.2}");
    }
}
