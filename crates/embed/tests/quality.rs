//! The built-in embedder knows what sentences mean, and beats the bag of words by a clear margin.

#[path = "../examples/quality/measure.rs"]
mod measure;

use measure::{CHINESE, JAPANESE, cosine, quality, separation};
use townsfolk_embed::{BuiltIn, HashedWords};
use townsfolk_memory::Embedder;

#[test]
fn english_is_embedded_by_meaning() {
    let built_in = quality(BuiltIn::get());
    let words = quality(&HashedWords);
    let both = format!("{built_in:?}\n{words:?}");

    assert!(built_in.spearman > 0.85, "{both}");
    assert!(built_in.spearman > words.spearman + 0.4, "{both}");
    assert!(built_in.hit_at_1 > words.hit_at_1 + 0.3, "{both}");
    assert!(built_in.hit_at_3 > words.hit_at_3 + 0.4, "{both}");
    assert!(built_in.hit_at_5 > words.hit_at_5 + 0.5, "{both}");
    assert!(built_in.reciprocal_rank > words.reciprocal_rank + 0.4, "{both}");
}

#[test]
fn chinese_and_japanese_sentences_find_their_kind_by_shared_words() {
    for (language, triples) in [("Chinese", CHINESE), ("Japanese", JAPANESE)] {
        let found = separation(BuiltIn::get(), triples);
        assert!(found.wrong.len() <= 2, "{language}: {found:?}");
        assert!(found.related > found.unrelated + 0.3, "{language}: {found:?}");
    }
}

#[test]
fn one_memory_with_the_name_beats_one_without() {
    let embedder = BuiltIn::get();
    for name in [
        "Zoë O'Neill-Ångström",
        "林 秋",
        "Мария Волкова",
        "Τάσος",
        "Xquizthal",
        "佐藤 さくら",
        "مريم",
        "김민준",
    ] {
        let question = embedder.embed(&format!("What is {name} doing?"));
        let theirs = embedder.embed(&format!("{name} is watering the roses"));
        let anothers = embedder.embed("Petra Lindholm is watering the roses");
        let (theirs, anothers) = (cosine(&question, &theirs), cosine(&question, &anothers));
        assert!(theirs > anothers + 0.1, "{name}: {theirs:.3}, {anothers:.3}");
    }
}

#[test]
fn case_and_accents_do_not_make_another_name() {
    let embedder = BuiltIn::get();
    assert_eq!(embedder.embed("ZOË ÅNGSTRÖM"), embedder.embed("Zoe Angstrom"));
}
