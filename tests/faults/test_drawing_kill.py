"""Tests kill -9 while page pictures are made: no picture is incomplete, and document and tables are intact."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Iterator
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from core.library.viewing.viewer import WIDTHS
from core.workbench import Workbench
from tests.faults.drawing import draw
from tests.faults.runner import USER
from tests.servers.forked import forked
from tests.service.house import House, settings, until

PAGES = 4


def report() -> bytes:
    """Each page holds a ruled table of three rows."""
    out = io.BytesIO()
    canvas = Canvas(out)
    for number in range(1, PAGES + 1):
        canvas.drawString(72, 760, f"Expenses of harbour {number}")
        for row, cells in enumerate((("Expense", "2025"), ("Lanterns", f"{number}20"), ("Repairs", f"({number}77)"))):
            canvas.rect(72, 700 - 20 * row, 160, 20)
            canvas.rect(232, 700 - 20 * row, 80, 20)
            canvas.drawString(76, 706 - 20 * row, cells[0])
            canvas.drawRightString(308, 706 - 20 * row, cells[1])
        canvas.showPage()
    canvas.save()
    return out.getvalue()


@pytest.fixture
def drawing(home: Path, tmp_path: Path) -> Iterator[BaseProcess]:
    path = tmp_path / "report.pdf"
    path.write_bytes(report())
    process = forked(draw, home, path)
    process.start()
    try:
        yield process
    finally:
        process.kill()
        process.join()


async def test_a_server_that_is_killed_while_it_draws_leaves_no_half_picture(home: Path, drawing: BaseProcess) -> None:
    async def arriving() -> bool:
        assert drawing.is_alive()
        return bool(list((home / "pages").glob("*/*.webp"))) and bool(list((home / "pages").glob("*/*.part")))

    await until(arriving, "a picture on its way")
    drawing.kill()
    await asyncio.to_thread(drawing.join)
    for picture in (home / "pages").glob("*/*.webp"):
        assert_whole(picture.read_bytes())

    workbench = Workbench(settings(home))
    await workbench.start()
    try:
        (document,) = await workbench.library.find(USER)
        await House(workbench, home / "uploads").assert_whole(document)
        tables = await workbench.library.tables(USER, document.id)
        assert sum(len(table.rows) for table in tables) == 2 * PAGES
        for page in range(1, PAGES + 1):
            for width in WIDTHS[:2]:
                assert assert_whole(await workbench.viewer.picture(USER, document.id, page, width)) == width
    finally:
        await workbench.stop()


def assert_whole(picture: bytes) -> int:
    """The picture has the right width and every pixel can be read."""
    image = Image.open(io.BytesIO(picture))
    image.load()
    return image.width
