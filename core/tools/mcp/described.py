"""Converts a server's description of a tool to a definition; texts are limited in length, and its hints on effects are
trusted."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable
from typing import TYPE_CHECKING

from core.language.terms import is_stop_word, weak_words
from core.language.vocabulary import phrase_of
from core.messages import message
from core.tools.definition import Effects, IntentSignal, Latency, Response, ToolDefinition, ToolMessages
from core.tools.mcp.schema import parameters_of, passed_on
from core.words import Words

if TYPE_CHECKING:  # importing the SDK takes a second, and only running servers need it
    from mcp_types import Tool as ListedTool
    from mcp_types import ToolAnnotations

LONGEST_CALLED = 60
"""Maximum number of characters in a tool's name for models, which accept 64 letters, digits, hyphens and underscores.
"""
LONGEST_TITLE = 80
LONGEST_DESCRIPTION = 2_000
TELLING = 1.0
"""Seconds that remain after a timeout for notifying the caller and the server."""
CATEGORY = "tool_server"
SAID_WEIGHT = 60
"""Weight added for a question that names the server or the tool (docs/specification.md, "Tool servers")."""


def definition_of(tool: ListedTool, server: str, prefix: str, seconds: float) -> ToolDefinition:
    """The tool's definition. ``prefix`` distinguishes its name from other servers' tools; a call times out after
    ``seconds``."""
    title = one_line(tool.title or (tool.annotations and tool.annotations.title) or tool.name, LONGEST_TITLE)
    named = {"tool": Words.alike(title), "server": Words.alike(server)}
    return ToolDefinition(
        name=called(prefix, tool.name),
        variants=[re.escape(tool.name)],
        server=server,
        category=CATEGORY,
        title=Words.alike(title),
        description=paragraph(tool.description or title, LONGEST_DESCRIPTION),
        parameters=parameters_of(tool.input_schema),
        latency=Latency(tier="medium", timeout=seconds + TELLING),
        response=Response(structured=tool.output_schema is not None),
        messages=ToolMessages(
            progress=message("tools.mcp.progress", **named),
            none_found=message("tools.mcp.none_found", **named),
            suggestion=message("tools.mcp.suggestion", **named),
            failure=message("tools.mcp.failure", **named),
        ),
        signals=_signals(server, tool.name),
        effects=effects_of(tool.annotations),
        json_schema=passed_on(tool.input_schema),
    )


def effects_of(hints: ToolAnnotations | None) -> Effects:
    """The tool's effects. Effects that no hint rules out are assumed; a read-only tool neither deletes nor spends, but
    may send data."""
    if hints is None:
        return Effects()
    reads = hints.read_only_hint is True
    return Effects(
        reads_only=reads,
        deletes=not reads and hints.destructive_hint is not False,
        sends=hints.open_world_hint is not False,
        spends=not reads,
    )


def called(prefix: str, name: str) -> str:
    """The tool's name for models; long names end in a hash, so that two stay different."""
    whole = f"{prefix}_{re.sub(r'[^A-Za-z0-9_-]+', '_', name)}"
    if len(whole) <= LONGEST_CALLED and re.fullmatch(r"[A-Za-z0-9_-]+", name):
        return whole
    digest = hashlib.sha256(name.encode()).hexdigest()[:8]
    return f"{whole[: LONGEST_CALLED - 9]}_{digest}"


def prefixes(names: Iterable[str]) -> dict[str, str]:
    """A short, unique ASCII prefix for each server."""
    found: dict[str, str] = {}
    for name in names:
        plain = re.sub(r"[^a-z0-9]+", "_", unicodedata.normalize("NFKD", name).lower()).strip("_")[:24]
        prefix = plain or f"server_{hashlib.sha256(name.encode()).hexdigest()[:6]}"
        if prefix in found.values():
            prefix = f"{prefix}_{hashlib.sha256(name.encode()).hexdigest()[:6]}"
        found[name] = prefix
    return found


def _signals(server: str, name: str) -> list[IntentSignal]:
    """Signals that match the server's and the tool's name as words, with any separator between the words."""
    patterns = [_said(spoken) for each in dict.fromkeys((server, name)) if (spoken := _words(each))]
    return [IntentSignal(patterns=list(dict.fromkeys(patterns)), weight=SAID_WEIGHT)] if patterns else []


def _said(spoken: list[str]) -> str:
    """A pattern for a name in a question. If the name is an everyday word ("time", "everything"), it only matches next
    to "server" or "tool", or after a verb such as "use"."""
    pattern = r"\b" + r"[\s_-]*".join(map(re.escape, spoken)) + r"\b"
    if len(spoken) > 1 or not (is_stop_word(spoken[0]) or spoken[0] in weak_words()):
        return pattern
    return rf"(?:{phrase_of('tools.order_before')}){pattern}|{pattern}(?:{phrase_of('tools.said_of')})"


def _words(name: str) -> list[str]:
    return [each.lower() for each in re.split(r"[\W_]+|(?<=[a-z0-9])(?=[A-Z])", name) if each]


def one_line(text: str, most: int) -> str:
    """The text on one line without invisible characters, so that a server's text cannot imitate other parts of a
    prompt."""
    kept = (c if c.isprintable() else "" if unicodedata.category(c) == "Cf" else " " for c in text[: most * 4])
    return " ".join("".join(kept).split())[:most]


def paragraph(text: str, most: int) -> str:
    """The text's lines with their indentation, limited to ``most`` characters."""
    kept = (
        c if c.isprintable() or c in "\n\t" else "" if c == "\r" or unicodedata.category(c) == "Cf" else " "
        for c in text[:most]
    )
    return "".join(kept).strip("\n").rstrip()
