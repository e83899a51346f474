/* The size of the data on this machine, by kind. */
import { element } from "./ui.js";
import { size, t } from "./words.js";

const KINDS = ["originals", "pages", "records", "conversations", "index", "backups", "other"];

/** @param {HTMLElement} card @param {StorageUse} storage */
export function storageRows(card, { folder, kinds, free, servers }) {
  const all = Object.values(kinds).reduce((sum, each) => sum + each, 0);
  const where = [element("bdi", { dir: "ltr" }, folder), ...servers.map((each) => element("bdi", {}, each))];
  card.querySelector(".where").replaceChildren(t("settings.storage_where"), " ", ...where.flatMap((each, at) => (at ? [" · ", each] : [each])));
  const rows = KINDS.filter((kind) => kinds[kind]).flatMap((kind) => {
    const bar = element("i", { "aria-hidden": true, style: `inline-size: ${(100 * kinds[kind]) / all}%` });
    return [element("dt", {}, t(`settings.kind_${kind}`)), element("dd", {}, element("bdi", {}, size(kinds[kind])), bar)];
  });
  card.querySelector("dl").replaceChildren(...rows);
  card.querySelector(".free").textContent = t("settings.storage_free", { all: size(all), free: size(free) });
}
