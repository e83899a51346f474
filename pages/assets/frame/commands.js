/* Global keyboard commands: the command palette, three shortcuts, and the card that lists them. */
import { lead, send } from "../shared/bus.js";
import { call } from "../shared/server.js";
import { button, element } from "../shared/ui.js";
import { t, ui } from "../shared/words.js";
import { Palette } from "./palette.js";

/** @typedef {import("./palette.js").Command} Command */

const MODES = ["quick", "enhanced", "deep"];
const TYPED_IN = "input, textarea, select, [contenteditable=true]";
const META = /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘" : "Ctrl";
/** @type {Record<string, string>} */
const KEYS = { library: `${META}+Shift+B`, personality: `${META}+Shift+P`, dock: `${META}+Shift+M`, palette: `${META}+K`, help: "?" };

/** Closes a document or dialog over the page before going elsewhere. @param {() => unknown} act */
const leaving = (act) => () => {
  for (const over of document.querySelectorAll("dialog[open]")) over.close();
  return act();
};

/** @type {Record<string, () => unknown>} */
const SHORTCUTS = {
  KeyB: leaving(() => send("tab", "library")),
  KeyM: leaving(() => lead("chat", "memory-dock", {})),
  KeyP: leaving(() => send("tab", "personality")),
};

/** @param {string[]} tabs @param {() => unknown} help @returns {Command[]} */
function fixed(tabs, help) {
  const [go, how] = [t("frame.group_go"), t("frame.group_switch")];
  const dark = document.body.classList.contains("dark");
  return [
    ...tabs.map((tab) => ({ group: go, label: t(`frame.tab_${tab}`), act: leaving(() => send("tab", tab)), keys: KEYS[tab] })),
    { group: go, label: t("chat.new_conversation"), act: leaving(() => lead("chat", "compose", { text: "", action: "" })) },
    { group: go, label: t("frame.memory_dock"), act: SHORTCUTS.KeyM, keys: KEYS.dock },
    ...MODES.map((mode) => ({ group: t("chat.depth"), label: t(`chat.mode_${mode}`), act: () => send("preferred", { mode }) })),
    { group: how, label: t(dark ? "frame.to_light" : "frame.to_dark"), act: () => send("preferred", { theme: dark ? "light" : "dark" }) },
    { group: how, label: t("frame.other_language"), act: () => send("preferred", { language: ui.language === "he" ? "en" : "he" }) },
    { group: t("frame.help"), label: t("frame.help_title"), act: help, keys: KEYS.help },
  ];
}

/** Commands that open the library's documents. @param {FrameServer} server @returns {Promise<Command[]>} */
async function documents(server) {
  const reply = await call(server.documents);
  return (reply?.documents ?? []).map(({ id, title }) => ({ group: t("frame.group_open"), label: title, act: leaving(() => send("palimpsest:open", { document: id })) }));
}

/** A card with the keyboard shortcuts. */
function helpCard() {
  const dialog = element("dialog.pal-widget.pal-help", { "aria-labelledby": "pal-help-title" });
  document.body.append(dialog);
  const rows = () => [
    [KEYS.palette, "palette"],
    [KEYS.dock, "dock"],
    [KEYS.library, "library"],
    [KEYS.personality, "personality"],
    ["Enter", "enter"],
    ["Shift+Enter", "line"],
    ["@", "mention"],
    [`${META}+Z`, "undo"],
    ["Esc", "escape"],
    ["← →", "tabs"],
    [KEYS.help, "help"],
  ];
  return () => {
    dialog.dir = document.documentElement.dir;
    const keys = rows().flatMap(([key, word]) => [element("dt", {}, element("kbd", { dir: "ltr" }, key)), element("dd", {}, t(`frame.key_${word}`))]);
    dialog.replaceChildren(element("h2", { id: "pal-help-title" }, t("frame.help_title")), element("dl", {}, ...keys), button(t("shared.close"), () => dialog.close(), "primary"));
    if (!dialog.open) dialog.showModal();
  };
}

/** A field of a page that was just left may still have the focus, although no one types in it. @param {EventTarget | null} target */
const typedIn = (target) => target instanceof Element && Boolean(target.closest(TYPED_IN)?.checkVisibility());

/** The latest action that can be undone. */
function lastUndo() {
  const undo = [...document.querySelectorAll(".pal-notices [data-undo]")].pop();
  return undo ? () => undo.click() : null;
}

/** The action of a key with Ctrl or ⌘. @param {KeyboardEvent} event @param {() => unknown} palette */
function held({ shiftKey, altKey, code, target }, palette) {
  if (altKey) return null;
  if (shiftKey) return SHORTCUTS[code];
  if (code === "KeyZ" && !typedIn(target)) return lastUndo();
  return code === "KeyK" ? palette : null;
}

/** @param {() => string[]} tabs the current tabs @param {FrameServer} server @returns a function that also opens the palette */
export function mountCommands(tabs, server) {
  const help = helpCard();
  const asked = (/** @type {string} */ text) => ({ group: t("frame.group_ask"), label: text, act: leaving(() => lead("chat", "ask", text)) });
  const palette = new Palette(async () => [...fixed(tabs(), help), ...(await documents(server))], asked);
  const toggle = () => palette.toggle();
  const pressed = (/** @type {KeyboardEvent} */ event) => {
    const asksForHelp = event.key === "?" && !event.altKey && !typedIn(event.target);
    const act = event.ctrlKey || event.metaKey ? held(event, toggle) : asksForHelp && help;
    if (!act) return;
    event.preventDefault();
    act();
  };
  addEventListener("keydown", pressed, true); // Before the parts of the page, some of which stop key events.
  return toggle;
}
