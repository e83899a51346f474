"""Checks whether the graph's nodes are real things: prints random nodes and links, to be judged by hand.

``python -m benchmarks.graph_things --data FOLDER [--documents NAME ...] [--nodes 200] [--links 100] [--seed N]``
uploads the PDFs of a folder to a separate workbench. From the graph of all of them it draws nodes and links, each with
the same probability. ``--documents`` selects files whose name begins with one of the names. A link is printed with the
sentence that names both ends.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import shutil
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.report import Figure, Report
from benchmarks.temporary_workbench import graph_of, open_workbench, upload
from core.knowledge.catalogue import Catalogue
from core.knowledge.content_store import ContentStore
from core.knowledge.extraction.known_entities import Known
from core.knowledge.extraction.passage import OF_OTHERS, things_in
from core.knowledge.extraction.running_text import sentences_of
from core.knowledge.labels import labels_of
from core.knowledge.records import ConceptRow
from core.knowledge.synced_graph import SyncedGraph
from core.store.items import MemoryItem

USER = "local"
SHOWN = 260
"""Maximum characters of the sentence that is printed with a link."""


@dataclass(frozen=True)
class Reading:
    """The graph of some documents, their passages by id, the seconds for reading them, and the further seconds until
    the graph was complete."""

    grown: SyncedGraph
    known: Known
    items: dict[str, MemoryItem]
    documents: float
    graph: float


async def read(paths: Sequence[Path], folder: Path) -> Reading:
    """Uploads copies of these files and waits until the graph is built from them."""
    async with open_workbench(dense=False) as workbench:
        began = time.perf_counter()
        items: dict[str, MemoryItem] = {}
        for path in paths:
            document = await upload(workbench, USER, Path(shutil.copy(path, folder)))
            items |= {each.id: each for each in await workbench.library.chunks(USER, document)}
        uploaded = time.perf_counter()
        grown = await graph_of(workbench, USER)
        ended = time.perf_counter()
        known = await ContentStore(workbench.truth).known(USER)
        return Reading(grown, known, items, uploaded - began, ended - uploaded)


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
    """Returns the words around the first of these names that appears in the text."""
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
    """Returns the passage's sentence that contains both names."""
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
    report = Report("Random nodes and links of the graph, to be judged by hand")
    starts = tuple(options.documents)
    paths = [each for each in sorted(options.data.glob("*.pdf")) if each.name.startswith(starts or "")]
    with TemporaryDirectory(prefix="palimpsest-benchmark-", ignore_cleanup_errors=True) as folder:
        reading = asyncio.run(read(paths, Path(folder)))
    rng, grown = random.Random(options.seed), reading.grown
    print_nodes(grown, reading.items, rng, options.nodes)
    print_links(grown, reading.known, reading.items, rng, options.links)
    kinds = Counter(grown.catalogue.rows[each].kind for each in grown.content.naming)
    report.add(Figure("graph", "documents", len(paths)))
    report.add(Figure("graph", "passages", len(reading.items)))
    report.add(Figure("graph", "seconds to read the documents", reading.documents))
    report.add(Figure("graph", "seconds from then until the graph is read", reading.graph))
    report.add(Figure("graph", "links", grown.content.graph.number_of_edges()))
    for kind, count in kinds.most_common():
        report.add(Figure("concepts", kind, count))
    return report


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of PDFs")
    parser.add_argument("--documents", nargs="+", default=[], metavar="NAME")
    parser.add_argument("--nodes", type=int, default=200)
    parser.add_argument("--links", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    return measure(options).finish(options.json)


if __name__ == "__main__":
    sys.exit(main())
