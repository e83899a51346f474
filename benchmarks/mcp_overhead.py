"""Measures the overhead of a tool call: the product's call with its checks, compared with plain lines to the same
program.

``python -m benchmarks.mcp_overhead [--calls 200] [--json FILE]``; needs the packages of the tests. The two are called
alternately, on separate servers of the same kind. Exits with 1 if the overhead's p95 is above 10 ms. On a busy machine
both wait for a processor, so the product's own processor time for a call is reported too.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory

from pydantic import JsonValue

from core.settings import Settings
from core.tools.execution import SentCall
from core.tools.tool import Caller
from core.workbench import Workbench
from tests.servers.tools import Command, published, reference

CALLS = 200
WARMING = 10
"""Warm-up calls, which are not measured."""
MOST_OVERHEAD = 10.0
"""Maximum overhead in milliseconds (p95)."""
VERSION = "2025-06-18"


class BareServer:
    """Runs the same server program without the product's code: a line of JSON is sent to it, and a line of JSON comes
    back."""

    def __init__(self, command: Command) -> None:
        self._command = command
        self._id = 0

    async def __aenter__(self) -> BareServer:
        pipe, nothing = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
        self._process = await asyncio.create_subprocess_exec(
            self._command[0], *self._command[1], stdin=pipe, stdout=pipe, stderr=nothing, limit=10_000_000
        )
        about = {"name": "bare", "version": "1"}
        await self._ask("initialize", {"protocolVersion": VERSION, "capabilities": {}, "clientInfo": about})
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return self

    async def __aexit__(self, *_: object) -> None:
        self._process.kill()
        await self._process.wait()

    async def call(self, name: str, arguments: Mapping[str, JsonValue]) -> None:
        answered = await self._ask("tools/call", {"name": name, "arguments": dict(arguments)})
        assert "result" in answered, answered

    async def _ask(self, method: str, params: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
        self._id += 1
        self._send({"jsonrpc": "2.0", "id": self._id, "method": method, "params": dict(params)})
        assert self._process.stdout
        while True:
            message: dict[str, JsonValue] = json.loads(await self._process.stdout.readline())
            if message.get("id") == self._id and "method" not in message:
                return message

    def _send(self, message: Mapping[str, JsonValue]) -> None:
        assert self._process.stdin
        self._process.stdin.write(json.dumps(message).encode() + b"\n")


@dataclass
class Measured:
    """Milliseconds of each call, for both ways of calling."""

    name: str
    bare: list[float] = field(default_factory=list)
    ours: list[float] = field(default_factory=list)
    computing: list[float] = field(default_factory=list)
    """Processor time of this process during each call through the product's code."""

    @property
    def overhead(self) -> list[float]:
        """Returns the overhead of each pair of calls: the difference of their times."""
        return [ours - bare for bare, ours in zip(self.bare, self.ours, strict=True)]

    def figures(self) -> dict[str, float]:
        spans = {"bare": self.bare, "ours": self.ours, "overhead": self.overhead, "computing": self.computing}
        figures = {f"{name}_p50": _median(values) for name, values in spans.items()}
        figures |= {f"{name}_p95": _p95(values) for name, values in spans.items()}
        return {**figures, "ratio_p50": figures["ours_p50"] / figures["bare_p50"]}


async def measure(calls: int) -> list[Measured]:
    """Measures each server separately; its two processes are called alternately."""
    with TemporaryDirectory(prefix="palimpsest-mcp-") as folder:
        file = Path(folder) / "minutes.txt"
        file.write_text("The board met on Tuesday.\n" * 40, encoding="utf-8")
        kinds: list[tuple[str, Command, str, dict[str, JsonValue]]] = [
            ("everything", reference("everything"), "echo", {"message": "hello"}),
            ("filesystem", reference("filesystem", folder), "read_text_file", {"path": str(file)}),
            ("time", published("mcp_server_time"), "get_current_time", {"timezone": "Asia/Jerusalem"}),
        ]
        return [await _measure(Path(folder), calls, *each) for each in kinds]


async def _measure(
    folder: Path, calls: int, kind: str, command: Command, tool: str, arguments: dict[str, JsonValue]
) -> Measured:
    home = folder / f"home-{kind}"
    home.mkdir()
    entry = {"command": command[0], "args": command[1]}
    (home / "mcp.json").write_text(json.dumps({"mcpServers": {kind: entry}}), encoding="utf-8")
    workbench = Workbench(Settings(_env_file=None, home=home, dense_enabled=False))  # type: ignore[call-arg]
    await workbench.start()
    measured = Measured(f"{kind}: {tool}")
    try:
        for server in workbench.tool_servers:
            await server.settled()
        async with BareServer(command) as bare:
            for number in range(WARMING + calls):
                alone = await _timed(bare.call(tool, arguments))
                began = time.process_time()
                through_us = await _ours(workbench, f"{kind}_{tool}", arguments)
                computing = (time.process_time() - began) * 1000
                if number >= WARMING:
                    measured.bare.append(alone)
                    measured.ours.append(through_us)
                    measured.computing.append(computing)
    finally:
        await workbench.stop()
    return measured


async def _ours(workbench: Workbench, name: str, arguments: Mapping[str, JsonValue]) -> float:
    began = time.perf_counter()
    (outcome,) = await workbench.tools.run([SentCall("call", name, arguments, agreed=True)], Caller("local"))
    milliseconds = (time.perf_counter() - began) * 1000
    assert outcome.result, outcome.problem
    return milliseconds


async def _timed(call: object) -> float:
    began = time.perf_counter()
    await call  # type: ignore[misc]
    return (time.perf_counter() - began) * 1000


def _p95(values: list[float]) -> float:
    return quantiles(values, n=20)[-1]


def _median(values: list[float]) -> float:
    return quantiles(values, n=2)[0]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=CALLS)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    measured = asyncio.run(measure(given.calls))
    figures = {each.name: each.figures() for each in measured}
    for name, each in figures.items():
        print(
            f"{name:30} bare {each['bare_p50']:6.2f} / {each['bare_p95']:6.2f} ms   "
            f"ours {each['ours_p50']:6.2f} / {each['ours_p95']:6.2f} ms   "
            f"overhead {each['overhead_p50']:5.2f} / {each['overhead_p95']:5.2f} ms   ratio {each['ratio_p50']:.2f}   "
            f"computing {each['computing_p50']:.2f} / {each['computing_p95']:.2f} ms"
        )
    if given.json:
        given.json.write_text(json.dumps(figures, indent=2), encoding="utf-8")
    worst = max(each["overhead_p95"] for each in figures.values())
    print(f"worst p95 of the overhead: {worst:.2f} ms (at most {MOST_OVERHEAD:g})")
    return 1 if worst > MOST_OVERHEAD else 0


if __name__ == "__main__":
    sys.exit(main())
