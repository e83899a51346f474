/* The tools below a sent question: edit it and ask again, and go back to an earlier version. */
import { call } from "../shared/server.js";
import { button, element, iconButton } from "../shared/ui.js";
import { t } from "../shared/words.js";
import { tellOthers } from "./other-tabs.js";

const PENCIL = "M4 20h4L19 9l-4-4L4 16zM13 7l4 4";
const [BACK, ON] = ["M15 5l-7 7 7 7", "M9 5l7 7-7 7"];

/** @typedef {{ run: string, versions: string[] }} Asked The run of a question, and the runs of all its versions */

export class Questions {
  /** @param {import("./chat.js").Chat} tab */
  constructor(tab) {
    this.tab = tab;
  }

  /** Adds the tools below a question. @param {HTMLElement} node @param {Asked} asked */
  equip(node, { run, versions }) {
    node.dataset.run = run;
    const tools = element("div.question-tools", { lang: document.documentElement.lang });
    if (versions.length > 1) tools.append(...this.switcher(versions, versions.indexOf(run)));
    tools.append(iconButton(PENCIL, t("chat.edit_question"), () => this.edit(node, run), "quiet edit"));
    node.after(tools);
  }

  /** @param {string[]} versions @param {number} shown */
  switcher(versions, shown) {
    const go = (/** @type {number} */ step, /** @type {string} */ path, /** @type {string} */ words) => {
      const to = versions[shown + step];
      const made = iconButton(path, t(words), () => this.choose(to), "quiet turn");
      made.disabled = !to;
      return made;
    };
    const place = element("span.version", { dir: "ltr", "aria-label": t("chat.version", { n: shown + 1, count: versions.length }) }, `${shown + 1} / ${versions.length}`);
    return [go(-1, BACK, "chat.version_before"), place, go(1, ON, "chat.version_after")];
  }

  /** Whether the questions shown are not the first ones of `messages`, because another version is current. @param {MessageRow[]} messages */
  differ(messages) {
    const asked = messages.filter((message) => message.role === "user");
    return [...this.tab.thread.querySelectorAll(".question[data-run]")].some((node, place) => node.dataset.run !== asked[place]?.run);
  }

  /** @param {string} run */
  questionOf(run) {
    return this.tab.thread.querySelector(`.question[data-run="${CSS.escape(run)}"]`);
  }

  /** Asks the question of `run` again as it is, so that it asks back again. @param {string} run */
  again(run) {
    return this.replace(run, this.questionOf(run)?.textContent ?? "");
  }

  /** While an answer is written, its conversation cannot change. */
  get busy() {
    return Boolean(this.tab.run) && !this.tab.card.open;
  }

  /** @param {string} run */
  async choose(run) {
    if (this.busy) return;
    const reply = await call(this.tab.server.choose_version, { id: run });
    if (reply) await this.shown(reply.id, run);
  }

  /** Asks a question again as another version of its turn. @param {string} run @param {string} text */
  async replace(run, text) {
    if (this.busy || !text.trim()) return false;
    const reply = await call(this.tab.server.ask, { ...this.tab.composer.chosen(), text, conversation_id: this.tab.conversation, without: [], replaces: run });
    if (reply) await this.shown(reply.conversation.id, reply.run);
    return Boolean(reply);
  }

  /** Draws the conversation in its current versions, and moves to the question of `run`. @param {string} id @param {string} run */
  async shown(id, run) {
    await this.tab.openConversation(id, { remember: false });
    tellOthers(id);
    const node = this.questionOf(run);
    if (node !== [...this.tab.thread.querySelectorAll(".question")].pop()) node?.scrollIntoView({ block: "start" });
    node?.nextElementSibling?.querySelector(".turn:not([disabled]), .edit")?.focus({ preventScroll: true });
  }

  /** @param {HTMLElement} node @param {string} run */
  edit(node, run) {
    if (this.busy) return;
    const before = node.textContent ?? "";
    const tools = node.nextElementSibling;
    const field = element("textarea", { dir: "auto", rows: 1, "aria-label": t("chat.edit_question") });
    const form = element("form.question-edit", {}, field, element("div.acts", {}, button(t("shared.cancel"), () => close(), "quiet"), element("button.primary", { type: "submit" }, t("chat.ask_again"))));
    const grow = () => {
      field.style.height = "auto";
      field.style.height = `${field.scrollHeight}px`;
    };
    const close = () => {
      form.replaceWith(node);
      if (tools instanceof HTMLElement) tools.hidden = false;
      tools?.querySelector(".edit")?.focus();
    };
    const save = async () => {
      const text = field.value.trim();
      if (!text || text === before.trim()) close();
      else if (!(await this.replace(run, text))) field.focus();
    };
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      save();
    });
    field.addEventListener("input", grow);
    field.addEventListener("keydown", (event) => {
      if (event.key === "Escape") {
        event.stopPropagation();
        close();
      }
      if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
        event.preventDefault();
        save();
      }
    });
    field.value = before;
    node.replaceWith(form);
    if (tools instanceof HTMLElement) tools.hidden = true;
    grow();
    field.focus();
  }
}
