/* The Personality tab: templates, one text in two views, and the resulting prompt. */
import { leaving, on, send } from "../shared/bus.js";
import { call, saveFile } from "../shared/server.js";
import { afterPause } from "../shared/timing.js";
import { Part, element, onClick, onFiles, showProblem, showToast, tabs, undoable } from "../shared/ui.js";
import { t, translate } from "../shared/words.js";
import { mountAsk } from "./ask.js";
import { Drafts, isDirty } from "./drafts.js";
import { drawPrompt, flawRows } from "./outcome.js";
import { QuickSettings } from "./quick.js";
import { YamlEditor } from "./yaml.js";

const PAUSE_MS = 150;
const SHIPPED = ["default", "professional", "teacher"];

/** @typedef {import("./drafts.js").Draft} Draft */

/** @param {{ kind: string, slug: string | null, name: string }} each */
const nameOf = ({ kind, slug, name }) => (kind === "preset" && slug && SHIPPED.includes(slug) ? t(`personality.preset_${slug}`) : name);

/** @extends {Part<PersonalityServer>} */
class Personality extends Part {
  /** @type {TemplateRow[]} */
  templates = [];
  /** @type {Draft | null} */
  current = null;
  most = 64_000;

  /** @param {Widget<PersonalityServer>} widget */
  constructor({ element: widget, server }) {
    super(widget.querySelector(".pal-personality"), server);
    this.ask = mountAsk(this.find("dialog"));
    this.drafts = new Drafts(server.draft, (draft) => draft === this.current && this.draw());
    this.settleSoon = afterPause(PAUSE_MS, (/** @type {Draft} */ draft) => this.drafts.settle(draft));
    this.quick = new QuickSettings(this.find(".quick"), (name, value) => this.edited((draft) => (draft.changes[name] = value)));
    this.yaml = new YamlEditor(this.find(".yaml"), (text) => this.edited((draft) => (draft.text = text)));
    this.mark = tabs(this.root, "viewTab", async (view) => {
      if (this.current) await this.drafts.settle(this.current);
      this.show(view);
    });
  }

  /* -- templates ---------------------------------------------------------------------- */
  async load() {
    const reply = await call(this.server.templates);
    if (!reply) return;
    this.templates = reply.templates;
    this.most = reply.most_characters;
    this.quick.needs(reply.need_a_model, reply.model);
    this.find(".fell-back").hidden = !reply.fell_back;
    this.drawList();
    if (!this.current) await this.open(this.templates.find((each) => each.active)?.slug || "default");
    else this.draw();
  }

  drawList() {
    const fresh = [...this.drafts.all.values()].filter((draft) => draft.kind === "new");
    const rows = (/** @type {string} */ kind) => this.templates.filter((each) => each.kind === kind).map((each) => this.item(each.slug, each));
    const own = [...fresh.map((draft) => this.item(draft.key, draft)), ...rows("custom")];
    this.find("[data-list=preset]").replaceChildren(...rows("preset"));
    this.find("[data-list=custom]").replaceChildren(...own);
    this.find(".templates .none").hidden = own.length > 0;
  }

  /** @param {string} key @param {TemplateRow | Draft} each */
  item(key, each) {
    const draft = this.drafts.all.get(key);
    const active = "active" in each && each.active && element("span.active", {}, t("personality.active"));
    const unsaved = draft && isDirty(draft) && element("span.unsaved", {}, t("personality.unsaved"));
    const open = element("button", { "data-slug": key, "aria-current": this.current?.key === key, onclick: () => this.open(key) }, element("bdi", {}, nameOf(each)), active, unsaved);
    return element("li", {}, open);
  }

  /** @param {string} key */
  async open(key) {
    let draft = this.drafts.all.get(key);
    if (!draft) {
      const reply = await call(this.server.template, { slug: key });
      if (!reply) return;
      draft = this.drafts.keepSaved(reply.template, reply);
    }
    await this.turnTo(draft);
  }

  /** @param {Draft} draft */
  turnTo(draft) {
    this.current = draft;
    this.draw();
    this.drawList();
    return this.drafts.settle(draft);
  }

