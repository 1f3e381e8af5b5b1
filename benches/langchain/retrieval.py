"""How long LangChain's TimeWeightedVectorStoreRetriever takes for the 30 memories that matter now.

Prints one line for each number of memories: the fastest of many queries, and how long filling took.
"""

import datetime
import time

import faiss
import numpy
from langchain_classic.retrievers import TimeWeightedVectorStoreRetriever
from langchain_community.docstore import InMemoryDocstore
from langchain_community.vectorstores import FAISS
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings

DIMENSIONS = 256
SIZES = [1_000, 10_000, 100_000]
SECONDS_BETWEEN = 43
TOP = 30
NEAREST = 100
QUERIES_SECONDS = 5.0


class Numbered(Embeddings):
    """Texts are numbers, and each has a random unit vector that costs only a look-up."""

    def __init__(self, count: int):
        vectors = numpy.random.default_rng(7).standard_normal((count + 1, DIMENSIONS))
        vectors /= numpy.linalg.norm(vectors, axis=1, keepdims=True)
        self.vectors = vectors.astype("float32")

    def embed_documents(self, texts):
        return [self.vectors[int(text)] for text in texts]

    def embed_query(self, text):
        return self.vectors[int(text)]


def measure(count: int) -> None:
    embeddings = Numbered(count)
    store = FAISS(
        embeddings,
        faiss.IndexFlatL2(DIMENSIONS),
        InMemoryDocstore({}),
        {},
        # Within 0 and 1 for any two unit vectors: LangChain spends its time on warnings otherwise.
        relevance_score_fn=lambda distance: 1.0 - distance / 4.0,
    )
    retriever = TimeWeightedVectorStoreRetriever(
        vectorstore=store,
        other_score_keys=["importance"],
        k=TOP,
        search_kwargs={"k": NEAREST},
        decay_rate=0.01,
    )
    now = datetime.datetime.now()
    begin = now - datetime.timedelta(seconds=SECONDS_BETWEEN * count)
    documents = []
    for number in range(count):
        created = begin + datetime.timedelta(seconds=SECONDS_BETWEEN * number)
        importance = (number * 7 % 10 + 1) / 10 * 0.15
        documents.append(
            Document(
                page_content=str(number),
                metadata={"importance": importance, "created_at": created, "last_accessed_at": created},
            )
        )
    started = time.perf_counter()
    retriever.add_documents(documents)
    filling = time.perf_counter() - started
    fastest = float("inf")
    until = time.perf_counter() + QUERIES_SECONDS
    while time.perf_counter() < until:
        started = time.perf_counter()
        found = retriever.invoke(str(count))
        fastest = min(fastest, time.perf_counter() - started)
        assert len(found) == TOP
    print(
        f"{count:>7} memories: top {TOP} in {fastest * 1e6:,.0f} µs, filled in {filling:.2f} s",
        flush=True,
    )


# One core, as ours.
faiss.omp_set_num_threads(1)
for size in SIZES:
    measure(size)
