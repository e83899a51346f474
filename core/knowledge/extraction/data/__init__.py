"""Word lists of the extraction, as YAML that anyone can read and correct."""

from __future__ import annotations

from importlib.resources import files

from core.parsed_yaml import parse_yaml


def read(name: str) -> object:
    """The parsed content of the data file ``name``; its owner validates it."""
    content: object = parse_yaml(files(__name__).joinpath(name).read_text(encoding="utf-8"))
    return content
