"""Prepares RTF for its converter: decodes letters, moves notes to the end, marks superscript and hidden text."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from core.library.extract.printed import Place, Printed

# Windows code pages for RTF's font character set numbers.
_CODE_PAGES = {
    128: 932, 129: 949, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258, 177: 1255, 178: 1256, 186: 1257,
    204: 1251, 222: 874, 238: 1250,
}  # fmt: skip
_TWO_BYTES = ("cp932", "cp936", "cp949", "cp950")
_FONT = re.compile(r"\\f(\d{1,5})(?![\d])[^;{}]{0,200}?\\fcharset(\d{1,3})")
_TOKEN = re.compile(
    r"\\[\\{}]|[{}]|\\f(?P<font>\d{1,5}) ?(?!\d)|(?:\\'[0-9a-fA-F]{2})+"
    r"|\\(?P<word>plain|super|sub|nosupersub|up|dn|v|deleted|chftn|footnote)(?P<number>\d{1,4})?(?![a-zA-Z\d]) ?"
)
_SIGNS = {Place.RAISED: "\ue010", Place.LOWERED: "\ue011", Place.PLAIN: "\ue012"}
_PLACES = {sign: place for place, sign in _SIGNS.items()}
_HIDDEN, _SHOWN = "\ue013", "\ue014"
_SIGN = re.compile("([\ue010-\ue014])")


@dataclass(frozen=True)
class _State:
    """The state inside a group. ``start`` is the index of its first part; ``is_note``: it is a note; ``in_note``: it is
    inside one."""

    encoding: str
    place: Place = Place.PLAIN
    hidden: bool = False
    start: int = 0
    is_note: bool = False
    in_note: bool = False


class _Pass:
    """One pass over the source of a document."""

    def __init__(self, source: str, encoding: str) -> None:
        self._source = source
        self._encoding = encoding
        self._code_pages = {
            number: f"cp{_CODE_PAGES[int(kind)]}" for number, kind in _FONT.findall(source) if int(kind) in _CODE_PAGES
        }
        self._state = _State(encoding)
        self._groups: list[_State] = []
        self._parts: list[str] = []
        self._notes: list[str] = []
        self._numbered = 0

    def run(self) -> str:
        position = 0
        for found in _TOKEN.finditer(self._source):
            self._parts.append(self._source[position : found.start()])
            position = found.end()
            self._token(found)
        rest = self._source[position:]
        if not self._notes:
            return "".join([*self._parts, rest])
        # Before the last brace, which ends the document.
        last = next((at for at in range(len(self._parts) - 1, -1, -1) if self._parts[at] == "}"), len(self._parts))
        self._parts[last:last] = self._notes
        return "".join([*self._parts, rest])

    def _token(self, found: re.Match[str]) -> None:
        token, word = found.group(), found["word"]
        if token == "{":
            self._groups.append(self._state)
            self._state = replace(self._state, start=len(self._parts), is_note=False)
        elif token == "}":
            self._close_group()
            return
        elif token.startswith("\\'"):
            encoding = self._state.encoding
            token = token if encoding in _TWO_BYTES else _as_unicode(token, encoding)
        elif found["font"]:
            self._state = replace(self._state, encoding=self._code_pages.get(found["font"], self._encoding))
        elif word:
            # The converter ignores notes, so a note is moved to the end as a normal group of text.
            self._parts.append(token if word != "footnote" else "")
            self._word(word, found["number"])
            return
        self._parts.append(token)

    def _close_group(self) -> None:
        self._parts.append("}")
        before, self._state = self._state, self._groups.pop() if self._groups else _State(self._encoding)
        if before.is_note:
            label = f"[{self._numbered}] " if self._numbered else ""
            self._notes += [f"\\par {label}", *self._parts[before.start :], "\\par "]
            del self._parts[before.start :]
        self._sign(before)

    def _word(self, word: str, number: str | None) -> None:
        before = self._state
        if word == "footnote":
            self._state = replace(before, is_note=True, in_note=True)
        elif word == "chftn":
            if not before.in_note:
                self._numbered += 1
                self._parts.append(f" {self._numbered}")
        elif word == "plain":
            self._state = replace(before, encoding=self._encoding, place=Place.PLAIN, hidden=False)
        elif word in ("v", "deleted"):
            self._state = replace(before, hidden=number != "0")
        else:
            self._state = replace(before, place=_place(word, number))
        self._sign(before)

    def _sign(self, before: _State) -> None:
        signs = _SIGNS[self._state.place] if self._state.place != before.place else ""
        if self._state.hidden != before.hidden:
            signs += _HIDDEN if self._state.hidden else _SHOWN
        if signs:
            self._parts.append(_escaped(signs))


def prepared(source: str, encoding: str) -> str:
    """``source`` changed so that the converter reads it correctly.

    Letters above ASCII are decoded with the character set of their font. The converter confuses fonts that name no set,
    and trusts fonts that name the Western one more than the document.
    """
    return _Pass(source, encoding).run()


def shown_text(text: str, with_hidden: bool) -> tuple[str, int]:
    """Returns (the converter's output with the markers applied; the number of hidden pieces that were left out)."""
    line = Printed()
    place, hidden, left_out = Place.PLAIN, False, 0
    for piece in _SIGN.split(text):
        if piece in _PLACES:
            place = _PLACES[piece]
        elif piece in (_HIDDEN, _SHOWN):
            hidden = piece == _HIDDEN
        elif hidden and not with_hidden:
            left_out += bool(piece.strip())
            line.add("\n" * piece.count("\n"))
        else:
            line.add(piece, place)
    return line.text(), left_out


def _place(word: str, number: str | None) -> Place:
    if word == "nosupersub" or number == "0":
        return Place.PLAIN
    return Place.RAISED if word in ("super", "up") else Place.LOWERED


def _as_unicode(escapes: str, encoding: str) -> str:
    return _escaped(bytes.fromhex(escapes.replace("\\'", "")).decode(encoding, errors="replace"))


def _escaped(text: str) -> str:
    units = text.encode("utf-16-le")
    codes = (int.from_bytes(units[i : i + 2], "little", signed=True) for i in range(0, len(units), 2))
    return "{\\uc1" + "".join(f"\\u{code}?" for code in codes) + "}"
