/* `@` in the composer completes document titles and set names. */
import { afterPause, latest } from "../shared/timing.js";
import { CLIP, STACK, drawing, element, markOption } from "../shared/ui.js";
import { t } from "../shared/words.js";

const OPENED = /(^|[\s(])@([^\s@"][^@"\n]{0,60})?$/;
const PAUSE_MS = 60;
/** @type {Record<string, string>} */
const MARKS = { set: STACK, attachment: CLIP };

/** The part of a name typed after an open `@` at the end of `text`; undefined if there is none. @param {string} text */
export function nameBegun(text) {
  const match = text.match(OPENED);
  return match ? match[2] || "" : undefined;
}

export class Mentions {
  /** @type {Mention[]} */
  offered = [];
  current = 0;
  asking = latest();

  /** Must be created before other key listeners of the field. @param {HTMLTextAreaElement} field @param {HTMLElement} list @param {(name: string) => Promise<Mention[]>} suggest */
  constructor(field, list, suggest) {
    this.field = field;
    this.list = list;
    this.suggest = suggest;
    this.lookSoon = afterPause(PAUSE_MS, () => this.look());
    field.addEventListener("keydown", (event) => this.key(event));
    field.addEventListener("input", this.lookSoon);
    field.addEventListener("blur", () => this.close());
    this.close();
  }

  begun() {
    const { selectionStart: at, selectionEnd, value } = this.field;
    return at === selectionEnd ? nameBegun(value.slice(0, at)) : undefined;
  }

  close() {
    this.lookSoon.cancel();
    this.asking(null);
    this.offered = [];
    this.list.replaceChildren();
    this.list.hidden = true;
    this.field.removeAttribute("aria-activedescendant");
    this.field.setAttribute("aria-expanded", "false");
  }

  async look() {
    const name = this.begun();
    if (name === undefined) return this.close();
    const found = await this.asking(this.suggest(name));
    if (!found) return undefined;
    this.offered = found;
    this.current = 0;
    return found.length ? this.draw() : this.close();
  }

  draw() {
    this.list.replaceChildren(...this.offered.map((each, place) => this.option(each, place)));
    this.list.hidden = false;
    this.field.setAttribute("aria-expanded", "true");
    markOption(this.field, this.list, this.current);
  }

  /** @param {Mention} each @param {number} place */
  option({ kind, title, hint, count }, place) {
    const mark = MARKS[kind] && element("span.kind", { title: t(`chat.kind_${kind}`) }, drawing(MARKS[kind]));
    const small = element("small", {}, kind === "set" ? `${count} ${t("chat.documents_count")}` : hint);
    const press = (/** @type {Event} */ event) => {
      event.preventDefault();
      this.take(place);
    };
    return element("li", { id: `pal-mention-${place}`, role: "option", "data-kind": kind, onmousedown: press }, mark, element("bdi", {}, title), small);
  }

  /** @param {number} place */
  take(place) {
    const name = this.begun();
    const each = this.offered[place];
    if (name === undefined || !each) return void this.close();
    const at = this.field.selectionStart;
    this.field.setRangeText(`${each.insert} `, at - name.length - 1, at, "end");
    this.close();
    this.field.dispatchEvent(new Event("input", { bubbles: true }));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const many = this.offered.length;
    /** @type {Record<string, () => unknown>} */
    const keys = {
      ArrowDown: () => (this.current = (this.current + 1) % many),
      ArrowUp: () => (this.current = (this.current - 1 + many) % many),
      Enter: () => this.take(this.current),
      Tab: () => this.take(this.current),
      Escape: () => this.close(),
    };
    if (!many || !keys[event.key] || event.isComposing) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    keys[event.key]();
    if (this.offered.length) markOption(this.field, this.list, this.current);
  }
}
