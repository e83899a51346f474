"""Draws pages of a document again and again until the process is killed. Gets a data directory and a PDF, and stores
the page pictures in the data directory."""

from __future__ import annotations

import asyncio
from itertools import cycle
from pathlib import Path

from core.library.viewing.viewer import WIDTHS
from core.workbench import Workbench
from tests.faults.runner import USER
from tests.service.house import House, settings


def draw(home: Path, document: Path) -> None:
    asyncio.run(_draw(home, document.read_bytes()))


async def _draw(home: Path, document: bytes) -> None:
    workbench = Workbench(settings(home))
    await workbench.start()
    read = await House(workbench, home / "uploads").read("report.pdf", document, USER)
    kept = workbench.settings.folder / "pages" / read.id
    for width in cycle(WIDTHS):
        for page in range(1, (read.pages or 1) + 1):
            (kept / f"{page}-{width}.webp").unlink(missing_ok=True)
            await workbench.viewer.picture(USER, read.id, page, width)
