"""Tests that when a workbench is killed, its tool servers and the processes that they started end as well."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from tests.servers.tools import ours

pytestmark = pytest.mark.faults

ROOT = Path(__file__).parents[2]
PATIENCE = 60.0
OWNER = """
import asyncio, sys
from pathlib import Path
from core.clock import system_clock
from core.ids import new_id
from core.settings import Settings
from core.store.sqlite.truth import SqliteTruth
from core.tools.definition_files import OwnDefinitions
from core.tools.mcp.servers import McpServers
from core.tools.registry import ToolRegistry

async def main():
    home = Path(sys.argv[1])
    truth = SqliteTruth(home / "truth.sqlite")
    await truth.start()
    servers = McpServers(
        truth, Settings(_env_file=None, home=home), ToolRegistry(OwnDefinitions(home / "tools")), system_clock, new_id
    )
    await servers.start()
    for each in servers:
        await each.settled()
        print(each.condition, flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""


def alive(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@pytest.mark.skipif(os.name == "nt", reason="there the children are in a job of their owner")
def test_a_kill_leaves_no_tool_server_behind(tmp_path: Path) -> None:
    noted = tmp_path / "pids"
    command, arguments = ours("dying", str(noted), "leaving-a-child", "deaf")
    entry = {"command": command, "args": arguments}
    (tmp_path / "mcp.json").write_text(json.dumps({"mcpServers": {"dying": entry}}), encoding="utf-8")
    owner = subprocess.Popen([sys.executable, "-c", OWNER, str(tmp_path)], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert owner.stdout
    assert owner.stdout.readline().strip() == "ready"
    everyone = [each.pid for each in psutil.Process(owner.pid).children(recursive=True)]
    assert set(map(int, noted.read_text().split())) <= set(everyone)
    assert len(everyone) == 3, "the guard, the server, and what it has started"
    owner.kill()
    owner.wait()
    ends = time.monotonic() + PATIENCE
    while any(map(alive, everyone)):
        assert time.monotonic() < ends, [each for each in everyone if alive(each)]
        time.sleep(0.02)
