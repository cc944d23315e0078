// Where the talk stands: a new question goes to the top and stays there, so that one can read while the answer grows.

const NEAR_END = 160;

export class Scrolling {
  constructor(turns, { talk, toEnd }) {
    this.turns = turns;
    this.talk = talk;
    this.toEnd = toEnd;
    turns.addEventListener("scroll", () => this.tell(), { passive: true });
    new ResizeObserver(() => this.tell()).observe(turns);
    toEnd.addEventListener("click", () => turns.scrollTo({ top: turns.scrollHeight, behavior: "smooth" }));
  }

  /** Give the last turn the height of the window, and bring its question to the top. */
  begin(turn, { smooth = true } = {}) {
    for (const other of this.turns.querySelectorAll(".turn.fills")) other.classList.remove("fills");
    if (turn.previousElementSibling) turn.classList.add("fills");
    const top = turn.offsetTop - this.turns.offsetTop;
    this.turns.scrollTo({ top: turn.previousElementSibling ? top + 24 : 0, behavior: smooth ? "smooth" : "instant" });
  }

  tell() {
    const { scrollTop, scrollHeight, clientHeight } = this.turns;
    this.talk.classList.toggle("is-scrolled", scrollTop > 40);
    const last = this.turns.querySelector(".turn:last-child .turn-actions, .turn:last-child .answer");
    const hiddenBelow = last ? last.getBoundingClientRect().bottom - this.turns.getBoundingClientRect().bottom : 0;
    this.toEnd.hidden = hiddenBelow < NEAR_END || scrollHeight - scrollTop - clientHeight < NEAR_END;
  }
}
