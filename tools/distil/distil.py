"""Distils all-MiniLM-L6-v2 into the table of crates/embed/data. See README.md."""

import argparse
import hashlib
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from corpus import read_wordnet
from minilm import MiniLm
from student import Bags, agreement, neighbours, start, tune
from vocabulary import Vocabulary

DIMENSIONS = 256
HELD_OUT_EVERY = 20  # sentences kept from tuning, to measure on
SEED = 0
CLS, SEP = 101, 102


def quantise(vectors: np.ndarray) -> np.ndarray:
    """8-bit codes with one scale for all, since the rows' lengths are their weights.

    One component in 100,000 is cut to ±127 so that the rest is not coarser for its sake.
    """
    scale = 127 / np.quantile(np.abs(vectors), 0.99999)
    return np.clip(np.rint(vectors * scale), -127, 127).astype(np.int8)


def cached(folder: Path | None, name: str, make) -> np.ndarray:
    """What `make` gives, kept in `folder` between runs."""
    if folder is None:
        return make()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.npy"
    if not path.exists():
        np.save(path, make())
    return np.load(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, required=True, help="folder with model.safetensors")
    parser.add_argument("--wordnet", type=Path, required=True, help="folder with data.noun, ...")
    parser.add_argument("--out", type=Path, required=True, help="folder for pieces.txt, vectors.i8")
    parser.add_argument("--cache", type=Path, help="folder for the teacher's vectors")
    parser.add_argument("--passes", type=int, default=4)
    parser.add_argument("--rate", type=float, default=0.003)
    parser.add_argument("--pull", type=float, default=1e-4)
    given = parser.parse_args()

    model = MiniLm(given.model)
    vocabulary = Vocabulary(Tokenizer.from_file(str(given.model / "tokenizer.json")))
    sentences = read_wordnet(given.wordnet)

    alone = cached(
        given.cache, "tokens", lambda: model.embed_ids([[CLS, i, SEP] for i in vocabulary.ids])
    )
    teacher = cached(given.cache, "sentences", lambda: model.embed(sentences))
    rows = vocabulary.rows(sentences)
    readable = np.array([len(r) > 0 for r in rows])
    held_out = np.arange(len(rows)) % HELD_OUT_EVERY == 0
    members = np.flatnonzero(readable & ~held_out)
    measured = np.flatnonzero(readable & held_out)
    bags = Bags(rows)

    def tell(name, vectors):
        spearman, overlap = agreement(vectors, bags, teacher, measured)
        print(f"{name:12} Spearman {spearman:.3f}  ten nearest in common {overlap:.3f}", flush=True)

    print(f"{len(vocabulary.pieces)} pieces, {len(members)} sentences, {len(measured)} held out")
    begun = start(alone, vocabulary.ranks(), DIMENSIONS)
    tell("begun", begun)
    near = neighbours(teacher, members, count=7, parts=4, seed=SEED)
    tuned = tune(
        begun, bags, teacher, members, near,
        passes=given.passes, rate=given.rate, pull=given.pull, seed=SEED,
        report=lambda p, vectors: tell(f"pass {p}", vectors),
    )  # fmt: skip
    codes = quantise(tuned)
    tell("8 bits", codes.astype(np.float32))

    given.out.mkdir(parents=True, exist_ok=True)
    for name, content in (
        ("pieces.txt", "".join(f"{p}\n" for p in vocabulary.pieces).encode()),
        ("vectors.i8", codes.tobytes()),
    ):
        (given.out / name).write_bytes(content)
        print(f"{hashlib.sha256(content).hexdigest()}  {name}  {len(content)} bytes")
    lengths = np.linalg.norm(codes.astype(np.float32), axis=1)
    print("median length of a row", np.median(lengths))


if __name__ == "__main__":
    main()
