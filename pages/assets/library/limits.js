/* The line below the drop zone: what may be uploaded, and the panel in which the administrator changes it. */
import { call } from "../shared/notices.js";
import { button, element } from "../shared/ui.js";
import { t } from "../shared/words.js";

const MEGABYTE = 1024 * 1024;
const UNIT = { "limits.file_bytes": MEGABYTE, "limits.document_pages": 1 };
const LABEL = { "limits.file_bytes": "library.limit_file_bytes", "limits.document_pages": "library.limit_document_pages" };

export function mountLimits(root, server, { changed }) {
  const view = root.querySelector(".limits");
  const state = { limits: [], may: false, open: false };

  async function load() {
    take(await call(server.limits));
  }

  function take(reply) {
    if (!reply) return false;
    state.limits = reply.limits;
    state.may = reply.may_change;
    draw();
    return true;
  }

  const shown = (each) => Number((each.value / UNIT[each.name]).toFixed(2)).toLocaleString(document.documentElement.lang);

  function draw() {
    const by = Object.fromEntries(state.limits.map((each) => [each.name, each]));
    const line = element("p", {}, t("library.limits_line", { size: shown(by["limits.file_bytes"]), pages: shown(by["limits.document_pages"]) }));
    if (state.may) line.append(" · ", button(t(state.open ? "library.limits_close" : "library.limits_change"), toggle, "quiet", { "aria-expanded": state.open }));
    view.replaceChildren(line, ...(state.may && state.open ? [panel()] : []));
  }

  function toggle() {
    state.open = !state.open;
    draw();
    (state.open ? view.querySelector("input") : view.querySelector("button"))?.focus();
  }

  function panel() {
    const form = element("form", { "aria-label": t("library.limits_title") });
    const title = element("strong", {}, t("library.limits_title"));
    form.append(title, ...state.limits.map(row), hint(t("library.limits_hint")));
    form.addEventListener("submit", (event) => event.preventDefault());
    return form;
  }

  function row(each) {
    const label = element("label");
    const input = element("input");
    const unit = UNIT[each.name];
    Object.assign(input, { type: "number", name: each.name, min: each.least / unit, max: each.most / unit, step: 1, required: true });
    input.valueAsNumber = Math.round((each.value / unit) * 100) / 100;
    input.disabled = each.fixed;
    input.addEventListener("change", () => input.checkValidity() && change(each.name, Math.round(Number(input.value) * unit)));
    label.append(t(LABEL[each.name]), input);
    if (each.fixed) label.append(hint(t("library.limits_fixed")));
    else if (each.value !== each.default) label.append(button(t("library.limits_default"), () => change(each.name, null), "quiet"));
    return label;
  }

  async function change(name, value) {
    if (take(await call(server.change_limit, { name, value }))) changed();
  }

  function hint(text) {
    return element("small", {}, text);
  }

  /** The largest file as it is shown here; undefined until it is known. */
  const bytes = () => state.limits.find((each) => each.name === "limits.file_bytes")?.value;

  return { load, bytes };
}
