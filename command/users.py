"""Implements ``palimpsest users``: adds and removes users, and sets their passwords, roles and groups."""

from __future__ import annotations

import argparse
import asyncio
import getpass
import json
import sys
from datetime import UTC, datetime

from command.client import Reply, connected
from command.words import word
from core.errors import fail
from core.settings import Settings
from core.words import Language

ROLES = ("administrator", "person")


def define(parser: argparse.ArgumentParser, language: Language) -> None:
    parser.add_argument("--json", action="store_true", help=word("json", language))
    parser.set_defaults(user="", order="list")
    orders = parser.add_subparsers(dest="order", metavar="order")
    for name in ("list", "add", "password", "role", "group", "remove"):
        about = word(f"users.{name}", language)
        order = orders.add_parser(name, help=about, description=about)
        order.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help=word("json", language))
        if name != "list":
            order.add_argument("name", help=word("users.name", language))
        if name == "add":
            order.add_argument("--administrator", action="store_true", help=word("users.administrator", language))
        if name == "role":
            order.add_argument("role", choices=ROLES, help=word("users.of_role", language))
        if name == "group":
            order.add_argument("group", nargs="?", default="", help=word("users.of_group", language))
        if name == "remove":
            order.add_argument("--yes", action="store_true", help=word("users.certain", language))


def run(given: argparse.Namespace, settings: Settings, language: Language) -> int:
    """Passwords are asked for, or read from standard input; they never appear in a command line."""
    order = given.order or "list"
    if order == "remove" and not given.yes:
        raise fail("validation", "command.users.not_certain", name=given.name)
    password = _typed(language) if order in ("add", "password") else ""
    reply = asyncio.run(_done(order, password, given, settings, language))
    if given.json:
        print(json.dumps(reply, ensure_ascii=False))
    elif order == "list":
        print("\n".join(_line(each, language) for each in reply["people"]) or word("users.nobody", language))
    else:
        print(word(f"users.done.{order}", language, name=given.name))
    return 0


async def _done(order: str, password: str, given: argparse.Namespace, settings: Settings, language: Language) -> Reply:
    async with connected(settings, given, language) as client:
        match order:
            case "add":
                role = ROLES[0] if given.administrator else ROLES[1]
                return await client.call("add_person", person=given.name, password=password, role=role)
            case "password":
                return await client.call("reset_password", person=given.name, password=password)
            case "role":
                return await client.call("change_role", person=given.name, role=given.role)
            case "group":
                return await client.call("change_group", person=given.name, group=given.group)
            case "remove":
                return await client.call("remove_person", person=given.name)
        return await client.call("list_people")


def _typed(language: Language) -> str:
    """A password that was typed twice identically; from a pipe its first line."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    first = getpass.getpass(word("users.new_password", language))
    if first != getpass.getpass(word("users.once_more", language)):
        raise fail("validation", "command.users.not_alike")
    return first


def _line(person: Reply, language: Language) -> str:
    seen = person["last_sign_in_at"]
    when = datetime.fromtimestamp(seen, UTC).strftime("%Y-%m-%d %H:%M UTC") if seen else word("users.never", language)
    role = word(f"users.roles.{person['role']}", language)
    group = f"  {person['group']}" if person["group"] else ""
    return f"{person['name']}  {role}{group}  {when}"
