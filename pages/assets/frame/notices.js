/* The strip of problems below the header: it takes space of its own, so it covers nothing. It shows the newest problem, and how many there are. */
import { element } from "../shared/ui.js";

/** @param {HTMLElement} header */
export function mountNotices(header) {
  /** @type {HTMLElement} */
  const strip = document.querySelector(".pal-notices .strip");
  const style = document.documentElement.style;
  const place = () => style.setProperty("--strip-top", `${Math.max(0, header.getBoundingClientRect().bottom)}px`);
  const count = () => {
    for (const old of strip.querySelectorAll(".more")) old.remove();
    const cards = strip.querySelectorAll(".card");
    if (cards.length > 1) cards[cards.length - 1].prepend(element("span.more", {}, String(cards.length)));
    place();
  };
  new ResizeObserver(() => style.setProperty("--strip", `${strip.offsetHeight}px`)).observe(strip);
  const changes = new MutationObserver(() => {
    count();
    changes.takeRecords(); // of the number that was written
  });
  changes.observe(strip, { childList: true });
  addEventListener("scroll", place, { passive: true });
  addEventListener("resize", place);
  place();
}
