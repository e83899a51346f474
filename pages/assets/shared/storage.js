/* What the data take on this machine, by kind. */
import { element } from "./ui.js";
import { t } from "./words.js";

const KINDS = ["originals", "pages", "records", "conversations", "index", "backups", "other"];
const UNITS = ["B", "kB", "MB", "GB", "TB"];

/** `2_621_440` → "2.6 MB", as people read sizes of files. @param {number} bytes */
export function size(bytes) {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), UNITS.length - 1);
  const value = bytes / 1000 ** power;
  return `${value.toLocaleString(undefined, { maximumFractionDigits: value < 10 && power ? 1 : 0 })} ${UNITS[power]}`;
}

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
