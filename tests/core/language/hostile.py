"""Tools for tests against slow patterns: texts made to slow a parser down, every compiled pattern in the code, and a
limit on processor time."""

from __future__ import annotations

import ast
import functools
import gc
import importlib
import inspect
import pkgutil
import re
import signal
import time
import types
import typing
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from re import _constants as kinds  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]

from core.parsed_yaml import parse_yaml

ROOT = Path(__file__).parents[3]
ROOMS = ("core", "viz", "pages", "command")
LENGTH = 20_000
LEAST_SECONDS = 0.01
"""Minimum number of seconds between two checks of a thread's processor time."""
MOST_SECONDS = 0.2
"""Maximum processor seconds for one text on a machine that does nothing else."""
BUSY = 4.0
"""A busy machine may take this many times the limit, if the time is proportional to the length of the text."""
LINEAR = 3.0
"""When a text's length doubles, its time may grow at most by this factor; a factor of four means quadratic time."""
MANY = 40
"""Patterns with a repeat that allows at least this many repetitions are run over texts made for them."""
_TRIES = {"search", "finditer", "findall", "sub", "subn", "split"}
_METHODS = _TRIES | {"match", "fullmatch"}
_ANY = frozenset({"search", "fullmatch"})
_SAMPLES = "x1A \u05d0.,-(\n\"'|#:;*_/[\t&?$%\u05b0"

UNITS = (
    *(" ", "\u00a0", "\u2028", "\n", "1", "a", "A", "\u05d0", '"', "\U0001f600", "(", ",", ".", "-", "\u05d0\u05b8"),
    *("e\u0301", "A ", "a ", "Aa ", "1 ", "\u05d0 ", "1,", "1.1.1.1 ", "$1, ", "a@a. ", "(a ", "[1]", "@name ", "5% "),
    *("1/2/2024 ", "2024-01-02 ", "Q1 2024 ", "compare 2023 and 2024 ", "https://a.b/c?d ", "a\n", "1. a\n", "- a\n"),
    *("what is ", "of the ", "and ", "in 2023 ", "million ", "January ", "who is the CEO of Acme Corp? "),
)


