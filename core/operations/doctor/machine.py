"""Checks the machine, the data directory and the settings; the workbench need not be running."""

from __future__ import annotations

import os
import platform
import socket
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from core.operations.doctor.findings import fine, wrong
from core.operations.moving.moved import FILE as MOVED
from core.operations.moving.moved import moved_of
from core.operations.records import Finding
from core.settings import Settings, names_without_meaning
from core.store.migrations.stored import FIRST
from core.store.migrations.upgrade import FORMAT
from core.store.open import TRUTH
from core.store.room import MEGABYTE, free_room
from core.store.truth_file import aside, trouble_with

ENGINES = ("langgraph", "qdrant-edge-py", "qdrant-client", "pymongo", "onnxruntime", "gradio")
OTHERS = 0o077


def examine_machine(settings: Settings, *, serving: bool) -> list[Finding]:
    """All findings. Changes nothing; blocking. ``serving``: the workbench is running, so its port is in use."""
    found = [_versions(), *_folder(settings), examine_disk(settings)]
    if not settings.mongodb_uri:
        found += _truth(settings)
    if not serving:
        found.append(_port(settings))
    return [*found, *_settings(settings)]


def _versions() -> Finding:
    known = [(name, _version(name)) for name in ("palimpsest", *ENGINES)]
    engines = ", ".join(f"{name} {number}" for name, number in known if number)
    system = f"{platform.system()} {platform.machine()}"
    return fine("versions", python=platform.python_version(), system=system, engines=engines)


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _folder(settings: Settings) -> Iterator[Finding]:
    folder = settings.folder
    existing = next(each for each in (folder, *folder.parents) if each.exists())
    if not os.access(existing, os.W_OK | os.X_OK):
        yield wrong("data_directory", "folder_not_writable", folder=folder)
        return
    if folder.exists() and os.name == "posix" and folder.stat().st_mode & OTHERS:
        yield wrong("data_directory", "folder_open_to_others", folder=folder)
        return
    yield fine("data_directory", folder=folder)


def examine_disk(settings: Settings) -> Finding:
    """How much disk space is free; blocking."""
    free, low = free_room(settings), settings.limits.disk_low_bytes
    if free >= low:
        return fine("disk", free=_size(free))
    warning = "disk_full" if free < low / 2 else "disk_low"
    return wrong("disk", warning, free=_size(free), low=_size(low), folder=settings.folder)


def _size(number: float) -> str:
    return f"{number / MEGABYTE:,.0f} MB" if number < 1024 * MEGABYTE else f"{number / 1024 / MEGABYTE:,.1f} GB"


def _truth(settings: Settings) -> Iterator[Finding]:
    path, files = settings.folder / TRUTH, settings.folder / "files"
    originals = len(list(files.glob("*/*/content")))
    emptied = wrong("truth", "truth_emptied", count=originals, folder=files)
    for each in aside(settings.folder):
        yield wrong("truth", "truth_set_aside", file=each)
    if not path.exists() or not path.stat().st_size:
        yield emptied if originals else fine("truth", seen="truth_new")
    elif trouble_with(path):
        yield wrong("truth", "truth_unreadable", file=path)
    elif (found := _format_of(path)) > FORMAT:
        yield wrong("truth", "format_later", found=found, today=FORMAT)
    elif originals and not _has_documents(path):
        yield emptied
    else:
        yield fine("truth", format=found, size=_size(path.stat().st_size))


def _format_of(path: Path) -> int:
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as truth:
        return int(truth.execute("PRAGMA user_version").fetchone()[0]) or FIRST


def _has_documents(path: Path) -> bool:
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as truth:
        if not truth.execute("SELECT 1 FROM sqlite_master WHERE name = 'documents'").fetchone():
            return False
        return truth.execute("SELECT 1 FROM documents LIMIT 1").fetchone() is not None


def _port(settings: Settings) -> Finding:
    with socket.socket(socket.AF_INET6 if ":" in settings.host else socket.AF_INET) as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((settings.host, settings.port))
        except OSError:
            return wrong("port", "port_taken", port=settings.port, host=settings.host)
    return fine("port", port=settings.port, host=settings.host)


def _settings(settings: Settings) -> list[Finding]:
    found = [
        wrong("settings", "settings_unused", name=name, because=instead) for name, instead in _contradictions(settings)
    ]
    if unknown := names_without_meaning():
        found.insert(0, wrong("settings", "settings_unknown", names=", ".join(unknown)))
    if settings.mongodb_uri and (settings.folder / TRUTH).exists():
        found.append(wrong("settings", "data_elsewhere", file=settings.folder / TRUTH))
    if not settings.mongodb_uri and (moved := moved_of(settings.folder)):
        found.append(wrong("settings", "data_moved", target=moved.to, file=settings.folder / MOVED))
    return found or [fine("settings")]


def _contradictions(settings: Settings) -> Iterator[tuple[str, str]]:
    """Pairs of two settings: one that has no effect, and the one that is the reason for this."""
    given = (
        ("EMBEDDING_URL", settings.embedding_url and not settings.dense_enabled, "PALIMPSEST_DENSE_ENABLED=false"),
        ("RERANK_URL", settings.rerank_url and not settings.rerank_enabled, "PALIMPSEST_RERANK_ENABLED=false"),
        ("OPENAI_BASE_URL", settings.model_base_url and not settings.model, "PALIMPSEST_MODEL"),
        ("PALIMPSEST_MODEL_SMALL", settings.model_small and not settings.model, "PALIMPSEST_MODEL"),
        ("PALIMPSEST_MODELS", settings.models and not settings.model, "PALIMPSEST_MODEL"),
        ("QDRANT_API_KEY", settings.qdrant_api_key and not settings.qdrant_url, "QDRANT_URL"),
        ("PALIMPSEST_TRACES_CONTENT", settings.traces_content and not settings.traces, "PALIMPSEST_TRACES"),
    )
    return ((name, instead) for name, idle, instead in given if idle)
