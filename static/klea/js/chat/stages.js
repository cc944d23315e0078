// The steps of an answer: each ticks when it is done, with its time; folded away when all are.
import { el, icon } from "../dom.js";

export const duration = (ms) => (ms < 950 ? `${Math.max(1, Math.round(ms))} ms` : `${(ms / 1000).toFixed(1)} s`);

export class StageList {
  constructor() {
    this.rows = new Map();
    this.list = el("ol");
    this.words = el("span", { text: "Starting" });
    this.head = el("summary", {}, el("span.tick", { "aria-hidden": "true" }), this.words, icon("unfold"));
    this.element = el("details.stages", { open: true }, this.head, this.list);
  }

  started({ stage, label }) {
    const row = el("li", {}, el("span.tick", { "aria-hidden": "true" }), el("span.label", { text: label }), el("span.summary"), el("span.took"));
    this.rows.set(stage, row);
    this.list.append(row);
    this.words.textContent = label;
  }

  finished({ stage, label, took_ms: tookMs, summary }) {
    if (!this.rows.has(stage)) this.started({ stage, label });
    const row = this.rows.get(stage);
    const said = row.querySelector(".summary");
    row.classList.add("is-done");
    said.textContent = said.title = summary ?? "";
    row.querySelector(".took").textContent = duration(tookMs ?? 0);
  }

  /** Something that was told on the way and that isn't a warning. */
  noticed(text) {
    this.list.append(el("li.is-notice", {}, icon("info"), el("span", { text })));
  }

  asking(name) {
    this.words.textContent = `Asking ${name}`;
  }

  /** Fold the list; `outcome` is "finished", "stopped" or "failed". */
  end(outcome, tookMs) {
    this.element.open = false;
    this.head.classList.add(outcome === "finished" ? "is-done" : "is-broken");
    for (const row of this.rows.values()) if (!row.matches(".is-done")) row.classList.add("is-broken");
    const total = tookMs ?? this.total;
    const verb = { finished: "Answered", stopped: "Stopped", failed: "Broken off" }[outcome] ?? "Ended";
    this.words.textContent = total ? `${verb} ${outcome === "finished" ? "in" : "after"} ${duration(total)}` : verb;
    this.element.hidden = !this.list.childElementCount;
  }
}
