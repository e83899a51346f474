"""Converts Word files: headings, lists, tables and emphasis by their styles; images are left out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import mammoth


def render(path: Path) -> str:
    """Convert the document. External references are not opened, and style maps inside the document are ignored."""
    with path.open("rb") as file:
        result: Any = mammoth.convert_to_html(
            file,
            convert_image=mammoth.images.img_element(lambda _: {}),
            include_embedded_style_map=False,
            external_file_access=False,
        )
    return str(result.value)
