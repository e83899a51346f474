"""Why a file cannot be read or was read in part, in words for people."""

from __future__ import annotations

from collections.abc import Sequence

from core.errors import PalimpsestError, Problem, fail

SUPPORTED = "PDF, DOCX, XLSX, PPTX, CSV, HTML, RTF, TXT, MD, EML, PNG, JPEG, TIFF"
Note = tuple[str, str]

_SAVE_AGAIN = (
    "Open it in the program that made it, save it again, and upload the new copy.",
    "פתחו אותו בתוכנה שיצרה אותו, שמרו מחדש והעלו את העותק החדש.",
)


def too_large(filename: str, size: int, limit: int) -> PalimpsestError:
    return fail(
        "validation",
        (f"{filename} is too large: {megabytes(size)} MB.", f"{filename} גדול מדי: {megabytes(size)} מגה־בייט."),
        (f"Files may have up to {megabytes(limit)} MB.", f"אפשר להעלות קבצים של עד {megabytes(limit)} מגה־בייט."),
        (
            "Split it into parts or leave out pictures; or change the limit in Library > Limits.",
            "פצלו אותו לחלקים או הסירו תמונות, או שנו את המגבלה בספרייה > מגבלות.",
        ),
    )


def megabytes(size: int) -> str:
    """A size in MB with one decimal, none when it is whole."""
    return f"{size / 1024 / 1024:.1f}".removesuffix(".0")


def empty(filename: str) -> PalimpsestError:
    return fail(
        "validation",
        (f"{filename} is empty.", f"{filename} ריק."),
        ("It holds no text at all.", "אין בו שום טקסט."),
        ("Check that the right file was chosen and saved.", "בדקו שנבחר הקובץ הנכון ושהוא נשמר."),
    )


def protected(filename: str) -> PalimpsestError:
    return fail(
        "validation",
        (f"{filename} is protected by a password.", f"{filename} מוגן בסיסמה."),
        ("Its text is encrypted and cannot be read without it.", "הטקסט שבו מוצפן ואי אפשר לקרוא אותו בלעדיה."),
        (
            "Open it with the password, save a copy without one, and upload that.",
            "פתחו אותו עם הסיסמה, שמרו עותק ללא סיסמה והעלו אותו.",
        ),
    )


def corrupt(filename: str, kind: str) -> PalimpsestError:
    return fail(
        "validation",
        (f"{filename} is damaged.", f"{filename} פגום."),
        (
            f"It should be a {kind} file, but its structure is broken or incomplete.",
            f"הוא אמור להיות קובץ {kind}, אך המבנה שלו שבור או חסר.",
        ),
        _SAVE_AGAIN,
    )


def scanned(filename: str, tried: bool) -> PalimpsestError:
    """``tried``: the engine ran and found nothing."""
    if tried:
        return fail(
            "validation",
            (f"No text could be recognised in {filename}.", f"לא זוהה טקסט בתוך {filename}."),
            (
                "It has only pictures of pages, and they are blank, too faint or in an unknown language.",
                "יש בו רק תמונות של עמודים, והן ריקות, חיוורות מדי או בשפה לא מוכרת.",
            ),
            (
                "Scan it again sharper, or upload a version with text.",
                "סרקו שוב בחדות גבוהה יותר או העלו גרסה עם טקסט.",
            ),
        )
    return fail(
        "validation",
        (f"{filename} is a scan without text.", f"{filename} הוא סריקה ללא טקסט."),
        (
            "Its pages are pictures; reading them needs an OCR engine, and none is installed or OCR is switched off.",
            "העמודים שלו הם תמונות; כדי לקרוא אותם דרוש מנוע OCR, והוא אינו מותקן או שהזיהוי כבוי.",
        ),
        (
            "Install tesseract with the languages eng and heb and try again, or upload a version with text.",
            "התקינו tesseract עם השפות eng ו־heb ונסו שוב, או העלו גרסה עם טקסט.",
        ),
    )


def too_many_pixels(filename: str, limit: int) -> PalimpsestError:
    most = f"{limit / 1e6:,.0f}"
    return fail(
        "validation",
        (f"{filename} has too many pixels.", f"ב־{filename} יש יותר מדי פיקסלים."),
        (
            f"Reading a picture of more than {most} million pixels can exhaust the memory.",
            f"קריאה של תמונה בת יותר מ־{most} מיליון פיקסלים עלולה למצות את הזיכרון.",
        ),
        (
            "Scan it again at 300 dots an inch, or cut it into parts.",
            "סרקו שוב ברזולוציה של 300 נקודות לאינץ׳, או חתכו אותו לחלקים.",
        ),
    )


def encrypted_mail(filename: str) -> PalimpsestError:
    return fail(
        "validation",
        (f"{filename} is an encrypted message.", f"{filename} הוא הודעה מוצפנת."),
        ("Only whoever has its key can read it.", "רק מי שבידו המפתח יכול לקרוא אותה."),
        (
            "Open it in your mail program and save its text or its attachments.",
            "פתחו אותה בתוכנת הדואר ושמרו את הטקסט או את הקבצים המצורפים שלה.",
        ),
    )


