/* The words of the page itself; sentences about runs, errors and steps come from the server. */
const WORDS = {
  tab_chat: ["Chat", "שיחה"],
  tab_library: ["Library", "ספרייה"],
  other_language: ["עברית", "English"],
  theme: ["Light or dark", "בהיר או כהה"],
  sign_out: ["Sign out", "יציאה"],
  health: ["State of the system", "מצב המערכת"],
  new_conversation: ["New conversation", "שיחה חדשה"],
  conversations: ["Conversations", "שיחות"],
  search_conversations: ["Search conversations", "חיפוש בשיחות"],
  no_conversations: ["Nothing asked yet.", "עוד לא נשאלה שאלה."],
  today: ["Today", "היום"],
  earlier: ["Earlier", "מוקדם יותר"],
  evidence: ["Evidence", "ראיות"],
  evidence_empty: ["Click a number in an answer to see the passage it rests on.", "לחצו על מספר בתשובה כדי לראות את הקטע שעליו היא נשענת."],
  close: ["Close", "סגירה"],
  documents_named: ["Documents", "מסמכים"],
  ask_placeholder: ["Ask about your documents", "שאלו על המסמכים שלכם"],
  answer_placeholder: ["Type your answer", "הקלידו את התשובה"],
  choose_placeholder: ["Choose an answer above, or cancel, to go on", "בחרו תשובה למעלה, או בטלו, כדי להמשיך"],
  send: ["Send", "שליחה"],
  stop: ["Stop", "עצירה"],
  depth: ["Depth", "עומק"],
  quick: ["Quick", "מהיר"],
  enhanced: ["Enhanced", "מורחב"],
  deep: ["Deep", "מעמיק"],
  quick_hint: ["the few strongest passages", "הקטעים החזקים ביותר בלבד"],
  enhanced_hint: ["a wider net across documents", "רשת רחבה יותר על פני המסמכים"],
  deep_hint: ["everything that may bear on it", "כל מה שעשוי להיות קשור"],
  action: ["Action", "פעולה"],
  action_auto: ["Auto", "אוטומטי"],
  action_inquire: ["Answer", "מענה"],
  action_summarize: ["Summarize", "סיכום"],
  action_compare: ["Compare", "השוואה"],
  action_audit: ["Audit", "בדיקת התאמה"],
  model: ["Model", "מודל"],
  welcome_title: ["What do you want to know?", "מה תרצו לדעת?"],
  welcome_documents: ["Ask about your documents; every claim in the answer is cited.", "שאלו על המסמכים שלכם; כל טענה בתשובה מלווה במקור."],
  welcome_empty: ["Your library is empty. Add documents, or start with the samples: the files of one vendor audit.", "הספרייה ריקה. הוסיפו מסמכים, או התחילו מן הדוגמאות: תיק של ביקורת ספק אחת."],
  load_samples: ["Load the samples", "טעינת הדוגמאות"],
  loading_samples: ["Loading the samples…", "טוען את הדוגמאות…"],
  add_documents: ["Add documents", "הוספת מסמכים"],
  try_asking: ["Try asking", "אפשר לשאול"],
  jump_down: ["New text below", "טקסט חדש למטה"],
  reconnecting: ["Connection lost. Reconnecting…", "החיבור נותק. מתחבר מחדש…"],
  copied: ["Copied", "הועתק"],
  dismiss: ["Dismiss", "סגירה"],
  copy_details: ["Copy details", "העתקת הפרטים"],
  what_to_do: ["What to do", "מה לעשות"],
  network_what: ["The workbench does not answer.", "המערכת אינה משיבה."],
  network_why: ["It was stopped, or the connection was lost.", "היא נעצרה, או שהחיבור נותק."],
  network_remedy: ["Check that it is running; nothing you typed is lost.", "בדקו שהיא פועלת; דבר ממה שהקלדתם לא אבד."],
  drop_title: ["Drop documents here, or choose files", "גררו לכאן מסמכים, או בחרו קבצים"],
  drop_hint: ["PDF, Word, Excel, CSV, HTML, RTF, text and Markdown, up to 10 MB each", "PDF, Word, Excel, CSV, HTML, RTF, טקסט ו־Markdown, עד 10 מ״ב כל אחד"],
  too_large_what: ["is too large.", "גדול מדי."],
  too_large_why: ["It has {size} MB; the limit is {most} MB.", "גודלו {size} מ״ב; המגבלה היא {most} מ״ב."],
  too_large_remedy: ["Split it, or raise PALIMPSEST_LIMITS__FILE_BYTES.", "חלקו אותו, או הגדילו את PALIMPSEST_LIMITS__FILE_BYTES."],
  search_documents: ["Search documents", "חיפוש במסמכים"],
  empty_title: ["No documents yet", "אין עדיין מסמכים"],
  empty_hint: ["Drop files above, or load the samples to look around.", "גררו קבצים למעלה, או טענו את הדוגמאות כדי להתרשם."],
  nothing_matches: ["Nothing matches this search.", "אין התאמה לחיפוש."],
  uploading: ["Uploading", "מעלה"],
  waiting: ["Waiting", "ממתין"],
  reading: ["Reading", "קורא"],
  ready: ["Ready", "מוכן"],
  failed: ["Failed", "נכשל"],
  cancelled: ["Cancelled", "בוטל"],
  searchable: ["Searchable", "ניתן לחיפוש"],
  vectors: ["vectors", "וקטורים"],
  text_only: ["Searchable by text", "ניתן לחיפוש לפי טקסט"],
  cancel: ["Cancel", "ביטול"],
  retry: ["Try again", "ניסיון חוזר"],
  remove: ["Delete", "מחיקה"],
  removed: ["was deleted.", "נמחק."],
  undo: ["Undo", "ביטול המחיקה"],
  duplicate: ["is already in the library.", "כבר נמצא בספרייה."],
  namesake: ["is already in the library with other content.", "כבר נמצא בספרייה עם תוכן אחר."],
  replace: ["Replace", "החלפה"],
  keep_both: ["Keep both", "שמירת שניהם"],
  title: ["Title", "כותרת"],
  type: ["Type", "סוג"],
  pages: ["Pages", "עמודים"],
  language: ["Language", "שפה"],
  state: ["State", "מצב"],
  size: ["Size", "גודל"],
  added: ["Added", "נוסף"],
  documents_count: ["documents", "מסמכים"],
  seconds_left: ["s left", "שניות נותרו"],
  minutes_left: ["min left", "דקות נותרו"],
  lang_en: ["English", "אנגלית"],
  lang_he: ["Hebrew", "עברית"],
  lang_mixed: ["both", "שתיהן"],
};

export const ui = {
  language: localStorage.getItem("pal.ui") || ((navigator.language || "").startsWith("he") ? "he" : "en"),
};

export function t(key) {
  const pair = WORDS[key];
  if (!pair) throw new Error(`no words for ${key}`);
  return pair[ui.language === "he" ? 1 : 0];
}

/** Fill every element that names its words: data-t (text), data-t-placeholder, data-t-label. */
export function translate(root) {
  root.dir = ui.language === "he" ? "rtl" : "ltr";
  for (const node of root.querySelectorAll("[data-t]")) node.textContent = t(node.dataset.t);
  for (const node of root.querySelectorAll("[data-t-placeholder]")) node.placeholder = t(node.dataset.tPlaceholder);
  for (const node of root.querySelectorAll("[data-t-label]")) {
    node.setAttribute("aria-label", t(node.dataset.tLabel));
    if (node.tagName === "BUTTON") node.title = t(node.dataset.tLabel);
  }
}
