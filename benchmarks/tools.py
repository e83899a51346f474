"""Measures tools, from a question to their results (B4): ``python -m benchmarks.tools [--failures] [--data DATA]``.

Five tables: which tool a question asks for (160 utterances, half of them kept aside), questions to tools described in
the other language, arguments as models get them wrong, calls to servers by others, and faults injected on the network.
``--failures`` prints failures, never of the halves kept aside. With ``--data`` there are also texts by others:
questions to documents, which ask for no other tool. Needs the packages of the tests; exits with 1 below a floor.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import random
import re
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import core.models.endpoint
import core.tools.web.perplexity
from benchmarks.report import Figure, Report
from benchmarks.tool_calls import asked, faults, real
from benchmarks.tool_calls.deformed import Deformed, deformed, kinds_of, right_arguments
from benchmarks.tool_calls.servers import Served, served
from core.tools.arguments import normalise
from core.tools.definition import ToolDefinition
from tests.servers.ckan_catalogue import made_datasets

FIRST_CALL, CASCADE, REPAIRED, INTENT, HEBREW = 0.90, 0.99, 0.95, 0.90, 0.85
SEED, UNSEEN_SEED = 17, 1948
"""Seeds of the calls with mistakes; those of the second seed are never printed one by one."""
TIMES = 40
"""Number of calls of each tool with mistakes in their arguments."""
REAL_TIMES = 3
FAULT_SECONDS = 0.4
"""Time limit in seconds for a request that gets no answer."""


async def measure(failures: bool, data: Path | None) -> Report:
    report = Report("Tools: from a question to their results")
    core.models.endpoint.RATE_LIMIT_PAUSE = 0.0
    with TemporaryDirectory(prefix="palimpsest-tools-") as folder:
        async with served(Path(folder) / "calm") as there:
            entries = there.workbench.tools.registry.all()
            asked.measure(report, entries, failures)
            asked.measure_foreign(report, entries, failures)
            if data:
                asked.measure_strangers(report, entries, data, failures)
            _arguments(report, [each.definition for each in entries], failures)
            await _calls(report, there, failures)
        core.tools.web.perplexity.PATIENCE = FAULT_SECONDS
        async with served(Path(folder) / "faulty", FAULT_SECONDS, others=False) as there:
            await _faults(report, there, failures)
    report.notes.append(
        "Utterances, questions and mistakes are by the author of the rules, which flatters; the tools of other "
        "servers and the texts of --data are not."
    )
    return report


# -- arguments ------------------------------------------------------------------------------


def _arguments(report: Report, definitions: Sequence[ToolDefinition], failures: bool) -> None:
    judged, unseen = _judged(definitions, SEED), _judged(definitions, UNSEEN_SEED)
    group = "arguments as models send them"
    _share(report, group, "repaired", [right for *_, right in judged], REPAIRED)
    _share(report, group, "repaired, another seed", [right for *_, right in unseen], REPAIRED)
    for name, ours in (("of our tools", True), ("of tools of others", False)):
        chosen = [right for each, _, right in judged if (each.category != "tool_server") == ours]
        _share(report, group, name, chosen)
    for kind in kinds_of([made for _, made, _ in judged]):
        _share(report, group, kind, [right for _, made, right in judged if kind in made.how])
    if failures:
        for definition, made, right in judged:
            if not right:
                print(definition.name, made.how, "\n   sent", made.sent, "\n   wanted", made.expected)
                print("   got", normalise(definition, made.sent))


def _judged(definitions: Sequence[ToolDefinition], seed: int) -> list[tuple[ToolDefinition, Deformed, bool]]:
    dice = random.Random(seed)
    calls = [
        (each, deformed(each, right_arguments(each, dice), dice, 1 + dice.randrange(3)))
        for each in definitions
        if each.parameters
        for _ in range(TIMES)
    ]
    return [(definition, made, repaired(definition, made)) for definition, made in calls]


def repaired(definition: ToolDefinition, made: Deformed) -> bool:
    """Returns whether exactly the right arguments are sent, nothing is lost, and changes are reported."""
    done = normalise(definition, made.sent)
    kept = all(name in done.kept_aside for name in made.aside)
    return done.values == made.expected and kept and not done.missing


# -- calls ------------------------------------------------------------------------------


async def _calls(report: Report, there: Served, failures: bool) -> None:
    dice = random.Random(SEED)
    resource = next(each.resource_id for each in made_datasets() if each.stored and each.rows)
    right = real.right_calls(there.folder, resource)
    sent = real.as_models_send(right, there, dice, REAL_TIMES)
    by_server: dict[str, list[bool]] = defaultdict(list)
    tables: dict[str, list[bool]] = {"as they should be": [], "as models send them": []}
    for name, calls in zip(tables, (right, sent), strict=True):
        for number, call in enumerate(calls):
            outcome = await real.run(there, call, number)
            done = real.succeeded(call, outcome)
            tables[name].append(done)
            by_server[call.server].append(done)
            if failures and not done:
                print(
                    call, "\n   ", outcome.problem or (outcome.result and outcome.result.text[:200]), outcome.warnings
                )
    group = "calls of real servers: the first call returns the expected result"
    for name, done in tables.items():
        _share(report, group, name, done, FIRST_CALL)
    for name, done in by_server.items():
        _share(report, group, f"server {name}", done)


async def _faults(report: Report, there: Served, failures: bool) -> None:
    resource = next(each.resource_id for each in made_datasets() if each.stored and each.rows)
    web = await faults.web_faults(there)
    portal = await faults.portal_faults(there, resource)
    both = await faults.both_fail(there)
    group = "network faults"
    recoverable = [*(each for each in web if not each.final), *portal]
    _share(report, group, "replaced by another tool", [each.good for each in recoverable], CASCADE)
    for fault in faults.RECOVERABLE:
        _share(report, group, f"  {fault}", [each.good for each in recoverable if each.fault == fault])
    _share(report, group, "auth: reported, no other tool tried", [each.good for each in web if each.final], 1.0)
    _share(report, group, "all fail: the first failure is reported", [each.good for each in both], 1.0)
    _share(report, group, "reported in Hebrew", [each.hebrew for each in (*both, *web)], 1.0)
    if failures:
        for each in (*recoverable, *both, *web):
            if not each.good:
                print(each)


def _share(report: Report, group: str, name: str, done: Sequence[bool], floor: float | None = None) -> None:
    share = sum(done) / len(done) if done else 0.0
    report.add(Figure(group, f"{name} ({len(done)})", share, floor=floor))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=re.sub(r"\s+", " ", __doc__ or ""))
    parser.add_argument("--failures", action="store_true", help="print failures, except those of the halves kept aside")
    parser.add_argument("--data", type=Path, help="folder with texts by others (strangers, heq, tatqa)")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    given = parser.parse_args(arguments)
    logging.disable(logging.WARNING)
    return asyncio.run(measure(given.failures, given.data)).finish(given.json)


if __name__ == "__main__":
    sys.exit(main())
