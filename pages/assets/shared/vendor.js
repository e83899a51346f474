/* Scripts from installed packages, loaded at their first use. */
import { element } from "./ui.js";

/** @type {Map<string, Promise<any>>} */
const loading = new Map();

/** @param {string} name @param {() => any} given the global that the script creates */
async function load(name, given) {
  if (given()) return given();
  const begin = () => new Promise((done, fail) => document.head.append(element("script", { src: `/page/vendor/${name}`, onload: () => done(given()), onerror: () => fail(new Error(name)) })));
  if (!loading.has(name)) loading.set(name, begin().finally(() => loading.delete(name)));
  return loading.get(name);
}

export const plotly = () => load("plotly.js", () => window.Plotly);
export const visNetwork = () => load("vis-network.js", () => window.vis);

/** A style value of the page, such as `--ink`. @param {string} name */
export const style = (name) => getComputedStyle(document.body).getPropertyValue(name).trim();

/** A chart's layout in the colours of the page. @param {Record<string, any>} layout @returns {Record<string, any>} */
export function inColours(layout) {
  const axis = { gridcolor: style("--line"), linecolor: style("--line"), zerolinecolor: style("--line"), tickfont: { color: style("--muted") } };
  const font = { color: style("--ink"), family: style("--text") };
  const hoverlabel = { bgcolor: style("--surface"), bordercolor: style("--line"), font };
  return { ...layout, font, hoverlabel, xaxis: { ...layout.xaxis, ...axis, showgrid: false }, yaxis: { ...layout.yaxis, ...axis } };
}

/** Calls `act` when the page switches between dark and light. @param {() => unknown} act */
export const onLooks = (act) => new MutationObserver(act).observe(document.body, { attributes: true, attributeFilter: ["class"] });
