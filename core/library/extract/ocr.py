"""Scanned pages through the tesseract command line, when it is installed."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
import time
from functools import lru_cache
from pathlib import Path
from typing import Any

from core.library.extract.paragraphs import join_lines
from core.library.extract.text import normalise
from core.settings import Settings

_WANTED = ("eng", "heb")
_NAMES = {"eng": ("English", "אנגלית"), "heb": ("Hebrew", "עברית")}
_SECONDS_PER_PAGE = 60.0
_SURE_OF_TURN = 1.0
_TURN = re.compile(r"Rotate: (\d+)\s+Orientation confidence: ([\d.]+)")


def is_available(settings: Settings) -> bool:
    """Whether scanned pages can be read: allowed, engine installed, with at least one language of ours."""
    return settings.ocr_enabled and bool(_languages())


def language_names() -> tuple[str, str]:
    """The languages that are recognised, in English and in Hebrew."""
    names = [_NAMES[code] for code in _languages()]
    return ", ".join(name[0] for name in names), ", ".join(name[1] for name in names)


def read_image(image: Any, seconds: float) -> list[str]:
    """Paragraphs of a scanned page given as a PIL image, upright or turned; empty when nothing could be read.

    Args:
        seconds: time allowed; a page gets at most a minute of it.
    """
    ends = time.monotonic() + min(seconds, _SECONDS_PER_PAGE)
    with tempfile.TemporaryDirectory(prefix="palimpsest-ocr-") as folder:
        picture = Path(folder) / "page.png"
        image.save(picture, dpi=(300, 300))
        turn = _turn(picture, ends - time.monotonic())
        if turn:
            image.rotate(-turn, expand=True, fillcolor=255).save(picture, dpi=(300, 300))
        text = _run([str(picture), "stdout", "-l", "+".join(_languages()), "--psm", "3"], ends - time.monotonic())
    return _paragraphs(text or "")


@lru_cache(maxsize=1)
def _installed() -> tuple[str, ...]:
    listing = _run(["--list-langs"], 10.0)
    return tuple(line.strip() for line in (listing or "").splitlines()[1:])


def _languages() -> list[str]:
    return [code for code in _WANTED if code in _installed()]


def _turn(picture: Path, seconds: float) -> int:
    """Degrees clockwise that set the page upright, as far as the engine is sure."""
    if "osd" not in _installed():
        return 0
    found = _TURN.search(_run([str(picture), "stdout", "--psm", "0"], seconds) or "")
    return int(found.group(1)) if found and float(found.group(2)) >= _SURE_OF_TURN else 0


def _run(arguments: list[str], seconds: float) -> str | None:
    engine = shutil.which("tesseract")
    if not engine or seconds <= 0:
        return None
    try:
        done = subprocess.run([engine, *arguments], capture_output=True, timeout=seconds, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.decode("utf-8", errors="replace") if done.returncode == 0 else None


def _paragraphs(text: str) -> list[str]:
    paragraphs = []
    for part in re.split(r"\n\s*\n", normalise(text)):
        whole = ""
        for line in part.splitlines():
            whole = join_lines(whole, line)
        if sum(map(str.isalnum, whole)) >= 2:
            paragraphs.append(whole)
    return paragraphs
