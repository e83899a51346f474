"""Renders autoescaped templates, the only way in which this package makes HTML."""

from __future__ import annotations

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from core.words import LANGUAGES
from viz.labels import counted, label, spoken

_environment = Environment(
    loader=PackageLoader("viz", "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_environment.globals.update(label=label, counted=counted, spoken=spoken, languages=LANGUAGES)


def render(template: str, **values: object) -> Markup:
    """The template ``viz/templates/{template}.html.j2`` with ``values``, all of them escaped."""
    return Markup(_environment.get_template(f"{template}.html.j2").render(**values))
