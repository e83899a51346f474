from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from core.store.sqlite.truth import SqliteTruth


@pytest.fixture
async def truth(tmp_path: Path) -> AsyncIterator[SqliteTruth]:
    truth = SqliteTruth(tmp_path / "truth.sqlite")
    await truth.start()
    yield truth
    await truth.stop()
