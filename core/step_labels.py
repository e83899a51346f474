"""What the steps of a run are called, in both languages: a step's name → its label."""

from __future__ import annotations

from core.words import Words

STEP_LABELS: dict[str, Words] = {
    "understanding": Words(en="Understanding your request", he="מבין את הבקשה שלך"),
    "receiving": Words(en="Checking the file", he="בודק את הקובץ"),
    "extracting": Words(en="Extracting text from document", he="מחלץ טקסט מהמסמך"),
    "chunking": Words(en="Splitting into semantic chunks", he="מפצל לקטעים סמנטיים"),
    "storing": Words(en="Storing in long-term memory", he="שומר בזיכרון ארוך טווח"),
    "indexing": Words(en="Making the text searchable", he="הופך את הטקסט לניתן לחיפוש"),
    "identity": Words(en="Asking what the document is", he="שואל מהו המסמך"),
    "context": Words(en="Placing passages in their document", he="ממקם את הקטעים במסמך"),
    "embedding": Words(en="Generating embeddings", he="יוצר וקטורים סמנטיים"),
    "metadata": Words(en="Extracting metadata and keywords", he="מזהה מטא-דאטה ומילות מפתח"),
    "searching": Words(en="Searching knowledge base", he="מחפש בבסיס הידע"),
    "waiting": Words(en="Waiting for documents that are being read", he="ממתין למסמכים שעדיין נקראים"),
    "candidates": Words(en="Gathering candidate passages", he="אוסף קטעים מועמדים"),
    "ranking": Words(en="Ranking results by relevance", he="מדרג תוצאות לפי רלוונטיות"),
    "reranking": Words(en="Reading the best passages again", he="קורא שוב את הקטעים המובילים"),
    "assessing": Words(en="Assessing if context is sufficient", he="בודק אם ההקשר מספיק"),
    "augmenting": Words(en="Augmenting context with more info", he="מעשיר את ההקשר במידע נוסף"),
    "generating": Words(en="Generating response", he="מכין תשובה"),
    "checking": Words(en="Checking the citations", he="בודק את הציטוטים"),
    "summarizing": Words(en="Summarizing", he="מסכם"),
    "comparing": Words(en="Comparing", he="משווה"),
    "auditing": Words(en="Auditing", he="בודק התאמה"),
    "remembering": Words(en="Using the memory", he="משתמש בזיכרון"),
    "offering": Words(en="Noting what could be remembered", he="רושם מה אפשר לזכור"),
    "web": Words(en="Searching the web", he="מחפש באינטרנט"),
    "consulting": Words(en="Using a tool", he="משתמש בכלי"),
    "resolving": Words(en="Finding the documents", he="מאתר את המסמכים"),
    "singling": Words(en="Checking which document is meant", he="בודק לאיזה מסמך הכוונה"),
    "validating": Words(en="Checking what is needed", he="בודק מה נדרש"),
    "supporting": Words(en="Checking each sentence against its source", he="בודק כל משפט מול המקור שלו"),
    "complete": Words(en="Process complete", he="התהליך הושלם"),
}
