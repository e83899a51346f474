/* Whether the server is reachable: shows a message while it is not, and checks until it is again. */
import { send } from "../shared/bus.js";
import { addProblem } from "../shared/ui.js";
import { t } from "../shared/words.js";

const AGAIN_MS = 1500;

/** Returns a function to call when a request got no answer. @param {() => unknown} refresh */
export function mountConnection(refresh) {
  /** @type {HTMLElement | null} */
  let said = null;
  const look = async () => {
    try {
      await fetch("/health", { cache: "no-store" });
    } catch {
      setTimeout(look, AGAIN_MS);
      return;
    }
    said?.remove();
    said = null;
    refresh();
    send("back");
  };
  const lost = () => {
    if (said) return;
    said = addProblem([t("frame.lost")], [], { kind: "gone", stays: true });
    setTimeout(look, AGAIN_MS);
  };
  addEventListener("offline", lost);
  return lost;
}
