"""Runs ``palimpsest <subcommand>``: arguments → an exit code; errors are printed on standard error.

Exit codes: 0 is success; 1 means refused or failed; 2 an invalid command or settings; 3 a run that waits for the user's
reply.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn, Protocol, cast

from pydantic import ValidationError

from command.log import log_to_file, note
from command.words import word
from core.errors import explain
from core.settings import Settings, language_of_environment
from core.words import Language

DONE, FAILED, UNUSABLE, WAITING, INTERRUPTED = 0, 1, 2, 3, 130
COMMANDS = (
    "serve",
    "worker",
    "ask",
    "answer",
    "add",
    "search",
    "datagov",
    "mcp",
    "backup",
    "restore",
    "reindex",
    "check",
    "rebuild",
    "migrate",
    "users",
    "doctor",
)
"""The subcommands, each a module in this folder, in the order of the help."""
SERVING = ("serve", "worker", "mcp")
"""Subcommands that configure the log themselves. The others are interactive, so they log to a file."""


class Subcommand(Protocol):
    """The functions that each subcommand's module must have; the module is named like the subcommand."""

    def define(self, parser: argparse.ArgumentParser, language: Language) -> None:
        """Add the subcommand's arguments to its parser."""

    def run(self, given: argparse.Namespace, settings: Settings, language: Language) -> int:
        """Run the subcommand and return its exit code. Raises errors for which ``core.errors.explain`` has texts."""


class Parser(argparse.ArgumentParser):
    """A parser with error messages in the user's language."""

    language: Language = "en"

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        print(word("not_understood", self.language, why=message), file=sys.stderr)
        sys.exit(UNUSABLE)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns an exit code."""
    language = language_of_environment()
    given = _parser(language).parse_args(arguments)
    try:
        settings = Settings()
    except ValidationError as error:
        for each in error.errors():
            print(word("settings_refused", language, why=each["msg"]), file=sys.stderr)
        return UNUSABLE
    if given.command not in SERVING:
        log_to_file(settings)
    try:
        return _module(given.command).run(given, settings, language)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        return FAILED
    except Exception as error:
        return _told(error, language, as_json=getattr(given, "json", False))


def _parser(language: Language) -> argparse.ArgumentParser:
    parser = Parser(prog="palimpsest", description=word("about", language))
    parser.language = language
    commands = parser.add_subparsers(dest="command", required=True, metavar="command", parser_class=Parser)
    for name in COMMANDS:
        about = word(f"{name}.about", language)
        subcommand = commands.add_parser(name, help=about, description=about)
        subcommand.language = language
        _module(name).define(subcommand, language)
    return parser


def _module(name: str) -> Subcommand:
    return cast(Subcommand, import_module(f"command.{name}"))


def _told(error: Exception, language: Language, *, as_json: bool) -> int:
    """Print what happened, why and what to do. The original error is written only to the log."""
    note(error)
    problem = explain(error)
    print(*problem.to(language), file=sys.stderr)
    if as_json:
        print(json.dumps({"problem": problem.told(language)}, ensure_ascii=False))
    return FAILED
