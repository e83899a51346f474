/* Supported files: the server's list, by extension. The user is told about unsupported files before they are uploaded. */
import { showProblem } from "./ui.js";
import { t } from "./words.js";

/** Number of names in an error message. */
const MOST_NAMES = 5;
/** Text after a full stop within a sentence is no extension. */
const EXTENSION = /[^./\\]\.([a-z0-9_~-]{1,12})$/;

/** @param {string} name */
export const extensionOf = (name) => EXTENSION.exec(name.trim().toLowerCase())?.[1] ?? "";

/** Whether to upload a file: yes if it has no extension, or while the list is not loaded yet. @param {string} name @param {string[]} kinds */
export const isReadable = (name, kinds) => !extensionOf(name) || !kinds.length || kinds.includes(extensionOf(name));

/** @param {"readable" | "tables"} which @returns {string[]} */
const listed = (which) => document.querySelector(`[data-${which}]`)?.dataset[which].split(" ") ?? [];

/** Whether it is a table, which has a separate limit. @param {string} name */
export const isTable = (name) => listed("tables").includes(extensionOf(name));

/** The file types in the file dialog. */
export const accepted = () => listed("readable").map((each) => `.${each}`).join(",");

/** The supported files; for the others a message lists the supported types. @template {{ name: string }} Given @param {Given[]} files @param {(problem: Problem) => unknown} [refuse] */
export function readable(files, refuse = showProblem) {
  const kinds = listed("readable");
  const refused = files.filter(({ name }) => !isReadable(name, kinds));
  if (refused.length) refuse(unreadable(refused.map(({ name }) => name)));
  return files.filter((file) => !refused.includes(file));
}

/** The reason why files are not uploaded. @param {string[]} names @returns {Problem} */
export function unreadable(names) {
  const more = names.length > MOST_NAMES ? ` (+${names.length - MOST_NAMES})` : "";
  const extensions = [...new Set(names.map(extensionOf))].map((each) => `.${each}`).join(", ");
  return {
    what: t("shared.unreadable_what", { count: names.length, names: names.slice(0, MOST_NAMES).join(", ") + more }),
    why: t("shared.unreadable_why", { extensions }),
    remedy: t("shared.unreadable_remedy", { kinds: t("shared.readable_kinds") }),
  };
}
