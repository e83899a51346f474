"""Finds the action that a message requests, from its words.

A message is split into clauses: sentences, and parts after "and" or "then" in which a command or a question begins. A
clause can be a command ("summarize the lease"), a question, or neither ("Good morning!"). A command word inside a
question ("does the policy require you to compare offers?") requests nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from rapidfuzz import fuzz

from core.events import Action
from core.graph.records import Format
from core.graph.understanding import wording
from core.graph.understanding.mentions import MARK, without_mentions
from core.language.hebrew import LETTER, TO_FINAL, is_hebrew
from core.language.normalisation import fold, strip_nikud
from core.language.vocabulary import phrases

_phrase = phrases("graph/understanding.rules")

Kind = Literal["order", "question", "vague", "none"]

SHORT = 9
"""Maximum words of a message that can refer to the one before it."""
BARE = 6
"""Maximum words of a message that consists only of a document's name."""
_NAME_WORDS = 8
"""Maximum words of a document's name after a request to check it."""
_HEAD = 300
"""Number of characters at the start of a clause that decide whether it is a command or a question."""
TYPO = 85.0
"""Similarity from which a word counts as a misspelled verb."""

_SENTENCE = re.compile(r"(?<=[.!?;])[\"')]*\s+|\n+")
_JOINED = re.compile(_phrase("joined"))
_SOFTENERS = re.compile(_phrase("softeners"))
_COURTESY = re.compile(_phrase("courtesy"))
_OF = re.compile(_phrase("of"))
_BARE_NAME = re.compile(_phrase("bare_name"))
"""What joins a document's name to the words before it."""
_PRONOUN = re.compile(_phrase("pronoun"))
_NAMED = re.compile(r"\b[A-Z][\w&-]+|\d{4}")
_MISTYPED = ("summarize", "summarise", "compare", "comparison")
_INFLECTED = frozenset(
    (
        *("compared", "compares", "comparing", "comparable", "comparisons", "comparative", "company", "companies"),
        *("summarized", "summarised", "summarizes", "summarises", "summarizing", "summarising", "summaries", "summary"),
    )
)
_LETTERS = re.compile("[a-z]{6,}")
_OPEN_ENDED = re.compile(_phrase("open_ended"))


@dataclass(frozen=True)
class Clause:
    """A clause; ``text`` as written (with mentions marked), its ``kind``, and the ``action`` that it requests."""

    text: str
    kind: Kind
    action: Action | None = None
    alternatives: tuple[Action, ...] = ()


@dataclass(frozen=True)
class Reading:
    """What a message requests; ``wanted``: the actions in order without duplicates, none if nothing was understood.

    ``alternatives``: the most likely actions if the words are unclear.
    """

    wanted: tuple[Action, ...]
    alternatives: tuple[Action, ...] = ()
    certain: bool = True


def read(message: str) -> Reading:
    """Returns what ``message`` requests, without regard to other messages."""
    found: list[Clause] = []
    audits = False
    for text in clauses(message):
        clause = read_clause(text)
        if audits and clause.kind != "order":
            continue  # This is the text to audit; its own words request nothing.
        found.append(clause)
        audits = audits or clause.action == "audit"
    orders = [each for each in found if each.kind == "order"]
    questions = [each for each in found if each.kind == "question"]
    vague = [each for each in found if each.kind == "vague"]
    if orders:
        kinds = ("order",) if "audit" in [each.action for each in orders] else ("order", "question")
        asking = [each for each in found if each.kind in kinds]
        return Reading(tuple(dict.fromkeys(each.action for each in asking if each.action)))
    if questions:
        return Reading(("inquire",))
    if vague:
        return Reading((), vague[0].alternatives, certain=False)
    if is_bare_name(message):
        return Reading((), ("summarize", "inquire"), certain=False)
    return Reading(("inquire",), certain=False)


def asks_several(message: str) -> bool:
    """Returns whether ``message`` has several questions or commands, such as "how many are open, and who is late?"."""
    return sum(read_clause(each).kind != "none" for each in clauses(message)) > 1


def clauses(message: str, begins: Callable[[str], bool] | None = None) -> list[str]:
    """Returns the clauses of ``message``, with mentions marked. ``begins``: whether a text begins with an order of
    another kind, before which a sentence is split too."""
    found: list[str] = []
    for sentence in _SENTENCE.split(without_mentions(message, MARK)):
        if sentence.strip():
            found += _coordinated_orders(sentence.strip(), begins)
    return found


