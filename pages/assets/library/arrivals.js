/* Files that arrive in the Library: dropped anywhere or chosen, sent, and asked about where a name is taken. */
import { send } from "../shared/bus.js";
import { call, uploaded } from "../shared/server.js";
import { button, element, showProblem, showToast } from "../shared/ui.js";
import { t } from "../shared/words.js";

/** @param {number} bytes */
const megabytes = (bytes) => (bytes / 1024 / 1024).toFixed(1);

export class Arrivals {
  /** `load()` is called when something was accepted; `mostBytes()` is the largest file that may be sent. @param {HTMLElement} root @param {LibraryServer} server @param {{ upload: Upload, load: () => Promise<void>, mostBytes: () => number }} tab */
  constructor(root, server, { upload, load, mostBytes }) {
    this.root = root;
    this.server = server;
    this.upload = upload;
    this.load = load;
    this.mostBytes = mostBytes;
    this.listen(root.querySelector(".drop"), root.querySelector("input[type=file]"));
    this.take(window.filesDroppedEarly?.() ?? []);
  }

  /** @param {Iterable<File>} files */
  async take(files) {
    const arriving = [...files].map((file) => this.takeOne(file));
    if (!arriving.length) return;
    await Promise.all(arriving);
    await this.load();
  }

  /** @param {File} file */
  async takeOne(file) {
    const most = this.mostBytes();
    if (file.size > most) {
      const why = t("library.too_large_why", { size: megabytes(file.size), most: megabytes(most) });
      showProblem({ what: `${file.name} ${t("library.too_large_what")}`, why, remedy: t("library.too_large_remedy") });
      return;
    }
    const row = this.arrival(file.name, t("shared.uploading"));
    const path = await uploaded(this.upload, file);
    if (path) await this.submit(file.name, path, "ask", row);
    else row.remove();
  }

  /** @param {string} name @param {string} path @param {Choice} choice @param {HTMLElement} row */
  async submit(name, path, choice, row) {
    const reply = await call(this.server.submit, { path, name, choice });
    row.remove();
    if (reply?.status === "duplicate") showToast(`${name} ${t("shared.duplicate")}`, { seconds: 8 });
    if (reply?.status === "namesake") this.askChoice(name, path);
    if (reply?.status === "accepted") await this.load();
  }

  /** @param {string} name @param {string} path */
  askChoice(name, path) {
    const row = this.arrival(name, t("shared.namesake"));
    const choose = (/** @type {Choice} */ choice) => () => this.submit(name, path, choice, row);
    const discard = () => {
      row.remove();
      call(this.server.discard, { path, name });
    };
    row.append(button(t("shared.replace"), choose("replace"), "quiet"), button(t("shared.keep_both"), choose("keep_both"), "quiet"), button(t("shared.cancel"), discard, "quiet"));
  }

  /** @param {string} name @param {string} text */
  arrival(name, text) {
    const row = element("div.job", {}, element("bdi.name", {}, name), element("span.detail", {}, text));
    this.root.querySelector(".arrivals").append(row);
    return row;
  }

  /** @param {HTMLElement} drop @param {HTMLInputElement} input */
  listen(drop, input) {
    drop.addEventListener("click", (event) => event.target !== input && input.click());
    drop.addEventListener("keydown", (event) => ["Enter", " "].includes(event.key) && input.click());
    const chosen = () => {
      this.take([...(input.files ?? [])]);
      input.value = "";
    };
    input.addEventListener("change", chosen);
    // Files may have been chosen before this script was there.
    chosen();
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
