/* The open data catalogue: the age of its map, rebuild with progress, import into memory and graph, removal. */
import { call, Feed } from "../shared/server.js";
import { button, element, replaceFocused, showToast, undoable } from "../shared/ui.js";
import { moment, number, t } from "../shared/words.js";

const counted = (/** @type {Record<string, number>} */ counts) => Object.fromEntries(Object.entries(counts).map(([name, value]) => [name, number(value)]));

/** The state of the map, or of its rebuild. @param {OpenData} state */
export function standing(state) {
  if (state.building) return [state.to_do ? t("tools.data_looking", counted({ done: state.done, to_do: state.to_do })) : t("tools.data_listing")];
  if (state.built_at === null) return [t("tools.data_none")];
  const built = t("tools.data_built", { day: moment(state.built_at), ...counted({ datasets: state.datasets, looked: state.looked_at, resources: state.resources }) });
  return state.old ? [built, t("tools.data_old")] : [built];
}

/** The numbers of new, changed, removed and unchanged data sets, if not zero. @param {Record<string, number>} taken */
export const told = (taken) =>
  Object.entries(taken)
    .filter(([, count]) => count)
    .map(([name, count]) => t(`tools.data_took_${name}`, { n: number(count) }))
    .join(" · ");

/** One card, which stays while the rows below it are redrawn. */
export class OpenDataCard {
  /** @type {OpenData | null} */
  state = null;
  mine = false;
  taking = false;
  feed = new Feed();

  /** @param {ToolsServer} server @param {() => boolean} may whether this user may rebuild it */
  constructor(server, may) {
    this.server = server;
    this.may = may;
    this.said = element("div.said", { role: "status" });
    this.bar = element("progress", { "aria-hidden": true, hidden: true });
    this.buttons = element("div.buttons");
    this.root = element("div.open-data", { hidden: true }, this.said, this.bar, this.buttons);
  }

  async load() {
    this.take(await call(this.server.open_data));
  }

  /** @param {OpenData | null} state */
  take(state) {
    if (state) this.state = state;
    if (this.state) this.draw(this.state);
    if (this.state?.building) this.follow();
  }

  /** Follows the progress until it is done, also of a rebuild started by another user. */
  follow() {
    this.feed.open("/live/open-data", (/** @type {CatalogueState} */ state) => {
      if (!this.state) return;
      this.state = { ...this.state, ...state, building: state.building || this.mine };
      this.draw(this.state);
      if (!this.state.building) this.feed.close();
    });
  }

  async build() {
    if (!this.state) return;
    this.mine = true;
    this.take({ ...this.state, building: true, done: 0, to_do: 0 });
    const state = await call(this.server.build_open_data);
    this.mine = false;
    this.feed.close();
    if (state) this.take(state);
    else await this.load();
  }

  async takeIn() {
    this.taking = true;
    this.take(this.state);
    const taken = await call(this.server.take_in_open_data);
    this.taking = false;
    if (taken) showToast(told(taken));
    await this.load();
  }

  async forget() {
    const gone = await call(this.server.forget_open_data);
    if (gone) undoable(t("tools.data_forgot", { count: gone.forgotten, n: number(gone.forgotten) }), t("shared.undo"), () => this.takeIn());
    await this.load();
  }

  /** @param {OpenData} state */
  draw(state) {
    const inMemory = state.taken_in ? t("tools.data_taken", { count: state.taken_in, n: number(state.taken_in) }) : t("tools.data_out");
    this.root.hidden = false;
    this.said.replaceChildren(...[...standing(state), inMemory].map((each) => element("p", {}, each)));
    this.bar.hidden = !state.building;
    if (state.to_do) Object.assign(this.bar, { max: state.to_do, value: state.done });
    else this.bar.removeAttribute("value");
    const busy = state.building || this.taking;
    const takeIn = this.taking ? "taking" : state.taken_in ? "take_in_again" : "take_in";
    const shown = [
      this.may() && button(t("tools.data_build"), () => this.build(), "", { disabled: busy, "data-do": "build" }),
      button(t(`tools.data_${takeIn}`), () => this.takeIn(), "", { disabled: busy, "data-do": "take-in" }),
      state.taken_in > 0 && button(t("tools.data_forget"), () => this.forget(), "quiet", { disabled: busy, "data-do": "forget" }),
    ];
    const there = state.enabled ? shown : shown.slice(2);
    replaceFocused(this.buttons, there.filter((each) => each instanceof Node), "do");
  }
}