def read_clause(text: str) -> Clause:
    """Returns what one clause requests."""
    folded = _spelled(fold(text))
    is_question = _is_asked(folded)
    if not is_question or wording.lists().polite.search(folded):
        order = _order(text, folded)
        if order:
            return order
    wanted = _requested_action(text, folded)
    if wanted:
        return Clause(text, "order", wanted)
    if vague := _vague(text, folded):
        return vague
    statement = wording.lists().telling.search(folded) or wording.lists().naming.search(folded)
    if is_question or statement or folded.rstrip("\"' )").endswith("?"):
        return Clause(text, "question", "inquire")
    return Clause(text, "none")


def format_of(message: str, action: Action) -> Format:
    """Returns the form of answer that suits the message best, such as a summary or a comparison."""
    if action == "summarize":
        return "summary"
    if action == "compare":
        return "comparison"
    if action != "inquire":
        return "generalist"
    folded = _spelled(fold(without_mentions(message)))
    return next((each.kind for each in wording.lists().formats if each.words.search(folded)), "generalist")


def depends_on_previous(message: str) -> Literal["same", "other", "no"]:
    """Returns whether ``message`` asks for the same as the previous one ("the same again"), or only names another
    document for it."""
    folded = _spelled(fold(without_mentions(message, MARK)))
    if len(folded.split()) > SHORT:
        return "no"
    other = bool(wording.lists().again["other"].search(folded))
    if wording.lists().again["same"].search(folded) and (other or not _is_asked(folded)):
        return "same"
    return "other" if other else "no"


def points_at_document(message: str) -> bool:
    """Returns whether ``message`` mentions a document, or uses a pronoun that may mean one."""
    folded = fold(without_mentions(message, MARK))
    return wording.names_document(folded) or bool(_PRONOUN.search(folded))


def is_bare_name(message: str) -> bool:
    """Returns whether ``message`` is only the name of a document."""
    marked = without_mentions(message, MARK)
    folded = fold(marked)
    if wording.is_file_name(folded) or (folded and not folded.replace(MARK, "").strip(" ,.&-")):
        return True
    if len(folded.split()) > BARE or "?" in folded or not wording.names_document(folded):
        return False
    if wording.lists().topic["soft"].search(folded) or wording.lists().verbs.search(folded):
        return False
    return format_of(message, "inquire") == "generalist"


def checks_document(message: str) -> bool:
    """Returns whether ``message`` asks to check a document by its name, or whether it has faults."""
    return any(_checks_document(_without_softeners(_spelled(fold(each)))) for each in clauses(message))


def _coordinated_orders(sentence: str, begins: Callable[[str], bool] | None = None) -> list[str]:
    """Splits ``sentence`` where a conjunction is followed by a command or a question."""
    ends_asking = sentence.rstrip("\"' )").endswith("?")
    found: list[str] = []
    start = 0
    for match in _JOINED.finditer(sentence):
        rest = _spelled(fold(sentence[match.end() : match.end() + _HEAD]))
        other = begins is not None and begins(sentence[match.end() : match.end() + _HEAD])
        if other or _begins_order(rest) or (ends_asking and _is_asked(rest)):
            found.append(sentence[start : match.start()])
            start = match.end()
    return [*(each for each in found if each.strip()), sentence[start:]]


def _begins_order(folded: str) -> bool:
    rest = _without_softeners(folded)
    return any(words.match(rest) for words in (*wording.lists().orders.values(), wording.lists().telling))


def _is_asked(folded: str) -> bool:
    """Returns whether it begins with a question word."""
    return bool(wording.lists().interrogative.match(_without_softeners(folded)))


def _without_softeners(folded: str) -> str:
    return _SOFTENERS.sub("", folded)


def _order(text: str, folded: str) -> Clause | None:
    found = {action: match for action, words in wording.lists().orders.items() if (match := words.search(folded))}
    if not found:
        return None
    action = min(found, key=lambda each: found[each].start())
    telling = wording.lists().telling.search(folded)
    if telling and telling.start() < found[action].start():
        return None
    after = folded[found[action].end() :]
    if action != "summarize":
        return Clause(text, "order", action)
    if _compares(after):
        return Clause(text, "order", "compare")
    if _is_topic(after, text) and not wording.names_document(found[action].group()):
        return Clause(text, "question", "inquire")
    return Clause(text, "order", "summarize")


