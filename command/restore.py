"""Implements ``palimpsest restore``: restores a backup; with ``--dry-run`` shows what would change."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import time
from pathlib import Path

from command.backup import FOLDER
from command.client import Client, Reply, connected, takes_person
from command.words import word
from core.errors import fail
from core.operations.backup_folder import new_name
from core.settings import Settings
from core.words import Language


def define(parser: argparse.ArgumentParser, language: Language) -> None:
    parser.add_argument("backup", help=word("restore.backup", language))
    parser.add_argument("--dry-run", action="store_true", help=word("restore.dry_run", language))
    parser.add_argument("--into", default="", metavar="NAME", help=word("restore.into", language))
    takes_person(parser, language)


def run(given: argparse.Namespace, settings: Settings, language: Language) -> int:
    """Restores nothing if the backup is damaged or belongs to another user."""
    reply = asyncio.run(_restored(given, settings, language))
    if given.json:
        print(json.dumps(reply, ensure_ascii=False))
        return 0
    for kind, counts in reply["summary"]["kinds"].items():
        if counts["total"]:
            print(f"{kind:24} +{counts['added']:,}  ~{counts['replaced']:,}  ={counts['skipped']:,}")
    print(reply["told"])
    print(word("restore.would", language) if given.dry_run else word("restore.done", language))
    return 0


async def _restored(given: argparse.Namespace, settings: Settings, language: Language) -> Reply:
    name, brought = await asyncio.to_thread(_brought_in, given, settings)
    try:
        async with connected(settings, given, language, mending=not given.dry_run) as client:
            return await _asked(client, name, given)
    finally:
        if brought:
            await asyncio.to_thread(brought.unlink, True)


async def _asked(client: Client, name: str, given: argparse.Namespace) -> Reply:
    """Each user's records are restored for the same user, unless ``--into`` names another user."""
    endpoint = "restore_preview" if given.dry_run else "restore"
    return await client.call(
        endpoint, backup=name, person=given.into or None, everyone=not given.into and not given.user
    )


def _brought_in(given: argparse.Namespace, settings: Settings) -> tuple[str, Path | None]:
    """The backup's name in the data directory. A file from elsewhere is copied there during the restore."""
    source = Path(given.backup)
    if source.name == given.backup and (settings.folder / FOLDER / source).is_file():
        return given.backup, None
    if not source.is_file():
        raise fail("not_found", "command.no_file", path=source)
    folder = settings.folder / FOLDER
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        place = folder / new_name("received", given.user or None, time.time())
        try:
            os.link(source, place)
        except OSError:
            shutil.copyfile(source, place)
            place.chmod(0o600)
    except OSError as error:
        raise fail("server", "command.restore.not_brought", path=source, folder=folder, detail=str(error)) from error
    return place.name, place
