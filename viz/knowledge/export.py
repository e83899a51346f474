"""Exports the graph as JSON, or as one HTML file without external resources."""

from __future__ import annotations

import html
import json
import re

from core.knowledge.views import GraphView
from core.messages import message_group
from core.words import Language
from viz.knowledge.graph import drawn_graph
from viz.knowledge.layout import COLOURS, Positions
from viz.knowledge.svg import placed_names

SIDES = 2
"""A name is below its dot, or above it."""
LINE = 34
"""Height of a name with its distance to the dot, in pixels, by which a name above the dot is moved up."""
COLOUR_WORDS = message_group("view.export.colour_words")
_ELSEWHERE = re.compile(
    r"<!--.*?-->|<link\b[^>]*?https?://[^>]*?>|<script\b[^>]*?\bsrc\s*=\s*[\"']https?://[^>]*?>\s*</script>", re.DOTALL
)
"""Parts to remove from the drawing package's page: external resources that it loads, and commented-out code."""
_OPTIONS = """{"physics": {"enabled": false}, "edges": {"smooth": false},
"interaction": {"hover": true, "hideEdgesOnDrag": true, "hideEdgesOnZoom": true}, "nodes": {"font": {"size": 14}}}"""


def as_json(view: GraphView, positions: Positions) -> str:
    """All data of each shown concept and edge, with positions."""
    data = view.model_dump(mode="json")
    for node in data["nodes"]:
        node["x"], node["y"] = positions.get(node["id"], (0.0, 0.0))
    return json.dumps(data, ensure_ascii=False, indent=1)


def as_html(view: GraphView, positions: Positions, language: Language) -> str:
    """A page that draws the graph without other files; the script is included."""
    from pyvis.network import Network  # importing it takes half a second

    drawn = drawn_graph(view, positions, language)
    network = Network(height="calc(100vh - 64px)", width="100%", cdn_resources="in_line", directed=True)
    names = {name.id: name for name in placed_names(drawn.nodes, SIDES)}
    for node in drawn.nodes:
        name = names.get(node.id)
        above = -round(2 * node.size + LINE) if name and name.above else 0
        network.add_node(
            node.id,
            label=name.text if name else " ",
            font={"vadjust": above},
            title=f"{node.label} · {node.kind_words} · {node.mentions} / {node.answers}",
            color=COLOURS[node.colour],
            size=node.size,
            x=node.x,
            y=node.y,
            shape="dot",
        )
    for edge in drawn.edges:
        colour = {"color": "#7c8594", "opacity": 0.4 if edge.weak else 0.7}
        arrows = "to" if edge.directed else ""
        network.add_edge(
            edge.a, edge.b, width=edge.width, title=edge.words, arrows=arrows, dashes=edge.dashed, color=colour
        )
    network.set_options(_OPTIONS)
    page = _ELSEWHERE.sub("", network.generate_html(notebook=False))
    page = re.sub(r"<center>.*?</center>", "", page, flags=re.DOTALL)
    page = page.replace("<body>", f"<body>{_legend(language)}", 1)
    direction = "rtl" if language == "he" else "ltr"
    return page.replace("<html>", f'<!doctype html><html lang="{language}" dir="{direction}">', 1)


def _legend(language: Language) -> str:
    dot = "display:inline-block;width:12px;height:12px;border-radius:50%;margin-inline-end:6px"
    entries = "".join(
        f'<span style="margin-inline-end:20px"><i style="{dot};background:{colour}"></i>'
        f"{html.escape(COLOUR_WORDS[each].to(language))}</span>"
        for each, colour in COLOURS.items()
    )
    return f'<p style="font:15px/1.6 system-ui,sans-serif;margin:12px 16px">{entries}</p>'
