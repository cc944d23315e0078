// The source beside the answer: what it is, whether it says it, the passage with the cited words marked, the page.
import { el, icon, iconButton } from "../dom.js";
import { PagePicture } from "../page-picture.js";
import { bylineOf, SUPPORT, titleOf } from "./citations.js";

const PASSAGE_SHOWN = 640;
const AROUND = 200;
const BROKEN_LINE = /(?<![.!?:;\n])\n(?![\n\s•*–-]|\d+[.)])/g;
const PREFORMATTED = ["code", "table"];

export class Panel {
  constructor(element) {
    this.element = element;
    this.turn = null;
    this.citation = null;
    document.addEventListener("keydown", (event) => this.pressed(event));
  }

  get isOpen() {
    return !this.element.hidden;
  }

  /** Show a citation of a turn; `opener` is the number or the line that was pressed, and gets the focus back. */
  show(turn, citation, opener) {
    this.turn = turn;
    this.citation = citation;
    this.opener = opener;
    this.places = turn.places();
    this.light();
    this.element.hidden = false;
    this.element.replaceChildren(this.head(), el("div.panel-body", {}, ...this.body()));
    this.element.scrollTop = 0;
  }

  close() {
    this.element.hidden = true;
    this.element.replaceChildren();
    this.citation = null;
    this.light();
    this.opener?.focus({ preventScroll: true });
  }

  /** Where the open citation stands among all of its answer. */
  get here() {
    const pressed = this.places.findIndex(({ opener }) => opener === this.opener);
    return pressed >= 0 ? pressed : this.places.findIndex(({ citation }) => citation.marker === this.citation.marker);
  }

  step(by) {
    const next = this.places[this.here + by];
    if (!next) return;
    this.show(this.turn, next.citation, next.opener);
    next.opener?.scrollIntoView({ block: "nearest", behavior: "smooth" });
  }

  pressed(event) {
    if (!this.isOpen || event.defaultPrevented || document.querySelector("dialog[open]")) return;
    if (event.key === "Escape") this.close();
    if (event.target.closest("textarea, input, select, .page-sheet")) return;
    if (event.key === "ArrowRight") this.step(1);
    if (event.key === "ArrowLeft") this.step(-1);
  }

  /** Show in the talk which number is open. */
  light() {
    for (const lit of document.querySelectorAll(".marker.is-open, .source.is-open")) lit.classList.remove("is-open");
    if (!this.citation) return;
    this.places[this.here]?.opener?.classList.add("is-open");
    this.turn.sources.placeOf(this.citation.marker)?.classList.add("is-open");
  }

  head() {
    const { here } = this;
    return el("header.panel-head", {},
      el("div.panel-place", {}, el("span.marker", { text: String(this.citation.marker) }), `${here + 1} of ${this.places.length}`),
      iconButton("previous", "Previous (←)", { disabled: here <= 0, onclick: () => this.step(-1) }),
      iconButton("next", "Next (→)", { disabled: here >= this.places.length - 1, onclick: () => this.step(1) }),
      iconButton("close", "Close (Esc)", { onclick: () => this.close() }));
  }

  body() {
    const { source, support, pages } = this.citation;
    const by = bylineOf(source, 8);
    const where = [(source.section ?? "").replaceAll(" > ", " › "), pages?.length ? `p. ${pages.join(", ")}` : "", source.file_name].filter(Boolean);
    const says = SUPPORT[support];
    return [
      el("h2", { text: titleOf(source) }),
      by ? el("p.panel-by", { text: by }) : null,
      el("p.panel-where", { text: where.join(" · ") }),
      says ? el(`p.support.support-${support}`, {}, icon(says.icon), says.long) : null,
      ...this.passage(),
      this.picture(),
      this.links(),
    ].filter(Boolean);
  }

  /** The passage with the cited words marked; a long one is cut around them and can be unfolded. */
  passage() {
    const { source, start, end } = this.citation;
    const text = PREFORMATTED.includes(source.kind) ? source.text ?? "" : flowing(source.text ?? "");
    const kind = PREFORMATTED.includes(source.kind) ? "blockquote.passage.is-preformatted" : "blockquote.passage";
    const box = el(kind);
    const [from, to] = text.length > PASSAGE_SHOWN ? around(text, start, end) : [0, text.length];
    const draw = (first, last) => box.replaceChildren(...marked(text, start, end, first, last));
    draw(from, to);
    if (from === 0 && to === text.length) return [box];
    const more = el("button.button.button-bare.button-small.passage-more", { type: "button", text: "Show the whole passage" });
    more.addEventListener("click", () => {
      draw(0, text.length);
      more.remove();
    });
    return [box, more];
  }

  picture() {
    const { source, pages, boxes } = this.citation;
    const page = boxes?.[0]?.[0] ?? pages?.[0];
    if (!page || source.media_type !== "application/pdf" || !source.file) return null;
    const picture = new PagePicture({ id: source.file, name: titleOf(source) });
    picture.show(page, boxes ?? []);
    return picture.element;
  }

  links() {
    const { source, pages } = this.citation;
    const links = (source.links ?? []).map(([label, address]) =>
      el("a.button.button-quiet.button-small", { href: address, target: "_blank", rel: "noopener noreferrer" }, icon("open"), label));
    if (source.file) {
      const place = `${pages?.length ? `?page=${pages[0]}` : ""}${source.chunk ? `#chunk-${source.chunk}` : ""}`;
      links.unshift(el("a.button.button-quiet.button-small", { href: `/library/files/${source.file}/${place}` }, icon("file"), "Open in the library"));
    }
    return el("p.panel-links", {}, ...links);
  }
}

/** Join the lines of a page where a sentence goes on; places in the text stay where they are. */
function flowing(text) {
  return text.replace(BROKEN_LINE, " ");
}

/** Return the part of a long text around the cited words, cut at white space. */
function around(text, start, end) {
  if (end <= start) return [0, text.lastIndexOf(" ", PASSAGE_SHOWN)];
  const before = start > AROUND ? text.indexOf(" ", start - AROUND) + 1 : 0;
  const after = end + AROUND < text.length ? text.lastIndexOf(" ", end + AROUND) : text.length;
  return [Math.min(before, start), Math.max(after, end)];
}

function marked(text, start, end, from, to) {
  const parts = [from > 0 ? "… " : ""];
  if (end > start) parts.push(text.slice(from, start), el("mark", { text: text.slice(start, end) }), text.slice(end, to));
  else parts.push(text.slice(from, to));
  return [...parts, to < text.length ? " …" : ""];
}
