/* The strip of sets above the Library's list: filter by a set, rename, delete and undo; and set actions for selected documents. */
import { call } from "../shared/server.js";
import { STACK, Part, button, drawing, element, onSubmit, pressed, showToast, undoable } from "../shared/ui.js";
import { isolated, t } from "../shared/words.js";
import { sharing } from "./row.js";

/** @extends {Part<LibraryServer>} */
export class Sets extends Part {
  /** @type {DocumentSet[]} */
  all = [];
  /** @type {string | null} the set that filters the list */
  chosen = null;
  /** @type {string | null} the set that is being named, or "new" */
  naming = null;
  drawn = "";

  /** @param {HTMLElement} strip @param {import("./library.js").Library} tab */
  constructor(strip, tab) {
    super(strip, tab.server);
    this.tab = tab;
  }

  /* -- sets --------------------------------------------------------------------------- */
  async load() {
    const reply = await call(this.server.sets);
    if (!reply) return;
    this.all = reply.sets;
    if (!this.current()) this.chosen = null;
  }

  current() {
    return this.all.find((each) => each.id === this.chosen);
  }

  /** @param {DocumentRow[]} documents */
  filter(documents) {
    const chosen = this.current();
    return chosen ? documents.filter((each) => chosen.documents.includes(each.id)) : documents;
  }

  /** @param {string | null} id */
  choose(id) {
    this.chosen = this.chosen === id ? null : id;
    this.name(null);
  }

  /** The set that is being renamed. @param {string | null} id */
  name(id) {
    this.naming = id;
    this.tab.draw();
  }

  /* -- drawing ------------------------------------------------------------------------ */
  /** All data that the strip and the tools are drawn from: the user may be typing in them while documents are read. */
  version() {
    return JSON.stringify([document.documentElement.lang, this.all, this.tab.group, this.chosen, this.naming, this.tab.documents.length > 0]);
  }

  draw() {
    if (this.version() === this.drawn) return;
    this.drawn = this.version();
    const every = button(t("library.sets_all"), () => this.choose(null), "set");
    const chips = this.all.map((each) => (this.naming === each.id ? this.nameForm(each.name, async (name) => this.changed(await call(this.server.rename_set, { id: each.id, name }))) : this.chip(each)));
    this.root.replaceChildren(...(chips.length ? [pressed(every, this.chosen === null), ...chips] : []));
    if (!chips.length && this.tab.documents.length > 0) this.root.append(element("span.hint", {}, t("library.sets_hint")));
    const current = this.current();
    if (current && this.naming !== this.chosen) this.root.append(...this.acts(current));
    this.find("input")?.select();
  }

  /** Actions of the selected set; another user's set can only be read. @param {DocumentSet} each */
  acts(each) {
    if (each.owner) return [sharing(each.owner, null)];
    const hint = { title: t("library.share_set_hint") };
    const { share_set: share, take_back_set: takeBack } = this.server;
    const toGroup = !each.group && this.tab.group ? [button(t("library.share", { group: isolated(this.tab.group) }), () => this.share(each, share), "quiet", hint)] : [];
    const back = each.group ? [sharing(null, each.group), button(t("library.take_back"), () => this.share(each, takeBack), "quiet", hint)] : [];
    return [button(t("library.sets_rename"), () => this.name(each.id), "quiet"), ...toGroup, ...back, button(t("library.sets_delete"), () => this.remove(each), "quiet")];
  }

  /** Shares a set with the group, or stops sharing it; its documents follow. @param {DocumentSet} each @param {Action<{ id: string }, SetReply>} action */
  async share(each, action) {
    if (await call(action, { id: each.id })) this.tab.load();
  }

  /** @param {DocumentSet} each */
  chip(each) {
    const parts = [drawing(STACK), element("bdi", { title: each.name }, each.name), element("span.count", {}, each.documents.length)];
    return pressed(element("button.set", { "data-set": each.id, onclick: () => this.choose(each.id) }, ...parts), this.chosen === each.id);
  }

  /** Buttons for the selected documents, by id. @param {string[]} ids */
  tools(ids) {
    if (!ids.length && this.naming === "new") this.naming = null;
    const others = this.all.filter((each) => each.id !== this.chosen && !each.owner);
    const current = this.current();
    const [first, adding] = [t("library.sets_new"), t("library.sets_add")];
    const fill = () => target.value && this.take(call(this.server.fill_set, { id: target.value, add: ids }));
    const target = element("select", { "aria-label": adding, onchange: fill }, new Option(adding, ""), ...others.map((each) => new Option(each.name, each.id)));
    return [
      this.naming === "new" ? this.nameForm("", (name) => this.take(call(this.server.create_set, { name, documents: ids }))) : button(first, () => this.startNew(), "quiet"),
      ...(others.length ? [target] : []),
      ...(current && !current.owner ? [button(t("library.sets_take_out"), () => this.takeOut(current, ids), "quiet")] : []),
    ];
  }

  /** @param {string} value @param {(name: string) => unknown} done */
  nameForm(value, done) {
    const words = t("library.sets_name");
    const input = element("input", { value, maxlength: 80, dir: "auto", placeholder: words, "aria-label": words });
    const cancel = () => this.name(null);
    const form = element("form", {}, input, button(t("library.sets_save"), () => {}, "primary", { type: "submit" }), button(t("shared.cancel"), cancel, "quiet"));
    return onSubmit(form, () => done(input.value), cancel);
  }

  startNew() {
    this.name("new");
    this.root.parentElement?.querySelector(".selection input").focus();
  }

  /* -- actions ------------------------------------------------------------------------ */
  /** @template Reply @param {Reply | null} reply */
  async changed(reply) {
    if (!reply) return null;
    this.naming = null;
    await this.load();
    this.tab.draw();
    return reply;
  }

  /** Adds the selected documents to a set. @param {Promise<SetReply | null>} taking */
  async take(taking) {
    const reply = await this.changed(await taking);
    if (!reply) return;
    this.tab.selection.all(false);
    showToast(t("library.sets_filled", { count: reply.set.documents.length, name: reply.set.name }));
  }

  /** @param {DocumentSet} each @param {string[]} documents */
  async takeOut(each, documents) {
    const reply = await this.changed(await call(this.server.fill_set, { id: each.id, remove: documents }));
    if (!reply) return;
    this.tab.selection.all(false);
    const back = async () => this.changed(await call(this.server.fill_set, { id: each.id, add: documents }));
    undoable(t("library.sets_filled", { count: reply.set.documents.length, name: each.name }), t("shared.undo_detach"), back);
  }

  /** @param {DocumentSet} each */
  async remove(each) {
    if (!(await this.changed(await call(this.server.delete_set, { id: each.id })))) return;
    undoable(`${each.name} ${t("library.sets_deleted")}`, t("shared.undo"), async () => this.changed(await call(this.server.undo_delete_set, { id: each.id })));
  }
}
