/* The strip of sets above the Library's list: filter by one, rename, delete and undo; and what selected documents may do
   with sets. */
import { call, showToast } from "../shared/notices.js";
import { button, element } from "../shared/ui.js";
import { t } from "../shared/words.js";

const UNDO_SECONDS = 10;
const STACK = '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M12 4l8 4-8 4-8-4zM4 12l8 4 8-4M4 16l8 4 8-4"/></svg>';

/** `redraw()` draws the list anew, `any()` says whether there are documents, `filled()` is told that a set took some. */
export function mountSets(strip, server, { redraw, any, filled: told }) {
  const state = { sets: [], chosen: null, naming: null, selected: [] };
  let drawn = "";

  /* -- what is there ------------------------------------------------------------------ */
  async function load() {
    const reply = await call(server.sets);
    if (!reply) return;
    state.sets = reply.sets;
    if (!current()) state.chosen = null;
  }

  const current = () => state.sets.find((each) => each.id === state.chosen);

  function filter(documents) {
    const chosen = current();
    return chosen ? documents.filter((each) => chosen.documents.includes(each.id)) : documents;
  }

  function choose(id) {
    state.chosen = state.chosen === id ? null : id;
    state.naming = null;
    redraw();
  }

  /* -- drawing ------------------------------------------------------------------------ */
  /** All that the strip and the tools are drawn from: somebody may be typing in them while documents are read. */
  const version = () => JSON.stringify([document.documentElement.lang, state.sets, state.chosen, state.naming, any()]);

  function draw() {
    if (version() === drawn) return;
    drawn = version();
    strip.setAttribute("aria-label", t("library.sets"));
    const chips = state.sets.map((each) => (state.naming === each.id ? nameForm(each.name, (name) => rename(each, name)) : chip(each)));
    strip.replaceChildren(...(state.sets.length ? [every(), ...chips] : []));
    if (!state.sets.length && any()) strip.append(words("hint", t("library.sets_hint")));
    if (current() && state.naming !== state.chosen) strip.append(...actions(current()));
    strip.querySelector("input")?.select();
  }

  function every() {
    const node = plain(t("library.sets_all"), () => choose(null));
    node.className = "set";
    node.setAttribute("aria-pressed", String(state.chosen === null));
    return node;
  }

  function chip(each) {
    const node = plain("", () => choose(each.id));
    node.className = "set";
    node.dataset.set = each.id;
    node.setAttribute("aria-pressed", String(state.chosen === each.id));
    node.innerHTML = STACK;
    const name = element("bdi");
    name.textContent = name.title = each.name;
    node.append(name, words("count", each.documents.length));
    return node;
  }

  function actions(each) {
    return [
      plain(t("library.sets_rename"), () => {
        state.naming = each.id;
        draw();
      }),
      plain(t("library.sets_delete"), () => remove(each)),
    ];
  }

  /** Buttons for the documents that are selected, by id. */
  function tools(ids) {
    state.selected = ids;
    if (!ids.length && state.naming === "new") state.naming = null;
    const others = state.sets.filter((each) => each.id !== state.chosen);
    return [
      state.naming === "new" ? nameForm("", create) : plain(t("library.sets_new"), startNew),
      ...(others.length ? [target(others)] : []),
      ...(current() ? [plain(t("library.sets_take_out"), () => takeOut(current(), ids))] : []),
    ];
  }

  function target(others) {
    const select = element("select", { "aria-label": t("library.sets_add") }, new Option(t("library.sets_add"), ""), ...others.map((each) => new Option(each.name, each.id)));
    select.addEventListener("change", () => fill(state.sets.find((each) => each.id === select.value)));
    return select;
  }

  function nameForm(name, done) {
    const form = element("form");
    const input = element("input");
    input.value = name;
    input.maxLength = 80;
    input.dir = "auto";
    input.placeholder = t("library.sets_name");
    input.setAttribute("aria-label", t("library.sets_name"));
    const save = plain(t("library.sets_save"), () => {});
    save.type = "submit";
    save.className = "primary";
    form.append(input, save, plain(t("shared.cancel"), stopNaming));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      done(input.value);
    });
    form.addEventListener("keydown", (event) => event.key === "Escape" && stopNaming());
    return form;
  }

  function startNew() {
    state.naming = "new";
    redraw();
    strip.parentElement.querySelector(".selection input").focus();
  }

  function stopNaming() {
    state.naming = null;
    redraw();
  }

  /* -- what can be done --------------------------------------------------------------- */
  async function changed(reply) {
    if (!reply) return false;
    state.naming = null;
    await load();
    redraw();
    return true;
  }

  async function create(name) {
    const reply = await call(server.create_set, { name, documents: state.selected });
    if (await changed(reply)) filled(reply.set);
  }

  async function rename(each, name) {
    await changed(await call(server.rename_set, { id: each.id, name }));
  }

  async function fill(each) {
    const reply = await call(server.fill_set, { id: each.id, add: state.selected });
    if (await changed(reply)) filled(reply.set);
  }

  function filled(each) {
    told();
    showToast(t("library.sets_filled", { count: each.documents.length, name: each.name }));
  }

  async function takeOut(each, documents) {
    const reply = await call(server.fill_set, { id: each.id, remove: documents });
    if (!(await changed(reply))) return;
    told();
    showToast(t("library.sets_filled", { count: reply.set.documents.length, name: each.name }), {
      label: t("shared.undo_detach"),
      action: async () => changed(await call(server.fill_set, { id: each.id, add: documents })),
      seconds: UNDO_SECONDS,
    });
  }

  async function remove(each) {
    if (!(await changed(await call(server.delete_set, { id: each.id })))) return;
    showToast(`${each.name} ${t("library.sets_deleted")}`, {
      label: t("library.sets_undo"),
      action: async () => changed(await call(server.undo_delete_set, { id: each.id })),
      seconds: UNDO_SECONDS,
    });
  }

  const plain = (text, action) => button(text, action, "quiet");

  function words(kind, text) {
    return element("span", { class: kind }, text);
  }

  return { load, draw, version, filter, tools, chosen: () => Boolean(current()) };
}
