/* Files added to the Library: dropped or chosen, uploaded, with a question if a name is taken. */
import { send } from "../shared/bus.js";
import { accepted, isTable, readable } from "../shared/kinds.js";
import { call, callForEach, uploaded } from "../shared/server.js";
import { atMost, batched, within } from "../shared/timing.js";
import { button, element, onFiles, showToast } from "../shared/ui.js";
import { tellUnpacked } from "../shared/unpacked.js";
import { t } from "../shared/words.js";
import { Refusals } from "./refusals.js";

/** A browser has six connections to a server; questions and live streams need some of them. */
const SENT_AT_ONCE = 3;
/** Maximum bytes uploaded but not yet submitted: the server refuses more than its limit. */
const MOST_WAITING = 200 * 1024 * 1024;
/** Number of files that get their own line during the upload. */
const FEW = 8;
/** Pause until the uploaded files are submitted together, for few and for many files. */
const SOON_MS = 50;
const TOGETHER_MS = 1_500;

/** @param {number} bytes */
const megabytes = (bytes) => (bytes / 1024 / 1024).toFixed(1);

export class Arrivals {
  /** Counts of all files dropped since the last time that no upload was in progress. */
  total = 0;
  sent = 0;
  settled = 0;
  /** @type {Map<HTMLElement, { name: string, path: string }>} files whose name is taken, by their lines */
  namesakes = new Map();

  /** @param {import("./library.js").Library} tab @param {Upload} upload */
  constructor(tab, upload) {
    this.tab = tab;
    this.upload = upload;
    this.lines = tab.find(".arrivals");
    this.refuse = new Refusals(tab.find(".refusals")).show;
    this.inTurn = atMost(SENT_AT_ONCE);
    this.withinRoom = within(MOST_WAITING);
    this.submit = batched((/** @type {ReceivedFile[]} */ files) => callForEach(tab.server, "submit", files, this.refuse), () => (this.total > FEW ? TOGETHER_MS : SOON_MS));
    this.summary = element("div.job.summary");
    this.forAll = element("div.job.for-all");
    this.listen(tab.find(".drop"), tab.find("input[type=file]"));
    this.take(window.filesDroppedEarly?.() ?? []);
  }

  /** @param {Iterable<File>} files */
  async take(files) {
    const arriving = readable([...files], this.refuse).filter((file) => this.fits(file));
    if (!arriving.length) return;
    this.total += arriving.length;
    const known = (await Promise.all(arriving.map((file) => this.takeOne(file)))).filter(Boolean);
    if (known.length === 1) showToast(`${known[0]} ${t("shared.duplicate")}`, { seconds: 8 });
    else if (known.length) showToast(t("library.duplicates", { count: known.length }), { seconds: 8 });
    await this.tab.load();
  }

  /** @param {File} file */
  fits({ name, size }) {
    const most = isTable(name) ? this.tab.mostTableBytes : this.tab.limits.bytes() ?? this.tab.mostBytes;
    if (size <= most) return true;
    const why = t("library.too_large_why", { size: megabytes(size), most: megabytes(most) });
    this.refuse({ what: `${name} ${t("library.too_large_what")}`, why, remedy: t("library.too_large_remedy") });
    return false;
  }

  /** Its name, if it is already known. @param {File} file */
  async takeOne(file) {
    const { name } = file;
    const line = this.total > FEW ? null : this.line(name, t("shared.uploading"));
    this.drawSummary();
    const { path, reply } = await this.withinRoom(file.size, () => this.sendOne(file));
    line?.remove();
    this.settled += 1;
    if (this.settled === this.total) this.settled = this.sent = this.total = 0;
    this.drawSummary();
    if (reply?.status === "namesake") this.askChoice({ name, path });
    if (reply?.status === "accepted") this.tab.accept(reply.document);
    if (reply?.status === "unpacked") this.acceptAll(name, reply);
    return reply?.status === "duplicate" ? name : null;
  }

  /** The files of an archive. @param {string} name @param {UnpackedReply} reply */
  acceptAll(name, reply) {
    for (const each of reply.documents) this.tab.accept(each);
    tellUnpacked(name, reply);
  }

  /** @param {File} file */
  async sendOne(file) {
    const path = await this.inTurn(() => uploaded(this.upload, file, this.refuse));
    this.sent += 1;
    this.drawSummary();
    return { path, reply: path && (await this.submit({ path, name: file.name, choice: "ask" })) };
  }

  /** The progress of many files, as one line. */
  drawSummary() {
    const { sent, total } = this;
    if (total <= FEW) return this.summary.remove();
    const words = t("library.uploading_many", { done: sent, count: total });
    this.summary.replaceChildren(element("span.detail", { role: "status" }, words), element("progress", { max: total, value: sent, "aria-label": words }));
    if (!this.summary.isConnected) this.lines.prepend(this.summary);
  }

  /* -- names that are taken ------------------------------------------------------------ */
  /** @param {{ name: string, path: string }} file */
  askChoice(file) {
    const line = this.line(file.name, t("shared.namesake"));
    line.append(...this.choices((choice) => this.choose([line], choice)));
    this.namesakes.set(line, file);
    this.drawForAll();
  }

  /** @param {(choice: Choice | null) => unknown} choose */
  choices(choose) {
    return [button(t("shared.replace"), () => choose("replace"), "quiet"), button(t("shared.keep_both"), () => choose("keep_both"), "quiet"), button(t("shared.cancel"), () => choose(null), "quiet")];
  }

  /** @param {HTMLElement[]} lines @param {Choice | null} choice `null`: the files are discarded */
  async choose(lines, choice) {
    const files = lines.map((line) => this.namesakes.get(line)).filter((file) => file !== undefined);
    for (const line of lines) {
      this.namesakes.delete(line);
      line.remove();
    }
    this.drawForAll();
    await Promise.all(files.map((file) => (choice ? this.submit({ ...file, choice }) : call(this.tab.server.discard, file))));
    if (choice) await this.tab.load();
  }

  drawForAll() {
    const lines = [...this.namesakes.keys()];
    if (lines.length < 2) return this.forAll.remove();
    this.forAll.replaceChildren(element("span.detail", {}, t("library.namesakes", { count: lines.length })), ...this.choices((choice) => this.choose(lines, choice)));
    lines[0].before(this.forAll);
  }

  /** @param {string} name @param {string} text */
  line(name, text) {
    const line = element("div.job", {}, element("bdi.name", {}, name), element("span.detail", {}, text));
    this.lines.append(line);
    return line;
  }

  /* -- sources of files ----------------------------------------------------------------- */
  /** @param {HTMLElement} drop @param {HTMLInputElement} input */
  listen(drop, input) {
    input.accept = accepted();
    drop.addEventListener("click", (event) => event.target !== input && input.click());
    drop.addEventListener("keydown", (event) => ["Enter", " "].includes(event.key) && input.click());
    onFiles(input, (files) => this.take(files));
    let depth = 0;
    const over = (/** @type {number} */ inside) => {
      depth = Math.max(0, inside);
      document.body.classList.toggle("dropping", depth > 0);
    };
    document.addEventListener("dragenter", (event) => event.dataTransfer?.types.includes("Files") && over(depth + 1));
    document.addEventListener("dragleave", () => over(depth - 1));
    document.addEventListener("drop", (event) => {
      const taken = event.defaultPrevented;
      event.preventDefault();
      over(0);
      if (taken || !event.dataTransfer?.files.length) return;
      send("tab", "library");
      this.take([...event.dataTransfer.files]);
    });
  }
}
