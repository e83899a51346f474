"""Whether the graph is of things: nodes and links drawn at random, printed to be judged by hand.

``python -m benchmarks.graph_things --home HOME [--documents NAME ...] [--nodes 200] [--links 100] [--seed N]``
reads the passages of a workbench's documents into a graph of its own (``HOME`` is only read) and draws from all of
it, each node and each link as likely as any other. ``--documents`` takes those whose filename begins with one of the
names. A link is printed with the sentence that names both ends.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sqlite3
import sys
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.report import Figure, Report
from core.knowledge.catalogue import Catalogue
from core.knowledge.content_store import DOCUMENTS, ContentStore
from core.knowledge.extraction.known_entities import Known
from core.knowledge.extraction.passage import OF_OTHERS, things_in
from core.knowledge.extraction.running_text import sentences_of
from core.knowledge.graph_sync import GraphSync, SyncedGraph
from core.knowledge.labels import labels_of
from core.knowledge.records import ConceptRow
from core.memory.items.writing import ITEMS
from core.store.items import MemoryItem
from core.store.sqlite import SqliteTruth

USER = "local"
SHOWN = 260
"""Characters of a sentence beside a link."""


def rows_of(home: Path, starts: Sequence[str]) -> dict[str, list[dict[str, object]]]:
    """The records of the chosen documents and their passages, as the truth keeps them."""
    with closing(sqlite3.connect(f"file:{home / 'truth.sqlite'}?mode=ro", uri=True)) as truth:
        documents = [json.loads(body) for (body,) in truth.execute("select body from documents")]
        chosen = [each for each in documents if not starts or str(each["filename"]).startswith(tuple(starts))]
        ids = {each["_id"] for each in chosen}
        bodies = (json.loads(body) for (body,) in truth.execute("select body from items"))
        items = [each for each in bodies if each.get("document_id") in ids and each["status"] == "active"]
    return {DOCUMENTS: chosen, ITEMS: items}


async def grown_from(
    rows: dict[str, list[dict[str, object]]], home: Path
) -> tuple[SyncedGraph, Known, dict[str, MemoryItem]]:
    """The graph of these documents, read anew."""
    truth = SqliteTruth(home / "truth.sqlite", 120.0)
    await truth.start()
    for name, found in rows.items():
        await truth.collection(name).insert_many([{**row, "user_id": USER} for row in found])  # type: ignore[dict-item]
    store = ContentStore(truth)
    growth = GraphSync(store, time.time)
    await growth.ensure()
    await growth.read_in(USER)
    grown, known = await growth.of(USER), await store.known(USER)
    await truth.stop()
    return grown, known, {item.id: item for item in map(MemoryItem.model_validate, rows[ITEMS])}


def print_nodes(grown: SyncedGraph, items: dict[str, MemoryItem], rng: random.Random, most: int) -> None:
    concepts = sorted(grown.content.naming)
    for number, concept in enumerate(rng.sample(concepts, min(most, len(concepts))), 1):
        row = grown.catalogue.rows[concept]
        labels = labels_of(row)
        text = items[next(iter(grown.content.naming[concept]))].text
        spoken = [row.label, *row.aliases, *row.keys]
        print(
            f"{number:3} {row.kind:12} {labels.get('en', row.label)} | {labels.get('he', '')}"
            f" | {', '.join(row.aliases[:3])} | {grown.content.mentions(concept)} | {_around(text, spoken)}"
        )


def _around(text: str, names: Sequence[str]) -> str:
    """The words around the first of these names that the text has."""
    plain = " ".join(text.split())
    place = next((at for name in names if (at := plain.lower().find(name.lower())) >= 0), 0)
    return plain[max(0, place - 50) : place + 90]


def print_links(grown: SyncedGraph, known: Known, items: dict[str, MemoryItem], rng: random.Random, most: int) -> None:
    links = sorted(tuple(sorted(pair)) for pair in grown.content.graph.edges())
    for number, (one, other) in enumerate(rng.sample(links, min(most, len(links))), 1):
        item = items[next(iter(grown.content.joined(one, other)))]
        rows = [grown.catalogue.rows[each] for each in (one, other)]
        names = [f"{labels_of(row).get('en', row.label)} ({row.kind})" for row in rows]
        print(f"{number:3} {names[0]}  --  {names[1]}\n      {_evidence(item, rows, known, grown.catalogue)}")


def _evidence(item: MemoryItem, rows: Sequence[ConceptRow], known: Known, catalogue: Catalogue) -> str:
    """The sentence of the passage that names both."""
    ends = known.ends.get(item.document_id or "", {})
    rest = () if item.document_id in known.reports else OF_OTHERS
    for sentence in sentences_of(item.text):
        spans = things_in(sentence, known, ends, lambda key: catalogue.known(key) is not None, rest)
        named = {catalogue.known(span.key) for span in spans}
        if all(row.id in named for row in rows):
            first = min(span.start for span in spans if catalogue.known(span.key) in {row.id for row in rows})
            return sentence[max(0, first - 60) : first + SHOWN]
    return "NO SENTENCE"


def measure(options: argparse.Namespace) -> Report:
    report = Report("The things of the graph, drawn at random to be judged by hand")
    rows = rows_of(options.home, options.documents)
    with TemporaryDirectory(prefix="palimpsest-benchmark-", ignore_cleanup_errors=True) as home:
        began = time.perf_counter()
        grown, known, items = asyncio.run(grown_from(rows, Path(home)))
        took = time.perf_counter() - began
    rng = random.Random(options.seed)
    print_nodes(grown, items, rng, options.nodes)
    print_links(grown, known, items, rng, options.links)
    kinds = Counter(grown.catalogue.rows[each].kind for each in grown.content.naming)
    report.add(Figure("graph", "documents", len(rows[DOCUMENTS])))
    report.add(Figure("graph", "passages", len(rows[ITEMS])))
    report.add(Figure("graph", "seconds to read", took))
    report.add(Figure("graph", "links", grown.content.graph.number_of_edges()))
    for kind, count in kinds.most_common():
        report.add(Figure("concepts", kind, count))
    return report


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--home", type=Path, required=True, help="home of a workbench that has read the documents")
    parser.add_argument("--documents", nargs="+", default=[], metavar="NAME")
    parser.add_argument("--nodes", type=int, default=200)
    parser.add_argument("--links", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    return measure(options).finish(options.json)


if __name__ == "__main__":
    sys.exit(main())
