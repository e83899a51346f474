/* Files that arrive in the Library: dropped anywhere or chosen, sent, and asked about where a name is taken. */
import { send } from "../shared/bus.js";
import { element } from "../shared/ui.js";
import { plain } from "./selection.js";
import { call, showProblem, showToast } from "../shared/notices.js";
import { t } from "../shared/words.js";

/** `load()` is called when something was accepted; `mostBytes()` is the largest file that may be sent. */
export function mountArrivals(root, server, { upload, load, mostBytes }) {
  const drop = root.querySelector(".drop");
  const input = root.querySelector("input[type=file]");
  const arrivals = root.querySelector(".arrivals");

  async function take(files) {
    await Promise.all([...files].map((file) => takeOne(file)));
    await load();
  }

  async function takeOne(file) {
    if (file.size > mostBytes()) {
      const size = (bytes) => (bytes / 1024 / 1024).toFixed(1);
      const why = t("library.too_large_why", { size: size(file.size), most: size(mostBytes()) });
      showProblem({ what: `${file.name} ${t("library.too_large_what")}`, why, remedy: t("library.too_large_remedy") });
      return;
    }
    const row = arrival(file.name, t("shared.uploading"));
    let path;
    try {
      ({ path } = await upload(file));
    } catch (error) {
      console.warn(error);
      row.remove();
      showProblem({ what: `${file.name}: ${t("shared.network_what")}`, why: t("shared.network_why"), remedy: t("shared.network_remedy") });
      return;
    }
    await submit(file.name, path, "ask", row);
  }

  async function submit(name, path, choice, row) {
    const reply = await call(server.submit, { path, name, choice });
    row.remove();
    if (!reply) return;
    if (reply.status === "duplicate") showToast(`${name} ${t("shared.duplicate")}`, { seconds: 8 });
    if (reply.status === "namesake") askChoice(name, path);
    if (reply.status === "accepted") await load();
  }

  function askChoice(name, path) {
    const row = arrival(name, t("shared.namesake"));
    const choose = (choice) => () => submit(name, path, choice, row);
    const discard = () => {
      row.remove();
      call(server.discard, { path, name });
    };
    row.append(plain(t("shared.replace"), choose("replace")), plain(t("shared.keep_both"), choose("keep_both")), plain(t("shared.cancel"), discard));
  }

  function arrival(name, text) {
    const row = element("div.job");
    const label = element("bdi.name", {}, name);
    const words = element("span.detail", {}, text);
    row.append(label, words);
    arrivals.append(row);
    return row;
  }

  drop.addEventListener("click", (event) => event.target !== input && input.click());
  drop.addEventListener("keydown", (event) => ["Enter", " "].includes(event.key) && input.click());
  const chosen = () => {
    take([...input.files]);
    input.value = "";
  };
  input.addEventListener("change", chosen);
  // Files may have been chosen before this script was there.
  if (input.files.length) chosen();
  let depth = 0;
  document.addEventListener("dragenter", (event) => {
    if (![...event.dataTransfer.types].includes("Files")) return;
    depth += 1;
    document.body.classList.add("dropping");
  });
  document.addEventListener("dragleave", () => {
    depth = Math.max(0, depth - 1);
    if (!depth) document.body.classList.remove("dropping");
  });
  document.addEventListener("drop", (event) => {
    const taken = event.defaultPrevented;
    event.preventDefault();
    depth = 0;
    document.body.classList.remove("dropping");
    if (!taken && event.dataTransfer.files.length) {
      send("tab", "library");
      take([...event.dataTransfer.files]);
    }
  });
  const early = window.filesDroppedEarly?.() ?? [];
  if (early.length) take(early);
}
