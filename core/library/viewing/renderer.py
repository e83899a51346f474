"""Runs the process that draws user files, ``python -m core.library.viewing.renderer``, with orders on standard input.

It handles many orders, so that turning a page does not wait for a process start. A malicious file can only crash or
stall this process.
"""

from __future__ import annotations

import logging
import os
import sys
from collections import OrderedDict
from pathlib import Path

from core.library.viewing.finding import find
from core.library.viewing.orders import Draw, Find, Inspect, Measure, Order, Render, Reply
from core.library.viewing.pictures import Pages, PicturePages, open_pages
from core.resilience.watchdog import limit_memory

MEMORY_BYTES = 3 * 1024**3
_OPEN_AT_ONCE = 3


class OpenDocuments:
    """Keeps the most recently viewed documents open."""

    def __init__(self) -> None:
        self._open: OrderedDict[tuple[Path, float], Pages | PicturePages] = OrderedDict()

    def pages(self, path: Path) -> Pages | PicturePages:
        key = (path, path.stat().st_mtime)
        if key not in self._open:
            self._open[key] = open_pages(path)
            if len(self._open) > _OPEN_AT_ONCE:
                self._open.popitem(last=False)[1].close()
        self._open.move_to_end(key)
        return self._open[key]


def main() -> None:
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # text printed by a library must not be taken for a reply
    limit_memory(MEMORY_BYTES)
    desk = OpenDocuments()
    for line in sys.stdin:
        try:
            reply = execute_order(desk, Order.model_validate_json(line))
        except Exception as error:
            logging.getLogger(__name__).warning("an order failed", exc_info=True)
            reply = Reply(failed=f"{type(error).__name__}: {error}"[:500])
        print(reply.model_dump_json(), file=replies, flush=True)


def execute_order(desk: OpenDocuments, order: Order) -> Reply:
    match order.order:
        case Inspect(path=path):
            return Reply(anatomy=desk.pages(path).anatomy())
        case Draw() as draw:
            desk.pages(draw.path).draw(draw.page, draw.width, draw.target)
        case Measure(path=path, page=page):
            return Reply(pictured=desk.pages(path).pictured(page))
        case Find() as wanted:
            return Reply(found=find(desk.pages(wanted.path), wanted))
        case Render() as render:
            from core.library.viewing.renditions import rendition

            render.target.write_text(rendition(render.path, render.mime, render.encoding), encoding="utf-8")
    return Reply()


if __name__ == "__main__":
    main()
