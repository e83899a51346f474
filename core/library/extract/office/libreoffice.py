"""Converts files with LibreOffice, if it is installed: *a file of an older program* → the same in a newer format."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import tempfile
import time
from functools import lru_cache
from pathlib import Path

from core.resilience.watchdog import die_with_parent

_NAMES = ("soffice", "libreoffice")
_PLACES = (
    "/Applications/LibreOffice.app/Contents/MacOS/soffice",
    "C:/Program Files/LibreOffice/program/soffice.com",
)
SECONDS = 60.0
"""Seconds; a conversion takes about two, most of them for the start of the program."""
PROCESSOR_SECONDS = 60
_RESTART = 81
"""Exit code of the first start, which only creates the profile and must be repeated."""
_ENTRY = (
    '<item oor:path="/org.openoffice.Office.Common/{group}"><prop oor:name="{name}" oor:op="fuse"><value>{value}'
    "</value></prop></item>"
)
_SAFE = (
    ("Security/Scripting", "MacroSecurityLevel", "3"),
    ("Security/Scripting", "DisableMacrosExecution", "true"),
    ("Security/Scripting", "DisableActiveContent", "true"),
    ("Security/Scripting", "BlockUntrustedRefererLinks", "true"),
)
"""Settings that prevent a file's macros from running and external content from being loaded."""


@lru_cache(maxsize=1)
def program() -> str | None:
    """The command line of LibreOffice; ``None`` if it is not installed."""
    found = next(filter(None, map(shutil.which, _NAMES)), None)
    found = found or next((place for place in _PLACES if Path(place).is_file()), None)
    if found is None:
        return None
    # The script starts a second process, which would keep running after the first is stopped.
    single = Path(found).resolve().with_name("soffice.bin")
    return str(single) if single.is_file() else found


def is_available() -> bool:
    """Whether files of older programs can be converted."""
    return program() is not None


def converted(path: Path, extension: str, target: str, folder: Path) -> Path | None:
    """The file in the format ``target`` (``docx``, ``pptx``) in ``folder``; ``None`` if it cannot be converted.

    Args:
        extension: the file's original extension, because stored files have none.
        folder: an empty folder, which also holds the program's profile.
    """
    engine = program()
    if engine is None:
        return None
    source = folder / f"document.{extension}"
    shutil.copyfile(path, source)
    profile, made = folder / "profile", folder / "made"
    _write_profile(profile)
    command = [
        engine, "--headless", "--invisible", "--norestore", "--nolockcheck", "--nodefault", "--nofirststartwizard",
        f"-env:UserInstallation={profile.as_uri()}", "--convert-to", target, "--outdir", str(made), str(source),
    ]  # fmt: skip
    ends = time.monotonic() + SECONDS
    code = _run(command, folder, SECONDS)
    if code == _RESTART:
        code = _run(command, folder, max(1.0, ends - time.monotonic()))
    result = made / f"document.{target}"
    return result if code == 0 and result.is_file() else None


def working_folder() -> tempfile.TemporaryDirectory[str]:
    """A temporary folder for one conversion, removed afterwards."""
    return tempfile.TemporaryDirectory(prefix="palimpsest-office-", ignore_cleanup_errors=True)


def _write_profile(profile: Path) -> None:
    (profile / "user").mkdir(parents=True)
    items = "".join(_ENTRY.format(group=group, name=name, value=value) for group, name, value in _SAFE)
    (profile / "user" / "registrymodifications.xcu").write_text(
        '<?xml version="1.0" encoding="UTF-8"?><oor:items xmlns:oor="http://openoffice.org/2001/registry" '
        'xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
        f"{items}</oor:items>",
        encoding="utf-8",
    )


def _run(command: list[str], home: Path, seconds: float) -> int | None:
    try:
        return subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=seconds,
            check=False,
            cwd=home,
            env={
                **os.environ,
                "HOME": str(home),
                "http_proxy": "http://127.0.0.1:9",
                "https_proxy": "http://127.0.0.1:9",
            },
            preexec_fn=_bounded if os.name == "posix" else None,
        ).returncode
    except (OSError, subprocess.TimeoutExpired):
        return None


def _bounded() -> None:
    """Run in the program's process: end it together with the reader, and limit its processor time."""
    die_with_parent()
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR_SECONDS, hard))
