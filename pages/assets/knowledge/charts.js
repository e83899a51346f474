/* Charts of what was learned: the server provides the figures, plotly's script draws them. */
import { call } from "../shared/server.js";
import { latest } from "../shared/timing.js";
import { element, fill } from "../shared/ui.js";
import { t } from "../shared/words.js";
import { onLooks, plotly, style } from "../shared/vendor.js";

/** @param {HTMLElement} root @param {KnowledgeServer} server */
export function mountCharts(root, server) {
  const asking = latest();

  async function draw() {
    if (!root.children.length) root.dataset.busy = "true";
    const [reply, library] = await Promise.all([asking(call(server.charts)), plotly()]);
    delete root.dataset.busy;
    if (!reply) return;
    const looks = { font: { color: style("--ink"), family: style("--text") }, colorway: [style("--accent")] };
    const figures = Object.entries(reply.figures).map(([name, json]) => ({ place: element("figure", { "data-chart": name }), ...JSON.parse(json) }));
    fill(root, figures.map(({ place }) => place), element("p.none", {}, t("knowledge.no_charts")));
    for (const { place, data, layout } of figures) library.newPlot(place, data, { ...layout, ...looks }, { displaylogo: false, responsive: true, displayModeBar: false });
  }

  onLooks(() => !root.hidden && draw());
  return draw;
}
