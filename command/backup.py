"""Implements ``palimpsest backup``: writes all data of all users, or of one user, to a file."""

from __future__ import annotations

import argparse
import asyncio
import json
import shutil
from pathlib import Path

from command.client import Reply, called, takes_person
from command.words import word
from core.errors import fail
from core.settings import Settings
from core.words import Language

FOLDER = "backups"
"""Folder for backups, inside the data directory."""
MEGABYTE = 1024 * 1024


def define(parser: argparse.ArgumentParser, language: Language) -> None:
    parser.add_argument("file", nargs="?", type=Path, help=word("backup.file", language))
    parser.add_argument("--list", action="store_true", help=word("backup.list", language))
    takes_person(parser, language)


def run(given: argparse.Namespace, settings: Settings, language: Language) -> int:
    """Backs up the data of all users, unless ``--user`` names one."""
    if given.file and given.file.exists() and not given.file.is_dir():
        raise fail("validation", "command.backup.there", path=given.file)
    reply = asyncio.run(
        called(settings, given, language, "list_backups") if given.list else _made(given, settings, language)
    )
    if given.json:
        print(json.dumps(reply, ensure_ascii=False))
    elif given.list:
        print("\n".join(_line(each, language) for each in reply["backups"]) or word("backup.none", language))
    else:
        print(word("backup.made", language, path=reply["path"], megabytes=_megabytes(reply["backup"])))
    return 0


async def _made(given: argparse.Namespace, settings: Settings, language: Language) -> Reply:
    reply = await called(settings, given, language, "backup", everyone=not given.user)
    path = settings.folder / FOLDER / reply["backup"]["name"]
    if given.file:
        target = given.file / path.name if given.file.is_dir() else given.file
        try:
            path = Path(await asyncio.to_thread(shutil.move, path, target))
        except OSError as error:
            raise fail("server", "command.backup.not_moved", path=path, target=target, detail=str(error)) from error
    return {**reply, "path": str(path.absolute())}


def _line(backup: Reply, language: Language) -> str:
    whose = backup["of"] or word("backup.everyone", language)
    return f"{backup['name']}  {_megabytes(backup)} MB  {whose}"


def _megabytes(backup: Reply) -> str:
    return f"{backup['bytes'] / MEGABYTE:,.1f}"
