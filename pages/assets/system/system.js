/* The System tab: health, current work, maintenance, backups, external services, size of the data. */
import { AuditTrail } from "../accounts/audit.js";
import { readWhenShown } from "../shared/bus.js";
import { call } from "../shared/server.js";
import { storageRows } from "../shared/storage.js";
import { turns } from "../shared/timing.js";
import { Part, element, fill } from "../shared/ui.js";
import { moment, t } from "../shared/words.js";
import { Backups } from "./backups.js";
import { Errors } from "./errors.js";
import { showFeatures } from "./features.js";
import { Figures, showCalled } from "./figures.js";
import { showFindings, summarise } from "./health.js";
import { showResponsiveness } from "./responsiveness.js";
import { Rebuild } from "./rebuild.js";
import { checkTask, promotionTask } from "./upkeep.js";

/** @extends {Part<SystemServer>} */
class SystemTab extends Part {
  loading = turns();

  /** @param {Widget<SystemServer>} widget */
  constructor({ element: widget, server, upload }) {
    super(widget.querySelector(".pal-system"), server);
    this.page = this.find(".page");
    this.backups = new Backups(this.card("backups"), server, upload, () => this.load());
    this.figures = new Figures(this.card("figures"), server);
    this.errors = new Errors(this.card("errors"), server);
    this.rebuild = new Rebuild(this.find("[data-task=rebuild]"), server, () => this.load());
    this.audit = new AuditTrail(this.card("audit"), server);
    for (const again of this.root.querySelectorAll("[data-again]")) again.addEventListener("click", () => this.load());
  }

  /** @param {string} name @returns {HTMLElement} */
  card(name) {
    return this.find(`.card.${name}`);
  }

  async load() {
    const isLast = this.loading();
    const reply = await call(this.server.system);
    if (!isLast()) return;
    this.page.dataset.state = reply ? "ready" : this.page.dataset.state === "ready" ? "ready" : "failed";
    this.find(".failed").hidden = Boolean(reply);
    if (!reply) return;
    this.draw(reply);
    if (reply.may_change) await this.examine(reply.parts, isLast);
  }

  /** @param {SystemReply} reply */
  draw(reply) {
    this.health(reply.parts, reply.may_change);
    fill(this.find(".card.work ul"), reply.under_way.map(workRow), element("li.none", {}, t("system.work_none")));
    promotionTask(this.find("[data-task=promote]"), this.server, reply.upkeep?.promotion);
    if (reply.may_change) {
      checkTask(this.find("[data-task=check]"), this.server, reply.upkeep?.check ?? null, () => this.load());
      this.rebuild.load();
    }
    this.figures.load();
    this.errors.load();
    this.backups.load(reply);
    this.audit.load();
    if (reply.features) showFeatures(this.card("features"), this.server, reply.features, () => this.load());
    if (reply.responsiveness) showResponsiveness(this.card("responsive"), reply.responsiveness);
    if (reply.called) showCalled(this.card("called"), reply.called);
    this.card("storage").hidden = !reply.storage;
    if (reply.storage) storageRows(this.card("storage"), reply.storage);
  }

  /** The doctor's checks take a moment: the health of the parts is shown until then. @param {SystemFinding[]} parts @param {() => boolean} isLast */
  async examine(parts, isLast) {
    const looked = await call(this.server.doctor);
    if (!isLast()) return;
    const told = new Set(looked?.findings.map((each) => each.warning));
    const beside = parts.filter((each) => (looked ? each.warning && !told.has(each.warning) : true));
    this.health([...(looked?.findings ?? []), ...beside], false);
  }

  /** @param {SystemFinding[]} findings @param {boolean} looking whether checks are still running */
  health(findings, looking) {
    const card = this.card("health");
    card.querySelector(".looking").hidden = !looking;
    showFindings(card, findings);
    const line = this.find(".summary");
    summarise(line, findings);
    if (!looking || line.dataset.state !== "green") return;
    delete line.dataset.state;
    line.textContent = t("system.looking");
  }
}

/** A row of current work. @param {WorkRow} each */
function workRow({ kind, about, mine, user_id, since, waits }) {
  const whose = mine ? about : t("system.work_of", { name: user_id });
  return element(
    "li",
    { "data-kind": kind },
    element("span", {}, t(`system.kind_${kind}`), " ", whose && element("bdi", {}, whose)),
    element("small", {}, waits ? `${t("system.waits")} · ` : "", t("system.since", { at: moment(since) })),
  );
}

/** @param {Widget<SystemServer>} widget */
export function mount(widget) {
  readWhenShown("system", new SystemTab(widget));
}
