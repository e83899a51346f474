/* Scrolling of the thread: keeps the start of the last turn visible, its end if the user scrolled there, or nothing. */

const NEAR_THE_END = 80;

export class Sight {
  /** @type {"beginning" | "end" | "nothing"} */
  keeps = "beginning";
  /** The position that this script scrolled to. */
  here = -1;

  /** @param {HTMLElement} scroll @param {HTMLElement} thread */
  constructor(scroll, thread) {
    this.scroll = scroll;
    this.thread = thread;
    scroll.addEventListener("scroll", () => {
      if (Math.abs(scroll.scrollTop - this.here) < 2) return;
      const left = scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight;
      this.keeps = left < NEAR_THE_END ? "end" : "nothing";
    });
  }

  /** To the beginning of the last turn, wherever a person has gone. */
  begin() {
    this.keeps = "beginning";
    this.follow();
  }

  /** Scrolls towards the end, but not past an answer's first line, where reading starts. */
  follow() {
    if (this.keeps === "nothing") return;
    const { scroll, thread } = this;
    const last = thread.lastElementChild;
    const above = last?.previousElementSibling;
    const asked = above?.matches(".question-tools") ? above.previousElementSibling : above;
    const first = last?.matches(".holder") && (asked?.matches(".question") ? asked : last);
    const top = first ? first.getBoundingClientRect().top - thread.getBoundingClientRect().top : scroll.scrollHeight;
    scroll.scrollTop = this.keeps === "end" ? scroll.scrollHeight : top;
    this.here = scroll.scrollTop;
  }
}
