/* Follows a run: applies frames of the live stream to the answer that is being written. */
import { element } from "../shared/ui.js";
import { t } from "../shared/words.js";

const LIVE_LINE_MS = 300;
const SILENCE_MS = 30_000;
const AGAIN_MS = 2000;

/** The live line shows each step briefly; the events themselves are never delayed. */
export class LiveLine {
  latest = "";
  /** @type {string[]} */
  queue = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer;

  /** @param {{ textContent: string | null }} node */
  constructor(node) {
    this.node = node;
  }

  /** @param {string} text */
  show(text) {
    if (!text || text === this.latest) return;
    this.latest = text;
    this.queue = [...this.queue, text].slice(-4);
    if (!this.timer) this.next();
  }

  next() {
    const text = this.queue.shift();
    if (text !== undefined) this.node.textContent = text;
    this.timer = text === undefined ? undefined : setTimeout(() => this.next(), LIVE_LINE_MS);
  }

  stop() {
    clearTimeout(this.timer);
  }
}

/** @param {string} language */
function skeleton(language) {
  const article = element("article.answer.live", { lang: language, dir: language === "he" ? "rtl" : "ltr" });
  article.innerHTML = '<div class="about"></div><div class="offer"></div><div class="trail"></div><div class="first"></div><div class="extra"></div><div class="meanwhile"></div><div class="body" dir="auto"></div><details class="trace" open><summary><span class="pulse" aria-hidden="true"></span><span class="line" role="status"></span></summary><div class="inside"></div></details>';
  return article;
}

/** What each kind of frame changes in `article`; blocks from `begin` on are replaced. @param {HTMLElement} article @param {Pick<LiveLine, "show">} line @param {Pick<Handlers, "grew" | "asked" | "titled">} handlers @returns {Record<string, (frame: Frame) => void>} */
export function frames(article, line, handlers) {
  const part = (/** @type {string} */ name) => article.querySelector(`.${name}`);
  const [inside, body, extra, trace] = ["inside", "body", "extra", "trace"].map(part);
  const fill = (/** @type {Element} */ node) => (/** @type {Frame} */ frame) => {
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
    first: fill(part("first")),
    meanwhile: fill(part("meanwhile")),
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

/** @typedef {{ ended: (outcome: string | null) => void, asked: (html: string) => unknown, titled: (text: string) => unknown, grew: () => void, lost: () => void, back: () => void }} Handlers */

/** A run that is drawn into `holder` until it ends. */
export class LiveAnswer {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  watchdog;
  /** @type {EventSource | undefined} */
  source;

  /** @param {string} run @param {string} language @param {HTMLElement} holder @param {Handlers} handlers */
  constructor(run, language, holder, handlers) {
    this.run = run;
    this.handlers = handlers;
    const article = skeleton(language);
    const line = new LiveLine(article.querySelector(".line"));
    this.extra = article.querySelector(".extra");
    /** @type {ReturnType<typeof frames>} */
    this.draw = {
      ...frames(article, line, handlers),
      final(frame) {
        line.stop();
        holder.innerHTML = frame.html;
        handlers.grew();
      },
      end: (frame) => {
        this.close();
        handlers.ended(frame.outcome);
      },
    };
    holder.replaceChildren(article);
    article.querySelector(".trace").addEventListener("click", () => (article.dataset.touched = "yes"));
    article.querySelector(".line").textContent = t("chat.reading");
    this.open();
  }

  close() {
    clearTimeout(this.watchdog);
    this.source?.close();
  }

  /** Reopens the stream after a while, unless an event arrives first or the stream is no longer needed. @param {number} ms */
  openAfter(ms) {
    clearTimeout(this.watchdog);
    this.watchdog = setTimeout(() => {
      this.handlers.lost();
      this.open();
    }, ms);
  }

  open() {
    this.source?.close();
    const source = new EventSource(`/live/runs/${this.run}`);
    this.source = source;
    source.onopen = () => {
      this.extra.replaceChildren();
      this.handlers.back();
    };
    source.onmessage = (message) => {
      this.openAfter(SILENCE_MS);
      for (const frame of JSON.parse(message.data)) this.draw[frame.kind](frame);
    };
    source.onerror = () => {
      this.handlers.lost();
      if (source.readyState === EventSource.CLOSED) this.openAfter(AGAIN_MS);
    };
    this.openAfter(SILENCE_MS);
  }
}

/** Reports the start of the full answer that follows the partial one of `run`; returns a function that stops waiting. @param {string} run @param {(run: string, language: string) => void} begun @param {() => void} never */
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
