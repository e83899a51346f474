"""Builds charts of what the memory has learned, as data for the plotly script."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from core.knowledge.views import DayOutcomes, DayTiers, History, TierSuccess
from core.messages import message_group
from core.store.items import TIERS as TIER_NAMES
from core.words import Language
from viz.feedback import TIERS

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

WORDS = message_group("view.charts")
_OUTCOMES = {"worked": "#15803d", "partial": "#b45309", "failed": "#b91c1c", "unknown": "#9aa0ab"}
_SHADES = {
    "working": "#99d5cf",
    "history": "#5fb8b0",
    "patterns": "#2b958b",
    "memory_bank": "#0f6b64",
    "books": "#7c8594",
}
"""Five shades of the accent colour, and grey for documents."""


def charts(history: History, language: Language) -> dict[str, str]:
    """Figures as JSON for ``Plotly.newPlot``, by name; a chart without numbers is left out."""
    figures = {
        "outcomes": outcome_history(history.outcomes, language),
        "tiers": tier_distribution(history.tiers, language),
        "routing": routing_success(history.routing, language),
    }
    return {name: figure.to_json() for name, figure in figures.items() if figure is not None}


def outcome_history(days: Sequence[DayOutcomes], language: Language) -> Figure | None:
    """Stacked bars: how many answers worked, partly worked, and failed on each day."""
    import plotly.graph_objects as go

    traces = []
    for name, colour in _OUTCOMES.items():
        counts = [int(getattr(day, name)) for day in days]
        if any(counts):
            traces.append(
                go.Bar(x=[day.day for day in days], y=counts, name=_tier_label(name, language), marker_color=colour)
            )
    return _figure(traces, "outcomes", language, barmode="stack") if traces else None


def tier_distribution(days: Sequence[DayTiers], language: Language) -> Figure | None:
    """Stacked areas: how many memories of each tier there were at the end of each day."""
    import plotly.graph_objects as go

    traces = []
    for tier in TIER_NAMES:
        counts = [day.tiers.get(tier, 0) for day in days]
        if any(counts):
            style = {"line_color": _SHADES[tier], "line_width": 1, "mode": "lines", "stackgroup": "all"}
            name = TIERS[tier].to(language)
            traces.append(go.Scatter(x=[day.day for day in days], y=counts, name=name, **style))
    return _figure(traces, "tiers", language) if traces else None


def routing_success(tiers: Sequence[TierSuccess], language: Language) -> Figure | None:
    """A bar per tier: worked / (worked + failed), with the lower end of its confidence interval."""
    import plotly.graph_objects as go

    decided = [each for each in tiers if each.worked + each.failed]
    if not decided:
        return None
    below = [max(0.0, each.success_rate - each.wilson_score) for each in decided]
    bar = go.Bar(
        x=[TIERS[each.tier].to(language) for each in decided],
        y=[each.success_rate for each in decided],
        marker_color=[_SHADES[each.tier] for each in decided],
        text=[f"{each.worked} {_tier_label('of', language)} {each.worked + each.failed}" for each in decided],
        error_y={"type": "data", "array": [0.0] * len(decided), "arrayminus": below, "symmetric": False},
        showlegend=False,
    )
    return _figure([bar], "routing", language, yaxis={"range": [0, 1.05], "tickformat": ".0%"})


def _figure(traces: Sequence[object], title: str, language: Language, **layout: object) -> Figure:
    import plotly.graph_objects as go

    figure = go.Figure(data=list(traces))
    figure.update_layout(
        template=None,
        title={"text": _tier_label(title, language), "x": 0.0 if language == "en" else 1.0, "xref": "paper"},
        margin={"l": 48, "r": 16, "t": 48, "b": 40},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        legend={"orientation": "h", "y": -0.2},
        height=320,
        **layout,
    )
    return figure


def _tier_label(key: str, language: Language) -> str:
    return WORDS[key].to(language)
