"""A workbench server in a separate process that runs until it is asked to stop.

It reads this one document; the reader then waits in an OCR engine that a test has put on the ``PATH``.
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
    # The web server first waits for its connections to close; if the reader process dies in this time, that is
    # noticed.
    await asyncio.sleep(GRACE)
    await workbench.stop()


def serve_alone(home: Path, document: Path, programs: str) -> None:
    """Serves in a separate process group, as a shell or a service manager does; ``programs`` is the ``PATH``."""
    os.setsid()
    os.environ["PATH"] = programs
    asyncio.run(serve(home, document.read_bytes()))
