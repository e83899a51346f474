"""Measures how often the right tool is chosen for a question, with utterances whose tool is known."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import yaml
from pydantic import BaseModel

from benchmarks.report import Figure, Report
from core.messages import message
from core.tools.definition import Effects, ToolDefinition, ToolMessages
from core.tools.definition_files import our_definitions
from core.tools.ranking import offered, rank
from core.tools.registry import RegisteredTool
from core.tools.tool import Caller, ToolResult
from core.words import Words

HERE = Path(__file__).parents[1]
INTENT, HEBREW = 0.90, 0.85
NONE = "none"
SAMPLE = 400
"""Number of questions used from each set by other authors."""


class Utterance(BaseModel):
    text: str
    lang: str
    tool: str
    half: str


class ForeignQuestion(BaseModel):
    text: str
    lang: str
    tools: list[str]
    half: str


class MadeTool(BaseModel):
    server: str
    name: str
    description: str


class _Never:
    """A tool that is ranked and not called."""

    def __init__(self, definition: ToolDefinition) -> None:
        self.definition = definition

    async def call(self, arguments: object, caller: Caller) -> ToolResult:
        raise AssertionError(self.definition.name)


def _entry(definition: ToolDefinition, own: bool) -> RegisteredTool:
    return RegisteredTool(definition.name, _Never(definition), definition, own)


def ours() -> list[RegisteredTool]:
    """Returns all tools of the product, as if every API key were set."""
    return [_entry(each, True) for each in our_definitions().values()]


def chosen(entries: Sequence[RegisteredTool], text: str) -> str:
    """Returns the tool that the question clearly asks for, or none."""
    first = rank(entries, text)[0]
    return first.entry.name if first.asked else NONE


def means(utterance: Utterance, name: str) -> bool:
    """Returns whether the chosen tool is the labelled one: ``search`` means either search engine, ``data`` any tool of
    the catalogue."""
    if utterance.tool == "search":
        return name in ("tavily_search", "perplexity_search")
    return name.startswith("datagov_") if utterance.tool == "data" else name == utterance.tool


def measure(report: Report, entries: Sequence[RegisteredTool], failures: bool) -> None:
    """Measures the choice among the product's tools only, and among these and the tools of other servers."""
    rows = [
        Utterance.model_validate(each) for each in yaml.safe_load((HERE / "tool_utterances.yaml").read_text("utf-8"))
    ]
    others = [each for each in entries if not each.own]
    for half, group in (("seen", "which tool: tuned half"), ("kept", "which tool: kept aside")):
        there = [each for each in rows if each.half == half]
        judged = [(each, chosen(ours(), each.text)) for each in there]
        _parts(report, group, [(each.lang, each.tool, means(each, name)) for each, name in judged])
        beside = [means(each, chosen([*ours(), *others], each.text)) for each in there]
        report.add(_figure(group, "together with others' servers", beside))
        if failures and half == "seen":
            for each, name in judged:
                if not means(each, name):
                    print(each.text, "| wanted", each.tool, "| chosen", name)


def _parts(report: Report, group: str, judged: Sequence[tuple[str, str, bool]]) -> None:
    def part(name: str, fits: Callable[[str, str], bool], floor: float | None = None) -> None:
        report.add(_figure(group, name, [right for lang, tool, right in judged if fits(lang, tool)], floor))

    part("right", lambda *_: True, INTENT)
    part("Hebrew", lambda lang, _: lang == "he", HEBREW)
    part("English", lambda lang, _: lang == "en")
    part("a tool is asked for", lambda _, tool: tool != NONE)
    part("none is", lambda _, tool: tool == NONE)


