"""Tests the message catalogue: complete in every language, no unused key, and no sentence elsewhere."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import get_args

import pytest
import yaml

from core.events import RunKind
from core.messages import about_minutes, message
from core.messages.catalogue import Text, texts
from core.runs.jobs import JobKind
from core.words import LANGUAGES, Words

ROOT = Path(__file__).parents[2]
HEBREW = re.compile("[\u05d0-\u05ea]")
FORMS = {"what", "why", "remedy"}
ASKING = ("message", "fail", "problem_of", "_note")
PREFIXES = {
    "label": "labels.", "spoken": "labels.", "counted": "labels.counted.", "say": "templates.", "beside": "templates.",
    "word": "command.",
}  # fmt: skip
"""Functions that look up a message key in one group, each with its group."""
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
SPELLED = {".py", ".j2", ".js", ".html", ".css", ".yaml", ".json"}
ROOMS = ("command", "core", "viz", "pages")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_key_and_no_other(language: str) -> None:
    assert list(texts(language)) == list(texts("en"))


@pytest.mark.parametrize("path", sorted(ROOT.glob("core/**/*.yaml")), ids=lambda path: path.name)
def test_no_key_stands_twice(path: Path) -> None:
    """If a key were there twice, the later one would be used without a warning."""
    _refuse_twins(yaml.compose(path.read_text(encoding="utf-8"), LOADER))


def _refuse_twins(node: yaml.Node | None) -> None:
    if isinstance(node, yaml.MappingNode):
        keys = [key.value for key, _ in node.value]
        assert not {key for key in keys if keys.count(key) > 1}
    for child in node.value if isinstance(node, yaml.CollectionNode) else ():
        for each in child if isinstance(child, tuple) else (child,):
            _refuse_twins(each)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_fills_in_the_same(language: str) -> None:
    for key, text in texts(language).items():
        assert _holes(text) <= _holes(texts("en")[key]), key


def test_every_key_is_used() -> None:
    whole, patterns = _asked_by_name(), re.compile("|".join(_asked_by_pattern()))
    assert {key for key in texts("en") if _stem(key) not in whole and not patterns.fullmatch(_stem(key))} == set()


def test_every_key_that_is_asked_for_is_written() -> None:
    stems = {_stem(key) for key in texts("en")}
    assert _asked_by_name() - stems == set()
    written = "\n".join(stems)
    assert [each for each in _asked_by_pattern() if not re.search(f"^{each}$", written, re.MULTILINE)] == []


def test_what_is_filled_into_a_key_of_the_page_leaves_its_group_to_be_read() -> None:
    """A key such as ``chat.${name}`` would match every key of a tab, so that unused keys could not be found."""
    assert [each for each in _asked_in_the_browser() if re.fullmatch(r"page\\\.\w+\\\.\[a-z0-9_\]\*", each)] == []


def test_no_sentence_is_written_as_a_pair() -> None:
    """A pair of texts in both languages in the code is a message that should be in the catalogue."""
    pairs = [
        f"{path}:{node.lineno}"
        for path in _modules()
        for node in ast.walk(_parsed(path))
        if isinstance(node, ast.Call)
        and _name(node.func) == "Words"
        and any(isinstance(each.value, ast.Constant | ast.JoinedStr) for each in node.keywords)
    ]
    assert pairs == []


def test_hebrew_is_spelled_where_languages_live_and_nowhere_else() -> None:
    homes = {ROOT / "core" / "language", ROOT / "core" / "messages", ROOT / "core" / "tools" / "definitions"}
    files = [path for room in ROOMS for path in (ROOT / room).rglob("*") if path.suffix in SPELLED]
    others = [path for path in files if homes.isdisjoint(path.parents)]
    assert len(others) > 500
    assert [str(path) for path in others if HEBREW.search(path.read_text("utf-8"))] == []


def test_a_number_chooses_the_form() -> None:
    assert message("time.minutes", count=1).to("he") == "נותרה כדקה"
    three = about_minutes(170)
    assert (three.en, three.to("he")) == ("about 3 min left", "נותרו כ־3 דקות")


def test_a_value_in_words_is_read_in_each_language() -> None:
    said = message("search.retrievers.without_words", why=Words(en="Why.", he="למה."))
    assert (said.en, said.to("he")) == ("Only semantic search was used. Why.", "חיפוש לפי משמעות בלבד. למה.")


def test_nobody_wrote_this() -> None:
    with pytest.raises(KeyError):
        message("library.sets.nothing_of_this_name")


def _holes(text: Text) -> set[str]:
    return set(re.findall(r"(?<!\{)\{(\w*)", text if isinstance(text, str) else " ".join(text.values())))


def _stem(key: str) -> str:
    """Returns a key without its last part: the three texts of an error are looked up by one common key."""
    above, _, last = key.rpartition(".")
    return above if last in FORMS and all(f"{above}.{form}" in texts("en") for form in FORMS) else key


def _modules() -> Iterator[Path]:
    for room in ROOMS:
        yield from (ROOT / room).rglob("*.py")


@cache
def _parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def _name(function: ast.expr) -> str:
    return function.id if isinstance(function, ast.Name) else ""


@cache
def _asked() -> frozenset[str]:
    """Returns every key that Python code or a template looks up, as a pattern: a placeholder in a key may be any one
    word."""
    rooms = "|".join({key.partition(".")[0] for key in texts("en")})
    stems = {_stem(key) for key in texts("en")}
    found = {r"steps\.[a-z_]+"}
    for path in _modules():
        for node in ast.walk(_parsed(path)):
            if isinstance(node, ast.Call) and (group := PREFIXES.get(_name(node.func))):
                found |= {group + pattern for each in node.args for pattern in _spelled(each)}
            elif isinstance(node, ast.Call) and _name(node.func) == "message_group":
                found |= {rf"{above}\.\w+" for each in node.args for above in _spelled(each)}
            elif isinstance(node, ast.Call) and _name(node.func) in ASKING:
                found |= {each for part in node.args for each in _spelled(part) if re.match(rf"(?:{rooms})\\\.", each)}
            elif isinstance(node, ast.Constant) and node.value in stems:
                found.add(re.escape(str(node.value)))
    for template in (*(ROOT / "viz").rglob("*.j2"), *(ROOT / "core").rglob("*.j2")):
        for name, key in re.findall(
            r"\b(label|spoken|counted|say|beside)\((?:[\w.]+, )?[\"']([\w.]+)[\"']", template.read_text("utf-8")
        ):
            found.add(PREFIXES[name] + (key + "[a-z0-9_]*" if key.endswith("_") else key))
    return frozenset(found | _asked_in_the_browser())


def _asked_by_name() -> set[str]:
    """Patterns that are exactly one key: these are looked up directly instead of trying thousands of patterns."""
    return {re.sub(r"\\(.)", r"\1", each) for each in _asked() - _asked_by_pattern()}


def _asked_by_pattern() -> set[str]:
    return {each for each in _asked() if "[" in each or r"\w" in each}


def _asked_in_the_browser() -> set[str]:
    """Keys in scripts and markup of the page, without ``page.``: any string that begins with a tab's name."""
    tabs = "|".join({key.split(".")[1] for key in texts("en") if key.startswith("page.")})
    string = re.compile(rf"""["'`]((?:{tabs})\.(?:\w|\${{[^}}]*}})+)["'`]""")
    assets = [path for path in (ROOT / "pages" / "assets").rglob("*") if path.suffix in {".js", ".html"}]
    keys = {key for path in assets for key in string.findall(path.read_text("utf-8"))}
    return {"page\\." + re.sub(r"\\\$\\{.*?\\}", "[a-z0-9_]*", re.escape(key)) for key in keys}


def _spelled(node: ast.expr) -> list[str]:
    """Returns the patterns of all strings that an expression may evaluate to."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [re.escape(node.value)]
    if isinstance(node, ast.JoinedStr):
        return ["".join(re.escape(p.value) if isinstance(p, ast.Constant) else "[a-z0-9_]*" for p in node.values)]
    if isinstance(node, ast.IfExp):
        return [*_spelled(node.body), *_spelled(node.orelse)]
    return []


def test_the_page_has_words_for_each_kind_of_work() -> None:
    for language in LANGUAGES:
        known = texts(language)
        assert {f"page.system.kind_{kind}" for kind in (*get_args(JobKind), *get_args(RunKind))} <= set(known)
