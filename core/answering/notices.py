"""What is said beside quotations: of documents that say nothing, and of passages that only come near."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from core.events import Quote, Source
from core.search.documents.coverage import Reach
from core.words import Words, counted

MOST_NAMED = 3


def silence(reach: Reach, found: Sequence[Source], most: int) -> Words | None:
    """The documents that were searched and gave nothing that may be quoted; ``found`` are those that did, at most
    ``most`` of them are ever shown. ``None`` where there is none, or where it is not known."""
    if len(found) >= most or not found:
        return None
    spoke = {source.document_id for source in found}
    silent = [title for identifier, title in reach.titles.items() if identifier not in spoke]
    if reach.titles:
        return _silent(silent) if silent and len(silent) < len(reach.titles) else None
    rest = reach.documents - len([source for source in found if source.kind == "document"])
    if rest <= 0:
        return None
    others = counted(rest, "document", "documents")
    return Words(
        en=f"In the other {others} nothing was found that is close enough.",
        he="במסמך הנוסף לא נמצא דבר קרוב מספיק." if rest == 1 else f"ב־{rest} המסמכים האחרים לא נמצא דבר קרוב מספיק.",
    )


def _silent(titles: Sequence[str]) -> Words:
    shown = ", ".join(f"“{title}”" for title in titles[:MOST_NAMED])
    more = len(titles) - MOST_NAMED
    english, hebrew = (f" and {more} more", f" ועוד {more}") if more > 0 else ("", "")
    return Words(
        en=f"Nothing on this was found in {shown}{english}.",
        he=f"לא נמצא על כך דבר ב: {shown}{hebrew}.",
    )


def nearby(near: Sequence[Source]) -> Words | None:
    """Where to look beside what is quoted."""
    if not near:
        return None
    marks = " ".join(f"[{source.number}]" for source in near[:MOST_NAMED])
    return Words(
        en=f"Near it, but not close enough to be the answer: {marks}",
        he=f"קרוב לכך, אך לא קרוב מספיק כדי להיות התשובה: {marks}",
    )


def proven(quotes: Sequence[Quote], earned: Collection[str]) -> Words | None:
    """That passages which are quoted have answered before; ``earned`` are the ids of those whose outcomes speak for
    them."""
    marks = list(dict.fromkeys(f"[{quote.number}]" for quote in quotes if quote.item_id in earned))
    if not marks:
        return None
    said = " ".join(marks)
    return Words(en=f"This has answered such questions before: {said}", he=f"זה כבר ענה על שאלות כאלה: {said}")
