"""Counts how often the kernel has killed a process because memory ran out, since this process began."""

from __future__ import annotations

from pathlib import Path

COUNTS = (Path("/sys/fs/cgroup/memory.events"), Path("/proc/vmstat"))
"""Counter files: the container's if there is one, else the machine's."""


class KilledProcesses:
    """Counts killed processes. ``since_last`` reads two small files; if neither exists, the count is 0."""

    def __init__(self, counts: tuple[Path, ...] = COUNTS) -> None:
        self._counts = counts
        self._known = self._count()

    def since_last(self) -> int:
        now, known = self._count(), self._known
        self._known = now
        return max(0, now - known)

    def _count(self) -> int:
        for path in self._counts:
            try:
                lines = path.read_text(encoding="ascii").splitlines()
            except OSError:
                continue
            for name, _, value in (line.partition(" ") for line in lines):
                if name == "oom_kill":
                    return int(value)
        return 0
