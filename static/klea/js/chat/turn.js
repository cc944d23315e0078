// A question with its answer: stages that tick, words that stream, numbers that lead to their sources.
import { icon, make, PATHS, withMarkers } from "./make.js";
import { call } from "./service.js";

const KINDS = {
  extracts: ["Extracts from your documents", "badge-good"], library: ["From your documents", "badge-good"],
  general: ["Not from your documents", "badge-warn"], refused: ["Outside your documents", "badge-warn"],
  abstained: ["Not enough in your documents", "badge-warn"], best_effort: ["Partly covered by your documents", "badge-warn"], clarify: ["Asks back", ""],
};
/** The innermost heading above a passage, unless it is the title. */
const sectionOf = (source) => { const last = (source.section ?? "").split(" > ").at(-1).trim(); return last === source.title ? "" : last; };
const ENDED = ["finished", "stopped", "failed", "interrupted"];
const seconds = (ms) => (ms < 950 ? `${Math.max(1, Math.round(ms))} ms` : `${(ms / 1000).toFixed(1)} s`);

export class TurnView {
  constructor(question, { onSource, onRetry }) {
    this.onSource = onSource; this.onRetry = onRetry;
    this.question = question; this.sources = new Map(); this.citations = []; this.text = ""; this.id = null; this.stages = new Map(); this.state = "running";
    this.stageList = make("ol");
    this.stageWords = make("span", { text: "Starting" });
    this.stageTick = make("span", { classes: "tick", attributes: { "aria-hidden": "true" } });
    this.stageHead = make("summary", { children: [this.stageTick, this.stageWords] });
    this.stageBox = make("details", { classes: "stages", attributes: { open: true }, children: [this.stageHead, this.stageList] });
    this.kind = make("p", { classes: "kind", attributes: { hidden: true } });
    this.notes = make("div");
    this.answer = make("div", { classes: "answer", attributes: { "aria-live": "polite" }, on: { click: (event) => this.clicked(event) } });
    this.sourceBox = make("div", { classes: "sources", attributes: { hidden: true } });
    this.actions = make("div", { classes: "turn-actions" });
    this.element = make("article", { classes: "turn", children: [make("h2", { classes: "question", text: question }), this.stageBox, this.kind, this.notes, this.answer, this.sourceBox, this.actions] });
  }
  get isOver() { return ENDED.includes(this.state); }

  /** Show a turn as it is stored. */
  fill(turn) {
    this.id = turn.id; this.state = turn.state; this.text = turn.answer; this.citations = turn.citations; this.feedback = turn.feedback;
    for (const citation of turn.citations) this.sources.set(citation.marker, { ...citation.source, n: citation.marker });
    if (!this.isOver) return;
    this.stageBox.hidden = true;
    this.showKind(turn.kind);
    if (turn.html) this.answer.innerHTML = turn.html; // made and sanitised by the server (chat/core/rendering.py)
    this.finish();
    if (turn.error) this.note(turn.error, turn.state === "failed" || turn.state === "interrupted" ? "bad" : "warn");
    if (turn.state === "failed" || turn.state === "interrupted") this.offerRetry();
  }

  take(event) {
    this.id = event.turn ?? this.id;
    const doing = { "stage.started": "stageStarted", "stage.finished": "stageFinished", sources: "sourcesCame", delta: "wordsCame", revised: "revised", citation: "citationCame", notice: "noticeCame", finished: "finished", stopped: "stopped", failed: "failed", "tool.called": "toolCalled" }[event.type];
    if (doing) this[doing](event);
  }
  stageStarted({ stage, label }) {
    const row = make("li", { children: [make("span", { classes: "tick", attributes: { "aria-hidden": "true" } }), make("span", { text: label }), make("span", { classes: "summary" }), make("span", { classes: "took" })] });
    this.stages.set(stage, row); this.stageList.append(row); this.stageWords.textContent = label;
  }
  stageFinished({ stage, took_ms, summary }) {
    const row = this.stages.get(stage);
    if (!row) return;
    row.classList.add("is-done"); row.children[2].textContent = summary ?? ""; row.children[2].title = summary ?? ""; row.children[3].textContent = seconds(took_ms ?? 0);
  }
  toolCalled({ name }) { this.stageWords.textContent = `Asking ${name}`; }
  sourcesCame({ sources }) { for (const source of sources) this.sources.set(source.n, source); }
  wordsCame({ text }) { this.text += text; this.draw(); }
  revised({ text }) { this.text = text; this.draw(); }
  draw() { this.answer.classList.add("is-live"); this.answer.replaceChildren(withMarkers(this.text, this.sources)); }
  citationCame(citation) { this.citations.push({ ...citation, source: this.sources.get(citation.marker) ?? {} }); }
  noticeCame({ text, level }) { this.note(text, level); }
  finished({ html, kind, took_ms, answer }) {
    this.state = "finished"; if (answer !== undefined) this.text = answer;
    if (html) this.answer.innerHTML = html; // sanitised by the server
    this.showKind(kind); this.finish(took_ms);
  }
  stopped() { this.state = "stopped"; this.note("Stopped. What was said so far is kept.", "info"); this.finish(); this.offerRetry(); }
  failed({ message, advice }) {
    this.state = "failed"; this.note(`${message} ${advice ?? ""}`, "bad"); this.finish(); this.offerRetry();
  }
  finish(tookMs) {
    this.answer.classList.remove("is-live");
    this.stageBox.open = false; this.stageHead.classList.add("is-done");
    if (!this.stages.size) this.stageBox.hidden = true;
    this.stageWords.textContent = tookMs ? `Done in ${seconds(tookMs)}` : "How this was found";
    this.drawSupport(); this.drawSources(); this.drawActions();
  }
  showKind(kind) {
    const [words, look] = KINDS[kind] ?? [];
    this.abstained = kind === "abstained";
    if (!words) return;
    this.kind.hidden = false; this.kind.replaceChildren(make("span", { classes: `badge ${look}`, text: words }));
  }
  note(text, level = "info") {
    this.notes.append(make("p", { classes: `note${level === "bad" || level === "error" ? " note-bad" : level === "warn" || level === "warning" ? " note-warn" : ""}`, text: text.trim() }));
  }
  offerRetry() {
    this.actions.prepend(make("button", { classes: "button button-quiet", attributes: { type: "button" }, children: [icon(PATHS.again), "Ask again"], on: { click: () => this.onRetry(this.question) } }));
  }

