/* Charts of series: draws them in the colours of the page. A click on a point opens its cell. */
import { inColours, onLooks, plotly } from "../shared/vendor.js";

/** @param {HTMLElement} thread */
export function mountSeriesCharts(thread) {
  const draw = () => thread.querySelectorAll("figure[data-series]:not([data-in-colours])").forEach(drawSeries);
  new MutationObserver(draw).observe(thread, { childList: true, subtree: true });
  onLooks(() => thread.querySelectorAll("figure[data-in-colours]").forEach(drawSeries));
  draw();
}

/** @param {Element} place */
async function drawSeries(place) {
  const figure = /** @type {HTMLElement} */ (place);
  figure.dataset.inColours = "true";
  const { data, layout } = JSON.parse(figure.dataset.series ?? "{}");
  const library = await plotly();
  const drawing = /** @type {any} */ (figure.querySelector(".drawing"));
  await library.newPlot(drawing, data, inColours(layout), { displaylogo: false, responsive: true, modeBarButtons: [["toImage"]], toImageButtonOptions: { format: "svg", filename: "chart" } });
  const cells = /** @type {NodeListOf<HTMLElement>} */ (figure.querySelectorAll("button.cell"));
  drawing.on("plotly_click", (/** @type {any} */ event) => cells[event.points[0].customdata]?.click());
}
