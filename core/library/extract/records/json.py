"""Reads JSON files with one value, or with one value per line; numbers keep their original notation."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from core.library.extract import problems
from core.library.extract.records.alike import Tree
from core.library.extract.records.reading import blocks_of, read_as_text
from core.library.extract.text import decode
from core.library.extracted import Extracted
from core.settings import Settings

MIME, LINES_MIME = "application/json", "application/x-ndjson"
_WORDS = {True: "true", False: "false", None: ""}


def extract_json(path: Path, filename: str, settings: Settings) -> Extracted:
    """A file with one value; also accepts one value per line. A file that is not JSON is read as plain text."""
    text = decode(path.read_bytes()).lstrip("\ufeff")
    try:
        return blocks_of(_tree(_parsed(text)), MIME, filename, settings)
    except (ValueError, RecursionError):
        trees, broken = _lines(text)
        if len(trees) < 2 or broken > len(trees):
            return read_as_text(text, MIME, "JSON", settings)
        return blocks_of(trees, LINES_MIME, filename, settings, _broken(broken))


def extract_jsonl(path: Path, filename: str, settings: Settings) -> Extracted:
    """A file with one value per line; invalid lines are counted in a note."""
    text = decode(path.read_bytes()).lstrip("\ufeff")
    trees, broken = _lines(text)
    if not trees:
        return extract_json(path, filename, settings)
    return blocks_of(trees, LINES_MIME, filename, settings, _broken(broken))


def _lines(text: str) -> tuple[list[Tree], int]:
    """The values, and the number of invalid lines."""
    trees: list[Tree] = []
    broken = 0
    for line in text.splitlines():
        if not line.strip():
            continue
        try:
            trees.append(_tree(_parsed(line)))
        except (ValueError, RecursionError):
            broken += 1
    return trees, broken


def _broken(lines: int) -> list[problems.Note]:
    return [problems.broken_lines(lines)] if lines else []


def _parsed(text: str) -> object:
    parsed: object = json.loads(text, parse_int=str, parse_float=str, parse_constant=str)
    return parsed


def _tree(value: object) -> Tree:
    """The parsed tree. Raises ``RecursionError`` if it is nested deeper than any real file."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return {str(name): _tree(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_tree(each) for each in value]
    return _WORDS[value] if isinstance(value, bool) or value is None else str(value)