  /** The citation of the k-th chip with this number, since one source may be cited for several sentences. */
  citationOf(chip) {
    const n = Number(chip.dataset.marker);
    const chips = [...this.answer.querySelectorAll(`.marker[data-marker="${n}"]`)];
    const cited = this.citations.filter((citation) => citation.marker === n).sort((a, b) => a.position - b.position);
    return cited[Math.min(Math.max(0, chips.indexOf(chip)), cited.length - 1)] ?? this.bare(n);
  }
  bare(n) { const source = this.sources.get(n) ?? {}; return { marker: n, source, quote: "", pages: source.pages ?? [], boxes: [], start: 0, end: 0, support: "" }; }
  drawSupport() {
    const words = { verified: "the words stand in the source", supported: "the source says it", weak: "the source says it only in part", unsupported: "the source doesn't say it" };
    for (const chip of this.answer.querySelectorAll(".marker")) {
      const citation = this.citationOf(chip);
      chip.dataset.support = citation.support; chip.title = `${citation.source.title ?? ""}${citation.support ? `: ${words[citation.support]}` : ""}`;
      chip.setAttribute("aria-label", `Source ${chip.dataset.marker}${citation.support ? `, ${words[citation.support]}` : ""}`);
    }
  }
  shown() {
    const cited = new Map();
    for (const citation of [...this.citations].sort((a, b) => a.position - b.position)) if (!cited.has(citation.marker)) cited.set(citation.marker, citation);
    for (const chip of this.answer.querySelectorAll(".marker")) { const n = Number(chip.dataset.marker); if (!cited.has(n)) cited.set(n, this.bare(n)); }
    return [...cited.values()].sort((a, b) => a.marker - b.marker);
  }
  drawSources() {
    const shown = this.shown();
    this.sourceBox.hidden = !shown.length;
    const rows = shown.map((citation) => {
      const source = citation.source;
      const by = [source.authors?.slice(0, 3).join(", ") + (source.authors?.length > 3 ? " and others" : ""), source.year, source.venue, sectionOf(source)].filter((part) => part && part !== "undefined").join(" · ") || source.file_name;
      const row = make("button", { classes: "source", attributes: { type: "button", id: `source-${this.id}-${citation.marker}` }, on: { click: () => this.onSource(this, citation) }, children: [
        make("span", { classes: "n", text: citation.marker }),
        make("span", { children: [make("span", { classes: "title", text: source.title || source.file_name || "Removed source" }), make("span", { classes: "by", text: by ?? "" })] }),
        make("span", { classes: "page", text: citation.pages?.length ? `p. ${citation.pages[0]}` : "" }),
      ] });
      return make("li", { children: [row] });
    });
    this.sourceBox.replaceChildren(make("h3", { text: this.abstained ? "Nearest passages" : shown.length === 1 ? "1 source" : `${shown.length} sources` }), make("ol", { children: rows }));
  }
  drawActions() {
    if (!this.text) return;
    const copy = make("button", { classes: "icon-button", attributes: { type: "button", title: "Copy with references", "aria-label": "Copy with references" }, children: [icon(PATHS.copy)], on: { click: () => this.copy(copy) } });
    const thumbs = [["good", 1, "This helped"], ["bad", -1, "This didn't help"]].map(([name, value, label]) =>
      make("button", { classes: "icon-button", attributes: { type: "button", title: label, "aria-label": label, "aria-pressed": String(this.feedback === value), "data-value": value }, children: [icon(PATHS[name])], on: { click: (event) => this.judge(event.currentTarget, value) } }));
    this.actions.replaceChildren(copy, ...thumbs);
  }
  async copy(button) {
    const lines = this.shown().map(({ marker, source, pages }) => `[${marker}] ${[source.authors?.join(", "), source.year, source.title || source.file_name, source.venue, pages?.length ? `p. ${pages[0]}` : "", source.links?.[0]?.[1]].filter(Boolean).join(". ")}`);
    await navigator.clipboard.writeText([this.text, ...lines].join("\n"));
    button.title = "Copied"; button.setAttribute("aria-pressed", "true");
  }
  async judge(button, value) {
    for (const other of this.actions.querySelectorAll("[data-value]")) other.setAttribute("aria-pressed", String(other === button));
    try { await call("POST", `/turns/${this.id}/feedback`, { value }); } catch (error) { this.note(`${error.message} ${error.advice}`, "bad"); }
  }
  clicked(event) {
    const chip = event.target.closest(".marker");
    if (!chip) return;
    event.preventDefault();
    this.onSource(this, this.citationOf(chip), chip);
  }
}
