"""What the library says of a document: what it refuses and what to do then, and what it noticed."""

from __future__ import annotations

from core.errors import PalimpsestError, fail
from core.library.records import Document


def _megabytes(size: int) -> str:
    return f"{size / 1024 / 1024:.1f}"


def oversize(filename: str, size: int, limit: int) -> PalimpsestError:
    mb, most = _megabytes(size), _megabytes(limit)
    return fail(
        "validation",
        (f"{filename} is too large.", f"{filename} גדול מדי."),
        (f"It has {mb} MB; the limit is {most} MB.", f"גודלו {mb} מ״ב; המגבלה היא {most} מ״ב."),
        (
            "Split it, or change the limit in Library > Limits.",
            "חלקו אותו, או שנו את המגבלה בספרייה > מגבלות.",
        ),
    )


def empty(filename: str) -> PalimpsestError:
    return fail(
        "validation",
        (f"{filename} is empty.", f"{filename} ריק."),
        ("The file has no content at all.", "אין בקובץ שום תוכן."),
        ("Check that it was saved completely, and upload it again.", "בדקו שהוא נשמר במלואו והעלו שוב."),
    )


def interrupted(document: Document) -> PalimpsestError:
    return fail(
        "server",
        (f"Reading {document.filename} was interrupted.", f"הקריאה של {document.filename} נקטעה."),
        ("The workbench could not save what it had read.", "המערכת לא הצליחה לשמור את מה שקראה."),
        ("Try again; the file is kept.", "נסו שוב; הקובץ נשמר."),
    )


def still_busy(document: Document) -> PalimpsestError:
    return fail(
        "validation",
        (f"{document.filename} need not be read again.", f"אין צורך לקרוא שוב את {document.filename}."),
        ("It is being read, or it is complete.", "הוא נקרא כעת, או שכבר הושלם."),
        ("Delete it first if you want to start over.", "מחקו אותו תחילה אם ברצונכם להתחיל מחדש."),
    )


def not_read_yet(document: Document) -> PalimpsestError:
    name = document.filename
    return fail(
        "validation",
        (f"{name} cannot be published yet.", f"עדיין אי אפשר לפרסם את {name}."),
        ("Its text has not been read.", "הטקסט שלו עוד לא נקרא."),
        ("Wait until it is ready, or try reading it again.", "המתינו עד שיהיה מוכן, או נסו לקרוא אותו שוב."),
    )


def same_text(twin: Document) -> tuple[str, str]:
    return f"It says the same as {twin.filename}.", f"התוכן זהה לזה של {twin.filename}."
