/* Charts of what was learned: figures come from the server, plotly's own script draws them. */
import { element } from "../shared/ui.js";
import { loadScript } from "./graph.js";
import { call } from "../shared/notices.js";
import { t } from "../shared/words.js";

export function mountCharts(root, server) {
  let asked = 0;

  async function draw() {
    const mine = (asked += 1);
    if (!root.children.length) root.dataset.busy = "true";
    const [reply, plotly] = await Promise.all([call(server.charts), loadScript("/page/vendor/plotly.js", () => window.Plotly)]);
    delete root.dataset.busy;
    if (!reply || mine !== asked) return;
    const figures = Object.entries(reply.figures);
    root.replaceChildren();
    if (!figures.length) root.append(element("p.none", {}, t("knowledge.no_charts")));
    for (const [name, json] of figures) {
      const place = element("figure", { "data-chart": name });
      root.append(place);
      const figure = JSON.parse(json);
      plotly.newPlot(place, figure.data, { ...figure.layout, ...looks() }, { displaylogo: false, responsive: true, displayModeBar: false });
    }
  }

  function looks() {
    const style = (name) => getComputedStyle(document.body).getPropertyValue(name).trim();
    return { font: { color: style("--ink"), family: style("--text") }, colorway: [style("--accent")] };
  }

  new MutationObserver(() => !root.hidden && draw()).observe(document.body, { attributes: true, attributeFilter: ["class"] });
  return { draw };
}
