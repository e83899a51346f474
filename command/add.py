"""Implements ``palimpsest add``: adds files to the library and waits until they are read."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from itertools import chain
from pathlib import Path

from command.client import Client, Reply, connected, takes_person
from command.progress import show_progress
from command.words import word
from core.errors import PalimpsestError, fail
from core.settings import Settings
from core.words import Language

STEP = 0.25
"""Seconds between two checks of a document that is being read."""
UNREAD = ("failed", "cancelled")
BEING_READ = ("pending", "processing")


def define(parser: argparse.ArgumentParser, language: Language) -> None:
    parser.add_argument("files", nargs="+", type=Path, metavar="file", help=word("add.files", language))
    same = parser.add_mutually_exclusive_group()
    same.add_argument("--replace", action="store_true", help=word("add.replace", language))
    same.add_argument("--keep-both", action="store_true", help=word("add.keep_both", language))
    parser.add_argument("--no-wait", action="store_true", help=word("add.no_wait", language))
    takes_person(parser, language)


def run(given: argparse.Namespace, settings: Settings, language: Language) -> int:
    """Returns 1 if a file was refused or could not be read; the other files are still added."""
    return asyncio.run(_added(given, settings, language))


async def _added(given: argparse.Namespace, settings: Settings, language: Language) -> int:
    choice = "replace" if given.replace else "keep_both" if given.keep_both else "ask"
    ended: list[Reply] = []
    async with connected(settings, given, language) as client:
        submitted = [await _submitted(client, path, choice, language) for path in given.files]
        for each in chain.from_iterable(submitted):
            if each["status"] == "accepted" and not given.no_wait:
                each["document"] = await _read(client, each["document"])
            ended.append(each)
            if not given.json:
                print(_told(each, language))
    if given.json:
        print(json.dumps({"documents": ended}, ensure_ascii=False))
    return 1 if any(_is_lost(each) for each in ended) else 0


async def _submitted(client: Client, path: Path, choice: str, language: Language) -> list[Reply]:
    """Results for the file, or for each file in an archive; a refused one does not stop the others."""
    try:
        if not await asyncio.to_thread(path.is_file):
            raise fail("not_found", "command.no_file", path=path)
        sent = await client.upload(path)
        reply = await client.call("upload_document", file={"path": sent}, name=path.name, choice=choice)
        return _of_archive(reply) if reply["status"] == "unpacked" else [reply]
    except PalimpsestError as error:
        return [_refused(path.name, error.problem.told(language))]


def _of_archive(reply: Reply) -> list[Reply]:
    """The reply for an archive as separate replies for its files."""
    added = [{"status": "accepted", "document": each} for each in reply["documents"]]
    known = [{"status": "duplicate", "document": each} for each in reply["known"]]
    return [*added, *known, *(_refused(each["name"], each["problem"]) for each in reply["left_out"])]


def _refused(name: str, problem: Reply) -> Reply:
    print(problem["what"], problem["why"], problem["remedy"], file=sys.stderr)
    return {"status": "refused", "document": None, "name": name, "problem": problem}


async def _read(client: Client, document: Reply) -> Reply:
    """The document after it was read, successfully or not."""
    while document["state"] in BEING_READ:
        show_progress(_standing(document))
        await asyncio.sleep(STEP)
        document = (await client.call("get_document", document_id=document["id"]))["document"]
    show_progress()
    return document


def _standing(document: Reply) -> str:
    standing = document["standing"] or {}
    counted = f" {standing['done']}/{standing['total']}" if standing.get("total") else ""
    return f"{document['filename']}{counted}"


def _told(ended: Reply, language: Language) -> str:
    document = ended["document"]
    if document is None:
        return word("add.refused", language, name=ended["name"])
    state = document["state"] if ended["status"] == "accepted" else ended["status"]
    line = word(f"add.{state}", language, title=document["title"], count=document["chunks"])
    problem = document.get("problem")
    return f"{line} {problem['what']} {problem['why']} {problem['remedy']}" if problem else line


def _is_lost(ended: Reply) -> bool:
    """Whether the file is missing from the library afterwards; a duplicate of a document there is not missing."""
    document = ended["document"]
    return document is None or ended["status"] == "namesake" or document["state"] in UNREAD
