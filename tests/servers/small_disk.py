"""A disk of a given number of megabytes that a test can fill: a folder with this much space, and a file that takes up
the rest.

If a file system can be mounted, it is a real disk. Otherwise the folder only reports that its space is used up: this
tests the product's own refusals, but not how a storage engine behaves on a full disk.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

MEGABYTE = 1024 * 1024
BLOCK = 512
FILLER = "filler"
MADE_UP = "PALIMPSEST_TEST_DISK"
"""Environment variable with the folder and size of a simulated disk, for the processes that use it."""


class SmallDisk:
    """``home`` is a data directory on the disk."""

    def __init__(self, folder: Path, size: int, *, real: bool) -> None:
        self.folder = folder
        self.size = size
        self.real = real
        self.home = folder / "palimpsest"
        self.home.mkdir(parents=True, exist_ok=True)

    @property
    def environment(self) -> dict[str, str]:
        return {} if self.real else {MADE_UP: f"{self.size}:{self.folder}"}

    @property
    def free(self) -> int:
        return shutil.disk_usage(self.folder).free if self.real else self.size - taken(self.folder)

    def fill(self, leave: int = 0) -> None:
        """Fills the disk, as another program would, except for about ``leave`` bytes."""
        with (self.folder / FILLER).open("ab") as file:
            while (missing := self.free - leave) >= BLOCK * 2:
                try:
                    self._take(file.fileno(), missing)
                except OSError:
                    missing //= 2
                    while missing >= BLOCK * 2:
                        try:
                            self._take(file.fileno(), missing)
                        except OSError:
                            missing //= 2
                    return

    def _take(self, file: int, size: int) -> None:
        end = os.fstat(file).st_size
        if self.real:
            os.posix_fallocate(file, end, size)
        else:
            os.truncate(file, end + size)

    def empty(self) -> None:
        (self.folder / FILLER).unlink()


def taken(folder: Path) -> int:
    """Returns the bytes that files take on a simulated disk. The file that fills it has no content, only a size."""
    total = 0
    for path in folder.rglob("*"):
        if path.is_file():
            found = path.stat()
            total += found.st_size if path.name == FILLER else found.st_blocks * BLOCK
    return total


def pretend() -> None:
    """Called in a process that uses a simulated disk: makes the disk report its remaining space."""
    if told := os.environ.get(MADE_UP):
        size, _, folder = told.partition(":")
        usage = shutil.disk_usage(folder)

        def disk_usage(_: Any) -> Any:
            return usage._replace(free=max(0, int(size) - taken(Path(folder))))

        shutil.disk_usage = disk_usage


@contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[SmallDisk]:
    """Yields a disk: a file system in a file if one can be mounted, otherwise a simulated one."""
    image, place, size = folder / "image", folder / "disk", megabytes * MEGABYTE
    place.mkdir(parents=True)
    with image.open("wb") as file:
        file.truncate(size)
    made = _succeeds("mkfs.ext4", "-q", "-F", "-m", "0", str(image)) and _succeeds(
        "mount", "-o", "loop", str(image), str(place)
    )
    try:
        yield SmallDisk(place, size, real=made)
    finally:
        if made:
            _succeeds("umount", "-l", str(place))


def _succeeds(*command: str) -> bool:
    try:
        return subprocess.run(command, capture_output=True, check=False, timeout=60).returncode == 0
    except OSError:
        return False
