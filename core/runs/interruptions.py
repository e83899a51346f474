"""Why a run was interrupted, in words for people: what ended it → the problem that its readers see."""

from __future__ import annotations

from core.errors import PalimpsestError, fail
from core.words import Words


def died() -> PalimpsestError:
    """An answer whose process ended."""
    words = (
        Words(en="This answer was interrupted.", he="התשובה הזו נקטעה."),
        Words(en="The workbench was stopped while it was being written.", he="המערכת נעצרה בזמן שהתשובה נכתבה."),
        Words(en="Ask again; your question is kept above.", he="שאלו שוב; השאלה נשמרה למעלה."),
    )
    return fail("server", *words)


def unsaved() -> PalimpsestError:
    """An answer whose end could not be written."""
    words = (
        Words(en="This answer could not be saved.", he="לא ניתן היה לשמור את התשובה הזו."),
        Words(en="The database could not be written for a while.", he="לא ניתן היה לכתוב למסד הנתונים לזמן מה."),
        Words(en="Ask again; your question is kept above.", he="שאלו שוב; השאלה נשמרה למעלה."),
    )
    return fail("server", *words)


def stopped() -> PalimpsestError:
    """A reading whose process ended before it began."""
    words = (
        Words(en="Reading was interrupted.", he="הקריאה נקטעה."),
        Words(en="The workbench was stopped before it began.", he="המערכת נעצרה לפני שהקריאה התחילה."),
        Words(en="Look at the document in the Library; try again there.", he="בדקו את המסמך בספרייה ונסו שוב משם."),
    )
    return fail("server", *words)
