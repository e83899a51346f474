"""YAML of the project's own files: text → plain lists, mappings and values, by libyaml where it is installed."""

from __future__ import annotations

import yaml

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""Both make the same of a text; the one in C is eight times as fast, and a first question waits for it."""


def parse_yaml(text: str) -> object:
    """Raises ``yaml.YAMLError`` for text that is no YAML; never builds anything but plain values."""
    content: object = yaml.load(text, Loader=_LOADER)
    return content
