/* Texts being edited: their unsaved changes, and the server's view of them. */
import { call } from "../shared/server.js";

/** @typedef {{ key: string, slug: string | null, kind: "preset" | "custom" | "new", name: string, text: string, saved: string | null, changes: Quick, version: number, seen: number, prompt: string | null, view: Omit<TextView, "text">, settling?: Promise<boolean> | null }} Draft */

const NOTHING = { quick: null, prompt: null, assistant: null, errors: [], warnings: [] };

/** @param {Draft} draft */
export const isDirty = (draft) => draft.text !== draft.saved || Object.keys(draft.changes).length > 0;

export class Drafts {
  /** @type {Map<string, Draft>} */
  all = new Map();
  count = 0;
  /** @type {HTMLElement | null} the last message about a refused draft */
  refusal = null;

  /** @param {PersonalityServer["draft"]} read @param {(draft: Draft) => void} changed is called when the server has read a draft */
  constructor(read, changed) {
    this.read = read;
    this.changed = changed;
  }

  unsaved() {
    return [...this.all.values()].filter(isDirty);
  }

  /** @param {Pick<Draft, "key" | "slug" | "kind" | "name" | "text" | "saved"> & { version?: number }} draft @param {Draft["view"]} [view] @returns {Draft} */
  keep(draft, view = NOTHING) {
    const kept = { changes: {}, version: 0, seen: 0, prompt: view.prompt, ...draft, view };
    this.all.set(kept.key, kept);
    return kept;
  }

  /** @param {Template} template @param {Draft["view"]} view */
  keepSaved(template, view) {
    return this.keep({ ...template, key: template.slug, saved: template.text }, view);
  }

  /** A draft that has not been saved yet. @param {string} name @param {string} text */
  begin(name, text) {
    this.count += 1;
    return this.keep({ key: `new ${this.count}`, slug: null, kind: "new", name, text, saved: null, version: 1 });
  }

  /** Restores the saved text; a new draft is removed. @param {Draft} draft */
  giveUp(draft) {
    if (draft.saved === null) this.all.delete(draft.key);
    else this.write(draft, draft.saved, {});
  }

  /** @param {Draft} draft @param {string} text @param {Quick} changes */
  write(draft, text, changes) {
    Object.assign(draft, { text, changes, version: draft.version + 1 });
  }

  /** The server's current view of the text; actions on a draft wait for it. One request at a time. @param {Draft} draft */
  settle(draft) {
    draft.settling ??= this.catchUp(draft).finally(() => (draft.settling = null));
    return draft.settling;
  }

  /** @param {Draft} draft */
  async catchUp(draft) {
    while (draft.seen !== draft.version) {
      const { text, version } = draft;
      const changes = { ...draft.changes };
      if (this.refusal?.isConnected) this.refusal.remove();
      const reply = await call(this.read, { text, changes });
      if (!reply) {
        this.refusal = document.querySelector(".pal-notices .problem:last-child");
        return false;
      }
      if (draft.text === text) draft.text = reply.text;
      for (const [field, value] of Object.entries(changes)) if (draft.changes[field] === value) delete draft.changes[field];
      draft.seen = version;
      draft.view = reply;
      if (reply.prompt !== null) draft.prompt = reply.prompt;
      this.changed(draft);
    }
    return true;
  }
}
