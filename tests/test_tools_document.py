"""Tests that ``docs/tools.md`` describes each of our tools as its definition does, with an example call.

After a change of a definition: ``PYTHONPATH=. python tests/test_tools_document.py`` writes it again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from pydantic import JsonValue

from core.tools.arguments import normalise
from core.tools.definition import Parameter, ToolDefinition
from core.tools.definition_files import our_definitions
from core.tools.manifest import CATEGORIES

DOCUMENT = Path(__file__).parents[1] / "docs" / "tools.md"
HEAD = """# Tools

Every tool of the workbench itself, as its file in `core/tools/definitions` has it; a model is told the same. Tools of
servers stand on the Tools tab. Other names of an argument, texts for numbers and slips are repaired
(docs/specification.md, "Tools"). Written by `tests/test_tools_document.py`.
"""
TEXTS = {
    "url": "https://example.com/report.html",
    "passage": "2",
    "document": "lease.pdf",
    "resource": "<id of a resource>",
}
"""Example values where "…" would say too little."""


def document() -> str:
    """The whole document."""
    definitions = sorted(our_definitions().values(), key=lambda each: (CATEGORIES.index(each.category), each.name))
    return "\n".join([HEAD, *(line for each in definitions for line in _told(each))])


def example(definition: ToolDefinition) -> dict[str, JsonValue]:
    """The required arguments, and the first of the others."""
    needed = [each for each in definition.parameters if each.required]
    others = [each for each in definition.parameters if not each.required]
    return {each.name: _value(each) for each in (*needed, *others[:1])}


def _value(parameter: Parameter) -> JsonValue:
    if parameter.default is not None:
        return parameter.default
    if parameter.choices:
        return parameter.choices[0]
    values: dict[str, JsonValue] = {
        "integer": int(parameter.minimum or 1),
        "number": parameter.minimum or 0.5,
        "boolean": True,
        "array": ["https://example.com/"] if parameter.name == "urls" else ["…"],
        "object": {"city": "Haifa"},
    }
    return values.get(parameter.kind, TEXTS.get(parameter.name, "…"))


def _told(definition: ToolDefinition) -> Iterator[str]:
    yield f"\n## {definition.name}\n"
    yield f"{definition.title.en} · {definition.title.to('he')}. {' '.join(definition.description.split())}\n"
    if definition.parameters:
        yield "| Argument | Kind | What it is | Other names |"
        yield "|---|---|---|---|"
    for each in definition.parameters:
        kind = f"{each.kind}, required" if each.required else each.kind
        choices = f" One of {', '.join(map(str, each.choices))}." if each.choices else ""
        about = f"{' '.join(each.description.split())}{choices}".replace("|", "\\|")
        yield f"| `{each.name}` | {kind} | {about} | {', '.join(each.aliases)} |"
    yield f"\nFor example: `{json.dumps(example(definition), ensure_ascii=False)}`"
    fails = f"; where it fails: {', '.join(definition.fallbacks)}" if definition.fallbacks else ""
    yield f"\n{definition.messages.suggestion.en} Usually {definition.latency.typical:g} s{fails}.\n"


def test_the_document_is_as_the_definitions_are() -> None:
    assert DOCUMENT.read_text("utf-8") == document(), "PYTHONPATH=. python tests/test_tools_document.py"


def test_every_example_can_be_called_as_it_stands() -> None:
    for each in our_definitions().values():
        done = normalise(each, example(each))
        assert not done.missing
        assert not done.warnings


if __name__ == "__main__":
    DOCUMENT.write_text(document(), encoding="utf-8")
