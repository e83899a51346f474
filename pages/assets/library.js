/* The Library tab: drop, watch, look inside, delete and undo. */
import { on, send } from "./bus.js";
import { correctable } from "./document-identity.js";
import { mountLimits } from "./limits.js";
import { call, showProblem, showToast } from "./notices.js";
import { mountOutline } from "./outline.js";
import { mountSets } from "./sets.js";
import { t, translate } from "./words.js";

const BUSY = ["pending", "processing"];
const UNDO_SECONDS = 10;

export function mount({ element, server, upload }) {
  const root = element.querySelector(".pal-library");
  const view = {
    drop: root.querySelector(".drop"),
    input: root.querySelector("input[type=file]"),
    arrivals: root.querySelector(".arrivals"),
    jobs: root.querySelector(".jobs"),
    rows: root.querySelector(".rows"),
    empty: root.querySelector(".empty"),
    count: root.querySelector(".count"),
    search: root.querySelector("[data-search]"),
    side: root.querySelector(".side"),
  };
  const sets = mountSets(root, server, { redraw: draw, shown: shelf });
  const limits = mountLimits(root, server, { changed: load });
  const state = { documents: [], progress: new Map(), open: null, feed: null, asked: 0, mostBytes: Infinity };

  /* -- arriving files ----------------------------------------------------------------- */
  async function take(files) {
    await Promise.all([...files].map((file) => takeOne(file)));
    await load();
  }

  async function takeOne(file) {
    if (file.size > state.mostBytes) {
      const size = (bytes) => (bytes / 1024 / 1024).toFixed(1);
      const why = t("too_large_why").replace("{size}", size(file.size)).replace("{most}", size(state.mostBytes));
      showProblem({ what: `${file.name} ${t("too_large_what")}`, why, remedy: t("too_large_remedy") });
      return;
    }
    const row = arrival(file.name, t("uploading"));
    let path;
    try {
      ({ path } = await upload(file));
    } catch (error) {
      console.warn(error);
      row.remove();
      showProblem({ what: `${file.name}: ${t("network_what")}`, why: t("network_why"), remedy: t("network_remedy") });
      return;
    }
    await submit(file.name, path, "ask", row);
  }

  async function submit(name, path, choice, row) {
    const reply = await call(server.submit, { path, name, choice });
    row.remove();
    if (!reply) return;
    if (reply.status === "duplicate") showToast(`${name} ${t("duplicate")}`, { seconds: 8 });
    if (reply.status === "namesake") askChoice(name, path);
    if (reply.status === "accepted") await load();
  }

  function askChoice(name, path) {
    const row = arrival(name, t("namesake"));
    const choose = (choice) => () => submit(name, path, choice, row);
    row.append(
      small(t("replace"), choose("replace")),
      small(t("keep_both"), choose("keep_both")),
      small(t("cancel"), () => {
        row.remove();
        call(server.discard, { path, name });
      }),
    );
  }

  function arrival(name, text) {
    const row = document.createElement("div");
    row.className = "job";
    const label = document.createElement("bdi");
    label.className = "name";
    label.textContent = name;
    const words = document.createElement("span");
    words.className = "detail";
    words.textContent = text;
    row.append(label, words);
    view.arrivals.append(row);
    return row;
  }

  function small(text, action, kind = "quiet") {
    const button = document.createElement("button");
    button.type = "button";
    button.className = kind;
    button.textContent = text;
    button.addEventListener("click", (event) => {
      event.stopPropagation();
      action();
    });
    return button;
  }

  /* -- rows --------------------------------------------------------------------------- */
  async function load() {
    const mine = (state.asked += 1);
    const [reply] = await Promise.all([call(server.documents, { search: view.search.value }), sets.load()]);
    if (!reply || mine !== state.asked) return;
    state.documents = reply.documents;
    state.mostBytes = reply.most_bytes;
    draw();
    sets.draw();
    if (state.documents.some((document) => BUSY.includes(document.state))) watchJobs();
    send("documents-changed");
  }

  function draw() {
    view.jobs.replaceChildren(...state.documents.filter((each) => each.state !== "completed").map(jobRow));
    const shown = shelf();
    view.rows.replaceChildren(...(shown.length ? [header(), ...shown.map(shelfRow)] : []));
    view.count.textContent = shown.length ? `${shown.length} ${t("documents_count")}` : "";
    view.empty.hidden = shown.length > 0;
    if (!shown.length) drawEmpty();
  }

  /** The documents that can be found, of the chosen set alone if there is one. */
  function shelf() {
    return sets.filter(state.documents.filter((each) => each.state === "completed" || (each.chunks && each.searchable === each.chunks)));
  }

  function drawEmpty() {
    view.empty.replaceChildren();
    const searching = view.search.value.trim();
    const title = document.createElement("strong");
    title.textContent = t(searching ? "nothing_matches" : sets.chosen() ? "sets_empty" : "empty_title");
    view.empty.append(title);
    if (sets.chosen() && !searching) view.empty.append(Object.assign(document.createElement("p"), { textContent: t("sets_empty_hint") }));
    if (searching || state.documents.length) return;
    const hint = document.createElement("p");
    hint.textContent = t("empty_hint");
    view.empty.append(hint, small(t("load_samples"), loadSamples, "primary"));
  }

  async function loadSamples() {
    const reply = await call(server.load_samples);
    if (reply) await load();
  }

  function jobRow(each) {
    const row = document.createElement("div");
    row.className = `job ${each.state}`;
    row.dataset.document = each.id;
    const progress = state.progress.get(each.id);
    const name = document.createElement("bdi");
    name.className = "name";
    name.textContent = each.filename;
    row.append(name);
    if (each.problem) {
      const words = document.createElement("p");
      words.className = "why";
      words.setAttribute("role", "alert");
      words.textContent = `${each.problem.what} ${each.problem.why} ${each.problem.remedy}`;
      row.append(words);
    } else {
      const bar = document.createElement("progress");
      bar.max = 1;
      if (progress?.total) bar.value = progress.done / progress.total;
      if (BUSY.includes(each.state)) row.append(bar);
      const words = document.createElement("span");
      words.className = "detail";
      words.textContent = progress?.text || t(each.state === "cancelled" ? "cancelled" : "waiting");
      row.append(words);
    }
    if (BUSY.includes(each.state)) row.append(small(t("cancel"), () => act(server.cancel, each)));
    else {
      if (each.can_retry) row.append(small(t("retry"), () => act(server.retry, each)));
      row.append(small(t("remove"), () => remove(each)));
    }
    return row;
  }

  function header() {
    const row = document.createElement("div");
    row.className = "row head";
    row.setAttribute("role", "row");
    row.append(sets.pickAll());
    for (const key of ["title", "type", "pages", "language", "state", "size", "added"]) row.append(cell(t(key), key));
    row.append(cell("", "act"));
    return row;
  }

  function shelfRow(each) {
    const row = document.createElement("div");
    row.className = "row";
    row.tabIndex = 0;
    row.dataset.document = each.id;
    row.setAttribute("role", "row");
    row.setAttribute("aria-current", each.id === state.open);
    const title = cell(each.title, "title");
    title.dir = "auto";
    const filename = document.createElement("small");
    filename.textContent = each.filename;
    title.append(filename);
    row.append(
      sets.pick(each),
      title,
      cell(each.type.toUpperCase(), "type"),
      cell(each.pages ?? "", "pages"),
      cell(t(`lang_${each.language}`), "language"),
      cell(stateText(each), "state"),
      cell(each.size, "size"),
      cell(new Date(each.added_at * 1000).toLocaleDateString(document.documentElement.lang), "added"),
    );
    const actions = cell("", "act");
    actions.append(small(t("remove"), () => remove(each)));
    row.append(actions);
    row.addEventListener("click", () => show(each.id));
    row.addEventListener("keydown", (event) => event.key === "Enter" && event.target === row && show(each.id));
    return row;
  }

  function cell(text, name) {
    const node = document.createElement("span");
    node.className = `cell ${name}`;
    node.textContent = text;
    return node;
  }

  function stateText(each) {
    if (each.embedded >= each.chunks) return t("ready");
    if (!each.embedded && each.state === "completed") return t("text_only");
    return `${t("searchable")}, ${t("vectors")} ${Math.floor((100 * each.embedded) / each.chunks)} %`;
  }

  async function act(fn, each) {
    await call(fn, { id: each.id });
    await load();
  }

  async function remove(each) {
    const reply = await call(server.remove, { id: each.id });
    if (!reply) return;
    if (state.open === each.id) closeSide();
    showToast(`${each.filename} ${t("removed")}`, {
      label: t("undo"),
      action: () => act(server.undo_remove, each),
      seconds: UNDO_SECONDS,
    });
    await load();
  }

  /* -- live jobs ---------------------------------------------------------------------- */
  function watchJobs() {
    if (state.feed) return;
    state.feed = new EventSource(`/live/library?ui=${document.documentElement.lang}`);
    state.feed.onmessage = (message) => {
      const update = JSON.parse(message.data);
      for (const each of update.documents) {
        if (each.progress) state.progress.set(each.id, each.progress);
        const index = state.documents.findIndex((known) => known.id === each.id);
        if (index >= 0) state.documents[index] = { ...each };
        else if (!view.search.value) state.documents.unshift({ ...each });
      }
      draw();
      if (update.idle) {
        state.feed.close();
        state.feed = null;
        load();
      }
    };
  }

  /* -- detail ------------------------------------------------------------------------- */
  async function show(id) {
    const reply = await call(server.document_detail, { id });
    if (!reply) return;
    state.open = id;
    view.side.hidden = false;
    view.side.querySelector(".content").innerHTML = reply.html;
    correctable(view.side.querySelector(".content"), id, server, () => Promise.all([load(), show(id)]));
    for (const row of view.rows.querySelectorAll(".row")) row.setAttribute("aria-current", row.dataset.document === id);
  }

  function closeSide() {
    state.open = null;
    view.side.hidden = true;
    for (const row of view.rows.querySelectorAll(".row")) row.setAttribute("aria-current", "false");
  }

  /* -- beginning ---------------------------------------------------------------------- */
  view.drop.addEventListener("click", (event) => event.target !== view.input && view.input.click());
  view.drop.addEventListener("keydown", (event) => ["Enter", " "].includes(event.key) && view.input.click());
  const chosen = () => {
    take([...view.input.files]);
    view.input.value = "";
  };
  view.input.addEventListener("change", chosen);
  // Files may have been chosen before this script was there.
  if (view.input.files.length) chosen();
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
  document.addEventListener("dragover", (event) => event.preventDefault());
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
  let typing;
  view.search.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(load, 120);
  });
  root.querySelector("[data-close]").addEventListener("click", closeSide);
  mountOutline(view.side);
  on("language", () => {
    translate(root);
    limits.load();
    load();
    if (state.open) show(state.open);
  });
  on("library", load);
  on("open-document", show);
  translate(root);
  limits.load();
  load();
}