  /* -- one text, two views ------------------------------------------------------------ */
  /** @param {(draft: Draft) => void} change */
  edited(change) {
    if (!this.current) return;
    change(this.current);
    this.current.version += 1;
    this.drawState(this.current);
    this.settleSoon(this.current);
  }

  /* -- drawing ------------------------------------------------------------------------ */
  draw() {
    const { current } = this;
    if (!current) return;
    this.find("[data-title]").textContent = nameOf(current);
    this.quick.show(current.view.quick, current.changes);
    this.yaml.mark(current.view.errors, current.view.warnings);
    this.yaml.show(current.text);
    this.drawFlaws(current);
    drawPrompt(this.find(".prompt"), current.key, current.prompt);
    this.find(".stale").hidden = current.view.errors.length === 0;
    this.drawState(current);
  }

  /** @param {Draft} current */
  drawState(current) {
    const changed = isDirty(current);
    const active = Boolean(this.templates.find((each) => each.slug === current.slug)?.active);
    const use = this.find("[data-do=activate]");
    this.find(".editor .unsaved").hidden = !changed;
    use.textContent = t(changed ? "personality.save_and_use" : active ? "personality.in_use" : "personality.use");
    use.disabled = !changed && active;
    this.find("[data-do=save]").disabled = !changed;
    this.find("[data-do=reset]").disabled = !changed;
    this.find("[data-do=delete]").hidden = current.kind !== "custom";
    const mark = this.find(`[data-slug="${CSS.escape(current.key)}"]`);
    if (mark && changed !== Boolean(mark.querySelector(".unsaved"))) this.drawList();
  }

  /** @param {Draft} current */
  drawFlaws(current) {
    const waits = !current.view.quick && current.seen === current.version && this.root.dataset.view === "quick";
    this.find(".flaws").replaceChildren(...flawRows(current.view, (line, column) => this.goTo(line, column)), ...(waits ? [element("p", {}, t("personality.quick_waits"))] : []));
  }

  /** @param {number | null} line @param {number | null} column */
  goTo(line, column) {
    this.show("yaml");
    if (line) this.yaml.goTo(line, column);
  }

  /** @param {string} view */
  show(view) {
    this.root.dataset.view = view;
    this.mark(view);
    this.find(".quick").hidden = view !== "quick";
    this.find(".yaml").hidden = view !== "yaml";
    this.draw();
  }

  /* -- acts --------------------------------------------------------------------------- */
  /** @param {Draft} draft @param {string} title @returns {Promise<Draft | null>} */
  async save(draft, title) {
    if (!(await this.drafts.settle(draft))) return null;
    const [wrong] = draft.view.errors;
    if (wrong) this.goTo(wrong.line, wrong.column);
    const reply = await call(this.server.save, { name: title, text: draft.text });
    if (!reply) return null;
    const { template, replaced } = reply;
    const known = template.slug === draft.slug;
    if (!known) this.drafts.giveUp(draft);
    const saved = this.drafts.keepSaved(template, draft.view);
    this.current = saved;
    if (!known && replaced) undoable(t("personality.replaced", { name: replaced.name }), t("personality.undo"), () => this.restore(replaced));
    else showToast(t("personality.saved", { name: template.name }));
    await this.load();
    send("personality");
    return saved;
  }

  /** @param {{ name: string, text: string }} template */
  async restore({ name, text }) {
    const reply = await call(this.server.save, { name, text });
    if (!reply) return;
    this.drafts.all.delete(reply.template.slug);
    await this.load();
    await this.open(reply.template.slug);
  }

  /** @param {Draft} draft */
  async saveAs(draft) {
    const given = draft.kind === "custom" ? draft.name : String(draft.view.quick?.name || draft.name);
    const why = draft.kind === "preset" ? t("personality.preset_stays") : "";
    const answer = await this.ask({ title: t("personality.save_as"), why, name: given, buttons: [["save", t("personality.save")]] });
    return answer && this.save(draft, answer.name);
  }

  /** @param {Draft} draft */
  keep(draft) {
    return draft.kind === "custom" ? this.save(draft, draft.name) : this.saveAs(draft);
  }

