"""A workbench that draws pages of a read document without end: ``python -m tests.faults.drawing HOME PDF``."""

from __future__ import annotations

import asyncio
import sys
from itertools import cycle
from pathlib import Path

from core.library.viewing.viewer import WIDTHS
from core.workbench import Workbench
from tests.faults.runner import USER
from tests.service.house import House, settings


async def draw(home: Path, document: bytes) -> None:
    workbench = Workbench(settings(home))
    await workbench.start()
    read = await House(workbench, home / "uploads").read("report.pdf", document, USER)
    kept = workbench.settings.folder / "pages" / read.id
    for width in cycle(WIDTHS):
        for page in range(1, (read.pages or 1) + 1):
            (kept / f"{page}-{width}.webp").unlink(missing_ok=True)
            await workbench.viewer.picture(USER, read.id, page, width)


if __name__ == "__main__":
    asyncio.run(draw(Path(sys.argv[1]), Path(sys.argv[2]).read_bytes()))
