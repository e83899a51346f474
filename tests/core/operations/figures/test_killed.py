"""Tests the count of processes that the kernel killed, read from the container's file or, without one, from the
machine's."""

from __future__ import annotations

from pathlib import Path

from core.operations.figures.killed import KilledProcesses


def test_what_was_killed_since_the_last_look(tmp_path: Path) -> None:
    container, machine = tmp_path / "memory.events", tmp_path / "vmstat"
    machine.write_text("nr_free_pages 5\noom_kill 7\n")
    of_machine = KilledProcesses((container, machine))
    container.write_text("oom 9\noom_kill 2\n")
    killed = KilledProcesses((container, machine))
    assert killed.since_last() == 0
    container.write_text("oom 9\noom_kill 4\n")
    assert killed.since_last() == 2
    assert killed.since_last() == 0
    container.unlink()
    machine.write_text("oom_kill 8\n")
    assert of_machine.since_last() == 1


def test_where_nothing_counts_nothing_is_known(tmp_path: Path) -> None:
    assert KilledProcesses((tmp_path / "none",)).since_last() == 0
