// The sources under an answer, work by work; of an answer that was not given, the nearest passages.
import { el } from "../dom.js";
import { bylineOf, sectionOf, titleOf } from "./citations.js";

const EXCERPT = 260;

export class SourceList {
  constructor(turnId, onOpen) {
    this.turnId = turnId;
    this.onOpen = onOpen;
    this.shown = [];
    this.element = el("section.sources", { hidden: true });
  }

  draw(shown, { nearest = false } = {}) {
    this.shown = shown;
    this.element.hidden = !shown.length;
    this.element.classList.toggle("nearest", nearest);
    const works = worksOf(shown);
    const count = works.length === 1 ? "1 source" : `${works.length} sources`;
    this.element.replaceChildren(
      el("h3", { text: nearest ? "The nearest passages" : count }),
      el("ol.works", {}, ...works.map((citations) => this.work(citations, nearest))),
    );
  }

  placeOf(marker) {
    return this.element.querySelector(`.source[data-marker="${marker}"]`);
  }

  work(citations, nearest) {
    const { source } = citations[0];
    const by = bylineOf(source) || (source.file_name === source.title ? "" : source.file_name);
    return el("li.work", {},
      el("div.work-title", { text: titleOf(source) }),
      by ? el("div.work-by", { text: by, title: bylineOf(source, 50) }) : null,
      el("div.work-places", {}, ...citations.map((citation) => this.place(citation, nearest))));
  }

  place(citation, nearest) {
    const { source, pages, marker } = citation;
    const where = pages?.length ? `p. ${pages[0]}` : sectionOf(source) || "open";
    return el("button.source", {
      type: "button", id: `source-${this.turnId()}-${marker}`, "data-marker": marker, "aria-label": `Source ${marker}, ${where}`,
      onclick: (event) => this.onOpen(citation, event.currentTarget),
    }, el("span.n", { text: String(marker) }), nearest ? el("span.excerpt", { text: excerptOf(source) }) : where);
  }
}

/** Group citations by the file that they come from, in the order of their numbers. */
function worksOf(shown) {
  const works = new Map();
  for (const citation of shown) {
    const key = citation.source.file ?? `removed-${citation.marker}`;
    works.set(key, [...(works.get(key) ?? []), citation]);
  }
  return [...works.values()];
}

function excerptOf(source) {
  const text = (source.text ?? "").replace(/\s+/g, " ").trim();
  return text.length > EXCERPT ? `${text.slice(0, EXCERPT)}…` : text;
}