  /** @param {Draft} draft */
  async reset(draft) {
    if (!(await this.drafts.settle(draft))) return;
    const { text } = draft;
    const isNew = draft.kind === "new";
    this.drafts.giveUp(draft);
    if (isNew) this.current = null;
    else await this.drafts.settle(draft);
    undoable(t("personality.was_reset"), t("personality.undo"), async () => {
      if (isNew) return this.turnTo(this.drafts.begin(draft.name, text));
      this.drafts.write(draft, text, draft.changes);
      await this.drafts.settle(draft);
      return this.drawList();
    });
    await this.load();
  }

  /** @param {Draft} draft */
  async activate(draft) {
    const kept = isDirty(draft) ? await this.keep(draft) : draft;
    const reply = kept?.slug && (await call(this.server.activate, { slug: kept.slug }));
    if (!reply) return;
    showToast(t("personality.speaks_now", { name: reply.assistant }));
    send("personality");
    await this.load();
  }

  /** @param {Draft} draft */
  async remove(draft) {
    const reply = draft.slug && (await call(this.server.remove, { slug: draft.slug }));
    if (!reply) return;
    this.drafts.all.delete(draft.key);
    this.current = null;
    undoable(`${draft.name} ${t("shared.removed")}`, t("personality.undo"), () => this.restore(reply.template));
    await this.load();
  }

  /** @param {Draft} draft */
  async download(draft) {
    if (await this.drafts.settle(draft)) saveFile(`${draft.name}.yaml`, draft.text, "application/yaml");
  }

  /** @param {File} file */
  async upload(file) {
    const refuse = (/** @type {string} */ why, /** @type {string} */ remedy) => showProblem({ what: `${file.name} ${t("personality.not_read")}`, why: t(why), remedy: t(remedy) });
    if (!/\.(ya?ml|txt)$/i.test(file.name)) return refuse("personality.wrong_type", "personality.choose_yaml");
    if (file.size > 4 * this.most) return refuse("personality.too_large", "personality.choose_yaml");
    try {
      const text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
      return this.turnTo(this.drafts.begin(file.name.replace(/\.\w+$/, ""), text.replace(/\r\n?/g, "\n")));
    } catch {
      return refuse("personality.not_text", "personality.choose_yaml");
    }
  }

  async startFromExample() {
    const reply = await call(this.server.example);
    if (reply) await this.turnTo(this.drafts.begin(reply.assistant ?? "", reply.text));
  }

  /** The action of a button; an action on a text does nothing if there is none. @param {string} name */
  act(name) {
    if (name === "example") return this.startFromExample();
    if (name === "upload") return this.find("[data-file]").click();
    /** @type {Record<string, (draft: Draft) => unknown>} */
    const acts = { activate: this.activate, save: this.keep, "save-as": this.saveAs, reset: this.reset, download: this.download, delete: this.remove };
    return this.current && acts[name].call(this, this.current);
  }

  /* -- beginning ---------------------------------------------------------------------- */
  listen() {
    onClick(this.root, "[data-do]", (asked) => this.act(asked.dataset.do));
    onFiles(this.find("[data-file]"), ([file]) => this.upload(file));
    leaving.guard("personality", (go) => {
      const waiting = this.drafts.unsaved();
      if (!waiting.length) return false;
      this.ask({
        title: t("personality.leave_title"),
        why: `${waiting.map(nameOf).join(", ")}. ${t("personality.leave_why")}`,
        buttons: [["stay", t("personality.stay")], ["leave", t("personality.leave")]],
      }).then((answer) => answer?.button === "leave" && go());
      return true;
    });
    addEventListener("beforeunload", (event) => this.drafts.unsaved().length && event.preventDefault());
    on("language", () => {
      translate(this.root);
      for (const draft of this.drafts.all.values()) draft.version += 1;
      if (this.current) this.drafts.settle(this.current);
      this.load();
    });
  }
}

/** @param {Widget<PersonalityServer>} widget */
export function mount(widget) {
  const tab = new Personality(widget);
  tab.listen();
  translate(tab.root);
  tab.show("quick");
  tab.load();
}
