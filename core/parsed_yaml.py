"""Parses the project's own YAML files: text → plain lists, mappings and values, with libyaml if installed."""

from __future__ import annotations

import yaml

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The YAML loader. Both give the same result, but the one in C is eight times as fast, and the first question waits for
it."""


def parse_yaml(text: str) -> object:
    """Raises ``yaml.YAMLError`` if the text is not YAML; builds only plain values."""
    content: object = yaml.load(text, Loader=_LOADER)
    return content
