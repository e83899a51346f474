"""Implements ``palimpsest check``: compares the index with the record store, and repairs it with ``--repair``."""

from __future__ import annotations

import argparse
import asyncio
import json

from command.client import Reply, called, takes_person
from command.words import word
from core.settings import Settings
from core.words import Language

KINDS = ("missing", "texts", "payload", "vectors", "orphaned")


def define(parser: argparse.ArgumentParser, language: Language) -> None:
    parser.add_argument("--repair", action="store_true", help=word("check.repair", language))
    takes_person(parser, language)


def run(given: argparse.Namespace, settings: Settings, language: Language) -> int:
    """Returns 1 if index and record store differ and were not repaired."""
    report = asyncio.run(called(settings, given, language, "repair" if given.repair else "check"))
    if given.json:
        print(json.dumps(report, ensure_ascii=False))
    else:
        print(word("check.compared", language, count=report["checked"], points=report["points"]))
        for kind in KINDS:
            if report[kind]:
                print(f"  {word(f'check.{kind}', language)}: {report[kind]:,}")
        if report["quarantined"]:
            print(f"  {word('check.quarantined', language)}: {report['quarantined']:,}")
        print(word(f"check.{_verdict(report, given)}", language, count=report["repaired"]))
    return 1 if report["differences"] and not given.repair else 0


def _verdict(report: Reply, given: argparse.Namespace) -> str:
    if not report["differences"]:
        return "alike"
    return "repaired" if given.repair else "differs"
