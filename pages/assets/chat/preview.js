/* The passage behind a citation, shown while it is pointed at or focused. */
import { aimOf } from "./answer-parts.js";
import { call } from "../shared/notices.js";
import { element } from "../shared/ui.js";

const SHOW_MS = 160;
const HIDE_MS = 140;
const GAP = 8;

/** `runOf(cited)` names the run of a citation, `claimOf(cited)` the words in front of it. */
export function mountPreview(thread, server, { runOf, claimOf }) {
  const card = element("div.pal-preview", { id: "pal-preview", hidden: true });
  card.setAttribute("role", "tooltip");
  thread.closest(".pal-chat").append(card);
  const known = new Map();
  let over = null;
  let timer = null;

  function soon(action, ms) {
    clearTimeout(timer);
    timer = setTimeout(action, ms);
  }

  async function show(cited) {
    clearTimeout(timer);
    const run = runOf(cited);
    if (!run || !cited.isConnected) return;
    over = cited;
    const { number, item, quote } = aimOf(cited, claimOf(cited));
    const key = [run, number, item, quote].join("\n");
    if (!known.has(key)) known.set(key, call(server.preview, { run_id: run, number, item_id: item, quote }));
    const reply = await known.get(key);
    if (!reply) known.delete(key);
    if (!reply?.html || over !== cited || !cited.isConnected) return;
    card.innerHTML = reply.html;
    card.hidden = false;
    cited.setAttribute("aria-describedby", card.id);
    place(cited);
    const mark = card.querySelector("mark");
    const text = card.querySelector(".text");
    if (mark && text) text.scrollTop = mark.offsetTop - text.offsetTop - text.clientHeight / 3;
  }

  /** Beneath the citation, or above it where there is no room; always inside the window. */
  function place(cited) {
    const at = cited.getBoundingClientRect();
    const { offsetWidth: across, offsetHeight: down } = card;
    const left = Math.min(Math.max(GAP, at.left + at.width / 2 - across / 2), innerWidth - across - GAP);
    const below = at.bottom + GAP + down <= innerHeight;
    card.style.left = `${left}px`;
    card.style.top = `${below ? at.bottom + GAP : Math.max(GAP, at.top - GAP - down)}px`;
  }

  function hide() {
    clearTimeout(timer);
    over?.removeAttribute("aria-describedby");
    over = null;
    card.hidden = true;
  }

  thread.addEventListener("pointerover", (event) => {
    const cited = event.pointerType !== "touch" && event.target.closest?.(".cite[data-cite]");
    if (cited) soon(() => show(cited), SHOW_MS);
  });
  thread.addEventListener("pointerout", (event) => {
    const left = event.target.closest?.(".cite[data-cite]");
    if (left) soon(() => left === over && left !== document.activeElement && hide(), HIDE_MS);
  });
  thread.addEventListener("focusin", (event) => event.target.matches(".cite[data-cite]:focus-visible") && show(event.target));
  thread.addEventListener("focusout", (event) => event.target.matches(".cite[data-cite]") && hide());
  thread.addEventListener("click", hide);
  card.addEventListener("pointerenter", () => clearTimeout(timer));
  card.addEventListener("pointerleave", () => soon(hide, HIDE_MS));
  // Moving on with the keyboard may scroll: the preview goes with what has the focus.
  const scrolled = () => (over && over === document.activeElement ? place(over) : hide());
  thread.closest(".scroll").addEventListener("scroll", scrolled, { passive: true });
  document.addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Escape" || card.hidden) return;
      hide();
      event.stopPropagation();
    },
    true,
  );
}
