"""Word: headings, lists, tables and emphasis as they are styled; pictures are left out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import mammoth


def render(path: Path) -> str:
    """Nothing that the document only points to is opened, and no style map of its own is obeyed."""
    with path.open("rb") as file:
        result: Any = mammoth.convert_to_html(
            file,
            convert_image=mammoth.images.img_element(lambda _: {}),
            include_embedded_style_map=False,
            external_file_access=False,
        )
    return str(result.value)