def _requested_action(text: str, folded: str) -> Action | None:
    """Returns the action that a clause requests by a question, or by the name of the wanted result ("a summary")."""
    head = _without_softeners(folded)
    patterns = wording.lists().asked
    if _checks_document(head):
        return "audit"
    if patterns["audit"].search(head) and wording.lists().own_text.search(head):
        return "audit"
    if _compares(head) and wording.names_document(head):
        return "compare"
    summary = patterns["summarize"].search(head)
    return "summarize" if summary and not _is_topic(head[summary.end() :], text) else None


def _checks_document(head: str) -> bool:
    """Returns whether a clause asks to check a document, or whether it has faults, and then only names the document."""
    checked, faults = wording.lists().checked.search(head), wording.lists().faults.search(head)
    asked = checked or faults
    rest = _BARE_NAME.sub("", head[asked.end() :]) if asked else ""
    if not rest or len(rest.split()) > _NAME_WORDS or not wording.names_document(rest):
        return False
    if checked and not _is_name_of_document(rest):
        return False
    return not (wording.lists().topic["hard"].search(rest) or wording.lists().topic["soft"].search(rest))


def _is_name_of_document(rest: str) -> bool:
    """Returns whether the main noun is a document: the last one in English, the first one in Hebrew. "The contract
    price" is no document."""
    words = [word for word in rest.strip(" .,!?:\"'").split() if not any(map(str.isdigit, word))]
    if not words or wording.is_file_name(rest):
        return bool(rest)
    return wording.is_document_word(words[0 if is_hebrew(words[0]) else -1])


def _compares(folded: str) -> bool:
    """Returns whether whole documents are compared, and not parts of them."""
    return bool(wording.lists().asked["compare"].search(folded)) and not wording.lists().topic["hard"].search(folded)


def _vague(text: str, folded: str) -> Clause | None:
    """Returns a clause for a request to look at a document that does not say what for."""
    review = wording.lists().vague["review"].search(folded)
    if review and wording.names_document(folded[review.end() :]):
        return Clause(text, "vague", alternatives=("summarize", "audit"))
    about = wording.lists().vague["about"].search(folded)
    if about and _is_whole_document(folded[about.end() :]):
        return Clause(text, "vague", alternatives=("summarize", "inquire"))
    return None


def _is_whole_document(after: str) -> bool:
    rest = _COURTESY.sub(" ", after)
    if wording.lists().topic["hard"].search(rest) or wording.lists().topic["soft"].search(rest):
        return False
    return wording.names_document(rest)


def _is_topic(after: str, text: str) -> bool:
    """Returns whether a summary is limited to a subject: "of the penalties in the lease", "about hotels"."""
    if wording.lists().topic["hard"].search(after):
        return True
    rest = _COURTESY.sub(" ", after)
    # "The report of Norvell for 2020" means the document, whatever words follow; "the fees of the lease" does not.
    if (whose := _OF.match(rest)) and wording.names_document(whose.group()):
        return False
    rest = _OF.sub("", rest, count=1).strip(" .,!?:\"'")
    limit = wording.lists().topic["soft"].search(rest)
    head = rest[: limit.start()] if limit else rest
    if wording.names_document(head) or _PRONOUN.search(head):
        return False
    if limit:
        return bool(head.strip())
    named = _NAMED.search(text[1:]) or re.search(LETTER, head)
    return bool(head.strip()) and not named


def _spelled(folded: str) -> str:
    """Returns ``folded`` with misspelled verbs corrected, and with the last letter of Hebrew words in its final
    form."""

    def mend(match: re.Match[str]) -> str:
        word = match.group()
        if word in _INFLECTED or word in _MISTYPED:
            return word
        return next((verb for verb in _MISTYPED if fuzz.ratio(word, verb) >= TYPO), word)

    def close(match: re.Match[str]) -> str:
        return match.group()[:-1] + match.group()[-1].translate(TO_FINAL)

    return _OPEN_ENDED.sub(close, _LETTERS.sub(mend, strip_nikud(folded)))