def unpacks_too_large(filename: str, limit: int) -> PalimpsestError:
    return fail(
        "validation",
        (f"{filename} unpacks to far more than its size.", f"{filename} נפרס להרבה יותר מגודלו."),
        (
            f"Unpacked it exceeds {megabytes(limit)} MB or what a document needs, which can exhaust the memory.",
            f"לאחר פריסה הוא עולה על {megabytes(limit)} מגה־בייט או על הנדרש למסמך, וזה עלול למצות את הזיכרון.",
        ),
        (
            "If it is a real document, save it without embedded pictures and data, or split it.",
            "אם זה מסמך אמיתי, שמרו אותו ללא תמונות ונתונים מוטבעים, או פצלו אותו.",
        ),
    )


def too_demanding(filename: str, limit: int) -> PalimpsestError:
    gigabytes = f"{limit / 1024**3:g}"
    return fail(
        "validation",
        (f"{filename} needs too much memory.", f"{filename} דורש יותר מדי זיכרון."),
        (
            f"Reading one file may take {gigabytes} GB at most, and this one takes more.",
            f"קריאת קובץ אחד יכולה לקחת לכל היותר {gigabytes} ג׳יגה־בייט, והקובץ הזה דורש יותר.",
        ),
        ("Split it into parts, or leave out pictures and data.", "פצלו אותו לחלקים, או הסירו תמונות ונתונים."),
    )


def hostile_xml(filename: str) -> PalimpsestError:
    return fail(
        "validation",
        (f"{filename} was refused.", f"{filename} נדחה."),
        (
            "It declares XML entities, which documents do not need and which can be used for attacks.",
            "הוא מגדיר ישויות XML, שמסמכים אינם זקוקים להן ושעלולות לשמש להתקפה.",
        ),
        _SAVE_AGAIN,
    )


def unsupported(filename: str, found: str | None = None) -> PalimpsestError:
    """``found``: what the contents are, when they are known."""
    why = (
        (f"Its contents are {found}.", f"התוכן שלו הוא {found}.")
        if found
        else ("Its contents are not text in any known format.", "התוכן שלו אינו טקסט בפורמט מוכר.")
    )
    return fail(
        "validation",
        (f"{filename} is of a kind that cannot be read.", f"{filename} הוא מסוג שאי אפשר לקרוא."),
        why,
        (f"Save it as one of: {SUPPORTED}.", f"שמרו אותו באחד הפורמטים: {SUPPORTED}."),
    )


def disguised(name: str, kind: str) -> Note:
    return (
        f"The file is named .{name} but holds {kind}; it was read as {kind}.",
        f"שם הקובץ מסתיים ב־.{name} אך תוכנו {kind}; הוא נקרא כ־{kind}.",
    )


def only_pages(read: int, of: int) -> Note:
    return (f"Only the first {read} of {of} pages were read.", f"נקראו רק {read} העמודים הראשונים מתוך {of}.")


def only_characters(limit: int) -> Note:
    return (
        f"The text is very long; only about the first {limit:,} characters were read.",
        f"הטקסט ארוך מאוד; נקראו רק כ־{limit:,} התווים הראשונים.",
    )


def only_rows(sheet: str, rows: int) -> Note:
    return (
        f"The sheet {sheet} is extremely large; only its first {rows:,} rows were read.",
        f"הגיליון {sheet} גדול במיוחד; נקראו רק {rows:,} השורות הראשונות שלו.",
    )


def pictured_slides(slides: Sequence[int]) -> Note:
    return (
        f"These slides hold pictures and no text, and were not read: {spans(slides)}.",
        f"בשקופיות האלה יש תמונות ללא טקסט, והן לא נקראו: {spans(slides)}.",
    )


def unread_attachment(name: str, problem: Problem) -> Note:
    return (
        f"The attachment {name} was not read. {problem.what.en} {problem.why.en}",
        f"הקובץ המצורף {name} לא נקרא. {problem.what.he} {problem.why.he}",
    )


def left_out_attachment(name: str) -> Note:
    return (
        f"The attachment {name} was not read: it is a message in too many messages.",
        f"הקובץ המצורף {name} לא נקרא: הוא הודעה בתוך יותר מדי הודעות.",
    )


def only_attachments(most: int) -> Note:
    return (
        f"The message has very many parts; only the first {most} attachments were read.",
        f"בהודעה יש חלקים רבים מאוד; נקראו רק {most} הקבצים המצורפים הראשונים.",
    )


def recognised_pages(pages: Sequence[int], languages: tuple[str, str]) -> Note:
    return (
        f"Scanned pages were read by OCR ({languages[0]}) and may contain errors: {spans(pages)}.",
        f"עמודים סרוקים נקראו בזיהוי תווים ({languages[1]}) וייתכנו בהם שגיאות: {spans(pages)}.",
    )


def unread_pages(pages: Sequence[int], tried: bool) -> Note:
    if tried:
        return (
            f"No text could be recognised on these scanned pages: {spans(pages)}.",
            f"לא זוהה טקסט בעמודים הסרוקים: {spans(pages)}.",
        )
    return (
        f"These pages are scans and were not read, as no OCR engine is in use: {spans(pages)}.",
        f"העמודים האלה סרוקים ולא נקראו, כי אין מנוע OCR בשימוש: {spans(pages)}.",
    )


def spans(pages: Sequence[int]) -> str:
    """``[1, 2, 3, 7]`` as ``1-3, 7``."""
    parts: list[list[int]] = []
    for page in pages:
        if parts and page == parts[-1][1] + 1:
            parts[-1][1] = page
        else:
            parts.append([page, page])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in parts)
