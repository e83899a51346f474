"""Runs the ``palimpsest`` command as users and programs do: in a separate process with a separate data directory."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from mcp import StdioServerParameters

from tests.interface.conftest import ROOT, Served, environment_for
from tests.servers.command import run as run_command
from tests.servers.forked import forked

PATIENCE = 180
"""Seconds: the imports may take half a minute on a busy machine."""


@dataclass
class Done:
    """A command's exit code and output."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@dataclass
class Commands:
    """Runs commands on one data directory: ``commands("search", "hotel", "--json")``."""

    environment: dict[str, str]

    @classmethod
    def on(cls, home: Path, port: int, **given: str) -> Commands:
        quiet = {"PALIMPSEST_DENSE_ENABLED": "false", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
        return cls(environment_for(home, port, **{**quiet, **given}))

    @classmethod
    def beside(cls, served: Served, **given: str) -> Commands:
        return cls.on(served.home, served.port, **given)

    def __call__(self, *arguments: str, stdin: str = "") -> Done:
        """Runs the command in a forked process, because the imports take as long as most commands."""
        with TemporaryDirectory() as folder:
            streams = Path(folder)
            (streams / "in").write_text(stdin, encoding="utf-8")
            process = forked(run_command, self.environment, ROOT, arguments, streams)
            process.start()
            process.join(PATIENCE)
            assert process.exitcode is not None, f"{arguments} takes more than {PATIENCE} s"
            out, err = ((streams / name).read_text(encoding="utf-8") for name in ("out", "err"))
        return Done(process.exitcode, out, err)

    def begun(self, *arguments: str) -> subprocess.Popen[str]:
        """Starts the command as a user does, and returns while it still runs."""
        return subprocess.Popen(
            [sys.executable, "-m", "command", *arguments],
            cwd=ROOT,
            env=self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def mcp(self, *arguments: str) -> StdioServerParameters:
        """Returns the command line with which a client program starts the MCP server."""
        command = ["-m", "command", "mcp", *arguments]
        return StdioServerParameters(command=sys.executable, args=command, env=self.environment, cwd=ROOT)
