/* Follows a run: frames of the live stream patched into an answer that is being written. */
import { element } from "../shared/ui.js";
import { t } from "../shared/words.js";

const LIVE_LINE_MS = 300;
const SILENCE_MS = 30_000;

/** The live line shows each step for a moment; the events themselves are never held back. */
export class LiveLine {
  constructor(node) {
    this.node = node;
    this.queue = [];
    this.timer = null;
  }

  show(text) {
    if (!text || text === this.latest) return;
    this.latest = text;
    this.queue.push(text);
    if (this.queue.length > 4) this.queue.splice(0, this.queue.length - 4);
    if (!this.timer) this.next();
  }

  next() {
    const text = this.queue.shift();
    if (text === undefined) {
      this.timer = null;
      return;
    }
    this.node.textContent = text;
    this.timer = setTimeout(() => this.next(), LIVE_LINE_MS);
  }

  stop() {
    clearTimeout(this.timer);
  }
}

function skeleton(language) {
  const article = element("article.answer.live");
  article.lang = language;
  article.dir = language === "he" ? "rtl" : "ltr";
  article.innerHTML = '<div class="about"></div><div class="offer"></div><div class="trail"></div><div class="extra"></div><div class="body" dir="auto"></div><details class="trace" open><summary><span class="pulse" aria-hidden="true"></span><span class="line" role="status"></span></summary><div class="inside"></div></details>';
  return article;
}

/** What each kind of frame changes in `article`; blocks are written anew from `begin` on. */
export function frames(article, line, handlers) {
  const part = (name) => article.querySelector(`.${name}`);
  const [inside, body, extra, trace] = ["inside", "body", "extra", "trace"].map(part);
  const fill = (node) => (frame) => {
    node.innerHTML = frame.html;
    handlers.grew();
  };
  return {
    trace(frame) {
      line.show(frame.live);
      fill(inside)(frame);
    },
    searched: fill(part("about")),
    trail: fill(part("trail")),
    offer: fill(part("offer")),
    blocks(frame) {
      if (!body.children.length && !article.dataset.touched) trace.open = false;
      while (body.children.length > frame.begin) body.lastChild.remove();
      for (const html of frame.html) {
        const block = element("div.block", { dir: "auto" });
        block.innerHTML = html;
        body.append(block);
      }
      handlers.grew();
    },
    card(frame) {
      article.classList.toggle("waiting", Boolean(frame.html));
      handlers.asked(frame.html);
    },
    notice: (frame) => extra.append(element("div.notice", {}, frame.html)),
    title: (frame) => handlers.titled(frame.html),
    beat() {},
  };
}

/**
 * Draw the run into `holder` until it ends.
 * handlers: ended(outcome), asked(html), titled(text), grew(), lost(), back()
 */
export function follow(run, language, holder, handlers) {
  const article = skeleton(language);
  holder.replaceChildren(article);
  const line = new LiveLine(article.querySelector(".line"));
  const extra = article.querySelector(".extra");
  let watchdog;
  let source;

  const draw = {
    ...frames(article, line, handlers),
    final(frame) {
      line.stop();
      holder.innerHTML = frame.html;
      handlers.grew();
    },
    end(frame) {
      close();
      handlers.ended(frame.outcome);
    },
  };

  function close() {
    clearTimeout(watchdog);
    source?.close();
  }

  function watch() {
    clearTimeout(watchdog);
    watchdog = setTimeout(() => {
      handlers.lost();
      open();
    }, SILENCE_MS);
  }

  function open() {
    source?.close();
    source = new EventSource(`/live/runs/${run}`);
    source.onopen = () => {
      extra.replaceChildren();
      handlers.back();
    };
    source.onmessage = (message) => {
      watch();
      for (const frame of JSON.parse(message.data)) draw[frame.kind](frame);
    };
    source.onerror = () => {
      handlers.lost();
      if (source.readyState === EventSource.CLOSED) setTimeout(open, 2000);
    };
    watch();
  }

  article.querySelector(".trace").addEventListener("click", () => (article.dataset.touched = "yes"));
  article.querySelector(".line").textContent = t("chat.reading");
  open();
  return { close };
}

/** Tell of the full answer that follows the partial one of `run`, once it has begun; returns what stops waiting. */
export function awaitFull(run, begun, never) {
  const source = new EventSource(`/live/follow-up/${run}`);
  source.onmessage = (message) => {
    source.close();
    const full = JSON.parse(message.data);
    if (full.run) begun(full.run, full.language);
    else never();
  };
  return () => source.close();
}
