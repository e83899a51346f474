/* Testing a tool: a field for each argument, and the result of the call. */
import { during } from "../shared/timing.js";
import { button, element, explained, onSubmit, table } from "../shared/ui.js";
import { isolated, t } from "../shared/words.js";

const LONGEST = 4000;
const MOST_ROWS = 20;
const LONGEST_HINT = 120;

export function trialForm(/** @type {{name: string, parameters: Parameter[]}} */ tool, /** @type {(given: Record<string, unknown>) => Promise<ToolOutcome | null>} */ attempt) {
  const outcome = element("div.outcome", { role: "status", "aria-live": "polite" });
  const send = button(t("tools.try"), () => {}, "", { type: "submit" });
  const form = element("form.trial", {}, ...tool.parameters.map(field), element("div.buttons", {}, send), outcome);
  return onSubmit(form, async () => {
    outcome.replaceChildren(element("p.waiting", {}, t("tools.trying")));
    const reply = await during(send, () => attempt(given(form, tool.parameters)));
    outcome.replaceChildren(...(reply ? result(reply) : []));
  });
}

function field(/** @type {Parameter} */ parameter) {
  const label = element("span", {}, element("code", { dir: "ltr" }, parameter.name), parameter.required && element("b", { title: t("tools.required") }, " *"));
  const hint = parameter.description && isolated(parameter.description.slice(0, LONGEST_HINT)); // a server's own text has its own direction
  const settings = { name: parameter.name, required: parameter.required, maxlength: 2000, autocomplete: "off", dir: "auto", title: hint };
  if (!parameter.choices.length) return element("label.field", {}, label, element("input", { ...settings, placeholder: hint }));
  const options = [...(parameter.required ? [] : [""]), ...parameter.choices.map(String)];
  return element("label.field", {}, label, element("select", settings, ...options.map((each) => element("option", { value: each }, each))));
}

/** The typed values, by argument name; for a list or an object, JSON texts are parsed. */
export function given(/** @type {any} */ form, /** @type {Parameter[]} */ parameters) {
  const typed = parameters.map((each) => [each.name, form.elements.namedItem(each.name).value.trim(), each.kind]).filter(([, text]) => text);
  return Object.fromEntries(typed.map(([name, text, kind]) => [name, kind === "array" || kind === "object" ? parsed(text) : text]));
}

function parsed(/** @type {string} */ text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function result(/** @type {ToolOutcome} */ reply) {
  const told = [...reply.notes, ...reply.warnings].map((each) => element("p.note", {}, each));
  if (reply.trouble) return [element("p.trouble", {}, ...explained(reply.trouble)), ...told];
  return [
    element("p.sent", { dir: "ltr" }, element("code", {}, JSON.stringify(reply.arguments))),
    !reply.found && element("p", {}, t("tools.found_nothing")),
    ...told,
    ...reply.tables.map(tableOf),
    !reply.tables.length && reply.text && element("pre", { dir: "auto", tabindex: "0" }, reply.text.slice(0, LONGEST)),
  ].filter((each) => each instanceof Node);
}

function tableOf(/** @type {FoundTable} */ found) {
  const heads = found.columns.map((each) => element("th", { scope: "col", dir: "auto" }, each));
  const rows = found.rows.slice(0, MOST_ROWS).map((row) => element("tr", {}, ...row.map((cell) => element("td", { dir: "auto" }, String(cell ?? "")))));
  const all = found.total ?? found.rows.length;
  return element(
    "figure",
    {},
    element("figcaption", {}, element("bdi", {}, found.title), all > rows.length && element("small", {}, ` ${t("tools.rows_of", { shown: rows.length, total: all })}`)),
    element("div.scroll", { tabindex: "0" }, table(heads, rows)),
  );
}
