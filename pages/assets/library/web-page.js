/* Web pages: the user pastes an address and the server reads it. Errors are shown below the field. */
import { replied } from "../shared/server.js";
import { during } from "../shared/timing.js";
import { element, explained, onSubmit, showProblem, showToast } from "../shared/ui.js";
import { t } from "../shared/words.js";

/** @param {Problem} problem */
const problem = (problem) => element("span.why", { role: "alert" }, ...explained(problem));

export class WebPage {
  /** @param {HTMLFormElement} form @param {import("./library.js").Library} tab */
  constructor(form, tab) {
    this.tab = tab;
    this.address = form.querySelector("input");
    this.button = form.querySelector("button");
    this.told = form.querySelector(".told");
    onSubmit(form, () => this.add());
    this.address.addEventListener("input", () => this.tell());
  }

  /** Whether the server can read web pages. @param {boolean} reads */
  offer(reads) {
    this.address.disabled = this.button.disabled = !reads;
    if (!reads) this.tell(t("library.page_off"));
    else if (this.told.classList.contains("off")) this.tell();
    this.told.classList.toggle("off", !reads);
  }

  /** Shows a message below the field. @param {...(string | Node)} words */
  tell(...words) {
    this.told.replaceChildren(...words);
    this.told.hidden = !words.length;
  }

  async add() {
    if (!this.address.value.trim()) return this.address.focus();
    this.tell(t("library.page_reading"), " ", element("progress", { "aria-label": t("library.page_reading") }));
    this.address.readOnly = true;
    const reply = await during(this.button, () => replied(this.tab.server.add_page, { address: this.address.value }));
    this.address.readOnly = false;
    if (reply.problem) return this.tell(problem(reply.problem));
    this.tell();
    this.address.value = "";
    this.taken(reply);
  }

  /** Replaces a document with the page's current content. @param {HTMLButtonElement} asked @param {string} id */
  async update(asked, id) {
    const reply = await during(asked, () => replied(this.tab.server.update_page, { id }));
    if (reply.problem) showProblem(reply.problem);
    else this.taken(reply);
  }

  /** @param {PageReply} reply */
  taken({ status, updated, document }) {
    const words = status === "duplicate" ? "library.page_same" : updated ? "library.page_updated" : "library.page_added";
    if (status === "accepted") this.tab.accept(document);
    else this.tab.load();
    showToast(t(words, { title: document.title }), { label: t("library.page_show"), action: () => this.tab.show(document.id), seconds: 8 });
  }
}
