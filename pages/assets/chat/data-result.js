/* Results computed from datasets: runs a changed query, shows the rows behind. The server draws the rest. */
import { call, saveFile, saveReply } from "../shared/server.js";
import { during } from "../shared/timing.js";
import { fromMarkup, onClick, showToast } from "../shared/ui.js";
import { t } from "../shared/words.js";
import { texts } from "../viewer/data-table.js";
import { mountCharts } from "./charts.js";

const PART = "[data-data-part]";

/** @param {HTMLElement} thread @param {ChatServer} server */
export function mountDataResults(thread, server) {
  mountCharts(thread, (figure, point) => showPoint(figure, server, point));
  onClick(thread, "[data-data-chart]", (button) => run(button, server, { chart: button.dataset.dataChart }));
  onClick(thread, PART, (button) => openForm(button, server));
  onClick(thread, "[data-data-close]", (button) => button.closest("form").remove());
  onClick(thread, "[data-data-remove]", (button) => run(button, server, { path: button.closest("form").dataset.path, change: { remove: true } }));
  onClick(thread, "[data-data-whole]", showAll);
  onClick(thread, "[data-data-more]", (button) => fillRows(button.closest(".behind"), server, Number(button.dataset.dataMore)));
  onClick(thread, "[data-data-rows]", (cite) => {
    const behind = cite.closest(".first-line").querySelector(".behind");
    behind.open = true;
    behind.scrollIntoView({ block: "nearest" });
  });
  onClick(thread, "[data-data-point]", (button) => showPoint(button, server, Number(button.dataset.dataPoint)));
  onClick(thread, "[data-data-copy]", copyTable);
  onClick(thread, "[data-data-export]", (button) => exportFile(button, server));
  thread.addEventListener("submit", (event) => {
    const form = /** @type {HTMLElement} */ (event.target).closest("form.data-form");
    if (!form) return;
    event.preventDefault();
    run(form, server, { path: form.dataset.path, change: changeOf(form) });
  });
  thread.addEventListener("change", (event) => changeColumn(event.target, server));
  thread.addEventListener("toggle", (event) => showBehind(event.target, server), true);
}

/** Opens the rows of a point. @param {HTMLElement} within @param {ChatServer} server @param {number} point */
async function showPoint(within, server, point) {
  const behind = within.closest(".data-result").querySelector(".behind");
  behind.dataset.point = String(point);
  behind.dataset.filled = "true";
  behind.open = true;
  await fillRows(behind, server);
  behind.scrollIntoView({ block: "nearest" });
}

/** Runs the query of the result that holds `within`, and replaces the result. @param {any} within @param {ChatServer} server @param {Partial<DrawnQuery>} asked */
async function run(within, server, asked) {
  const shown = within.closest(".data-result");
  const reply = await during(within, () => call(server.run_data, { ...queryOf(shown), ...asked }));
  if (!reply) return;
  const drawn = fromMarkup(reply.html);
  const says = shown.closest(".first-line")?.querySelector(".says");
  if (says && asked.path) says.replaceChildren(fromMarkup(`<span>${reply.line}</span>`), " ", ...citesOfRows(says));
  shown.replaceWith(drawn);
  /** @type {HTMLElement} */ (drawn.querySelector(PART))?.focus();
}

/** The citations of a line whose query was changed: they open the rows behind the new result. @param {HTMLElement} says */
function citesOfRows(says) {
  const cites = /** @type {HTMLElement[]} */ ([...says.querySelectorAll(".cite")]);
  for (const cite of cites) {
    cite.removeAttribute("data-cite");
    cite.dataset.dataRows = "";
  }
  return cites;
}

/** @param {HTMLElement} shown @returns {AskedQuery} */
const queryOf = (shown) => ({ query: shown.dataset.query ?? "", language: shown.closest("[lang]").lang });

/** @param {any} form @returns {DataChange} */
function changeOf(form) {
  /** @type {Record<string, any>} */
  const values = Object.fromEntries(new FormData(form).entries());
  return { ...values, bucket: values.bucket || null, ...("limit" in values ? { limit: Number(values.limit) } : {}) };
}

/** @param {HTMLButtonElement} button @param {ChatServer} server */
async function openForm(button, server) {
  const shown = button.closest(".data-result");
  const open = shown.querySelector(".data-form");
  open?.remove();
  if (open && open.dataset.path === button.dataset.dataPart) return;
  const reply = await during(button, () => call(server.data_part, { ...queryOf(shown), path: button.dataset.dataPart ?? "" }));
  if (!reply) return;
  const form = fromMarkup(reply.html);
  button.closest(".how").after(form);
  /** @type {HTMLElement} */ (form.querySelector("select, input"))?.focus();
}

/** @param {any} details @param {ChatServer} server */
async function showBehind(details, server) {
  if (!details.matches?.("[data-data-behind]")) return;
  if (!details.open) {
    delete details.dataset.point;
    delete details.dataset.filled;
  } else if (!details.dataset.filled) await fillRows(details, server);
}

const STEP = 100;

/** Shows rows behind a result or behind one of its points: 20, or `STEP` more than `shown`. @param {any} details @param {ChatServer} server @param {number} [shown] */
async function fillRows(details, server, shown) {
  details.dataset.filled = "true";
  const { point } = details.dataset;
  const asked = { ...(point === undefined ? {} : { point: Number(point) }), ...(shown ? { limit: Math.min(shown + STEP, 500) } : {}) };
  const reply = await call(server.data_behind, { ...queryOf(details.closest(".data-result")), ...asked });
  if (reply) details.querySelector(".rows").replaceChildren(fromMarkup(reply.html));
  else delete details.dataset.filled;
}

/** Draws the form again for another column. @param {any} field @param {ChatServer} server */
async function changeColumn(field, server) {
  const form = field.matches?.("select[name=column]") && field.closest(".data-form");
  if (!form || !/^(where|group|having)/.test(form.dataset.path)) return;
  const reply = await call(server.data_part, { ...queryOf(form.closest(".data-result")), path: form.dataset.path, column: field.value });
  if (!reply) return;
  const drawn = fromMarkup(reply.html);
  form.replaceWith(drawn);
  /** @type {HTMLElement} */ (drawn.querySelector("select[name=column]"))?.focus();
}

/** @param {HTMLElement} button */
function showAll(button) {
  for (const row of button.closest(".data-result").querySelectorAll("tr.rest")) row.hidden = false;
  button.remove();
}

/** @param {HTMLElement} button */
async function copyTable(button) {
  const shown = button.closest(".data-result");
  const rows = [...shown.querySelectorAll(".table-scroll:first-of-type tr")].map((row) => [...row.children].flatMap(texts).join("\t"));
  await navigator.clipboard.writeText(rows.join("\n"));
  showToast(t("chat.copied"));
}

/** @param {HTMLButtonElement} button @param {ChatServer} server */
async function exportFile(button, server) {
  const reply = await during(button, () => call(server.export_data, { ...queryOf(button.closest(".data-result")), format: button.dataset.dataExport ?? "csv" }));
  if (reply?.base64) saveFile(reply.name, Uint8Array.from(atob(reply.base64), (letter) => letter.charCodeAt(0)), reply.type);
  else if (reply) saveReply(reply);
}
