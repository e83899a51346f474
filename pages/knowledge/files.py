"""Makes the files of the knowledge graph: what is shown, as a drawing, as a page or as data."""

from __future__ import annotations

from collections.abc import Sequence

from core.knowledge.views import Edge, GraphView
from core.words import Language
from core.workbench import Workbench
from pages.actions import Reply
from viz.knowledge.data_files import as_graphml, concepts_csv, links_csv
from viz.knowledge.export import COLOUR_WORDS, as_html, as_json
from viz.knowledge.graph import drawn_graph
from viz.knowledge.layout import COLOURS, Positions
from viz.knowledge.svg import as_svg
from viz.labels import label

EVIDENCE = 3
"""Number of sources of a link that the CSV names."""
TYPES = {
    "json": ("knowledge.json", "application/json"),
    "html": ("knowledge.html", "text/html"),
    "svg": ("knowledge.svg", "image/svg+xml"),
    "graphml": ("knowledge.graphml", "application/xml"),
    "nodes": ("concepts.csv", "text/csv"),
    "links": ("links.csv", "text/csv"),
}


def graph_file(kind: str, view: GraphView, positions: Positions, sources: dict[str, str], language: Language) -> Reply:
    """The file of this kind: its name, its type and its text."""
    name, mime = TYPES[kind]
    if kind == "json":
        text = as_json(view, positions)
    elif kind == "html":
        text = as_html(view, positions, language)
    elif kind == "svg":
        legend = [(colour, COLOUR_WORDS[each].to(language)) for each, colour in COLOURS.items()]
        text = as_svg(drawn_graph(view, positions, language), legend, language)
    elif kind == "graphml":
        text = as_graphml(view, positions, language)
    elif kind == "nodes":
        text = concepts_csv(view, language)
    else:
        text = links_csv(view, sources, language)
    return {"name": name, "type": mime, "text": text}


async def sources_of(workbench: Workbench, user_id: str, edges: Sequence[Edge], language: Language) -> dict[str, str]:
    """For each text behind the links, its document and page, or the beginning of a memory."""
    ids = dict.fromkeys(id for edge in edges for id in edge.evidence[:EVIDENCE] if id.startswith("mem_"))
    found = {}
    for item in await workbench.memory.items(user_id, list(ids)):
        book = item.source.book
        page = f", {label('page', language)} {book.page}" if book and book.page else ""
        found[item.id] = f"{book.title}{page}" if book else " ".join(item.text.split())[:80]
    return found
