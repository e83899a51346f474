from __future__ import annotations

import pytest

from tests.core.search.rig import Rig


@pytest.fixture
def rig() -> Rig:
    return Rig()
