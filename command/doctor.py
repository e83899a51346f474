"""Implements ``palimpsest doctor``: reports problems of this installation and their remedies, even if the workbench
does not start."""

from __future__ import annotations

import argparse
import asyncio
import json

from command.client import Reply, called, takes_person
from command.log import note
from command.reaching import answers
from command.words import word
from core.errors import PalimpsestError
from core.settings import Settings
from core.store.data_directory import find_holder
from core.words import Language

MARKS = {"green": "ok", "amber": "!", "red": "!!"}


def define(parser: argparse.ArgumentParser, language: Language) -> None:
    takes_person(parser, language)


def run(given: argparse.Namespace, settings: Settings, language: Language) -> int:
    """Returns 1 if a problem keeps the workbench from working."""
    found = asyncio.run(_found(given, settings, language))
    if given.json:
        print(json.dumps({"findings": found}, ensure_ascii=False))
    else:
        for each in found:
            print(_told(each, language))
    return 1 if any(each["state"] == "red" for each in found) else 0


async def _found(given: argparse.Namespace, settings: Settings, language: Language) -> list[Reply]:
    """Checks machine and configured addresses first; if they explain a failure, the workbench is not started."""
    from core.operations.doctor.addresses import examine_addresses
    from core.operations.doctor.findings import wrong
    from core.operations.doctor.machine import examine_machine
    from pages.handlers.operations import finding_row

    holder = find_holder(settings.folder)
    serving = holder is not None and await answers(holder)
    found = [*await asyncio.to_thread(examine_machine, settings, serving=serving)]
    if not serving:
        found += await examine_addresses(settings)
    still = [finding_row(each, language) for each in found]
    if not serving and any(each["state"] == "red" and each["check"] != "port" for each in still):
        return still
    try:
        living: list[Reply] = (await called(settings, given, language, "doctor"))["findings"]
    except PalimpsestError as error:
        note(error)
        return [*still, finding_row(wrong("start", "start_failed", why=error.problem.what), language)]
    return [*living, *(each for each in still if each["check"] == "port")]


def _told(finding: Reply, language: Language) -> str:
    line = f"[{MARKS[finding['state']]:2}] {finding['name']}: {finding['what']}"
    if not finding["warning"]:
        return line
    where = word("doctor.more", language, warning=finding["warning"])
    return f"{line}\n     {finding['why']}\n     {finding['remedy']}\n     {where}"
