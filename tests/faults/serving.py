"""A workbench that serves until it is told to stop, like the real one: data directory and document -> a separate
server.

It gets one document; its reader then waits in an OCR engine that a test has put on the path.
"""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

from core.workbench import Workbench
from tests.faults.runner import USER
from tests.service.house import House, settings

GRACE = 1.0


async def serve(home: Path, document: bytes) -> None:
    stopped = asyncio.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(each, stopped.set)
    workbench = Workbench(settings(home))
    await workbench.start()
    await House(workbench, home / "uploads").give("scan.pdf", document, USER)
    await stopped.wait()
    # The web server first waits for its connections to end; parts that died in this time are noticed.
    await asyncio.sleep(GRACE)
    await workbench.stop()


def serve_alone(home: Path, document: Path, programs: str) -> None:
    """Serves in its own process group, as a shell or a service manager starts it; ``programs``: its ``PATH``."""
    os.setsid()
    os.environ["PATH"] = programs
    asyncio.run(serve(home, document.read_bytes()))
