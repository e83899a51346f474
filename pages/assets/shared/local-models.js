/* Language models on this computer: the found ones, one of which a click sets, or what to install. */
import { button, element } from "./ui.js";
import { isolated, number, t } from "./words.js";

/** @typedef {{ server: string, address: string, model: string }} LocalModel */

/** The found models, the best first. @param {FoundModels} found @returns {LocalModel[]} */
export const localModels = ({ servers }) => servers.flatMap(({ name, address, models }) => models.map((model) => ({ server: name, address, model })));

/** A choice that sets this model for everyone. @param {LocalModel} local @returns {PickedModel} */
export const asChoice = ({ address, model }) => ({ provider: "own", address, key: "", answers: model, small: "", further: [] });

/** A button for each found model; what to install if there is none. @param {FoundModels} found @param {(local: LocalModel) => unknown} use @param {LocalModel | null} [used] the model that was just set */
export function localModelRows(found, use, used = null) {
  const others = localModels(found).filter(({ address, model }) => address !== used?.address || model !== used.model);
  const rows = others.map((each) => button(t("local_models.use", { server: isolated(each.server), model: isolated(each.model) }), () => use(each)));
  return [...rows, ...(found.advice ? [installation(found.advice, found.empty)] : [])];
}

/** @param {Advice} advice @param {string[]} empty programs that run without a chat model */
function installation({ as_of, program, page, models }, empty) {
  const runs = empty.includes(program);
  const say = t(runs ? "local_models.empty" : "local_models.install", { program: isolated(program) });
  const link = element("a", { href: page, target: "_blank", rel: "noreferrer", dir: "ltr" }, page.replace("https://", ""));
  const options = models.map(({ command, download, memory }) =>
    element("li", {}, element("code", { dir: "ltr" }, command), " ", element("span", {}, t("local_models.needs", { download: number(download, 1), memory: number(memory, 0) }))),
  );
  const begins = element("p", {}, say, " ", !runs && link);
  const sizes = element("p.hint", {}, t("local_models.as_of", { date: as_of }));
  return element("div.install", {}, element("p", {}, element("strong", {}, t("local_models.none"))), begins, element("p", {}, t("local_models.enter")), element("ul", {}, ...options), sizes);
}
