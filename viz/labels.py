"""Words of the drawn parts, in both languages; sentences of errors and steps come from core."""

from __future__ import annotations

from core.words import Language, Words

_LABELS: dict[str, Words] = {
    "quoted": Words(en="Quoted from your documents", he="ציטוטים מן המסמכים שלכם"),
    "quoted_web": Words(en="Quoted from the web", he="ציטוטים מן האינטרנט"),
    "quoted_both": Words(en="Quoted from your documents and the web", he="ציטוטים מן המסמכים שלכם ומן האינטרנט"),
    "no_model": Words(
        en="No language model is configured, so these are the sentences that answer, word for word.",
        he="לא הוגדר מודל שפה, ולכן אלה המשפטים העונים על השאלה, מילה במילה.",
    ),
    "by_rule": Words(en="Made from the documents' own words", he="נוצר ממילות המסמכים עצמם"),
    "no_model_rule": Words(
        en="No language model is configured, so nothing here was rephrased.",
        he="לא הוגדר מודל שפה, ולכן דבר כאן לא נוסח מחדש.",
    ),
    "suggested": Words(en="Suggested questions", he="שאלות מוצעות"),
    "do_inquire": Words(en="Now answer the question", he="כעת לענות על השאלה"),
    "do_summarize": Words(en="Now summarize", he="כעת לסכם"),
    "do_compare": Words(en="Now compare", he="כעת להשוות"),
    "do_audit": Words(en="Now audit", he="כעת לבדוק התאמה"),
    "do_memory": Words(en="Now use the memory", he="כעת להשתמש בזיכרון"),
    "support_weak": Words(en="in part", he="חלקית"),
    "support_none": Words(en="not at all", he="כלל לא"),
    "download_table": Words(en="Download the table", he="הורדת הטבלה"),
    "supported_share": Words(en="sentences supported", he="משפטים נתמכים"),
    "add_model": Words(en="How to add one", he="כיצד להוסיף מודל"),
    "add_model_how": Words(
        en="Set PALIMPSEST_MODEL, for example openai:gpt-4.1, with its key in the environment or a .env file, "
        "and start again.",
        he="הגדירו את PALIMPSEST_MODEL, למשל openai:gpt-4.1, עם המפתח שלו במשתני הסביבה או בקובץ ‎.env, והפעילו מחדש.",
    ),
    "from": Words(en="from ", he="מתוך "),
    "confidence": Words(en="confidence", he="ודאות"),
    "high": Words(en="high", he="גבוהה"),
    "medium": Words(en="medium", he="בינונית"),
    "low": Words(en="low", he="נמוכה"),
    "none": Words(en="none", he="אין"),
    "sources": Words(en="Sources", he="מקורות"),
    "reasoning": Words(en="Reasoning", he="שרשרת המחשבה"),
    "tokens_in": Words(en="read", he="נקראו"),
    "tokens_out": Words(en="written", he="נכתבו"),
    "at_least": Words(en="at least", he="לפחות"),
    "tokens": Words(en="tokens", he="טוקנים"),
    "graph": Words(en="Graph", he="גרף"),
    "copy": Words(en="Copy", he="העתקה"),
    "retry": Words(en="Ask again", he="שאלו שוב"),
    "what_to_do": Words(en="What to do", he="מה לעשות"),
    "cancel": Words(en="Cancel", he="ביטול"),
    "use_chosen": Words(en="Use the chosen ones", he="המשך עם הנבחרים"),
    "type_below": Words(en="Type your answer below; @ names a document.", he="הקלידו את התשובה למטה; @ מציין מסמך."),
    "or_type_below": Words(en="Or type below; @ names a document.", he="או הקלידו למטה; @ מציין מסמך."),
    "question_cancelled": Words(en="Cancelled", he="בוטל"),
    "waits_for_you": Words(en="Waiting for your answer", he="ממתין לתשובה שלכם"),
    "stopped": Words(en="Stopped. What had been written is kept above.", he="נעצר. מה שנכתב עד אז נשמר למעלה."),
    "removed": Words(en="Citations that named no source were removed", he="הוסרו ציטוטים שלא הפנו לשום מקור"),
    "how_did_it_do": Words(en="Did this answer help?", he="האם התשובה עזרה?"),
    "outcome_worked": Words(en="Worked", he="עבד"),
    "outcome_partial": Words(en="Partly", he="חלקית"),
    "outcome_failed": Words(en="Failed", he="לא עבד"),
    "concerns": Words(en="This is about source", he="הכוונה למקור"),
    "all_sources": Words(en="all", he="כולם"),
    "said_already": Words(en="You have said so already; nothing changed.", he="כבר אמרתם זאת; דבר לא השתנה."),
    "nothing_moved": Words(
        en="Noted. Nothing that this answer rests on keeps a score.", he="נרשם. דבר מן המקורות של התשובה אינו מנוקד."
    ),
    "now_in": Words(en="now in", he="כעת ב"),
    "ranks_higher": Words(en="ranks higher by", he="ידורג גבוה יותר ב־"),
    "ranks_lower": Words(en="ranks lower by", he="ידורג נמוך יותר ב־"),
    "for_this_question": Words(en="for this question", he="בשאלה הזו"),
    "known_context": Words(en="Known context", he="הקשר ידוע"),
    "nothing_known": Words(en="Nothing was remembered that bears on this question.", he="לא נזכר דבר שנוגע לשאלה הזו."),
    "word_for_word": Words(en="Word for word", he="מילה במילה"),
    "rests_on": Words(en="The answer rests on", he="התשובה נשענת על"),
    "memory_confidence": Words(en="Confidence of the memory", he="ודאות הזיכרון"),
    "left_out": Words(en="Left out", he="הושמט"),
    "active_concepts": Words(en="Concepts", he="מושגים"),
    "score_strength": Words(en="strength", he="חוזק"),
    "score_score": Words(en="score", he="ניקוד"),
    "web_told": Words(en="This is what the search engine told of the page.", he="זה מה שמנוע החיפוש מסר על הדף."),
    "open_page": Words(en="Open the page", he="פתיחת הדף"),
    "from_memory": Words(en="From the memory", he="מן הזיכרון"),
    "from_memory_why": Words(
        en="Your documents hold nothing on this; it is what was remembered, word for word.",
        he="במסמכים שלכם אין דבר בנושא; זה מה שנשמר בזיכרון, מילה במילה.",
    ),
    "page": Words(en="p.", he="עמ׳"),
    "section": Words(en="Section", he="סעיף"),
    "why_here": Words(en="Why this is here", he="מדוע הקטע כאן"),
    "by_meaning": Words(en="by meaning", he="לפי משמעות"),
    "by_text": Words(en="by words", he="לפי מילים"),
    "rank": Words(en="rank", he="דירוג"),
    "overall": Words(en="overall", he="כולל"),
    "accepted_document": Words(en="The question names this document.", he="השאלה מציינת את המסמך הזה."),
    "accepted_all_terms": Words(en="It holds every term of the question.", he="הוא מכיל את כל מונחי השאלה."),
    "accepted_filename": Words(en="A term of the question is in its filename.", he="מונח מן השאלה מופיע בשם הקובץ."),
    "accepted_strength": Words(en="It is close enough to the question.", he="הוא קרוב דיו לשאלה."),
    "open_document": Words(en="Open document", he="פתיחת המסמך"),
    "other_passages": Words(en="Other passages of this source", he="קטעים נוספים ממקור זה"),
    "running": Words(en="Working", he="עובד"),
    "pages": Words(en="pages", he="עמודים"),
    "passages": Words(en="passages", he="קטעים"),
    "author": Words(en="Author", he="מחבר"),
    "language": Words(en="Language", he="שפה"),
    "kind": Words(en="Kind", he="סוג"),
    "subject": Words(en="Subject", he="נושא"),
    "keywords": Words(en="Keywords", he="מילות מפתח"),
    "dates": Words(en="Dates", he="תאריכים"),
    "added": Words(en="Added", he="נוסף"),
    "size": Words(en="Size", he="גודל"),
    "summary": Words(en="Summary", he="תקציר"),
    "outline": Words(en="Outline", he="תוכן עניינים"),
    "notes": Words(en="Notes", he="הערות"),
    "part": Words(en="Passage", he="קטע"),
    "offers": Words(en="What could be remembered", he="מה אפשר לזכור"),
    "offer_offered": Words(en="Remember this?", he="לזכור את זה?"),
    "offer_update": Words(en="Remember the change?", he="לזכור את השינוי?"),
    "offer_accepted": Words(en="Remembered", he="נשמר בזיכרון"),
    "offer_declined": Words(en="Not remembered", he="לא נשמר"),
    "offer_was": Words(en="instead of", he="במקום"),
    "offer_remember": Words(en="Remember", he="לזכור"),
    "offer_not_now": Words(en="Not now", he="לא עכשיו"),
    "offer_undo": Words(en="Undo", he="ביטול"),
    "lang_en": Words(en="English", he="אנגלית"),
    "lang_he": Words(en="Hebrew", he="עברית"),
    "lang_mixed": Words(en="English and Hebrew", he="אנגלית ועברית"),
}


_COUNTED: dict[str, tuple[Words, Words]] = {
    "call": (
        Words(en="1 model call", he="קריאה אחת למודל"),
        Words(en="{:,} model calls", he="{:,} קריאות למודל"),
    ),
    "step": (Words(en="1 step", he="שלב אחד"), Words(en="{} steps", he="{} שלבים")),
    "passage": (Words(en="1 passage", he="קטע אחד"), Words(en="{} passages", he="{} קטעים")),
    "document": (Words(en="1 document", he="מסמך אחד"), Words(en="{} documents", he="{} מסמכים")),
}


def counted(number: int, key: str, language: Language) -> str:
    """A number with its noun: "1 passage", "5 passages"."""
    one, many = _COUNTED[key]
    return one.to(language) if number == 1 else many.to(language).format(number)


def label(key: str, language: Language) -> str:
    """Raises ``KeyError`` for a label nobody wrote."""
    return _LABELS[key].to(language)
