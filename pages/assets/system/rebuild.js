/* The index rebuild: start, progress, pause, continue, roll back, keep permanently. */
import { call, Feed } from "../shared/server.js";
import { Part, button, replaceFocused } from "../shared/ui.js";
import { moment, number, t } from "../shared/words.js";
import { task } from "./upkeep.js";

/** The state of the current or last rebuild. @param {RebuildingState} state */
export function standing({ active, last }) {
  if (!last) return t("system.rebuild_never");
  const counts = { done: number(last.copied), total: number(last.total) };
  if (active) return t("system.rebuild_running", counts);
  if (last.state === "completed") return t("system.rebuild_done", { at: moment(last.updated_at), total: counts.total });
  if (last.state === "rolled_back") return t("system.rebuild_back", { at: moment(last.updated_at) });
  return t("system.rebuild_paused", counts);
}

/** The available actions. @param {RebuildingState} state */
export function offered({ active, last }) {
  if (active) return ["pause"];
  if (last?.state === "paused" || last?.state === "running") return ["resume"];
  return ["begin", ...(last?.previous && last.keep_until ? ["roll_back", "keep"] : [])];
}

/** Their names on the server. */
const ACTIONS = /** @type {const} */ ({ begin: "reindex", pause: "reindex_pause", resume: "reindex_resume", roll_back: "reindex_roll_back", keep: "reindex_promote" });

/** @extends {Part<SystemServer>} */
export class Rebuild extends Part {
  feed = new Feed();

  /** @param {HTMLElement} place @param {SystemServer} server @param {() => unknown} changed */
  constructor(place, server, changed) {
    super(place, server);
    this.changed = changed;
  }

  async load() {
    this.parts = task(this.root, "system.rebuild");
    this.take(await call(this.server.reindex_status));
  }

  /** @param {RebuildingState | null} state */
  take(state) {
    if (!state) return;
    this.draw(state);
    if (state.active) this.follow();
  }

  /** Follows it until it is done or paused, including a rebuild started by another user. */
  follow() {
    this.feed.open("/live/rebuilding", (/** @type {RebuildingState} */ state) => {
      this.draw(state);
      if (state.active) return;
      this.feed.close();
      this.changed();
    });
  }

  /** @param {RebuildingState} state */
  draw(state) {
    if (!this.parts) return;
    const { known, bar, buttons } = this.parts;
    known.textContent = `${t("system.rebuild_hint")} ${standing(state)}`;
    const going = state.active || state.last?.state === "paused" || state.last?.state === "running";
    bar.hidden = !going;
    if (state.last?.total) Object.assign(bar, { max: state.last.total, value: state.last.copied });
    else bar.removeAttribute("value");
    const shown = offered(state).map((name) => button(t(`system.rebuild_do_${name}`), () => this.act(/** @type {keyof typeof ACTIONS} */ (name)), "", { "data-do": name }));
    if (replaceFocused(buttons, shown, "do") && !buttons.contains(document.activeElement)) buttons.querySelector("button")?.focus();
  }

  /** @param {keyof typeof ACTIONS} name */
  async act(name) {
    for (const each of this.parts?.buttons.querySelectorAll("button") ?? []) each.disabled = true;
    this.take((await call(this.server[ACTIONS[name]])) ?? (await call(this.server.reindex_status)));
    if (name === "roll_back" || name === "keep") this.changed();
  }
}
