"""Which of the teacher's tokens the student keeps, and how it cuts sentences into them."""

import re

import numpy as np
from tokenizers import Tokenizer

# BERT's vocabulary begins with unused places, marks and single characters; words follow, sorted
# by how often they occur.
FIRST_WORD = 1996
# Single letters that are frequent words or endings, which their place does not show.
FREQUENT_LETTERS = {"a", "i", "s", "t"}
RANK_OF_RARE_LETTERS = 1000


class Vocabulary:
    """The pieces made of the letters a-z and digits: no marks, no punctuation, no other script.

    Other scripts are left out because the teacher, trained on English, knows their characters
    hardly at all.
    """

    def __init__(self, tokenizer: Tokenizer):
        tokenizer.no_padding()
        tokenizer.no_truncation()
        self.tokenizer = tokenizer
        by_id = sorted((index, piece) for piece, index in tokenizer.get_vocab().items())
        kept = [(i, p) for i, p in by_id if re.fullmatch(r"(##)?[a-z0-9]+", p)]
        self.ids = [i for i, _ in kept]
        self.pieces = [p for _, p in kept]
        self.row = {i: row for row, i in enumerate(self.ids)}

    def ranks(self) -> np.ndarray:
        """For each piece its place by frequency, 0 being the most frequent."""

        def rank(index, piece):
            if index >= FIRST_WORD:
                return index - FIRST_WORD
            return 0 if piece in FREQUENT_LETTERS else RANK_OF_RARE_LETTERS

        return np.array([rank(i, p) for i, p in zip(self.ids, self.pieces)])

    def rows(self, texts: list[str]) -> list[list[int]]:
        """Each text as the rows of its pieces."""
        encoded = self.tokenizer.encode_batch(texts, add_special_tokens=False)
        return [[self.row[i] for i in e.ids if i in self.row] for e in encoded]
