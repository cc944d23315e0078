// A question with its answer. Takes the events of the stream, or a turn as it is stored.
import { el, icon } from "../dom.js";
import { Actions } from "./actions.js";
import { Answer } from "./answer.js";
import { Citations } from "./citations.js";
import { SourceList } from "./sources.js";
import { StageList } from "./stages.js";

const LONG_QUESTION = 220;
const ENDED = ["finished", "stopped", "failed", "interrupted"];
const KINDS = {
  extracts: ["Extracts from your documents", "badge-good"],
  library: ["From your documents", "badge-good"],
  general: ["Not from your documents", "badge-warn"],
  refused: ["Outside your documents", "badge-warn"],
  abstained: ["Your documents don't answer this", "badge-warn"],
  best_effort: ["Only partly in your documents", "badge-warn"],
  clarify: ["Klea asks back", ""],
};

export class Turn {
  constructor(question, { onOpen, onAsk, onEdit, onSpeak }) {
    this.question = question;
    this.id = null;
    this.state = "running";
    this.kind = "";
    this.onSpeak = onSpeak;
    this.citations = new Citations();
    this.stages = new StageList();
    this.answer = new Answer(this.citations, (citation, chip) => onOpen(this, citation, chip));
    this.sources = new SourceList(() => this.id, (citation, place) => onOpen(this, citation, place));
    this.actions = new Actions(this, { onAsk, onEdit });
    this.searched = el("p.searched", { hidden: true });
    this.kindLine = el("p.kind", { hidden: true });
    this.notes = el("div");
    const heading = el(question.length > LONG_QUESTION ? "h2.question.is-long" : "h2.question", { text: question });
    this.element = el("article.turn", {}, heading, this.searched, this.stages.element, this.kindLine, this.notes, this.answer.element, this.sources.element, this.actions.element);
  }

  get isOver() {
    return ENDED.includes(this.state);
  }

  /** Return the citations that are listed under the answer. */
  shown() {
    return this.citations.shown(this.answer.mentioned);
  }

  /** Return what one can leaf through: every cited sentence in the order of reading, with its number's element. */
  places() {
    const chips = this.answer.chips;
    if (chips.length) return chips.map((opener) => ({ citation: this.answer.citationOf(opener), opener }));
    return this.sources.shown.map((citation) => ({ citation, opener: this.sources.placeOf(citation.marker) }));
  }

  /** Show a turn as it is stored; one that is still running is left to its events. */
  fill(stored) {
    this.id = stored.id;
    this.state = stored.state;
    if (!this.isOver) return;
    this.kind = stored.kind;
    this.answer.text = stored.answer;
    for (const source of stored.story?.sources ?? []) this.citations.addSource(source);
    for (const citation of stored.citations) this.citations.add(citation);
    for (const stage of stored.story?.stages ?? []) this.stages.finished(stage);
    for (const notice of stored.story?.notices ?? []) this.noticed(notice);
    this.showSearched(stored.standalone_question);
    if (stored.error) this.note(stored.error, { bad: this.state !== "finished" });
    else if (this.state === "stopped") this.note("Stopped. What was said so far is kept.");
    this.settle(stored.html, { tookMs: stored.story?.took_ms, feedback: stored.feedback });
  }

  /** Take an event of the stream. */
  take(event) {
    const does = {
      "stage.started": () => this.stages.started(event),
      "stage.finished": () => this.stages.finished(event),
      "tool.called": () => this.stages.asking(event.name),
      sources: () => event.sources.forEach((source) => this.citations.addSource(source)),
      delta: () => this.answer.append(event.text),
      revised: () => this.answer.replace(event.text),
      citation: () => this.citations.add(event),
      notice: () => this.noticed(event),
      finished: () => this.end("finished", event),
      stopped: () => this.end("stopped", event),
      failed: () => this.end("failed", event),
    }[event.type];
    does?.();
  }

  end(state, { answer, html, kind, took_ms: tookMs, message, advice, standalone }) {
    this.state = state;
    this.kind = kind ?? this.kind;
    if (answer !== undefined) this.answer.text = answer;
    if (state === "failed") this.note([message, advice].filter(Boolean).join(" "), { bad: true });
    if (state === "stopped") this.note("Stopped. What was said so far is kept.");
    this.showSearched(standalone);
    this.settle(html, { tookMs });
    this.onSpeak(state === "finished" ? `Answer: ${this.answer.element.innerText}` : this.notes.textContent);
  }

  settle(html, { tookMs, feedback } = {}) {
    const broken = this.state !== "finished";
    this.answer.settle(html);
    const shown = this.shown();
    const nearest = this.kind === "abstained" && shown.length > 0;
    this.element.classList.toggle("is-abstained", this.kind === "abstained");
    if (nearest) this.answer.withoutList();
    this.stages.end(broken ? (this.state === "stopped" ? "stopped" : "failed") : "finished", tookMs);
    this.showKind();
    this.sources.draw(shown, { nearest });
    this.actions.draw({ feedback, broken });
  }

  /** Show the question as it was searched, where it leant on what was said before. */
  showSearched(standalone) {
    if (!standalone || standalone === this.question) return;
    this.searched.hidden = false;
    this.searched.textContent = `Searched as: ${standalone}`;
  }

  showKind() {
    const [words, look] = KINDS[this.kind] ?? [];
    this.kindLine.hidden = !words;
    if (words) this.kindLine.replaceChildren(el(look ? `span.badge.${look}` : "span.badge", { text: words }));
  }

  noticed({ text, level }) {
    if (level === "warning" || level === "warn" || level === "error") this.note(text, { bad: level === "error" });
    else this.stages.noticed(text);
  }

  note(text, { bad = false } = {}) {
    this.notes.append(el(bad ? "p.note.note-bad" : "p.note", {}, icon(bad ? "warn" : "info"), el("span", { text: text.trim() })));
  }
}
