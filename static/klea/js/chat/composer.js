// Where a question is written: Enter asks, Shift and Enter starts a line; a draft outlives a reload.

const COUNT_FROM = 500;

export class Composer {
  /** `onAsk(text)` returns whether the question was taken; `draft` names where an unsent question is kept. */
  constructor(form, { most, draft, onAsk, onStop }) {
    this.form = form;
    this.most = most;
    this.draft = draft;
    this.field = form.querySelector("textarea");
    this.send = document.getElementById("send");
    this.stop = document.getElementById("stop");
    this.count = document.getElementById("count");
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const text = this.field.value.trim();
      if (text && !this.send.disabled && onAsk(text)) this.write("");
    });
    this.field.addEventListener("input", () => this.measure());
    this.field.addEventListener("keydown", (event) => this.pressed(event));
    this.stop.addEventListener("click", onStop);
    if (!this.field.disabled) this.write(sessionStorage.getItem(draft) ?? "");
  }

  pressed(event) {
    const isComposing = event.isComposing || event.keyCode === 229; // an input method is still choosing characters
    if (event.key !== "Enter" || event.shiftKey || isComposing) return;
    event.preventDefault();
    this.form.requestSubmit();
  }

  write(text) {
    this.field.value = text;
    this.measure();
  }

  /** Let a person change a question before it is asked. */
  edit(text) {
    this.write(text);
    this.field.focus();
  }

  measure() {
    const { value } = this.field;
    if (!CSS.supports("field-sizing", "content")) {
      this.field.style.height = "auto";
      this.field.style.height = `${this.field.scrollHeight}px`;
    }
    const left = this.most - [...value].length;
    this.count.textContent = left < 0 ? `${-left} characters too many` : left < COUNT_FROM ? `${left} characters left` : "";
    this.count.classList.toggle("is-over", left < 0);
    this.send.disabled = !value.trim() || left < 0;
    if (value) sessionStorage.setItem(this.draft, value);
    else sessionStorage.removeItem(this.draft);
  }

  /** While an answer is written, the button stops it. */
  set isRunning(running) {
    this.stop.hidden = !running;
    this.send.hidden = running;
  }
}
