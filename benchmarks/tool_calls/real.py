"""Calls real tool servers with expected results: with correct calls, and with calls as models send them."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import JsonValue

from benchmarks.tool_calls.deformed import Values, deformed
from benchmarks.tool_calls.servers import FILES, Served
from core.tools.execution import SentCall
from core.tools.records import ToolOutcome
from core.tools.tool import Caller

LOCAL = Caller("local", "he")
ZONES = ("Asia/Jerusalem", "Europe/London", "America/New_York", "Asia/Tokyo")
SAID = ("hello", "שלום עולם", "line one\nline two", "naïve café", '{"a": 1}')
ASKED = (
    ("בתי חולים בירושלים", "בתי חולים"),
    ("hospitals in Jerusalem", "בתי חולים"),
    ("תאונות דרכים בחיפה", "תאונות"),
    ("public libraries in Haifa", "ספריות"),
)


@dataclass(frozen=True)
class RealCall:
    """A call with its expected result. ``brings`` must appear in the tool's result; ``server`` is the tool's server."""

    server: str
    tool: str
    arguments: Values
    brings: str
    how: tuple[str, ...] = ()


def right_calls(folder: Path, rows: str) -> list[RealCall]:
    """Returns correct calls; ``rows`` is a resource of the portal."""
    calls = [RealCall("everything", "everything_echo", {"message": each}, each.splitlines()[0]) for each in SAID]
    for a, b in ((2, 3), (10, -4), (1.5, 2.5), (1200, 34)):
        calls.append(RealCall("everything", "everything_get-sum", {"a": a, "b": b}, f"{a + b:g}"))
    for each in ("Chicago", "New York", "Los Angeles"):
        calls.append(RealCall("everything", "everything_get-structured-content", {"location": each}, "temperature"))
    for each in ("error", "success", "debug"):
        arguments: Values = {"messageType": each, "includeImage": False}
        calls.append(
            RealCall(
                "everything",
                "everything_get-annotated-message",
                arguments,
                {"error": "rror", "success": "uccess", "debug": "ebug"}[each],
            )
        )
    return [*calls, *_of_files(folder), *_of_time(), *_of_graph(), *_of_data(rows), *_of_web(), *_of_ours()]


def _of_files(folder: Path) -> list[RealCall]:
    def call(tool: str, brings: str, **arguments: JsonValue) -> RealCall:
        return RealCall("filesystem", f"filesystem_{tool}", arguments, brings)

    read = [call("read_text_file", text.splitlines()[0], path=str(folder / name)) for name, text in FILES.items()]
    names = list(FILES)
    return [
        *read,
        call("list_directory", names[2], path=str(folder)),
        call("list_directory_with_sizes", "minutes", path=str(folder), sortBy="size"),
        call("get_file_info", "size", path=str(folder / names[0])),
        call("search_files", "rates.csv", path=str(folder), pattern="*.csv"),
        call("read_multiple_files", "4.25", paths=[str(folder / names[0]), str(folder / names[1])]),
        call("directory_tree", "archive", path=str(folder)),
        call("write_file", "new.txt", path=str(folder / "archive" / "new.txt"), content="שורה חדשה"),
        call("create_directory", "2027", path=str(folder / "archive" / "2027")),
        call("list_allowed_directories", folder.name),
    ]


def _of_time() -> list[RealCall]:
    now = [RealCall("time", "time_get_current_time", {"timezone": each}, each) for each in ZONES]
    turned = [
        RealCall(
            "time", "time_convert_time", {"source_timezone": ZONES[0], "time": "15:30", "target_timezone": each}, each
        )
        for each in ZONES[1:]
    ]
    return [*now, *turned]


def _of_graph() -> list[RealCall]:
    entity: JsonValue = [{"name": "Orbit", "entityType": "company", "observations": ["ספק של מחסן"]}]
    # Existing entities are not in the reply: a second call can only show that it does not fail.
    return [
        RealCall("graph", "graph_create_entities", {"entities": entity}, ""),
        RealCall("graph", "graph_search_nodes", {"query": "Orbit"}, "Orbit"),
        RealCall("graph", "graph_open_nodes", {"names": ["Orbit"]}, "Orbit"),
        RealCall("graph", "graph_read_graph", {}, "Orbit"),
    ]


def _of_data(rows: str) -> list[RealCall]:
    asked = [RealCall("open data", "datagov_query", {"question": ask}, brings) for ask, brings in ASKED]
    sought = [RealCall("open data", "datagov_search", {"query": ask, "limit": 5}, brings) for ask, brings in ASKED]
    return [
        *asked,
        *sought,
        RealCall("open data", "datagov_rows", {"resource": rows, "limit": 5}, "|"),
        RealCall("open data", "datagov_rows", {"resource": rows, "limit": 3, "offset": 2}, "|"),
        RealCall("open data", "datagov_dataset", {"dataset": rows}, ""),
        RealCall("open data", "datagov_list", {"kind": "tags"}, ""),
        RealCall("open data", "datagov_list", {"kind": "organizations"}, "משרד"),
    ]


def _of_web() -> list[RealCall]:
    query = "ריבית בנק ישראל"
    pages: JsonValue = ["https://a.example.com/r"]
    return [
        RealCall("web", "tavily_search", {"query": query, "topic": "news", "days": 7, "max_results": 5}, "4.25"),
        RealCall("web", "tavily_search", {"query": "prime rate", "depth": "advanced"}, "4.25"),
        RealCall("web", "perplexity_search", {"query": query, "max_results": 5}, "4.25"),
        RealCall("web", "perplexity_ask", {"query": query}, "4.25"),
        RealCall("web", "perplexity_reason", {"query": "would a rate cut help exporters"}, "4.25"),
        RealCall("web", "perplexity_research", {"query": "lithium supply chains"}, "4.25"),
        RealCall("web", "tavily_extract", {"urls": pages}, "The rate"),
    ]


def _of_ours() -> list[RealCall]:
    return [
        RealCall("memory", "add_to_memory_bank", {"content": "שנת הכספים שלנו מתחילה באפריל"}, ""),
        RealCall("memory", "search_memory", {"query": "שנת הכספים", "limit": 3}, ""),
        RealCall("memory", "get_context_insights", {"query": "contracts"}, ""),
        RealCall("documents", "list_documents", {"limit": 5}, ""),
        RealCall("documents", "search_passages", {"query": "budget", "limit": 3}, ""),
    ]


def as_models_send(calls: Sequence[RealCall], there: Served, dice: random.Random, times: int) -> list[RealCall]:
    """Returns each call ``times`` times with one to three mistakes. If a mistake changes a value (a number out of
    bounds), the result must be the same."""
    sent = []
    for call in calls:
        entry = there.workbench.tools.registry.find(call.tool)
        assert entry is not None, call.tool
        for _ in range(times):
            made = deformed(entry.definition, call.arguments, dice, 1 + dice.randrange(3))
            sent.append(RealCall(call.server, call.tool, made.sent, call.brings, tuple(made.how)))
    return sent


async def run(there: Served, call: RealCall, number: int) -> ToolOutcome:
    """Makes the call as a user who has agreed to it."""
    sent = SentCall(f"c{number}", call.tool, call.arguments, agreed=True)
    return (await there.workbench.tools.run([sent], LOCAL))[0]


def succeeded(call: RealCall, outcome: ToolOutcome) -> bool:
    """Returns whether the tool itself gave the expected result."""
    if outcome.result is None or len(outcome.runs) != 1:
        return False
    whole = outcome.result.model_dump_json()
    return not call.brings or call.brings in whole or json.dumps(call.brings)[1:-1] in whole
