"""Packs a portal's map into the file that ships with the workbench, so that open data can be searched at once:

    python -m core.tools.datagov.shipped [FILE]

``make map`` calls this. It reads the portal of the settings (``PALIMPSEST_DATAGOV__URL``).
"""

from __future__ import annotations

import asyncio
import gzip
import logging
import sys
from pathlib import Path

from core.clock import Clock, system_clock
from core.resilience.dependencies import Dependency
from core.settings import Settings
from core.tools.datagov.build import Progress, add_columns, build_catalogue
from core.tools.datagov.portal import PAUSES, Portal
from core.tools.datagov.records import ResourceMap

log = logging.getLogger(__name__)

FILE = Path(__file__).with_name("map.json.gz")
"""The shipped map. A workbench reads it until it has built a newer one."""


async def pack(portal: Portal, clock: Clock, file: Path, progress: Progress) -> ResourceMap:
    """Reads the whole catalogue with its columns from ``portal`` and writes it to ``file``.

    Raises:
        PalimpsestError: the portal is not available; ``file`` is not changed.
    """
    known = await add_columns(await build_catalogue(portal, clock), portal, progress)
    content = gzip.compress(known.model_dump_json().encode(), mtime=0)
    await asyncio.to_thread(file.write_bytes, content)
    return known


def unpack(file: Path) -> ResourceMap | None:
    """The map in ``file``; ``None`` if there is no readable one."""
    try:
        return ResourceMap.model_validate_json(gzip.decompress(file.read_bytes()))
    except FileNotFoundError:
        return None
    except (OSError, EOFError, ValueError) as error:
        log.warning("the shipped map of open data cannot be read: %s", type(error).__name__)
        return None


async def _main(file: Path) -> None:
    settings = Settings()
    seconds = settings.deadlines.datagov
    portal = Portal(settings.datagov.url, seconds, Dependency("The portal of open data", seconds * (len(PAUSES) + 2)))
    try:
        known = await pack(portal, system_clock, file, lambda done, of: print(f"\r{done}/{of}", end="", flush=True))
    finally:
        await portal.close()
    print(f"\r{len(known.datasets)} data sets: {file.name}")


if __name__ == "__main__":
    asyncio.run(_main(Path(sys.argv[1]) if len(sys.argv) > 1 else FILE))
