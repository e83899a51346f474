"""LibreOffice, where it is installed, as a converter: *a file of an older program* → the same in a newer format."""

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
"""A conversion takes two, most of them for the start."""
PROCESSOR_SECONDS = 60
_RESTART = 81
"""Exit code of a first start, which has made its profile and wants to be started again."""
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
"""No macro of a file runs, and nothing is fetched for it."""


@lru_cache(maxsize=1)
def program() -> str | None:
    """The command line of LibreOffice; ``None`` where it is not installed."""
    found = next(filter(None, map(shutil.which, _NAMES)), None)
    found = found or next((place for place in _PLACES if Path(place).is_file()), None)
    if found is None:
        return None
    # The script starts a second process, which would outlive it when it is stopped.
    single = Path(found).resolve().with_name("soffice.bin")
    return str(single) if single.is_file() else found


def is_available() -> bool:
    """Whether files of older programs can be converted."""
    return program() is not None


def converted(path: Path, extension: str, target: str, folder: Path) -> Path | None:
    """The file in the format ``target`` (``docx``, ``pptx``) within ``folder``; ``None`` where it cannot be converted.

    Args:
        extension: what the file would be called by, as stored files have no extension.
        folder: an empty folder, in which the program has its profile too.
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
    """A folder for one conversion, which goes with it."""
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
    """In the program's process: it ends with its reader, and has a limit of processor time of its own."""
    die_with_parent()
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR_SECONDS, hard))
