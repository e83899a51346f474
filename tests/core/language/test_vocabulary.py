import re
from pathlib import Path

import pytest
from pydantic import ValidationError

from core.language import vocabulary
from core.language.vocabulary import Entry, Pattern, WordSet, file_of, numbers_of, pattern_of, phrase_of, words_of


@pytest.fixture
def _lists(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "room.yaml").write_text(
        "reader:\n  change: {en: '\\bchange\\b', he: שינוי}\n  loss: הפסד\n"
        "  fillers: {en: the of, he: של}\n  scales: {אלף: 1000, million: 1e6}\n",
        "utf-8",
    )
    monkeypatch.setattr(vocabulary, "_FILES", tmp_path)
    vocabulary.read_vocabulary.cache_clear()


@pytest.mark.usefixtures("_lists")
def test_a_pattern_of_several_languages_is_found_in_any_of_them() -> None:
    assert pattern_of("room.reader.change").findall("a Change; שינוי; exchange") == ["Change", "שינוי"]
    assert phrase_of("room.reader.loss") == "הפסד"
    assert re.fullmatch(phrase_of("room.reader.change"), "שינוי")


@pytest.mark.usefixtures("_lists")
def test_words_of_every_language_come_in_the_order_of_the_file() -> None:
    assert words_of("room.reader.fillers") == ("the", "of", "של")
    assert numbers_of("room.reader.scales") == {"אלף": 1000.0, "million": 1e6}


@pytest.mark.usefixtures("_lists")
@pytest.mark.parametrize("key", ["room.reader.nobody", "room.reader", "room.reader.loss.deeper"])
def test_a_key_that_nobody_wrote_is_an_error(key: str) -> None:
    with pytest.raises(KeyError):
        phrase_of(key)


class _Room(Entry):
    asked: WordSet
    named: WordSet
    found: Pattern


def _room(tmp_path: Path, text: str) -> _Room:
    (tmp_path / "declared.yaml").write_text(text, "utf-8")
    return file_of("declared", _Room)()


@pytest.mark.usefixtures("_lists")
def test_a_file_is_read_as_its_reader_declares_it(tmp_path: Path) -> None:
    room = _room(tmp_path, "asked: how much\nnamed: [net income, sales]\nfound: '\\bloss'\n")
    assert room.asked == {"how", "much"}
    assert room.named == {"net income", "sales"}
    assert room.found.search("A Loss")


@pytest.mark.usefixtures("_lists")
def test_what_its_reader_does_not_declare_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ValidationError):
        _room(tmp_path, "asked: how\nnamed: []\nfound: x\nforgotten: y\n")
