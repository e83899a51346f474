/* Results computed from datasets: draws charts, runs a changed query, shows the rows behind. The server draws the rest. */
import { onLooks, plotly, style } from "../shared/vendor.js";
import { call, saveFile, saveReply } from "../shared/server.js";
import { during } from "../shared/timing.js";
import { fromMarkup, onClick, showToast } from "../shared/ui.js";
import { t } from "../shared/words.js";

const PART = "[data-data-part]";

/** @param {HTMLElement} thread @param {ChatServer} server */
export function mountDataResults(thread, server) {
  const draw = () => thread.querySelectorAll("figure[data-figure]:not([data-drawn])").forEach(drawChart);
  new MutationObserver(draw).observe(thread, { childList: true, subtree: true });
  onLooks(() => thread.querySelectorAll("figure[data-drawn]").forEach(drawChart));
  onClick(thread, "[data-data-chart]", (button) => run(button, server, { chart: button.dataset.dataChart }));
  onClick(thread, PART, (button) => openForm(button, server));
  onClick(thread, "[data-data-close]", (button) => button.closest("form").remove());
  onClick(thread, "[data-data-remove]", (button) => run(button, server, { path: button.closest("form").dataset.path, change: { remove: true } }));
  onClick(thread, "[data-data-whole]", showAll);
  onClick(thread, "[data-data-copy]", copyTable);
  onClick(thread, "[data-data-export]", (button) => exportFile(button, server));
  thread.addEventListener("submit", (event) => {
    const form = /** @type {HTMLElement} */ (event.target).closest("form.data-form");
    if (!form) return;
    event.preventDefault();
    run(form, server, { path: form.dataset.path, change: changeOf(form) });
  });
  thread.addEventListener("toggle", (event) => showBehind(event.target, server), true);
  draw();
}

/** @param {Element} place */
async function drawChart(place) {
  const figure = /** @type {HTMLElement} */ (place);
  figure.dataset.drawn = "true";
  const { data, layout } = JSON.parse(figure.dataset.figure ?? "{}");
  const axis = { gridcolor: style("--line"), linecolor: style("--line"), zerolinecolor: style("--line"), tickfont: { color: style("--muted") } };
  const looks = { font: { color: style("--ink"), family: style("--text") }, xaxis: { ...layout.xaxis, ...axis }, yaxis: { ...layout.yaxis, ...axis } };
  const library = await plotly();
  await library.newPlot(figure, data, { ...layout, ...looks }, { displaylogo: false, responsive: true, modeBarButtons: [["toImage"]], toImageButtonOptions: { format: "svg", filename: "chart" } });
}

/** Runs the query of the result that holds `within`, and replaces the result. @param {any} within @param {ChatServer} server @param {Partial<DrawnQuery>} asked */
async function run(within, server, asked) {
  const shown = within.closest(".data-result");
  const reply = await during(within, () => call(server.run_data, { ...queryOf(shown), ...asked }));
  if (!reply) return;
  const drawn = fromMarkup(reply.html);
  shown.replaceWith(drawn);
  /** @type {HTMLElement} */ (drawn.querySelector(PART))?.focus();
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
  if (!details.matches?.("[data-data-behind]") || !details.open || details.dataset.filled) return;
  details.dataset.filled = "true";
  const reply = await call(server.data_behind, queryOf(details.closest(".data-result")));
  if (reply) details.querySelector(".rows").replaceChildren(fromMarkup(reply.html));
  else delete details.dataset.filled;
}

/** @param {HTMLElement} button */
function showAll(button) {
  for (const row of button.closest(".data-result").querySelectorAll("tr.rest")) row.hidden = false;
  button.remove();
}

/** @param {HTMLElement} button */
async function copyTable(button) {
  const shown = button.closest(".data-result");
  const rows = [...shown.querySelectorAll(".table-scroll:first-of-type tr")].map((row) => [...row.children].map((cell) => cell.textContent).join("\t"));
  await navigator.clipboard.writeText(rows.length ? rows.join("\n") : shown.closest(".first-line").querySelector(".says").textContent);
  showToast(t("chat.copied"));
}

/** @param {HTMLButtonElement} button @param {ChatServer} server */
async function exportFile(button, server) {
  const reply = await during(button, () => call(server.export_data, { ...queryOf(button.closest(".data-result")), format: button.dataset.dataExport ?? "csv" }));
  if (reply?.base64) saveFile(reply.name, Uint8Array.from(atob(reply.base64), (letter) => letter.charCodeAt(0)), reply.type);
  else if (reply) saveReply(reply);
}
