/* Feature switches, each with what is hidden when it is off. */
import { send } from "../shared/bus.js";
import { call } from "../shared/server.js";
import { during } from "../shared/timing.js";
import { button, element } from "../shared/ui.js";
import { t } from "../shared/words.js";

/** @param {FeatureRow} each @param {(on: boolean) => Promise<unknown>} turn */
function row(each, turn) {
  const label = t(each.on ? "system.feature_switch_off" : "system.feature_switch_on");
  const turned = button(label, () => during(turned, () => turn(!each.on)), "", { "data-do": "switch", "aria-label": `${label}: ${each.title}`, disabled: each.fixed, title: each.fixed ? t("system.feature_fixed") : null });
  return element(
    "li",
    { "data-feature": each.name, "data-on": String(each.on) },
    element(
      "div.facts",
      {},
      element("strong", {}, each.title, " ", element("small", {}, t(each.on ? "system.feature_on" : "system.feature_off"))),
      element("small", {}, `${t("system.feature_hides")}: ${each.hides}`),
      each.notice && element("small.notice", {}, each.notice),
      each.fixed && element("small", {}, t("system.feature_fixed"), " ", element("bdi", {}, each.setting)),
    ),
    element("div.buttons", {}, turned),
  );
}

/** @param {HTMLElement} card @param {SystemServer} server @param {FeatureRow[]} rows @param {() => unknown} changed */
export function showFeatures(card, server, rows, changed) {
  card.hidden = false;
  const draw = (/** @type {FeatureRow[]} */ each) => card.querySelector("ul").replaceChildren(...each.map((one) => row(one, (on) => turn(one.name, on))));
  const turn = async (/** @type {string} */ name, /** @type {boolean} */ on) => {
    const reply = await call(server.switch_feature, { name, on });
    if (!reply) return;
    draw(reply.features);
    send("features");
    await changed();
    card.querySelector(`[data-feature="${name}"] button`)?.focus();
  };
  draw(rows);
}
