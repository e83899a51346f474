"""Recognises scanned pages with the tesseract command line, if it is installed."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from core.messages import message
from core.resilience.watchdog import die_with_parent
from core.settings import Settings
from core.words import Words

_FIRST = ("eng", "heb")
_NO_LANGUAGES = frozenset({"osd", "equ", "snum"})
_MOST_TRIED = 4
_LATIN = "Latin"
# Language codes of the engine for non-Latin scripts, by the script names of the engine's own detection.
_SCRIPTS = {
    "Hebrew": ("heb", "yid"),
    "Arabic": ("ara", "fas", "urd", "pus", "uig", "snd", "kur_ara"),
    "Cyrillic": ("rus", "ukr", "bel", "bul", "srp", "mkd", "kaz", "kir", "mon", "tgk", "uzb_cyrl"),
    "Greek": ("ell", "grc"),
    "Han": ("chi_sim", "chi_tra", "chi_sim_vert", "chi_tra_vert"),
    "Japanese": ("jpn", "jpn_vert"),
    "Korean": ("kor", "kor_vert"),
    "Thai": ("tha",),
    "Devanagari": ("hin", "mar", "nep", "san"),
    "Bengali": ("ben", "asm"),
    "Tamil": ("tam",),
    "Telugu": ("tel",),
    "Georgian": ("kat",),
    "Armenian": ("hye",),
}
_NAMES = {"eng": "labels.lang_en", "heb": "labels.lang_he"}
RESOLUTION = 300
PROCESSOR_SECONDS = 60
"""Time limit in seconds for one page."""
_SURE_OF_TURN = 1.0
# Clean pages score above 90. Pages in a script that the engine was not given score about 40; their words are noise.
_SURE = 55.0
_DOUBTFUL = 70.0
"""A page with a lower score is also tried in other languages than its file's; blurred pages score above 80."""
_SURE_OF_LINE = 50.0
"""Lines of blurred pages score 80; drawings mistaken for letters score 15 to 45."""
_SURE_OF_SCRIPT = 1.5
_COST_OF_ENGLISH = 1.0
_TELLING = 12
"""Number of words that a page needs to decide its file's language."""
_UNSURE_MARK = b"\n%unsure "
_MOST_UNSURE = 100
_LONGEST_TAIL = 4_000
ONE_THREAD = {"OMP_THREAD_LIMIT": "1"}
"""Threads per page. The engine's threads wait for each other in busy loops: two of them use five times the processor
time."""
_TURN = re.compile(r"Rotate: (\d+)\s+Orientation confidence: ([\d.]+)")
_SCRIPT = re.compile(r"Script: (\w+)\s+Script confidence: ([\d.]+)")


def is_available(settings: Settings) -> bool:
    """Whether scanned pages can be read: OCR is allowed, and the engine is installed with at least one supported
    language."""
    return settings.ocr_enabled and bool(_languages())


def language_names(languages: Sequence[str] = ()) -> Words:
    """The names of languages, by default of those that can be recognised; the code if a language has no name."""
    names = [message(_NAMES[code]) if code in _NAMES else Words.alike(code) for code in languages or _languages()]
    return Words.joined(names, ", ")


@dataclass(frozen=True)
class Recognised:
    """A recognised page. ``words`` is a PDF with its words, ``None`` without reliable ones; ``is_telling``: the page
    has enough text to decide the ``languages`` of its file."""

    words: bytes | None
    languages: tuple[str, ...]
    is_telling: bool


@dataclass(frozen=True)
class _Trial:
    """The engine's result for a page in ``languages``; ``table`` has each word with its confidence."""

    languages: tuple[str, ...]
    words: bytes
    table: str

    @property
    def sureness(self) -> float:
        return confidence(self.table)


def recognise(image: Any, seconds: float, nice: int = 0, languages: Sequence[str] = ()) -> Recognised | None:
    """The words of a scanned page as a PDF, each at its position, without the image; ``None`` if the engine fails.

    So a scan is processed for lines, columns and tables like any other page. Lines with low confidence are listed after
    the PDF's end (see ``unsure_lines``).

    Args:
        image: a PIL image of the page, upright or rotated.
        seconds: time allowed.
        nice: by how much the engine's priority is lowered, 0 to 19.
        languages: the engine's language codes; by default those with the highest confidence.
    """
    ends = time.monotonic() + seconds
    with tempfile.TemporaryDirectory(prefix="palimpsest-ocr-") as folder:
        picture = Path(folder) / "page.png"
        image.save(picture, dpi=(RESOLUTION, RESOLUTION))
        turn, script = _turn_and_script(picture, ends - time.monotonic(), nice)
        if turn:
            image = image.rotate(-turn, expand=True, fillcolor=255)
            image.save(picture, dpi=(RESOLUTION, RESOLUTION))
        read = _Reader(picture, ends, nice)
        best = read.trial(tuple(languages)) if languages else None
        if best is None or best.sureness < _DOUBTFUL:
            best = max(
                [*read.best_of(script), *([best] if best else [])], key=lambda trial: trial.sureness, default=None
            )
        if best is None:
            return None
        words = _word_rows(best.table)
        if best.sureness < _SURE:
            return Recognised(None, best.languages, False)
        unsure = _unsure_boxes(best.table, image.height)
        return Recognised(best.words + unsure, best.languages, len(words) >= _TELLING)


