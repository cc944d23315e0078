// What one can do with an answer: copy it with its references, judge it, ask again.
import { el, icon, iconButton } from "../dom.js";
import { call } from "../service.js";
import { toast, toastError } from "../toast.js";
import { referenceOf } from "./citations.js";

export class Actions {
  /** `turn` has `id`, `question`, `answer` and `sources`; `onAsk(question)` asks again, `onEdit(question)` lets change it first. */
  constructor(turn, { onAsk, onEdit }) {
    this.turn = turn;
    this.onAsk = onAsk;
    this.onEdit = onEdit;
    this.element = el("div.turn-actions");
  }

  draw({ feedback = null, broken = false } = {}) {
    const { question } = this.turn;
    const again = broken ? el("button.button.button-quiet.button-small", { type: "button", onclick: () => this.onAsk(question) }, icon("again"), "Ask again") : null;
    const copy = this.turn.answer.text ? iconButton("copy", "Copy with references", { onclick: () => this.copy() }) : null;
    const judge = this.turn.answer.text && !broken ? [this.thumb("good", 1, "This helped", feedback), this.thumb("poor", -1, "This didn't help", feedback)] : [];
    const change = iconButton("rename", "Change the question and ask again", { onclick: () => this.onEdit(question) });
    this.element.replaceChildren(...[again, copy, ...judge, change].filter(Boolean));
  }

  thumb(name, value, label, feedback) {
    return iconButton(name, label, { "aria-pressed": String(feedback === value), "data-value": value, onclick: (event) => this.judge(event.currentTarget, value) });
  }

  async copy() {
    const references = this.turn.sources.shown.map(referenceOf);
    try {
      await navigator.clipboard.writeText([this.turn.answer.text.trim(), references.join("\n")].filter(Boolean).join("\n\n"));
      toast("Copied, with references");
    } catch {
      toast("The browser didn't let Klea copy. Select the text and copy it by hand.", { bad: true });
    }
  }

  async judge(button, value) {
    const before = button.getAttribute("aria-pressed") === "true";
    const mark = (pressed) => {
      for (const other of this.element.querySelectorAll("[data-value]")) other.setAttribute("aria-pressed", String(pressed && other === button));
    };
    mark(!before);
    try {
      await call("POST", `/turns/${this.turn.id}/feedback`, { value: before ? null : value });
    } catch (error) {
      mark(before);
      toastError(error);
    }
  }
}
