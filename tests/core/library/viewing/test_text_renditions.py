from __future__ import annotations

from pathlib import Path

import pytest

from core.library.viewing.renditions import rendition


@pytest.mark.parametrize("mime", ["text/plain", "text/markdown", "text/html", "text/csv"])
def test_a_text_is_shown_in_the_encoding_chosen_for_it(tmp_path: Path, mime: str) -> None:
    path = tmp_path / "a"
    path.write_bytes("miasto,kraj\nŁódź,Polska\n".encode("cp1250"))
    assert "Łódź" in rendition(path, mime)
    assert "£ód" in rendition(path, mime, "cp1252")
