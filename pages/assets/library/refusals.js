/* Files that were not added: listed in the Library with the reason until they are dismissed. On other tabs one line in the strip below the header counts them. */
import { on, send } from "../shared/bus.js";
import { CROSS, addProblem, button, element, explained, iconButton } from "../shared/ui.js";
import { t } from "../shared/words.js";

export class Refusals {
  /** The line in the strip. @type {HTMLElement | null} */
  line = null;
  /** The number of refusals that the user dismissed in the strip. */
  known = 0;

  /** @param {HTMLElement} list */
  constructor(list) {
    this.list = list;
    on("tab", (tab) => this.tell(tab));
  }

  /** @param {Problem} problem */
  show = (problem) => {
    const card = element("div.problem", { role: "alert" }, element("p", {}, ...explained(problem)));
    card.append(iconButton(CROSS, t("shared.dismiss"), () => card.remove(), "icon dismiss"));
    this.list.append(card);
    return card;
  };

  /** @param {string} tab the tab that is shown now */
  tell(tab) {
    this.line?.remove();
    const count = this.list.children.length;
    this.known = Math.min(this.known, count);
    if (tab === "library" || count <= this.known) return;
    const look = button(t("frame.unseen_look"), () => send("tab", "library"), "look");
    this.line = addProblem([t("library.refused", { count })], [look], { kind: "refused", dismissed: () => (this.known = count), short: true });
  }
}