@dataclass
class _Reader:
    """Runs the engine on one page, until the time ``ends`` of the monotonic clock."""

    picture: Path
    ends: float
    nice: int

    def trial(self, languages: tuple[str, ...]) -> _Trial | None:
        target = self.picture.with_name("+".join(languages))
        outputs = ["tessedit_create_pdf=1", "textonly_pdf=1", "tessedit_create_tsv=1"]
        options = [part for output in outputs for part in ("-c", output)]
        order = [str(self.picture), str(target), "-l", "+".join(languages), "--psm", "3", *options]
        _run_tesseract(order, self.ends - time.monotonic(), self.nice)
        words, table = target.with_name(f"{target.name}.pdf"), target.with_name(f"{target.name}.tsv")
        if not words.exists() or not table.exists():
            return None
        return _Trial(languages, words.read_bytes(), table.read_text(encoding="utf-8", errors="replace"))

    def best_of(self, script: str | None) -> list[_Trial]:
        """The trial of the language with the highest confidence. English is added if that costs no confidence: a page
        in another script may contain Latin names, which would be noise if read in its own letters."""
        installed = _languages()
        candidates = [code for code in installed if script and script_of(code) == script] or installed
        trials = [trial for code in candidates[:_MOST_TRIED] if (trial := self.trial((code,)))]
        if not trials:
            return []
        best = max(trials, key=lambda trial: trial.sureness)
        if script_of(best.languages[0]) != _LATIN and "eng" in installed and best.sureness >= _SURE:
            both = self.trial((*best.languages, "eng"))
            if both and both.sureness >= best.sureness - _COST_OF_ENGLISH:
                return [both]
        return [best]


def script_of(language: str) -> str:
    return next((script for script, codes in _SCRIPTS.items() if language in codes), _LATIN)


def unsure_lines(words: bytes) -> list[tuple[float, float, float, float]]:
    """Left, right, bottom and top, in points, of a recognised page's lines with low confidence."""
    _, _, tail = words.rpartition(_UNSURE_MARK)
    if len(tail) > _LONGEST_TAIL or _UNSURE_MARK not in words:
        return []
    numbers = [[float(number) for number in line.split()] for line in tail.decode("ascii", "ignore").split(";")]
    return [(line[0], line[1], line[2], line[3]) for line in numbers if len(line) == 4]


def _unsure_boxes(table: str, height: int) -> bytes:
    """The boxes of lines with low confidence, as a comment after the end of the PDF, where PDF readers do not look."""
    lines: dict[tuple[str, ...], list[list[str]]] = {}
    for row in _word_rows(table):
        lines.setdefault(tuple(row[1:5]), []).append(row)
    boxes = []
    for rows in lines.values():
        if sum(float(row[10]) for row in rows) >= _SURE_OF_LINE * len(rows):
            continue
        left, top = min(int(row[6]) for row in rows), min(int(row[7]) for row in rows)
        right = max(int(row[6]) + int(row[8]) for row in rows)
        bottom = max(int(row[7]) + int(row[9]) for row in rows)
        points = (left, right, height - bottom, height - top)
        boxes.append(" ".join(f"{72 * point / RESOLUTION:.0f}" for point in points))
    return _UNSURE_MARK + ";".join(boxes[:_MOST_UNSURE]).encode() if boxes else b""


def _word_rows(table: str) -> list[list[str]]:
    """The rows of tesseract's table that contain words."""
    rows = [line.split("\t") for line in table.splitlines()[1:]]
    return [row for row in rows if len(row) > 11 and row[11].strip() and float(row[10]) >= 0]


def confidence(table: str) -> float:
    """Mean confidence in the words of tesseract's table, 0-100; 0 without words."""
    sure = [float(row[10]) for row in _word_rows(table)]
    return sum(sure) / len(sure) if sure else 0.0


@lru_cache(maxsize=1)
def _installed() -> tuple[str, ...]:
    listing = _run_tesseract(["--list-langs"], 10.0)
    return tuple(line.strip() for line in (listing or "").splitlines()[1:])


def _languages() -> list[str]:
    """The installed languages, with the supported ones first."""
    installed = [code for code in _installed() if code not in _NO_LANGUAGES and "/" not in code]
    return sorted(installed, key=lambda code: (_FIRST.index(code) if code in _FIRST else len(_FIRST), code))


def _turn_and_script(picture: Path, seconds: float, nice: int) -> tuple[int, str | None]:
    """Degrees clockwise that turn the page upright, and its script, if the engine is confident."""
    if "osd" not in _installed():
        return 0, None
    said = _run_tesseract([str(picture), "stdout", "--psm", "0"], seconds, nice) or ""
    turn, script = _TURN.search(said), _SCRIPT.search(said)
    turned = int(turn.group(1)) if turn and float(turn.group(2)) >= _SURE_OF_TURN else 0
    return turned, script.group(1) if script and float(script.group(2)) >= _SURE_OF_SCRIPT else None


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
    """Run in the engine's process: end it together with the reader (even a killed one), lower its priority, and limit
    its processor time."""
    die_with_parent()
    os.nice(nice)
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR_SECONDS, hard))