def repeated(unit: str, length: int = LENGTH) -> str:
    return (unit * (length // len(unit) + 1))[:length]


class TooLongError(Exception):
    pass


@contextmanager
def processor_limit(seconds: float = MOST_SECONDS) -> Iterator[None]:
    """Raises ``TooLongError`` when this thread uses more than ``seconds`` of processor time; other threads do not
    count."""
    ends = time.thread_time() + seconds

    def stop(*_: object) -> None:
        left = ends - time.thread_time()  # The timer counts the threads of the whole process.
        if left <= 0:
            raise TooLongError
        signal.setitimer(signal.ITIMER_PROF, max(left, LEAST_SECONDS))

    # A garbage collection over the objects of a long test run takes longer than any pattern may.
    collects = gc.isenabled()
    gc.disable()
    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
        if collects:
            gc.enable()
    if time.thread_time() > ends:
        raise TooLongError


def is_quick(read: Callable[[str], object], text: str) -> bool:
    """Returns whether ``read`` processes the text within the limit at the first or second attempt.

    On a busy machine, measured times are longer. So ``read`` may exceed the limit if its time is proportional to the
    text's length.
    """
    for _ in range(2):
        with suppress(TooLongError), processor_limit():
            read(text)
            return True
    with suppress(TooLongError), processor_limit(2 * BUSY * MOST_SECONDS):
        half, whole = _seconds(read, text[: len(text) // 2]), _seconds(read, text)
        return whole < min(BUSY * MOST_SECONDS, LINEAR * half)
    return False


def _seconds(read: Callable[[str], object], text: str) -> float:
    begins = time.thread_time()
    read(text)
    return time.thread_time() - begins


# -- texts made for a pattern ---------------------------------------------------------------


def texts_for(pattern: re.Pattern[str]) -> Iterator[str]:
    """Yields long texts: repetitions of what each repeat (such as ``*``) in ``pattern`` matches, and of the text that
    precedes the repeat."""
    units: dict[str, None] = {}
    _collect(parser.parse(pattern.pattern, pattern.flags), "", units)
    for unit in units:
        if unit:
            yield repeated(unit)
            if len(unit) == 1:
                yield repeated(unit * 199 + ("!" if unit.isalnum() else "x"))


def _collect(tree: typing.Any, lead: str, units: dict[str, None]) -> str:
    """Collects what the repeats in ``tree`` match, each after the text ``lead``; returns an example that the tree
    matches."""
    read = ""
    for kind, value in tree:
        if kind in (kinds.MAX_REPEAT, kinds.MIN_REPEAT, kinds.POSSESSIVE_REPEAT):
            least, most, inner = value
            example = _collect(inner, lead + read, units)
            if most >= MANY:
                units.setdefault(example)
                units.setdefault(f"{(lead + read)[-60:]}{example}")
                units.setdefault((lead + read)[-60:])
            read += example * max(1, min(least, 12))
        elif kind is kinds.BRANCH:
            examples = [_collect(each, lead + read, units) for each in value[1]]
            read += min(filter(None, examples), key=len, default="")
        elif kind is kinds.SUBPATTERN:
            read += _collect(value[3], lead + read, units)
        elif kind is kinds.ATOMIC_GROUP:
            read += _collect(value, lead + read, units)
        elif kind in (kinds.ASSERT, kinds.ASSERT_NOT):
            _collect(value[1], lead + read, units)
        else:
            read += _character(kind, value)
    return read


def _character(kind: typing.Any, value: typing.Any) -> str:
    if kind is kinds.LITERAL:
        return chr(value)
    if kind is kinds.ANY:
        return "x"
    if kind is kinds.NOT_LITERAL:
        return "x" if value != ord("x") else "1"
    if kind is kinds.IN:
        return _of_class(value)
    return ""


def _of_class(items: typing.Any) -> str:
    tree = parser.SubPattern(parser.State(), [(kinds.IN, items)])
    found = re._compiler.compile(tree)  # type: ignore[attr-defined]
    known = [each for each in _SAMPLES if found.match(each)]
    first = [chr(value if kind is kinds.LITERAL else value[0]) for kind, value in items
             if kind in (kinds.LITERAL, kinds.RANGE)]  # fmt: skip
    return (known or first or [""])[0]


# -- every pattern --------------------------------------------------------------------------


@dataclass(frozen=True)
class FoundPattern:
    """A pattern in the code; ``methods`` are the methods of ``re`` that the code calls with it."""

    place: str
    pattern: re.Pattern[str]
    methods: frozenset[str]

    def run(self, text: str) -> None:
        if self.methods & _TRIES:
            for _ in self.pattern.finditer(text):
                pass
        if "fullmatch" in self.methods:
            self.pattern.fullmatch(text)
        if "match" in self.methods:
            self.pattern.match(text)


def run_over_all(found: FoundPattern, most: int | None = None) -> None:
    """Runs the pattern over all texts made for it, or over their first ``most`` characters.

    Raises:
        TooLongError: with the text that takes too long.
    """
    for text in texts_for(found.pattern):
        if not is_quick(found.run, text[:most]):
            raise TooLongError(repr(text[:24]))


@functools.cache
def modules() -> tuple[types.ModuleType, ...]:
    found = []
    for room in ROOMS:
        package = importlib.import_module(room)
        names = [each.name for each in pkgutil.walk_packages(package.__path__, f"{room}.")]
        found += [package, *(importlib.import_module(name) for name in names if not name.endswith("__main__"))]
    return tuple(found)


def every_pattern() -> list[FoundPattern]:
    """Patterns held by modules, classes and caches, patterns written inline, and patterns in vocabulary files."""
    for module in modules():
        _fill_caches(module)
    used, found = _uses(), {}
    for place, pattern in [*_held(), *_written_in_place(), *_of_vocabulary()]:
        name, _, method = place.partition(" ")
        methods = frozenset({method}) if method else used.get(name, _ANY)
        key = (pattern.pattern, pattern.flags)
        known = found.get(key)
        found[key] = FoundPattern(name, pattern, methods | (known.methods if known else frozenset()))
    return list(found.values())


def _fill_caches(module: types.ModuleType) -> None:
    """Calls the functions that compile patterns, or load a file of patterns, at their first use.

    First clears the patterns that other tests in this process compiled from an argument: the product runs these only
    over short questions or single passages, and which ones exist depends on the tests that ran before.
    """
    for held in list(vars(module).values()):
        if not isinstance(held, functools._lru_cache_wrapper):
            continue
        signature = inspect.signature(held)
        returned = str(signature.return_annotation)
        of_file = held.__module__ == "core.language.vocabulary"
        if not signature.parameters and (of_file or "Pattern" in returned or module.__name__.endswith("vocabulary")):
            held()
        elif signature.parameters and "Pattern" in returned:
            hints = list(typing.get_type_hints(held).values())
            names = [wanted for wanted in typing.get_args(hints[0]) if isinstance(wanted, str)]
            if not names or len(signature.parameters) > 1:
                held.cache_clear()
                continue
            for wanted in names:
                held(wanted)


def _held() -> Iterator[tuple[str, re.Pattern[str]]]:
    seen: set[int] = set()
    left = [(f"{module.__name__}.{name}", value) for module in modules() for name, value in vars(module).items()
            if not name.startswith("__")]  # fmt: skip
    while left:
        place, value = left.pop()
        if id(value) in seen or isinstance(value, (str, bytes, int, float, types.ModuleType)):
            continue
        seen.add(id(value))
        if isinstance(value, re.Pattern):
            if isinstance(value.pattern, str):
                yield place, value
        elif isinstance(value, types.FunctionType):
            if _is_ours(value.__module__):
                left += [(place, each) for each in (*(value.__closure__ or ()), *(value.__defaults__ or ()))]
        elif isinstance(value, type):
            if _is_ours(value.__module__):
                left += [(f"{place}.{name}", each) for name, each in list(vars(value).items())]
        elif _is_ours(type(value).__module__) or type(value).__module__ in ("builtins", "functools", "types"):
            left += [(place, each) for each in gc.get_referents(value)]


def _is_ours(module: str | None) -> bool:
    return (module or "").partition(".")[0] in ROOMS


@functools.cache
def _sources() -> dict[str, ast.Module]:
    return {
        ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): ast.parse(text)
        for room in ROOMS
        for file in (ROOT / room).rglob("*.py")
        if "import re\n" in (text := file.read_text("utf-8")) or any(f".{method}(" in text for method in _METHODS)
    }


def _written_in_place() -> Iterator[tuple[str, re.Pattern[str]]]:
    """Patterns that are written in a call: ``re.sub("...", ...)``."""
    for name, tree in _sources().items():
        for call in ast.walk(tree):
            match call:
                case ast.Call(ast.Attribute(ast.Name("re"), method), [ast.Constant(str(source)), *others]):
                    flags = ast.dump(ast.Module([*map(ast.Expr, others)], []))
                    flags += "".join(ast.dump(each.value) for each in call.keywords)
                    ignored = re.IGNORECASE if "IGNORECASE" in flags else 0
                    several = re.MULTILINE if "MULTILINE" in flags else 0
                    if method in _METHODS:
                        yield f"{name}:{call.lineno} {method}", re.compile(source, ignored | several)


def _of_vocabulary() -> Iterator[tuple[str, re.Pattern[str]]]:
    """The patterns by which a tool definition recognises questions for the tool."""
    for signals in _lists(parse_yaml((ROOT / "core/language/vocabulary/tools.yaml").read_text("utf-8")), "patterns"):
        for source in signals:
            yield "vocabulary/tools.yaml search", re.compile(source, re.IGNORECASE)


def _lists(content: object, key: str) -> Iterator[list[str]]:
    if isinstance(content, dict):
        for name, value in content.items():
            if name == key and isinstance(value, list):
                yield [each for each in value if isinstance(each, str)]
            else:
                yield from _lists(value, key)
    elif isinstance(content, list):
        for value in content:
            yield from _lists(value, key)


def _uses() -> dict[str, frozenset[str]]:
    """Returns the methods that are called on each name in all sources. A name that is passed to other code may be used
    with any method."""
    used: dict[str, set[str]] = {}
    for module, tree in _sources().items():
        imported = {
            alias.asname or alias.name: f"{node.module}.{alias.name}"
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        }
        above = {inner: outer for outer in ast.walk(tree) for inner in ast.iter_child_nodes(outer)}
        for node in ast.walk(tree):
            match node:
                case ast.Name(name, ast.Load()):
                    place = imported.get(name, f"{module}.{name}")
                case ast.Attribute(ast.Name(held), name) if imported.get(held) in _sources():
                    place = f"{imported[held]}.{name}"
                case _:
                    continue
            outer = above.get(node)
            called = isinstance(outer, ast.Call) and outer.func is node
            outer = above.get(outer) if called and outer else outer
            method = outer.attr if isinstance(outer, ast.Attribute) else ""
            if method != "pattern":
                used.setdefault(place, set()).update({method} if method in _METHODS else _ANY)
    return {name: frozenset(methods) for name, methods in used.items()}


def functions_of_text(rooms: tuple[str, ...]) -> Iterator[tuple[str, Callable[[str], object]]]:
    """The public functions of the packages ``rooms`` that take a text and nothing else."""
    for module in modules():
        if not any(module.__name__ == room or module.__name__.startswith(f"{room}.") for room in rooms):
            continue
        for name, held in vars(module).items():
            if name.startswith("_") or getattr(held, "__module__", "") != module.__name__ or inspect.isclass(held):
                continue
            if not callable(held) or inspect.iscoroutinefunction(held):
                continue
            needed = [each for each in inspect.signature(held).parameters.values() if each.default is each.empty]
            if [each.annotation for each in needed] == ["str"] and needed[0].name in ("text", "question", "message"):
                yield f"{module.__name__}.{name}", held
