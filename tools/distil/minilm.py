"""The teacher: all-MiniLM-L6-v2 in plain numpy, from the weights in a PyPI wheel.

Inference only. Batches hold sequences of one length each, so no padding mask is needed and a
text's vector does not depend on its neighbours in the batch.
"""

from pathlib import Path

import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer

HEADS = 12
LAYER_NORM_EPSILON = 1e-12
LONGEST = 64  # tokens; longer texts are cut, the corpus has none


def gelu(x: np.ndarray) -> np.ndarray:
    """x times the normal distribution function, by Abramowitz and Stegun 7.1.26 (error < 2e-7).

    In place, some rows at a time so that they stay in the processor's cache.
    """
    flat = x.reshape(-1, x.shape[-1])
    for start in range(0, len(flat), 32):
        rows = flat[start : start + 32]
        z = np.abs(rows) * np.float32(np.sqrt(0.5))
        t = 1 / (1 + np.float32(0.3275911) * z)
        poly = np.float32(1.061405429)
        for c in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
            poly = poly * t + np.float32(c)
        tail = np.float32(0.5) * poly * t * np.exp(-z * z)
        rows *= np.where(rows < 0, tail, 1 - tail)
    return x


class MiniLm:
    """Texts or token ids in, unit vectors of 384 numbers out."""

    def __init__(self, folder: Path):
        self.weights = load_file(str(folder / "model.safetensors"))
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(LONGEST)
        self.layers = 1 + max(
            int(key.split(".")[2]) for key in self.weights if key.startswith("encoder.layer.")
        )

    def _linear(self, x, name):
        # One flat product: numpy multiplies stacks of matrices one by one, several times slower.
        flat = x.reshape(-1, x.shape[-1]) @ self.weights[f"{name}.weight"].T
        flat += self.weights[f"{name}.bias"]
        return flat.reshape(*x.shape[:-1], -1)

    def _norm(self, x, name):
        x = x - x.mean(-1, keepdims=True)
        x /= np.sqrt((x * x).mean(-1, keepdims=True) + LAYER_NORM_EPSILON)
        return x * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]

    def forward(self, ids: np.ndarray) -> np.ndarray:
        """Token ids (batch, length) to mean-pooled unit vectors (batch, 384)."""
        w = self.weights
        batch, length = ids.shape
        x = (
            w["embeddings.word_embeddings.weight"][ids]
            + w["embeddings.position_embeddings.weight"][:length]
            + w["embeddings.token_type_embeddings.weight"][0]
        )
        x = self._norm(x, "embeddings.LayerNorm")
        width = x.shape[-1]
        for i in range(self.layers):
            at = f"encoder.layer.{i}."

            def heads(name):
                y = self._linear(x, at + "attention.self." + name)
                return y.reshape(batch, length, HEADS, width // HEADS).transpose(0, 2, 1, 3)

            q, k, v = heads("query"), heads("key"), heads("value")
            scores = q @ k.transpose(0, 1, 3, 2) / np.float32(np.sqrt(width // HEADS))
            scores = np.exp(scores - scores.max(-1, keepdims=True))
            scores /= scores.sum(-1, keepdims=True)
            mixed = (scores @ v).transpose(0, 2, 1, 3).reshape(batch, length, width)
            mixed = self._linear(mixed, at + "attention.output.dense")
            x = self._norm(x + mixed, at + "attention.output.LayerNorm")
            wide = self._linear(x, at + "intermediate.dense")
            wide = self._linear(gelu(wide), at + "output.dense")
            x = self._norm(x + wide, at + "output.LayerNorm")
        pooled = x.mean(1)
        return (pooled / np.linalg.norm(pooled, axis=1, keepdims=True)).astype(np.float32)

    def embed_ids(self, sequences: list[list[int]], tokens_a_batch: int = 2048) -> np.ndarray:
        """Vectors of token sequences, in the order given."""
        out = np.zeros((len(sequences), 384), np.float32)
        by_length: dict[int, list[int]] = {}
        for index, ids in enumerate(sequences):
            by_length.setdefault(len(ids), []).append(index)
        for length, members in sorted(by_length.items()):
            step = max(1, tokens_a_batch // length)
            for start in range(0, len(members), step):
                part = members[start : start + step]
                out[part] = self.forward(np.array([sequences[i] for i in part]))
        return out

    def embed(self, texts: list[str]) -> np.ndarray:
        """Vectors of texts, in the order given."""
        return self.embed_ids([e.ids for e in self.tokenizer.encode_batch(texts)])
