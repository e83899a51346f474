/* Charts in answers: draws them in the colours of the page, saves them as images, opens what is behind a point. */
import { inColours, onLooks, plotly, style } from "../shared/vendor.js";
import { onClick } from "../shared/ui.js";

const SIZE = { width: 960, height: 540 };

/** `onPoint` gets the figure and the number of a point that was clicked. A chart with cells opens the cell of the point. @param {HTMLElement} thread @param {(figure: HTMLElement, point: number) => unknown} onPoint */
export function mountCharts(thread, onPoint) {
  const open = (/** @type {HTMLElement} */ figure, /** @type {number | undefined} */ point) => {
    if (point === undefined || point === null) return;
    const cell = /** @type {HTMLElement | undefined} */ (figure.querySelectorAll("button.cell")[point]);
    if (cell) cell.click();
    else onPoint(figure, point);
  };
  const draw = () => {
    for (const figure of thread.querySelectorAll("figure[data-figure]:not([data-drawn])")) if (!figure.closest("details:not([open])")) drawChart(figure, open);
  };
  new MutationObserver(draw).observe(thread, { childList: true, subtree: true });
  onLooks(() => thread.querySelectorAll("figure[data-drawn]").forEach((figure) => drawChart(figure, open)));
  thread.addEventListener("toggle", draw, true);
  onClick(thread, "[data-chart-image]", saveImage);
  draw();
}

/** Draws a chart. The page shows its title and source as text. @param {Element} place @param {(figure: HTMLElement, point: number | undefined) => void} open */
async function drawChart(place, open) {
  const figure = /** @type {HTMLElement} */ (place);
  figure.dataset.drawn = "true";
  const { data, layout } = drawingOf(figure);
  const library = await plotly();
  const drawing = /** @type {any} */ (figure.querySelector(".drawing"));
  await library.newPlot(drawing, data, { ...layout, title: undefined, dragmode: false, margin: { ...layout.margin, t: 12 } }, { displayModeBar: false, responsive: true });
  drawing.on("plotly_click", (/** @type {any} */ event) => open(figure, event.points[0].customdata));
}

/** The data and the layout of a chart. @param {HTMLElement} figure @returns {{ data: any, layout: any }} */
function drawingOf(figure) {
  const { data, layout } = JSON.parse(figure.dataset.figure ?? "{}");
  /** @type {Record<string, any>} */
  const drawn = { ...inColours(layout), colorway: [style("--accent"), ...layout.colorway.slice(1)] };
  // The values of lying bars are along x.
  if (data[0]?.orientation === "h") [drawn.xaxis.showgrid, drawn.yaxis.showgrid] = [true, false];
  return { data, layout: drawn };
}

/** Saves a chart with its title and its source. @param {HTMLElement} button */
async function saveImage(button) {
  const { data, layout } = drawingOf(button.closest(".data-result, .series-chart").querySelector("figure"));
  const library = await plotly();
  const paper = style("--surface");
  const size = { ...SIZE, height: Math.max(SIZE.height, layout.height + layout.margin.t) };
  await library.downloadImage({ data, layout: { ...layout, ...size, paper_bgcolor: paper, plot_bgcolor: paper } }, { format: button.dataset.chartImage, ...size, filename: "chart" });
}
