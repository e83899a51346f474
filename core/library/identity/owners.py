"""Finds organisations from indirect signs: the copyright notice, the web address, or the file name.

A second sign must confirm a name: the text's words confirm a domain or filename; a legal form, a word such as
"University" or the domain confirms a copyright holder. So a typesetter or the owner of a picture is not mistaken for
the author.
"""

from __future__ import annotations

import re
from collections import Counter

from core.language.entities.calendar_words import YEAR
from core.language.normalisation import fold
from core.language.terms import is_stop_word
from core.language.vocabulary import words_of
from core.library.identity.acronyms import explained, spelled_out
from core.library.identity.aliases import full_name, has_suffix
from core.library.identity.cover import Cover
from core.library.identity.institutions import NOT_A_NAME, institution, is_name, is_of_forms

_COPYRIGHT = re.compile(
    rf"(?:©|\(c\)|copyright)(?:\s|©|\(c\)|c\s|copyright|,){{0,8}}(?:{YEAR}[\s,–-]{{0,3}}){{0,3}}(?:by\s)?(?P<name>[A-Z][^\n|©;:()]{{2,100}})",
    re.IGNORECASE,
)
_NAME_ENDS = re.compile(
    r"\.\s|\.$|,?\s(?:all rights|and its|or its|registered|printed|is a|reserved)\b|\s[-–]\s", re.IGNORECASE
)
_DOMAIN = re.compile(
    r"(?<![\w.-])(?:[\w.+}-]{1,64}@|(?:https?://)?www\.|https?://)(?P<host>[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,4})",
    re.IGNORECASE,
)
_SECOND = frozenset(("co", "com", "go", "gov", "ac", "org", "net", "edu", "gob", "or", "ne"))
_HOSTS = frozenset(words_of("library/identity.organisations.hosts"))
_ACRONYM = re.compile(r"(?<![A-Za-z])[A-Z]{3,6}(?![A-Za-z])")
_PIECES = re.compile(r"[,;|]\s*|\s{2,}|(?<=\w)\d(?:,\d)*\s|\s(?:and|&)\s(?=[A-Z])")
_UNPARTED_COMPANY = re.compile(
    r"[\u3400-\u9fff]{2,20}(?:股份有限公司|有限责任公司|有限公司|集团公司)"
    r"|株式会社[\u3040-\u30ff\u3400-\u9fff]{2,20}|[\u3040-\u30ff\u3400-\u9fff]{2,20}株式会社|주식회사\s?[\uac00-\ud7af]{2,20}"
)
_AUTHORS = 20
_TOP = 12
"""Number of lines at the top that are searched for authors and companies."""
_CLOSING = 4_000
"""Characters at the end of a document that may contain a copyright notice."""
_OPENING = 20_000
_LONGEST = 80
_LEAST_SAID = 3
_SHORTEST = 4
_LONGEST_LABEL = 30


def owners(cover: Cover) -> list[str]:
    """ "© 2023 Name": the first owner that is an organisation."""
    for text in (cover.early[:_OPENING], cover.last[-_CLOSING:]):
        for match in _COPYRIGHT.finditer(text):
            name = _NAME_ENDS.split(match["name"], maxsplit=1)[0].strip(" ,.-")
            name = f"{name}." if re.search(r"\b(?:Inc|Ltd|Co|Corp)$", name) else name
            if len(name) > _LONGEST or NOT_A_NAME.search(name) or not name[:1].isupper():
                continue
            if has_suffix(name) or institution(name) or _squashed(name) in {_squashed(each) for each in _labels(cover)}:
                return [name]
    return []


def of_domain(cover: Cover) -> list[str]:
    """The name on the cover that is spelled like its most frequent web domain, or has its initials."""
    for label, _ in Counter(_labels(cover)).most_common(2):
        for acronym, name in explained(cover.early).items():
            if acronym.lower() == label:
                return [name]
        if len(label) >= _SHORTEST and (written := _written(label, cover.early)):
            return [full_name(written, cover)]
    return []


def of_filename(cover: Cover, *, certain: bool) -> list[str]:
    """The first word of the filename, in the spelling that the text uses for it as a name.

    ``certain``: the collection names its files by company; otherwise a legal form, a domain or an acronym must confirm
    it.
    """
    token = next(iter(re.findall(r"[^\W_]+", cover.stem)), "")
    if not token.isalpha() or len(token) < 3 or is_of_forms(token) or is_stop_word(fold(token)):
        return []
    if token.isupper() and token in (known := explained(cover.early)):
        return [known[token]]
    written = _written(token.lower(), cover.early)
    if written is None:
        return []
    full = full_name(written, cover)
    confirmed = certain or full != written or token.lower() in _labels(cover)
    return [full] if confirmed and not is_of_forms(full) else []


def of_acronym(cover: Cover) -> list[str]:
    """The institution whose acronym starts the title or is in the file name, as spelled out in the text."""
    heads = " ".join([cover.stem, *(line.text for line in cover.typed[:4]), *(line.text for line in cover.lines[:3])])
    known = explained(cover.early)
    for acronym in dict.fromkeys(_ACRONYM.findall(heads)):
        name = known.get(acronym) or spelled_out(acronym, cover.early[:_OPENING])
        if name and institution(name) and not NOT_A_NAME.search(name):
            return [name]
    return []


def affiliations(cover: Cover) -> list[str]:
    """The institutions below a paper's authors, without footnote marks."""
    found: list[str] = []
    hosts = set(_hosts(cover.text[:_OPENING]))
    lines = [line.text for line in cover.typed[:_AUTHORS]] or [line.text for line in cover.lines[:_AUTHORS]]
    for line in lines:
        if fold(line).startswith("abstract"):
            break
        for piece in _PIECES.split(line):
            name = piece.strip("0123456789*†‡§¶∗.,; ")
            if is_name(name) or _squashed(name) in hosts:
                found.append(name)
    return found


def unparted_companies(cover: Cover) -> list[str]:
    """Companies in scripts without spaces, at the top of the document: "青山股份有限公司"."""
    return [match.group() for line in cover.lines[:_TOP] for match in _UNPARTED_COMPANY.finditer(line.text)][:1]


def _labels(cover: Cover) -> list[str]:
    """The host names of the cover's web addresses, without "www" and country: "pewresearch"."""
    return [label for label in _hosts(cover.text) if label not in _HOSTS]


def _hosts(text: str) -> list[str]:
    found = []
    for match in _DOMAIN.finditer(text):
        parts = match["host"].lower().split(".")[:-1]
        while len(parts) > 1 and parts[-1] in _SECOND:
            parts.pop()
        if parts and len(parts[-1]) <= _LONGEST_LABEL:
            found.append(parts[-1].replace("-", ""))
    return found


def _written(label: str, text: str) -> str | None:
    """The text's spelling of ``label`` as a name with separate words: "Best Buy"; ``None`` if it is a common word, or
    rare."""
    if not label.isalpha() or len(label) > _LONGEST_LABEL:
        return None
    pattern = re.compile(
        r"(?<![\w@./-])" + r"[ &.'’-]{0,2}".join(map(re.escape, label)) + r"(?![\w@]|\.\w)", re.IGNORECASE
    )
    written = Counter(match.group() for match in pattern.finditer(text))
    if any(each.islower() for each in written):
        return None
    names = Counter({each: count for each, count in written.items() if each[:1].isupper()})
    if sum(names.values()) < _LEAST_SAID:
        return None
    return max(names, key=lambda each: (not each.isupper(), names[each]))


def _squashed(name: str) -> str:
    return re.sub(r"[\W_]+", "", fold(name))
