"""Tests that bytes with no declared encoding are decoded by how likely their words are."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from core.library.extract import extract
from core.library.extract.encodings import encoding_of_file
from core.library.extract.text import decode, decoded
from core.library.extracted import Extracted
from core.settings import Settings

Read = Callable[[str, bytes | str], Extracted]


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("cp932", "code,name\nK1,特殊品\nK2,bolt"),
        ("cp932", "品名,数量\nボルト,10"),
        ("euc_jp", "品名,数量\nボルト,10"),
        ("iso2022_jp", "東京は雨です"),
        ("gb18030", "name,city\nLi,上海"),
        ("cp950", "產品,數量\n螺栓,10"),
        ("cp949", "name,city\nKim,부산"),
        ("cp1250", "name,city\nJan Kowalski,Wrocław"),
        ("cp1250", "Smlouva nabývá účinnosti dnem podpisu."),
        ("cp1250", "Budapest, Győr"),
        ("cp1250", "Šibenik, Čakovec, Đakovo"),
        ("iso8859_2", "Wszyscy ludzie rodzą się wolni i równi."),
        ("cp1251", "name,city\nIvan,Москва"),
        ("koi8_r", "Привет, мир"),
        ("cp866", "Счет за январь"),
        ("cp1253", "name,city\nNikos,Θεσσαλονίκη"),
        ("cp1254", "İstanbul, Şişli"),
        ("cp1255", "name,city\nDana,חיפה"),
        ("cp1256", "name,city\nAli,القاهرة"),
        ("cp1252", "Name,City\nA,Zürich\nB,Málaga\nC,Besançon\nD,Malmö"),
        ("cp1252", "The company’s “Plan” isn’t – it costs £5 or 5€ at 25°C…"),
        ("cp850", "Der Schlüssel für die Tür wurde geändert."),
        ("utf-16-le", "שלום עולם, מה נשמע"),
    ],
)
def test_a_short_text_is_read_in_its_own_encoding(encoding: str, text: str) -> None:
    assert decode(text.encode(encoding)) == text


def test_a_broken_character_leaves_a_text_utf8() -> None:
    data = "Größe und Höhe für Müller, Köln, Zürich".encode()
    assert decode(data.replace("ü".encode(), b"\xfc", 1)).startswith("Größe und Höhe f")
    assert "Köln, Zürich" in decode(data.replace("ü".encode(), b"\xfc", 1))


def test_a_wrong_declaration_is_not_believed() -> None:
    text = "Smlouva nabývá účinnosti dnem podpisu. Řízení se řídí českým právem, pokud zákon neurčí jinak."
    assert decode(text.encode("cp1250"), "iso-8859-1") == text
    assert decode("où ça".encode("cp1252"), "windows-1252") == "où ça"


def test_a_chosen_encoding_overrides_what_is_found(write: Callable[[str, bytes], Path], settings: Settings) -> None:
    path = write("a.txt", "Jan Kowalski, Łódź".encode("cp1250"))
    reading = settings.reading.model_copy(update={"encoding": "cp1252"})
    chosen = extract(path, "a.txt", settings.model_copy(update={"reading": reading}))
    assert (chosen.text, chosen.notes) == ("Jan Kowalski, £ódŸ", [])


def test_a_guess_is_told_and_a_sure_choice_is_not(read: Read) -> None:
    guessed = read("a.txt", "Plzeň".encode("cp1250"))
    assert "Windows-1250" in guessed.notes[0][0]
    assert "Windows-1250" in guessed.notes[0][1]
    sure = read("a.txt", "Smlouva nabývá účinnosti dnem podpisu. Kupující zaplatí zálohu.".encode("cp1250"))
    assert sure.notes == []
    assert read("a.txt", "Plzeň").notes == []


def test_letters_at_the_end_of_a_long_file_tell_its_encoding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.library.extract.encodings._PIECE", 1_000)
    path = tmp_path / "a.csv"
    path.write_bytes(b"K001,Item,3\n" * 2_000 + "K120,特殊品,360,至急\n".encode("cp932"))
    assert encoding_of_file(path).name == "cp932"
    path.write_bytes(("K001,Größe,3\n" * 2_000).encode() + b"\xfc\n")
    assert encoding_of_file(path).name == "utf-8"


def test_bytes_of_no_text_end_soon() -> None:
    text, encoding = decoded(bytes(range(128, 256)) * 20_000)
    assert text
    assert not encoding.is_sure
