/* The Personality tab: templates, one text in two views, and the prompt that results. */
import { leaving, on, send } from "../shared/bus.js";
import { saveFile } from "../shared/files.js";
import { call, showToast } from "../shared/notices.js";
import { element, tabs } from "../shared/ui.js";
import { mountAsk } from "./ask.js";
import { mountQuick } from "./quick.js";
import { mountYaml } from "./yaml.js";
import { t, translate } from "../shared/words.js";

const PAUSE_MS = 150;
const UNDO_SECONDS = 10;
const SHIPPED = ["default", "professional", "teacher"];
const NOTHING = { quick: null, prompt: null, assistant: null, errors: [], warnings: [] };

export function mount({ element: widget, server }) {
  const root = widget.querySelector(".pal-personality");
  const find = (selector) => root.querySelector(selector);
  const state = { templates: [], drafts: new Map(), current: null, most: 64_000, count: 0 };
  const ask = mountAsk(find("dialog"));
  const quick = mountQuick(find(".quick"), { changed: settingChanged });
  const yaml = mountYaml(find(".yaml"), { typed });

  const dirty = (draft) => draft.text !== draft.saved || Object.keys(draft.changes).length > 0;
  const unsaved = () => [...state.drafts.values()].filter(dirty);
  const listed = (slug) => state.templates.find((each) => each.slug === slug);
  const name = (draft) => (draft.kind === "preset" && SHIPPED.includes(draft.slug) ? t(`personality.preset_${draft.slug}`) : draft.name);

  /* -- templates ---------------------------------------------------------------------- */
  async function load() {
    const reply = await call(server.templates);
    if (!reply) return;
    state.templates = reply.templates;
    state.most = reply.most_characters;
    quick.needs(reply.need_a_model, reply.model);
    find(".fell-back").hidden = !reply.fell_back;
    drawList();
    if (!state.current) await open(state.templates.find((each) => each.active)?.slug || "default");
    else draw();
  }

  function drawList() {
    const fresh = [...state.drafts.values()].filter((draft) => draft.kind === "new");
    const own = [...fresh, ...state.templates.filter((each) => each.kind === "custom")];
    find("[data-list=preset]").replaceChildren(...state.templates.filter((each) => each.kind === "preset").map(item));
    find("[data-list=custom]").replaceChildren(...own.map(item));
    find(".templates .none").hidden = own.length > 0;
  }

  function item(each) {
    const key = each.key || each.slug;
    const draft = state.drafts.get(key);
    const button = element("button", { "data-slug": key, "aria-current": String(state.current?.key === key) });
    const title = element("bdi", {}, name(each));
    button.append(title);
    if (each.active) button.append(badge("active", t("personality.active")));
    if (draft && dirty(draft)) button.append(badge("unsaved", t("personality.unsaved")));
    button.addEventListener("click", () => open(key));
    return element("li", {}, button);
  }

  function badge(className, text) {
    return element("span", { class: className }, text);
  }

  async function open(key) {
    if (!state.drafts.has(key)) {
      const reply = await call(server.template, { slug: key });
      if (!reply) return;
      keep({ ...reply.template, key, text: reply.template.text, saved: reply.template.text }, reply);
    }
    state.current = state.drafts.get(key);
    draw();
    drawList();
    await settle(state.current);
  }

  function keep(draft, view = NOTHING) {
    const kept = { changes: {}, version: 0, seen: 0, prompt: view.prompt, ...draft, view };
    state.drafts.set(kept.key, kept);
    return kept;
  }

  function begin(title, text) {
    state.count += 1;
    state.current = keep({ key: `new ${state.count}`, slug: null, kind: "new", name: title, text, saved: null, version: 1 });
    draw();
    drawList();
    return settle(state.current);
  }

  /* -- one text, two views ------------------------------------------------------------ */
  let pause;
  function typed(text) {
    state.current.text = text;
    soon();
  }

  function settingChanged(field, value) {
    state.current.changes[field] = value;
    soon();
  }

  function soon() {
    const draft = state.current;
    draft.version += 1;
    drawState();
    clearTimeout(pause);
    pause = setTimeout(() => settle(draft), PAUSE_MS);
  }

  /** What the text amounts to now; whoever acts on a draft waits for it. One request at a time. */
  function settle(draft) {
    draft.settling ??= catchUp(draft).finally(() => (draft.settling = null));
    return draft.settling;
  }

  async function catchUp(draft) {
    while (draft.seen !== draft.version) {
      const { text, version } = draft;
      const changes = { ...draft.changes };
      const reply = await draftOf({ text, changes });
      if (!reply) return false;
      if (draft.text === text) draft.text = reply.text;
      for (const [field, value] of Object.entries(changes)) if (draft.changes[field] === value) delete draft.changes[field];
      draft.seen = version;
      draft.view = reply;
      if (reply.prompt !== null) draft.prompt = reply.prompt;
      if (draft === state.current) draw();
    }
    return true;
  }

  let refusal = null;
  async function draftOf(data) {
    if (refusal?.isConnected) refusal.remove();
    const reply = await call(server.draft, data);
    if (!reply) refusal = document.querySelector(".pal-notices .problem:last-child");
    return reply;
  }

  /* -- drawing ------------------------------------------------------------------------ */
  function draw() {
    const { current } = state;
    if (!current) return;
    find("[data-title]").textContent = name(current);
    quick.show(current.view.quick, current.changes);
    yaml.mark(current.view.errors, current.view.warnings);
    yaml.show(current.text);
    drawFlaws(current.view);
    drawPrompt(current);
    drawState();
  }

  function drawState() {
    const { current } = state;
    const changed = dirty(current);
    const active = listed(current.slug)?.active;
    find(".editor .unsaved").hidden = !changed;
    const use = find("[data-do=activate]");
    use.textContent = t(changed ? "personality.save_and_use" : active ? "personality.in_use" : "personality.use");
    use.disabled = !changed && Boolean(active);
    find("[data-do=save]").disabled = !changed;
    find("[data-do=reset]").disabled = !changed;
    find("[data-do=delete]").hidden = current.kind !== "custom";
    const mark = find(`[data-slug="${CSS.escape(current.key)}"]`);
    if (mark && changed !== Boolean(mark.querySelector(".unsaved"))) drawList();
  }

  function drawFlaws({ errors, warnings, quick: readable }) {
    const rows = [...errors.map((each) => flaw(each, "wrong")), ...warnings.map((each) => flaw(each, "odd"))];
    if (!readable && state.current.seen === state.current.version && root.dataset.view === "quick") {
      const hint = element("p", {}, t("personality.quick_waits"));
      rows.push(hint);
    }
    find(".flaws").replaceChildren(...rows);
  }

  function flaw(each, className) {
    const row = element(each.line ? "button" : "p");
    row.className = `flaw ${className}`;
    const where = element("b");
    if (each.line) where.textContent = t("personality.line", { line: each.line, column: each.column });
    const words = element("span", { dir: "auto" }, each.text);
    row.append(where, " ", words);
    if (each.line) {
      row.setAttribute("type", "button");
      row.addEventListener("click", () => {
        show("yaml");
        yaml.goTo(each.line, each.column);
      });
    }
    return row;
  }

  function drawPrompt(draft) {
    const place = find(".prompt");
    const same = place.dataset.key === draft.key;
    const before = new Set([...place.children].map((node) => node.textContent));
    const parts = (draft.prompt || "").split("\n\n").filter(Boolean);
    if (!same || parts.some((part) => !before.has(part)) || parts.length !== place.children.length) {
      place.replaceChildren(
        ...parts.map((part) => {
          const node = element("p", { dir: "auto" }, part);
          node.classList.toggle("changed", same && !before.has(part));
          return node;
        }),
      );
    }
    place.dataset.key = draft.key;
    find(".stale").hidden = draft.view.errors.length === 0;
  }

  function show(view) {
    root.dataset.view = view;
    mark(view);
    find(".quick").hidden = view !== "quick";
    find(".yaml").hidden = view !== "yaml";
    if (state.current) draw();
  }

  /* -- acts --------------------------------------------------------------------------- */
  async function save(draft, title) {
    if (!(await settle(draft))) return null;
    if (draft.view.errors.length) {
      show("yaml");
      const [{ line, column }] = draft.view.errors;
      if (line) yaml.goTo(line, column);
    }
    const reply = await call(server.save, { name: title, text: draft.text });
    if (!reply) return null;
    const { template, replaced } = reply;
    const known = template.slug === draft.slug;
    if (!known) giveUp(draft);
    state.current = keep({ ...template, key: template.slug, saved: template.text }, draft.view);
    if (!known && replaced) undoable(t("personality.replaced", { name: replaced.name }), () => restore(replaced));
    else showToast(t("personality.saved", { name: template.name }));
    await load();
    send("personality");
    return state.current;
  }

  function undoable(text, action) {
    showToast(text, { label: t("personality.undo"), seconds: UNDO_SECONDS, action });
  }

  async function restore({ name: title, text }) {
    const reply = await call(server.save, { name: title, text });
    if (!reply) return;
    state.drafts.delete(reply.template.slug);
    await load();
    await open(reply.template.slug);
  }

  async function saveAs(draft) {
    const given = draft.kind === "custom" ? draft.name : draft.view.quick?.name || draft.name;
    const answer = await ask({
      title: t("personality.save_as"),
      why: draft.kind === "preset" ? t("personality.preset_stays") : "",
      name: given,
      buttons: [["save", t("personality.save")]],
    });
    return answer ? save(draft, answer.name) : null;
  }

  const keepIt = (draft) => (draft.kind === "custom" ? save(draft, draft.name) : saveAs(draft));

  /** Back to what is saved; a new one goes altogether. */
  function giveUp(draft) {
    if (draft.kind === "new") state.drafts.delete(draft.key);
    else Object.assign(draft, { text: draft.saved, changes: {}, version: draft.version + 1 });
  }

  async function reset(draft) {
    if (!(await settle(draft))) return;
    const { text } = draft;
    giveUp(draft);
    if (draft.kind === "new") state.current = null;
    else await settle(draft);
    undoable(t("personality.was_reset"), async () => {
      if (draft.kind === "new") await begin(draft.name, text);
      else {
        Object.assign(draft, { text, version: draft.version + 1 });
        await settle(draft);
        drawList();
      }
    });
    await load();
  }

  async function activate(draft) {
    const kept = dirty(draft) ? await keepIt(draft) : draft;
    if (!kept) return;
    const reply = await call(server.activate, { slug: kept.slug });
    if (!reply) return;
    showToast(t("personality.speaks_now", { name: reply.assistant }));
    send("personality");
    await load();
  }

  async function remove(draft) {
    const reply = await call(server.remove, { slug: draft.slug });
    if (!reply) return;
    state.drafts.delete(draft.key);
    state.current = null;
    undoable(`${draft.name} ${t("shared.removed")}`, () => restore(reply.template));
    await load();
  }

  async function download(draft) {
    if (await settle(draft)) saveFile(`${draft.name}.yaml`, draft.text, "application/yaml");
  }

  async function upload(file) {
    const refuse = (why, remedy) => call(async () => ({ problem: { what: `${file.name} ${t("personality.not_read")}`, why: t(why), remedy: t(remedy) } }));
    if (!/\.(ya?ml|txt)$/i.test(file.name)) return refuse("personality.wrong_type", "personality.choose_yaml");
    if (file.size > 4 * state.most) return refuse("personality.too_large", "personality.choose_yaml");
    try {
      const text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
      return begin(file.name.replace(/\.\w+$/, ""), text.replace(/\r\n?/g, "\n"));
    } catch {
      return refuse("personality.not_text", "personality.choose_yaml");
    }
  }

  async function startFromExample() {
    const reply = await call(server.example);
    if (reply) await begin(reply.assistant, reply.text);
  }

  const ACTS = {
    activate,
    save: keepIt,
    "save-as": saveAs,
    reset,
    download,
    delete: remove,
    example: startFromExample,
    upload: () => find("[data-file]").click(),
  };

  /* -- beginning ---------------------------------------------------------------------- */
  for (const button of root.querySelectorAll("[data-do]")) {
    button.addEventListener("click", () => ACTS[button.dataset.do](state.current));
  }
  find("[data-file]").addEventListener("change", async (event) => {
    const [file] = event.target.files;
    event.target.value = "";
    if (file) await upload(file);
  });
  const mark = tabs(root, "viewTab", async (view) => {
    if (state.current) await settle(state.current);
    show(view);
  });
  leaving.guard("personality", (go) => {
    const waiting = unsaved();
    if (!waiting.length) return false;
    ask({
      title: t("personality.leave_title"),
      why: `${waiting.map(name).join(", ")}. ${t("personality.leave_why")}`,
      buttons: [["stay", t("personality.stay")], ["leave", t("personality.leave")]],
    }).then((answer) => answer?.button === "leave" && go());
    return true;
  });
  addEventListener("beforeunload", (event) => unsaved().length && event.preventDefault());
  on("language", () => {
    translate(root);
    for (const draft of state.drafts.values()) draft.version += 1;
    if (state.current) settle(state.current);
    load();
  });
  translate(root);
  show("quick");
  load();
}