def measure_foreign(report: Report, entries: Sequence[RegisteredTool], failures: bool) -> None:
    """Measures whether a server's tool is among the four offered, and whether it is the servers' first."""
    data = yaml.safe_load((HERE / "foreign_tools.yaml").read_text("utf-8"))
    made = [_entry(_made(MadeTool.model_validate(each)), False) for each in data["made"]]
    there = [*entries, *made]
    rows = [ForeignQuestion.model_validate(each) for each in data["questions"]]
    for half, group in (("seen", "the other language: tuned half"), ("kept", "the other language: kept aside")):
        chosen = [each for each in rows if each.half == half]
        asked = [each for each in chosen if NONE not in each.tools]
        reached = [(each, foreign(there, each.text)) for each in asked]
        _share(
            report,
            group,
            "among the four offered",
            reached,
            lambda each, names: any(_is(each, n) for n in names),
            HEBREW,
        )
        for lang, name in (("he", "a Hebrew question"), ("en", "an English question")):
            mine = [(each, names) for each, names in reached if each.lang == lang]
            _share(report, group, name, mine, lambda each, names: any(_is(each, n) for n in names))
        _share(report, group, "the first of them", reached, lambda each, names: bool(names) and _is(each, names[0]))
        nothing = [(each, foreign(there, each.text)) for each in chosen if NONE in each.tools]
        _share(report, group, "none asked, none offered", nothing, lambda _, names: not names)
        if failures and half == "seen":
            for each, names in (*reached, *nothing):
                if (NONE in each.tools and names) or (NONE not in each.tools and not (names and _is(each, names[0]))):
                    print(each.text, "| wanted", each.tools, "| offered", names)


def foreign(entries: Sequence[RegisteredTool], text: str) -> list[str]:
    """Returns the tools of others' servers that a question is offered, as ``core/graph/tools/offering.py`` does."""
    ranked = [each for each in rank(entries, text) if each.entry.own is False and each.relevant]
    return [each.entry.name for each in offered(ranked)]


def _is(question: ForeignQuestion, name: str) -> bool:
    return any(name == each or name.endswith(f"_{each}") for each in question.tools)


def _made(tool: MadeTool) -> ToolDefinition:
    named = {"tool": Words.alike(tool.name), "server": Words.alike(tool.server)}
    kinds = ("progress", "none_found", "suggestion", "failure")
    return ToolDefinition(
        name=f"{tool.server}_{tool.name}",
        server=tool.server,
        category="tool_server",
        title=Words.alike(tool.name),
        description=tool.description,
        messages=ToolMessages(**{kind: message(f"tools.mcp.{kind}", **named) for kind in kinds}),
        effects=Effects(),
    )


def measure_strangers(report: Report, entries: Sequence[RegisteredTool], data: Path, failures: bool) -> None:
    """Measures texts by others: questions to documents must choose no web, open data or server tool."""
    there = [*ours(), *(each for each in entries if not each.own)]
    group = "texts by others: no tool if none is asked for"
    for name, texts in _of_others(data).items():
        got = [chosen(there, text) for text in texts]
        report.add(_figure(group, name, [each == NONE or each in _DOCUMENTS for each in got]))
        report.add(_figure(group, f"{name}: no server's offered", [not foreign(there, text) for text in texts]))
        if failures:
            for text, each in zip(texts, got, strict=True):
                if each != NONE and each not in _DOCUMENTS:
                    print(name, "|", text, "|", each)


_DOCUMENTS = frozenset(("search_passages", "read_passage", "read_page", "read_table", "list_documents"))


def _of_others(data: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    strangers = data / "strangers" / "utterances_dev.yaml"
    if strangers.exists():
        rows = yaml.safe_load(strangers.read_text("utf-8"))
        found["strangers' utterances"] = [
            each["text"] for each in rows if not each["web"] and each["action"] != "memory"
        ]
    heq = data / "heq" / "val_v1.1.json"
    if heq.exists():
        articles = json.loads(heq.read_text("utf-8"))["data"]
        asked = [qa["question"] for one in articles for part in one["paragraphs"] for qa in part["qas"]]
        found["HeQ, Hebrew"] = asked[:: max(1, len(asked) // SAMPLE)]
    tatqa = data / "tatqa" / "dev.json"
    if tatqa.exists():
        asked = [each["question"] for one in json.loads(tatqa.read_text("utf-8")) for each in one["questions"]]
        found["TAT-QA, English"] = asked[:: max(1, len(asked) // SAMPLE)]
    return found


def _share(
    report: Report,
    group: str,
    name: str,
    rows: Sequence[tuple[ForeignQuestion, list[str]]],
    right: Callable[[ForeignQuestion, list[str]], bool],
    floor: float | None = None,
) -> None:
    report.add(_figure(group, name, [right(*each) for each in rows], floor))


def _figure(group: str, name: str, done: Sequence[bool], floor: float | None = None) -> Figure:
    return Figure(group, f"{name} ({len(done)})", sum(done) / len(done) if done else 0.0, floor=floor)
