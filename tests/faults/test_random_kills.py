"""Tests a few kills at random moments; ``benchmarks/kills.py`` makes hundreds of them, during all kinds of work."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from benchmarks.kills import Verdict, kill_once, look, prepare
from tests.faults.conftest import Open
from tests.faults.runner import USER
from tests.servers.forked import forked


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("template") / "home"
    process = forked(prepare, home)
    process.start()
    process.join()
    return home


@pytest.mark.parametrize(("kind", "seconds"), [("replace", 0.3), ("delete", 0.5), ("reindex", 0.4)])
async def test_killed_at_any_moment_all_is_whole(
    kind: str, seconds: float, template: Path, tmp_path: Path, open_house: Open
) -> None:
    verdict = await asyncio.to_thread(kill_once, template, tmp_path, kind, seconds)
    assert (verdict.lost, verdict.half, verdict.ghosts) == ([], [], [])


async def test_what_is_lost_half_or_a_ghost_is_found(tmp_path: Path, home: Path, open_house: Open) -> None:
    """Tests the checker itself: data is made partial, lost or orphaned on purpose, and the checker must report it."""
    house = await open_house()
    document = await house.read("policy.md", "# Policy\n\nA night in Haifa is 560.\n", USER)
    truth = house.workbench.truth
    points = list(await house.points(USER, document.id))
    await truth.collection("documents").delete({"_id": document.id})
    await house.workbench.stop()
    verdict: Verdict = await look(home, ["began", f"document {document.id}", f"memory mem_{1:032x}"])
    assert verdict.lost == [f"document {document.id}", f"memory mem_{1:032x}"]
    assert verdict.ghosts == points
