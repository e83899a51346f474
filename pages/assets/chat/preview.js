/* The passage of a citation, shown while the citation is hovered or focused. */
import { call } from "../shared/server.js";
import { element } from "../shared/ui.js";
import { aimOf } from "./answer-parts.js";
import { sentenceBefore } from "./evidence.js";

const SHOW_MS = 160;
const HIDE_MS = 140;
const GAP = 8;
const CITED = ".cite[data-cite]";

/** @param {Event} event @returns {HTMLElement | null | undefined} */
const citedBy = ({ target }) => (target instanceof Element ? target.closest(CITED) : null);

export class Preview {
  card = element("div.pal-preview", { id: "pal-preview", role: "tooltip", hidden: true });
  /** @type {Map<string, Promise<{ html: string } | null>>} */
  known = new Map();
  /** @type {HTMLElement | null} */
  over = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer;

  /** @param {import("./chat.js").Chat} tab */
  constructor(tab) {
    this.tab = tab;
    tab.root.append(this.card);
    this.listen(tab.thread);
  }

  /** @param {() => unknown} action @param {number} ms */
  soon(action, ms) {
    this.stay();
    this.timer = setTimeout(action, ms);
  }

  stay() {
    clearTimeout(this.timer);
  }

  /** @param {HTMLElement} cited */
  async show(cited) {
    this.stay();
    const run = this.tab.runOf(cited);
    if (!run || !cited.isConnected) return;
    this.over = cited;
    const { number, item, quote } = aimOf(cited, sentenceBefore(cited));
    const key = [run, number, item, quote].join("\n");
    const asked = this.known.get(key) ?? call(this.tab.server.preview, { run_id: run, number, item_id: item, quote });
    this.known.set(key, asked);
    const reply = await asked;
    if (!reply) this.known.delete(key);
    if (!reply?.html || this.over !== cited || !cited.isConnected) return;
    this.card.innerHTML = reply.html;
    this.card.hidden = false;
    cited.setAttribute("aria-describedby", this.card.id);
    this.place(cited);
    const mark = this.card.querySelector("mark");
    const text = this.card.querySelector(".text");
    if (mark && text) text.scrollTop = mark.offsetTop - text.offsetTop - text.clientHeight / 3;
  }

  /** Below the citation, or above it if there is no space; always inside the window. @param {HTMLElement} cited */
  place(cited) {
    const at = cited.getBoundingClientRect();
    const { offsetWidth: across, offsetHeight: down } = this.card;
    const left = Math.min(Math.max(GAP, at.left + at.width / 2 - across / 2), innerWidth - across - GAP);
    const below = at.bottom + GAP + down <= innerHeight;
    this.card.style.left = `${left}px`;
    this.card.style.top = `${below ? at.bottom + GAP : Math.max(GAP, at.top - GAP - down)}px`;
  }

  hide() {
    this.stay();
    this.over?.removeAttribute("aria-describedby");
    this.over = null;
    this.card.hidden = true;
  }

  /** @param {HTMLElement} thread */
  listen(thread) {
    thread.addEventListener("pointerover", (event) => {
      const cited = event.pointerType !== "touch" && citedBy(event);
      if (cited) this.soon(() => this.show(cited), SHOW_MS);
    });
    thread.addEventListener("pointerout", (event) => {
      const left = citedBy(event);
      if (left) this.soon(() => left === this.over && left !== document.activeElement && this.hide(), HIDE_MS);
    });
    thread.addEventListener("focusin", (event) => {
      const cited = citedBy(event);
      if (cited?.matches(":focus-visible")) this.show(cited);
    });
    thread.addEventListener("focusout", (event) => citedBy(event) && this.hide());
    thread.addEventListener("click", () => this.hide());
    this.card.addEventListener("pointerenter", () => this.stay());
    this.card.addEventListener("pointerleave", () => this.soon(() => this.hide(), HIDE_MS));
    // Keyboard navigation may scroll: the preview follows the focused citation.
    const scrolled = () => (this.over && this.over === document.activeElement ? this.place(this.over) : this.hide());
    thread.closest(".scroll").addEventListener("scroll", scrolled, { passive: true });
    document.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || this.card.hidden) return;
      this.hide();
      event.stopPropagation();
    }, true);
  }
}
