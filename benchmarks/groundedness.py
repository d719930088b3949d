"""How often the built-in groundedness grader passes claims that it should pass, and claims that it should not.

    python benchmarks/groundedness.py DATA [--most 250]

DATA holds corpus.jsonl (`id, lang, title, text`). Claims are sentences of its English passages: as they are, with two words left
out, with a number or a name changed, or cited to another passage.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from rag_graphs.engines.builtin.claims import Claim
from rag_graphs.engines.builtin.support import support
from rag_graphs.graphs.state import Document
from rag_graphs.language.markdown import plain_sentences
from rag_graphs.library.index.vector_cache import Vectors

NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+")
NUMBER = re.compile(r"\d+")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--most", type=int, default=250, help="passages at most")
    given = parser.parse_args()
    documents = english(given.data / "corpus.jsonl")
    pages = defaultdict(list)
    for document in documents:
        pages[document.title].append(document)
    chance, vectors = random.Random(3), Vectors()
    held: defaultdict[str, list[bool]] = defaultdict(list)
    for document in chance.sample(documents, min(given.most, len(documents))):
        sentence = chance.choice(plain_sentences(document.text))
        neighbours = [d for d in pages[document.title] if d is not document]
        for name, text, cited in variants(sentence, document, neighbours, documents, chance):
            held[name].append(support(Claim(text, (1,)), [cited], embeddings="minilm", vectors=vectors).held)
    for name, verdicts in held.items():
        print(f"{name:36} n = {len(verdicts):3}   passed {sum(verdicts) / len(verdicts):.1%}")


def english(path: Path) -> list[Document]:
    with path.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    found = [
        Document(id=r["id"], text=r["text"], source="", title=r["title"], language="en")
        for r in rows
        if r["lang"] == "en"
    ]
    return [d for d in found if plain_sentences(d.text)]


def variants(
    sentence: str, own: Document, neighbours: list[Document], others: list[Document], chance: random.Random
) -> list[tuple[str, str, Document]]:
    """(what was done, the claim, the passage that it cites)."""
    made = [("as it is (should pass)", sentence, own)]
    words = sentence.split()
    if len(words) > 10:
        cut = chance.randrange(3, len(words) - 3)
        made.append(("two words left out (should pass)", " ".join(words[:cut] + words[cut + 2 :]), own))
    if number := NUMBER.search(sentence):
        changed = sentence[: number.start()] + str(int(number.group()) + 3) + sentence[number.end() :]
        made.append(("a number changed (should not)", changed, own))
    if names := NAME.findall(sentence):
        made.append(("a name changed (should not)", sentence.replace(chance.choice(names), "Zorblat"), own))
    if neighbours:
        made.append(("cited to the same page (should not)", sentence, chance.choice(neighbours)))
    made.append(("cited to another page (should not)", sentence, chance.choice(others)))
    return made


if __name__ == "__main__":
    main()
