/* Charts of series: draws them in the colours of the page. A click on a point opens its cell. */
import { onLooks, plotly, style } from "../shared/vendor.js";

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
  const axis = { gridcolor: style("--line"), linecolor: style("--line"), zerolinecolor: style("--line"), tickfont: { color: style("--muted") } };
  const font = { color: style("--ink"), family: style("--text") };
  const looks = { font, hoverlabel: { bgcolor: style("--surface"), bordercolor: style("--line"), font }, xaxis: { ...layout.xaxis, ...axis, showgrid: false }, yaxis: { ...layout.yaxis, ...axis } };
  const library = await plotly();
  const drawing = /** @type {any} */ (figure.querySelector(".drawing"));
  await library.newPlot(drawing, data, { ...layout, ...looks }, { displaylogo: false, responsive: true, modeBarButtons: [["toImage"]], toImageButtonOptions: { format: "svg", filename: "chart" } });
  const cells = /** @type {NodeListOf<HTMLElement>} */ (figure.querySelectorAll("button.cell"));
  drawing.on("plotly_click", (/** @type {any} */ event) => cells[event.points[0].customdata]?.click());
}
