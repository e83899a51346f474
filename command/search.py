"""Implements ``palimpsest search``: search words → the relevant passages of the documents."""

from __future__ import annotations

import argparse
import asyncio
import json

from command.ask import MODES
from command.client import Reply, called, takes_person
from command.words import word
from core.settings import Settings
from core.words import Language


def define(parser: argparse.ArgumentParser, language: Language) -> None:
    parser.add_argument("words", nargs="+", help=word("search.words", language))
    parser.add_argument("--limit", type=int, default=10, metavar="N", help=word("search.limit", language))
    parser.add_argument("--mode", choices=MODES, default="enhanced", help=word("ask.mode", language))
    takes_person(parser, language)


def run(given: argparse.Namespace, settings: Settings, language: Language) -> int:
    """Returns 0 even if no passage was found; a message then says so."""
    words = " ".join(given.words)
    asked = called(settings, given, language, "search", query=words, limit=given.limit, mode=given.mode)
    found = asyncio.run(asked)
    if given.json:
        print(json.dumps(found, ensure_ascii=False))
        return 0
    print("\n\n".join(_passage(each, language) for each in found["passages"]) or word("search.nothing", language))
    for notice in found["notices"]:
        print(f"\n{notice}")
    return 0


def _passage(found: Reply, language: Language) -> str:
    page = f", {word('search.page', language)} {found['page']}" if found["page"] else ""
    section = f" · {found['section']}" if found["section"] else ""
    return f"{found['title']}{page}{section}  [{found['item_id']}]\n{found['text'].strip()}"
