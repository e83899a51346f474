"""Draws growth curves as one SVG picture, for light and dark mode: panels of curves, both axes logarithmic."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 460, 300
LEFT, RIGHT, TOP, BOTTOM = 62, 120, 34, 44
COLOURS = ("#2f6fdf", "#d9480f", "#2b8a3e", "#862e9c")


@dataclass(frozen=True)
class Curve:
    name: str
    x: list[int]
    y: list[float]


@dataclass(frozen=True)
class Panel:
    title: str
    across: str
    curves: list[Curve]


def drawn(panels: list[Panel]) -> str:
    """Draws the panels, two in a row."""
    rows = math.ceil(len(panels) / 2)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * WIDTH} {rows * HEIGHT}" font-family="sans-serif" '
        'font-size="11" role="img">',
        f'<rect width="{2 * WIDTH}" height="{rows * HEIGHT}" fill="#fff"/>',
    ]
    for place, panel in enumerate(panels):
        parts.append(f'<g transform="translate({place % 2 * WIDTH} {place // 2 * HEIGHT})">{_panel(panel)}</g>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def _panel(panel: Panel) -> str:
    across = _Axis([x for each in panel.curves for x in each.x], LEFT, WIDTH - RIGHT)
    up = _Axis([y for each in panel.curves for y in each.y], HEIGHT - BOTTOM, TOP)
    parts = [f'<text x="{LEFT}" y="18" font-size="13" font-weight="bold">{escape(panel.title)}</text>']
    for value in up.ticks:
        y = up.at(value)
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{value:,.9g}</text>')
    for value in across.ticks:
        x, y = across.at(value), HEIGHT - BOTTOM + 16
        parts.append(f'<text x="{x:.1f}" y="{y}" text-anchor="middle">{value:,.9g}</text>')
    parts.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 10}" text-anchor="middle">{panel.across}</text>')
    for curve, colour in zip(panel.curves, COLOURS, strict=False):
        points = [(across.at(x), up.at(y)) for x, y in zip(curve.x, curve.y, strict=True)]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in points]
    for y, (curve, colour) in _spread([(up.at(c.y[-1]), (c, k)) for c, k in zip(panel.curves, COLOURS, strict=False)]):
        parts.append(f'<text x="{WIDTH - RIGHT + 8}" y="{y + 4:.1f}" fill="{colour}">{escape(curve.name)}</text>')
    return "".join(parts)


def _spread(labels: list[tuple[float, tuple[Curve, str]]]) -> list[tuple[float, tuple[Curve, str]]]:
    """Moves labels apart so that none overlaps another."""
    placed: list[tuple[float, tuple[Curve, str]]] = []
    for y, label in sorted(labels, key=lambda each: each[0]):
        placed.append((max(y, placed[-1][0] + 14) if placed else y, label))
    return placed


class _Axis:
    """Logarithmic axis between two powers of ten, or between two powers of two if the range is small."""

    def __init__(self, values: list[float] | list[int], start: float, end: float) -> None:
        least, most = max(min(values), 1e-3), max(values)
        base = 10 if most / least > 50 else 2
        low, high = math.floor(math.log(least, base) + 1e-9), math.ceil(math.log(most, base) - 1e-9)
        high = max(high, low + 1)
        self.ticks = [float(base) ** power for power in range(low, high + 1)]
        self._low, self._span = math.log(self.ticks[0]), math.log(self.ticks[-1]) - math.log(self.ticks[0])
        self._start, self._end = start, end

    def at(self, value: float) -> float:
        share = (math.log(max(value, 1e-3)) - self._low) / self._span
        return self._start + share * (self._end - self._start)
