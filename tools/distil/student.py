"""The student: one vector a token, a text being the sum of its tokens.

`start` takes it straight from the teacher; `tune` then moves the vectors until the cosines between
sentences agree with the teacher's.
"""

import numpy as np

# Weight of a token of frequency p: a / (a + p), "smooth inverse frequency" (Arora et al. 2017),
# with p by Zipf's law from the token's place in the vocabulary, which BERT sorts by frequency.
SIF_COEFFICIENT = 1e-3

# Sentences that a batch of tuning starts from; each brings its neighbours.
SEEDS_A_BATCH = 64


def start(token_vectors: np.ndarray, ranks: np.ndarray, dimensions: int) -> np.ndarray:
    """The teacher's vectors of single tokens: main components, rare tokens weighing more."""
    centred = token_vectors - token_vectors.mean(0)
    _, axes = np.linalg.eigh((centred.T @ centred).astype(np.float64))
    axes = axes[:, ::-1][:, :dimensions]
    axes *= np.sign(axes[np.abs(axes).argmax(0), np.arange(dimensions)])
    zipf = 1 / (ranks + 2.0)
    weights = SIF_COEFFICIENT / (SIF_COEFFICIENT + zipf / zipf.sum())
    return (centred @ axes.astype(np.float32)) * weights[:, None].astype(np.float32)


class Bags:
    """Sentences as rows of token indices, all in one array, with offsets."""

    def __init__(self, sentences: list[list[int]]):
        self.offsets = np.cumsum([0] + [len(s) for s in sentences])
        self.tokens = np.array([t for s in sentences for t in s], np.int64)

    def __len__(self):
        return len(self.offsets) - 1

    def pick(self, indices: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Tokens of the chosen sentences, end to end, and for each the row it belongs to."""
        parts = [self.tokens[self.offsets[i] : self.offsets[i + 1]] for i in indices]
        rows = np.repeat(np.arange(len(indices)), [len(p) for p in parts])
        return np.concatenate(parts), rows


def units(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows brought to length one, and their lengths."""
    lengths = np.sqrt((rows * rows).sum(1, keepdims=True)) + 1e-9
    return rows / lengths, lengths


def embed(vectors: np.ndarray, bags: Bags, indices: np.ndarray) -> np.ndarray:
    """Unit vectors of the chosen sentences."""
    tokens, rows = bags.pick(indices)
    sums = np.zeros((len(indices), vectors.shape[1]), np.float32)
    np.add.at(sums, rows, vectors[tokens])
    return units(sums)[0]


def neighbours(teacher, members, *, count: int, parts: int, seed: int) -> np.ndarray:
    """For each member sentence the members that the teacher finds nearest among a share of them.

    The members are dealt out into `parts` by chance, which makes the search so much cheaper.
    Rows of sentences that are no members stay 0 and mean nothing.
    """
    nearest = np.zeros((len(teacher), count), np.int32)
    for share in np.array_split(np.random.default_rng(seed).permutation(members), parts):
        among = teacher[share]
        for at in range(0, len(share), 512):
            scores = among[at : at + 512] @ among.T
            scores[np.arange(len(scores)), np.arange(at, at + len(scores))] = -2
            found = np.argpartition(-scores, count, axis=1)[:, :count]
            nearest[share[at : at + 512]] = share[found]
    return nearest


def ranks(values: np.ndarray) -> np.ndarray:
    """Places in ascending order, from 0; equal values do not occur among cosines."""
    return values.argsort().argsort().astype(np.float64)


def agreement(vectors, bags, teacher, measured) -> tuple[float, float]:
    """How student and teacher agree on sentences: Spearman's correlation of the cosines of pairs,
    half of them near ones and half drawn by chance, and the share of ten nearest in common."""
    student = embed(vectors, bags, measured)
    teacher = teacher[measured]
    by_student, by_teacher = student @ student.T, teacher @ teacher.T
    np.fill_diagonal(by_student, -2)
    np.fill_diagonal(by_teacher, -2)
    nearest = np.argpartition(-by_teacher, 10, axis=1)[:, :10]
    found = np.argpartition(-by_student, 10, axis=1)[:, :10]
    overlap = np.mean([len(set(a) & set(b)) for a, b in zip(nearest, found)]) / 10
    left = np.repeat(np.arange(len(measured)), 20)
    step = np.random.default_rng(5).integers(1, len(measured), (len(measured), 10))
    other = (np.arange(len(measured))[:, None] + step) % len(measured)
    right = np.concatenate([nearest, other], 1).ravel()
    pairs = by_student[left, right], by_teacher[left, right]
    return float(np.corrcoef(ranks(pairs[0]), ranks(pairs[1]))[0, 1]), float(overlap)


def tune(
    vectors, bags, teacher, members, nearest, *, passes, rate, pull, seed, report
) -> np.ndarray:
    """Adam on the squared difference between student's and teacher's cosines within batches.

    A batch is made of groups: a sentence and its nearest neighbours, so that it holds related
    pairs as well as unrelated ones. A pass starts from half of the sentences. `pull` draws tuned
    vectors back to where they started, which keeps them in one space with the tokens that the
    corpus never uses. Moments are kept per token and move only when the token occurs.
    """
    random = np.random.default_rng(seed)
    origin, vectors = vectors, vectors.copy()
    first = np.zeros_like(vectors)
    second = np.zeros(len(vectors), np.float32)  # one a token, so that gradients keep direction
    steps = np.zeros(len(vectors), np.int32)
    total = passes * (len(members) // SEEDS_A_BATCH // 2)
    done = 0
    for each_pass in range(passes):
        order = random.permutation(members)
        for at in range(0, len(order) // 2 - SEEDS_A_BATCH + 1, SEEDS_A_BATCH):
            seeds = order[at : at + SEEDS_A_BATCH]
            chosen = np.unique(np.concatenate([seeds, nearest[seeds].ravel()]))
            tokens, rows = bags.pick(chosen)
            used, where = np.unique(tokens, return_inverse=True)
            counts = np.zeros((len(chosen), len(used)), np.float32)
            np.add.at(counts, (rows, where), 1)
            table = vectors[used]
            student, lengths = units(counts @ table)
            difference = student @ student.T - teacher[chosen] @ teacher[chosen].T
            np.fill_diagonal(difference, 0)
            slope = difference @ student * (4 / len(chosen))
            slope = (slope - student * (slope * student).sum(1, keepdims=True)) / lengths
            gradient = counts.T @ slope + pull * (table - origin[used])
            steps[used] += 1
            n = steps[used][:, None]
            first[used] = 0.9 * first[used] + 0.1 * gradient
            second[used] = 0.99 * second[used] + 0.01 * (gradient**2).mean(1)
            speed = rate * (1 - done / total)
            done += 1
            move = first[used] / (1 - 0.9**n)
            spread = np.sqrt(second[used][:, None] / (1 - 0.99**n)) + 1e-8
            vectors[used] -= (speed * move / spread).astype(np.float32)
        report(each_pass + 1, vectors)
    return vectors
