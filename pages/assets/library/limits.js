/* The line below the drop zone: the upload limits, and the panel in which an administrator changes them. */
import { call } from "../shared/server.js";
import { button, element, onSubmit } from "../shared/ui.js";
import { number, t } from "../shared/words.js";

const UNIT = { "limits.file_bytes": 1024 * 1024, "limits.document_pages": 1 };

/** @param {Limit} limit */
export const limitLabel = ({ name }) => t({ "limits.file_bytes": "library.limit_file_bytes", "limits.document_pages": "library.limit_document_pages" }[name]);

/** The field of a limit in a readable unit, and a button that restores the default. @param {Limit} limit @param {(value: number | null) => unknown} change @returns {[HTMLInputElement, Child]} */
export function limitInput({ name, value, default: usual, least, most, fixed }, change) {
  const unit = UNIT[name];
  const input = element("input", { type: "number", name, min: least / unit, max: most / unit, step: 1, required: true, disabled: fixed, value: Math.round((value / unit) * 100) / 100, onchange: () => input.checkValidity() && change(Math.round(Number(input.value) * unit)) });
  return [input, !fixed && value !== usual && button(t("library.limits_default"), () => change(null), "quiet")];
}

/** @param {HTMLElement} root @param {LibraryServer} server @param {() => unknown} changed */
export function mountLimits(root, server, changed) {
  const view = root.querySelector(".limits");
  /** @type {LimitsReply} */
  let state = { limits: [], table_bytes: 0, may_change: false };
  let open = false;

  const load = async () => take(await call(server.limits));

  /** @param {LimitsReply | null} reply */
  function take(reply) {
    if (!reply) return false;
    state = reply;
    draw();
    return true;
  }

  /** @param {Limit["name"]} name */
  function shown(name) {
    const value = state.limits.find((each) => each.name === name)?.value ?? 0;
    return number(value / UNIT[name], 2);
  }

  function draw() {
    const line = element("p", {}, t("library.limits_line", { size: shown("limits.file_bytes"), pages: shown("limits.document_pages"), tables: number(state.table_bytes / UNIT["limits.file_bytes"]) }));
    if (state.may_change) line.append(" · ", button(t(open ? "library.limits_close" : "library.limits_change"), toggle, "quiet", { "aria-expanded": open }));
    view.replaceChildren(line, ...(state.may_change && open ? [panel()] : []));
  }

  function toggle() {
    open = !open;
    draw();
    view.querySelector(open ? "input" : "button")?.focus();
  }

  function panel() {
    const title = element("strong", {}, t("library.limits_title"));
    return onSubmit(element("form", { "aria-label": t("library.limits_title") }, title, ...state.limits.map(row), element("small", {}, t("library.limits_hint"))), () => {});
  }

  /** @param {Limit} each */
  function row(each) {
    const [input, back] = limitInput(each, async (value) => take(await call(server.change_limit, { name: each.name, value })) && changed());
    return element("label", {}, limitLabel(each), input, each.fixed ? element("small", {}, t("library.limits_fixed")) : back);
  }

  /** The largest file as it is shown here; undefined until known. */
  const bytes = () => state.limits.find((each) => each.name === "limits.file_bytes")?.value;

  return { load, bytes };
}
