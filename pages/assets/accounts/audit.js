/* The audit trail: who did what, when and from where; the user's own entries, and all entries for administrators. */
import { call } from "../shared/server.js";
import { Part, button, element, fill, offer } from "../shared/ui.js";
import { moment, t } from "../shared/words.js";

/** @type {AuditEntry["kind"][]} */
const KINDS = ["signed_in", "sign_in_failed", "signed_out", "deleted", "restored", "exported", "changed", "key_made", "key_revoked", "account_made", "account_changed", "account_removed"];

/** @extends {Part<{ audit: SystemServer["audit"] }>} */
export class AuditTrail extends Part {
  /** @type {AuditEntry[]} */
  entries = [];
  more = false;
  everybody = false;

  /** @param {HTMLElement} card @param {{ audit: SystemServer["audit"] }} server */
  constructor(card, server) {
    super(card, server);
    this.kind = card.querySelector("select");
    this.person = card.querySelector("input");
    for (const each of [this.kind, this.person]) each.addEventListener("change", () => this.load());
    this.words();
  }

  /** The choices in the reader's language. */
  words() {
    offer(this.kind, ["", ...KINDS].map((each) => [each, t(each ? `accounts.kind_${each}` : "accounts.kind_all")]));
  }

  /** @param {string} [after] the entry to go on from */
  async load(after = "") {
    const kinds = this.kind.value ? [/** @type {AuditEntry["kind"]} */ (this.kind.value)] : [];
    const reply = await call(this.server.audit, { kinds, person: this.person.value.trim(), after });
    if (!reply) return;
    this.entries = after ? [...this.entries, ...reply.entries] : reply.entries;
    this.more = reply.more;
    this.everybody = reply.everybody;
    this.draw();
  }

  draw() {
    this.root.hidden = false;
    this.words();
    this.person.closest("label").hidden = !this.everybody;
    fill(this.find(".entries"), this.entries.map((each) => this.row(each)), element("li.none", {}, t("accounts.nothing_noted")));
    const last = this.entries.at(-1);
    this.find(".more").replaceChildren(...(this.more && last ? [button(t("accounts.older"), () => this.load(last.id))] : []));
  }

  /** @param {AuditEntry} entry */
  row({ at, user_id, kind, subject, address, by }) {
    const where = [address, by === "key" && t("accounts.by_key"), by === "machine" && t("accounts.by_machine")].filter(Boolean).join(" · ");
    return element(
      `li.${kind}`,
      {},
      element("span", {}, this.everybody && element("b", {}, element("bdi", { dir: "auto" }, user_id || "–")), " ", t(`accounts.kind_${kind}`), subject && " ", subject && element("bdi.subject", { dir: "auto" }, subject)),
      element("small", {}, moment(at), where && " · ", where && element("bdi", { dir: "ltr" }, where)),
    );
  }
}
