"""How questions and answers about figures are worded, as YAML that anyone can read and correct."""

from __future__ import annotations

from importlib.resources import files

import yaml


def read(name: str) -> object:
    """The parsed content of the data file ``name``; its owner validates it."""
    content: object = yaml.safe_load(files(__name__).joinpath(name).read_text(encoding="utf-8"))
    return content
