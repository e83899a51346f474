from __future__ import annotations

import pytest

from core.models.packaged import PackagedEmbeddings


@pytest.fixture(scope="session")
def packaged() -> PackagedEmbeddings:
    return PackagedEmbeddings()
