/* Backups: made, downloaded, uploaded; before a restore, a preview is shown. */
import { call, uploaded } from "../shared/server.js";
import { during } from "../shared/timing.js";
import { Part, button, element, fill, onFiles, showToast, table } from "../shared/ui.js";
import { moment, number, size, t } from "../shared/words.js";

const KINDS = ["documents", "conversations", "items", "sets", "personalities"];

/** The content of a backup, and which of it is missing or older here; dependent records are counted together. @param {Record<string, Counts>} kinds */
export function counted(kinds) {
  /** @type {Map<string, number[]>} */
  const rows = new Map(KINDS.map((kind) => [kind, [0, 0, 0]]));
  for (const [kind, { total, added, replaced }] of Object.entries(kinds)) {
    const under = KINDS.includes(kind) ? kind : "others";
    const before = rows.get(under) ?? [0, 0, 0];
    rows.set(under, [total, added, replaced].map((count, at) => count + before[at]));
  }
  return [...rows].filter(([, [total]]) => total);
}

/** @extends {Part<SystemServer>} */
export class Backups extends Part {
  /** @param {HTMLElement} card @param {SystemServer} server @param {Upload} upload @param {() => unknown} changed */
  constructor(card, server, upload, changed) {
    super(card, server);
    this.changed = changed;
    this.upload = upload;
    this.may = false;
    this.user = "";
    this.file = element("input", { type: "file", accept: ".zip", hidden: true, "data-backup-file": true });
    onFiles(this.file, ([file]) => this.receive(file));
  }

  /** @param {SystemReply} reply */
  async load({ may_change, user, backed_up }) {
    this.may = may_change;
    this.user = user;
    const make = button(t(may_change ? "system.backup_everyone" : "system.backup_own"), () => during(make, () => this.make(may_change)), "primary", { "data-do": "backup" });
    this.find(".hint").textContent = `${t(may_change ? "system.backups_hint_everyone" : "system.backups_hint_own")} ${backed_up ? t("system.backed_up", { at: moment(backed_up) }) : ""}`;
    this.find(".buttons").replaceChildren(make, button(t("system.backup_bring"), () => this.file.click()), this.file);
    await this.list();
  }

  async list() {
    const found = await call(this.server.backups);
    if (found) fill(this.find("ul"), found.backups.map((each) => this.row(each)), element("li.none", {}, t("system.backups_none")));
  }

  /** @param {boolean} everyone */
  async make(everyone) {
    const made = await call(this.server.back_up, { everyone });
    if (!made) return;
    showToast(t("system.backup_made", { size: size(made.backup.bytes) }));
    await this.changed();
  }

  /** @param {File} file */
  async receive(file) {
    const path = await uploaded(this.upload, file);
    if (path && (await call(this.server.receive, { path }))) await this.list();
  }

  /** @param {BackupRow} each */
  row(each) {
    const whose = each.of === null ? t("system.of_everyone") : each.of === this.user ? t("system.of_you") : each.of;
    const preview = element("div.preview", { hidden: true });
    const look = button(t("system.restore_look"), () => during(look, () => this.preview(each, preview)), "", { "data-do": "preview" });
    return element(
      "li",
      { "data-backup": each.name },
      element("div.facts", {}, element("span", {}, moment(each.made_at)), element("small", {}, [whose, size(each.bytes), t(`system.made_${each.by}`)].join(" · "))),
      element("div.buttons", {}, element("a", { href: `/backups/${each.name}`, download: each.name }, t("system.download")), look),
      preview,
    );
  }

  /** The owner after a restore: a full backup keeps the owners, the user's own stays theirs, another user's goes to the named user. @param {BackupRow} each @param {string} person */
  whose(each, person) {
    if (each.of === null) return { backup: each.name, everyone: true };
    return { backup: each.name, everyone: false, person: person || this.user };
  }

  /** @param {BackupRow} each @param {HTMLElement} place */
  async preview(each, place) {
    const named = element("input", { value: each.of ?? "", maxlength: 200, "data-person": true });
    const reply = await call(this.server.preview, this.whose(each, named.value));
    if (!reply) return;
    const restore = button(t("system.restore"), () => during(restore, () => this.restore(each, named.value.trim(), place)), "primary", { "data-do": "restore" });
    const rows = counted(reply.summary.kinds).map(([kind, counts]) => element("tr", {}, element("td", {}, element("bdi", {}, t(`system.holds_${kind}`))), ...counts.map((count) => element("td.number", {}, number(count)))));
    const heads = ["total", "added", "replaced"].map((name) => element("th.number", {}, t(`system.restore_${name}`)));
    place.hidden = false;
    place.replaceChildren(
      element("p", {}, t("system.restore_would"), " ", reply.told),
      element("div.scroll", {}, table([element("th", {}), ...heads], rows)),
      element("label", { hidden: !this.may || each.of === null || each.of === this.user }, t("system.restore_to"), named),
      element("div.buttons", {}, restore, button(t("shared.close"), () => (place.hidden = true), "quiet")),
    );
    restore.focus();
  }

  /** @param {BackupRow} each @param {string} person @param {HTMLElement} place */
  async restore(each, person, place) {
    const reply = await call(this.server.restore, this.whose(each, person));
    if (reply) place.replaceChildren(element("p", { role: "status" }, t("system.restored"), " ", reply.told));
  }
}
