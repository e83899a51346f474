/* Which files can be read: the server's list, by their extensions. What cannot is told before anything is sent. */
import { showProblem } from "./ui.js";
import { t } from "./words.js";

/** Names that a refusal tells. */
const MOST_NAMES = 5;
/** What stands behind a dot in the middle of a sentence is no extension. */
const EXTENSION = /[^./\\]\.([a-z0-9_~-]{1,12})$/;

/** @param {string} name */
export const extensionOf = (name) => EXTENSION.exec(name.trim().toLowerCase())?.[1] ?? "";

/** Whether it is worth sending: a file without an extension is tried, and every file while the list is not there yet. @param {string} name @param {string[]} kinds */
export const isReadable = (name, kinds) => !extensionOf(name) || !kinds.length || kinds.includes(extensionOf(name));

/** @param {"readable" | "tables"} which @returns {string[]} */
const listed = (which) => document.querySelector(`[data-${which}]`)?.dataset[which].split(" ") ?? [];

/** Whether it is a table, which has a limit of its own. @param {string} name */
export const isTable = (name) => listed("tables").includes(extensionOf(name));

/** What the file picker offers. */
export const accepted = () => listed("readable").map((each) => `.${each}`).join(",");

/** Those that can be read; of the others it is told what can be. @template {{ name: string }} Given @param {Given[]} files */
export function readable(files) {
  const kinds = listed("readable");
  const refused = files.filter(({ name }) => !isReadable(name, kinds));
  if (refused.length) showProblem(unreadable(refused.map(({ name }) => name)));
  return files.filter((file) => !refused.includes(file));
}

/** Why files are not sent. @param {string[]} names @returns {Problem} */
export function unreadable(names) {
  const more = names.length > MOST_NAMES ? ` (+${names.length - MOST_NAMES})` : "";
  const extensions = [...new Set(names.map(extensionOf))].map((each) => `.${each}`).join(", ");
  return {
    what: t("shared.unreadable_what", { count: names.length, names: names.slice(0, MOST_NAMES).join(", ") + more }),
    why: t("shared.unreadable_why", { extensions }),
    remedy: t("shared.unreadable_remedy", { kinds: t("shared.readable_kinds") }),
  };
}
