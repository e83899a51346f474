"""Simulates network faults of a tool. Measures whether another tool replaces it, and whether no other tool is tried
when that is not allowed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchmarks.tool_calls.real import LOCAL
from benchmarks.tool_calls.servers import Engine, Portal, Served
from core.errors import Category
from core.tools.execution import SentCall
from core.tools.records import ToolOutcome
from tests.servers.local import Reply, hang_up, json_reply, silence, text_reply

QUERIES = ("ריבית בנק ישראל", "the prime rate in Israel")
RECOVERABLE: Mapping[str, tuple[Reply, Category]] = {
    "500": (json_reply({}, 500), "server"),
    "503": (json_reply({}, 503), "server"),
    "rate limit": (json_reply({}, 429), "rate_limit"),
    "no answer": (silence(), "timeout"),
    "hangs up": (hang_up(), "connection"),
    "no JSON": (text_reply("<html>"), "server"),
}
FINAL: Mapping[str, tuple[Reply, Category]] = {
    "401": (json_reply({}, 401), "auth"),
    "403": (json_reply({}, 403), "auth"),
}
WEB: Mapping[str, str] = {
    "tavily_search": "tavily",
    "perplexity_search": "perplexity",
    "perplexity_ask": "perplexity",
    "perplexity_research": "perplexity",
    "perplexity_reason": "perplexity",
}


@dataclass(frozen=True)
class Faulted:
    """The result of a fault. ``good``: another tool replaced the failed one; for a final failure: no other tool was
    tried, and the user was informed."""

    tool: str
    fault: str
    final: bool
    good: bool
    hebrew: bool
    """The failure is reported in Hebrew: what, why and the solution."""


async def _call(there: Served, tool: str, arguments: Mapping[str, str]) -> ToolOutcome:
    """Calls once, with all features switched on again: the call is measured, not the circuit breaker."""
    features = there.workbench.operations.features
    await features.settle()
    for name in ("web", "open_data"):
        await features.switch(name, on=True)
    (outcome,) = await there.workbench.tools.run([SentCall("c", tool, dict(arguments))], LOCAL)
    return outcome


async def web_faults(there: Served) -> list[Faulted]:
    """Lets every web tool that has a fallback fail, in every way."""
    engines = {"tavily": there.tavily, "perplexity": there.perplexity}
    found = []
    for final, faults in ((False, RECOVERABLE), (True, FINAL)):
        for fault, (reply, category) in faults.items():
            for tool, engine in WEB.items():
                for query in QUERIES:
                    found.append(await _one(there, engines[engine], tool, query, (fault, reply, category), final))
    return found


async def _one(
    there: Served, engine: Engine, tool: str, query: str, how: tuple[str, Reply, Category], final: bool
) -> Faulted:
    fault, engine.fault, category = how
    try:
        outcome = await _call(there, tool, {"q": query})
    finally:
        engine.fault = None
    said = outcome.problem is not None and all(outcome.problem.to("he"))
    if final:
        alone = len(outcome.runs) == 1 and outcome.problem is not None and outcome.problem.category == category
        return Faulted(tool, fault, final, alone, said)
    other = outcome.result is not None and outcome.tool != tool and len(outcome.runs) > 1
    return Faulted(tool, fault, final, other, True)


async def both_fail(there: Served) -> list[Faulted]:
    """Lets both engines fail: the first failure must be reported, in both languages."""
    found = []
    for fault, (reply, category) in RECOVERABLE.items():
        there.tavily.fault = there.perplexity.fault = reply
        for tool in WEB:
            outcome = await _call(there, tool, {"q": QUERIES[0]})
            told = outcome.problem is not None and outcome.problem.category == category
            found.append(Faulted(tool, fault, False, told, told and _in_hebrew(outcome)))
        there.tavily.fault = there.perplexity.fault = None
    return found


def _in_hebrew(outcome: ToolOutcome) -> bool:
    assert outcome.problem is not None
    return all(max(text) >= "א" for text in outcome.problem.to("he"))


async def portal_faults(there: Served, resource: str) -> list[Faulted]:
    """Lets the portal's store fail: the data sets of the map in memory must be used for the answer."""
    portal: Portal = there.portal
    calls: Sequence[tuple[str, dict[str, str]]] = [
        ("datagov_query", {"question": "בתי חולים בירושלים"}),
        ("datagov_query", {"question": "public libraries in Haifa"}),
        ("datagov_rows", {"resource": resource, "words": "בית חולים"}),
    ]
    found = []
    for fault, (reply, _) in RECOVERABLE.items():
        portal.fault, portal.whole = reply, False
        for tool, arguments in calls:
            outcome = await _call(there, tool, arguments)
            found.append(Faulted(tool, fault, False, outcome.result is not None and outcome.tool != tool, True))
        portal.fault = None
    return found
