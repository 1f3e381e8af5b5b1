//! Every text has an embedding, and the same one everywhere.

use proptest::prelude::*;
use townsfolk_embed::{BuiltIn, HashedWords};
use townsfolk_memory::Embedder;

#[test]
fn texts_without_a_word_have_no_direction() {
    for embedder in [BuiltIn::get() as &dyn Embedder, &HashedWords] {
        for text in ["", " \n\t", "…!?—", "。、", "\u{301}\u{fe0f}\u{0}"] {
            let embedding = embedder.embed(text);
            assert_eq!(embedding.codes(), [0; 256], "{text:?}");
        }
    }
}

#[test]
fn long_texts_are_read_whole() {
    let embedder = BuiltIn::get();
    let once = embedder.embed("the harbour is closed 港 ");
    let often = embedder.embed(&"the harbour is closed 港 ".repeat(20_000));
    assert_eq!(once.codes(), often.codes());
    let one_word = embedder.embed(&"x".repeat(100_000));
    assert!(one_word.codes().iter().any(|code| *code != 0));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn any_text_has_an_embedding(text in any::<String>()) {
        for embedder in [BuiltIn::get() as &dyn Embedder, &HashedWords] {
            let embedding = embedder.embed(&text);
            prop_assert_eq!(embedding.dimensions(), embedder.dimensions());
            prop_assert_eq!(&embedding, &embedder.embed(&text));
            if text.contains(|c: char| c.is_ascii_alphanumeric()) {
                prop_assert!(embedding.codes().iter().any(|code| code.unsigned_abs() == 127));
            }
        }
    }

    /// Words are a sum: neither their order nor the punctuation between them counts.
    #[test]
    fn order_and_punctuation_do_not_count(words in prop::collection::vec("[a-zé林港а-я]{1,8}", 1..8)) {
        let embedder = BuiltIn::get();
        let forward = words.join(" ");
        let backward = words.iter().rev().cloned().collect::<Vec<_>>().join("; ");
        prop_assert_eq!(embedder.embed(&forward), embedder.embed(&backward));
    }
}
