"""Everyday English sentences without labels: the usage examples of WordNet 3.0."""

import re
from pathlib import Path

PARTS_OF_SPEECH = ("noun", "verb", "adj", "adv")


def read_wordnet(folder: Path) -> list[str]:
    """The examples of 3 to 24 words, each once, in the order of the files."""
    examples: dict[str, None] = {}
    for part in PARTS_OF_SPEECH:
        for line in (folder / f"data.{part}").read_text("latin-1").splitlines():
            if line.startswith("  ") or " | " not in line:
                continue  # the licence at the top
            for quoted in re.findall(r'"([^"]+)"', line.split(" | ", 1)[1]):
                if 3 <= len(quoted.split()) <= 24:
                    examples[quoted.strip()] = None
    return list(examples)
