from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from core.library.extract import extract
from core.library.extracted import Extracted
from core.settings import Settings
from tests.core.library.extract.mail.outlook_files import Folder


@pytest.fixture
def outlook() -> Folder:
    """An Outlook message with a header and no text."""
    message = Folder()
    message.text(0x001A, "IPM.Note").text(0x0037, "Repair of the pump")
    message.text(0x0C1A, "Dana Levi").text(0x5D01, "dana@example.org").date(0x0039, 13_360_000_000)
    recipient = message.folder("__recip_version1.0_#00000000", 8)
    recipient.text(0x3001, "Ada").text(0x39FE, "ada@example.org").number(0x0C15, 1)
    return message


@pytest.fixture
def read(tmp_path: Path) -> Callable[[str, bytes], Extracted]:
    def extracted(name: str, data: bytes) -> Extracted:
        path = tmp_path / name
        path.write_bytes(data)
        return extract(path, name, Settings(_env_file=None, ocr_enabled=False))

    return extracted
