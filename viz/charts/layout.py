"""The layout that all charts share: title, source line, legend, margins and colours, for both directions of writing."""

from __future__ import annotations

import textwrap

from core.words import Language

HEIGHT = 340
PALETTE = (
    "#0f766e",
    "#b45309",
    "#4f6bed",
    "#a21caf",
    "#4d7c0f",
    "#be123c",
    "#0369a1",
    "#7c5c3b",
    "#6d28d9",
    "#475569",
)
"""Colours of series that differ in hue and in lightness, on light and on dark paper."""
_TITLE, _SOURCE, _UPRIGHT, _FLAT = 110, 130, 36, 96
"""Number of letters of a line: of the title, the source, an upright title of an axis, and a flat one."""
_MOST_SOURCE_LINES = 2


def layout(title: str, source: str, language: Language, height: int = HEIGHT) -> dict[str, object]:
    """Returns the layout of a chart of ``height`` pixels. Its ``title`` and its ``source`` are shown in images; the
    page shows them as text."""
    titles, sources = textwrap.wrap(title, _TITLE), textwrap.wrap(source, _SOURCE)[:_MOST_SOURCE_LINES]
    is_hebrew = language == "he"
    return {
        "template": None,
        "title": {
            "text": "<br>".join(map(escaped, titles)),
            "x": 1 if is_hebrew else 0,
            "xref": "paper",
            "y": 1,
            "yref": "container",
            "yanchor": "top",
            "pad": {"t": 12},
            "font": {"size": 14},
            "subtitle": {"text": "<br>".join(map(escaped, sources)), "font": {"size": 11}},
        },
        "margin": {"l": 56, "r": 16, "t": 54 + 20 * len(titles) + 15 * len(sources), "b": 16},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "colorway": list(PALETTE),
        "legend": {
            "orientation": "h",
            "y": 1,
            "yanchor": "bottom",
            "x": 1 if is_hebrew else 0,
            "xanchor": "right" if is_hebrew else "left",
            "traceorder": "normal",
        },
        "height": height,
        "hovermode": "closest",
    }


def axis_title(text: str, axis: str) -> dict[str, object]:
    """Returns the title of the ``axis`` (x or y), broken into lines: that of y is upright and has the chart's
    height."""
    lines = textwrap.wrap(text, _UPRIGHT if axis == "y" else _FLAT)
    return {"text": "<br>".join(map(escaped, lines)), "standoff": 8}


def escaped(text: str) -> str:
    """Escapes a text of a document: Plotly reads some tags as formatting."""
    return text.replace("&", "&amp;").replace("<", "&lt;")
