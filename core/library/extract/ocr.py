"""Scanned pages through the tesseract command line, when it is installed."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import tempfile
import time
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from core.messages import message
from core.resilience.watchdog import die_with_parent
from core.settings import Settings
from core.words import Words

_WANTED = ("eng", "heb")
_NAMES = {"eng": "labels.lang_en", "heb": "labels.lang_he"}
RESOLUTION = 300
PROCESSOR_SECONDS = 60
"""That one page may take."""
_SURE_OF_TURN = 1.0
# Clean pages score above 90, pages in a script the engine was not given about 40: their words are noise.
_SURE = 55.0
ONE_THREAD = {"OMP_THREAD_LIMIT": "1"}
"""Of a page. Threads of the engine wait for one another in a loop: two of them take five times the processor time."""
_TURN = re.compile(r"Rotate: (\d+)\s+Orientation confidence: ([\d.]+)")


def is_available(settings: Settings) -> bool:
    """Whether scanned pages can be read: allowed, engine installed, with at least one language of ours."""
    return settings.ocr_enabled and bool(_languages())


def language_names() -> Words:
    """The languages that are recognised."""
    return Words.joined([message(_NAMES[code]) for code in _languages()], ", ")


def recognise(image: Any, seconds: float, nice: int = 0) -> bytes | None:
    """A PDF with the recognised words of a scanned page, each where it stands, and no picture; ``None`` without any.

    So a scan goes through the same reading of lines, columns and tables as any other page.

    Args:
        image: a PIL image of the page, upright or turned.
        seconds: time allowed.
        nice: by how much the priority of the engine is lowered, 0 to 19.
    """
    ends = time.monotonic() + seconds
    with tempfile.TemporaryDirectory(prefix="palimpsest-ocr-") as folder:
        picture = Path(folder) / "page.png"
        image.save(picture, dpi=(RESOLUTION, RESOLUTION))
        turn = _turn(picture, ends - time.monotonic(), nice)
        if turn:
            image.rotate(-turn, expand=True, fillcolor=255).save(picture, dpi=(RESOLUTION, RESOLUTION))
        order = [str(picture), str(Path(folder) / "words"), "-l", "+".join(_languages()), "--psm", "3"]
        outputs = ["tessedit_create_pdf=1", "textonly_pdf=1", "tessedit_create_tsv=1"]
        arguments = [*order, *(part for output in outputs for part in ("-c", output))]
        _run_tesseract(arguments, ends - time.monotonic(), nice)
        words, table = Path(folder) / "words.pdf", Path(folder) / "words.tsv"
        if not words.exists() or not table.exists():
            return None
        return words.read_bytes() if confidence(table.read_text(encoding="utf-8", errors="replace")) >= _SURE else None


def confidence(table: str) -> float:
    """Mean confidence in the words of tesseract's table, 0-100; 0 without words."""
    rows = [line.split("\t") for line in table.splitlines()[1:]]
    sure = [float(row[10]) for row in rows if len(row) > 11 and row[11].strip() and float(row[10]) >= 0]
    return sum(sure) / len(sure) if sure else 0.0


@lru_cache(maxsize=1)
def _installed() -> tuple[str, ...]:
    listing = _run_tesseract(["--list-langs"], 10.0)
    return tuple(line.strip() for line in (listing or "").splitlines()[1:])


def _languages() -> list[str]:
    return [code for code in _WANTED if code in _installed()]


def _turn(picture: Path, seconds: float, nice: int) -> int:
    """Degrees clockwise that set the page upright, as far as the engine is sure."""
    if "osd" not in _installed():
        return 0
    found = _TURN.search(_run_tesseract([str(picture), "stdout", "--psm", "0"], seconds, nice) or "")
    return int(found.group(1)) if found and float(found.group(2)) >= _SURE_OF_TURN else 0


def _run_tesseract(arguments: list[str], seconds: float, nice: int = 0) -> str | None:
    engine = shutil.which("tesseract")
    if not engine or seconds <= 0:
        return None
    try:
        done = subprocess.run(
            [engine, *arguments],
            capture_output=True,
            timeout=seconds,
            check=False,
            env={**os.environ, **ONE_THREAD},
            preexec_fn=partial(_lower_priority, nice) if os.name == "posix" else None,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.decode("utf-8", errors="replace") if done.returncode == 0 else None


def _lower_priority(nice: int) -> None:
    """In the engine's process: end with its reader, which could not end it when killed; give way to others; and have
    a limit of processor time of its own."""
    die_with_parent()
    os.nice(nice)
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR_SECONDS, hard))
