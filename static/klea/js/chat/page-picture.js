// The picture of a page with the cited words marked on it: the marks are drawn over the picture, from boxes in points.
import { el, iconButton, svgElement } from "../dom.js";

const BROKEN = "The picture of this page can't be shown. The passage above is what was cited.";

export class PagePicture {
  /** `boxes` are [page, left, top, right, bottom] in points from the top left. */
  constructor(source, page, boxes) {
    this.source = source;
    this.boxes = boxes;
    this.cited = page;
    this.words = el("span");
    this.back = iconButton("previous", "Page before", { onclick: () => this.turn(this.page - 1) });
    this.on = iconButton("next", "Page after", { onclick: () => this.turn(this.page + 1) });
    this.zoom = iconButton("zoom", "Larger", { "aria-pressed": "false", onclick: () => this.enlarge() });
    this.image = el("img.page-picture", { loading: "lazy", alt: "", onclick: () => this.enlarge() });
    this.marks = svgElement("svg", { class: "page-marks", preserveAspectRatio: "none", "aria-hidden": "true" });
    this.sheet = el("div.page-sheet", { tabindex: "0", role: "group", "aria-label": "Page" }, el("div.page-paper", {}, this.image, this.marks));
    this.element = el("figure.page-frame", {}, el("figcaption.page-tools", {}, this.words, this.back, this.on, this.zoom), this.sheet);
    this.image.addEventListener("error", () => this.element.replaceChildren(el("p.note", { text: BROKEN })));
    this.turn(page);
  }

  async turn(page) {
    this.page = page;
    const base = `/library/files/${this.source.file}/pages/${page}`;
    this.image.src = `${base}.png`;
    this.image.alt = `Page ${page} of ${this.source.title || this.source.file_name}${page === this.cited ? ", with the cited words marked" : ""}`;
    this.words.textContent = `Page ${page}`;
    this.marks.replaceChildren();
    const answer = await fetch(`${base}.json`, { credentials: "same-origin" }).catch(() => null);
    if (!answer?.ok || this.page !== page) return;
    const facts = await answer.json();
    this.words.textContent = `Page ${page} of ${facts.count}`;
    this.back.disabled = page <= 1;
    this.on.disabled = page >= facts.count;
    this.mark(facts);
  }

  mark({ width, height }) {
    this.marks.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const here = this.boxes.filter((box) => box[0] === this.page);
    for (const [, left, top, right, bottom] of here) {
      this.marks.append(svgElement("rect", { x: left - 1.5, y: top - 1, width: right - left + 3, height: bottom - top + 2 }));
    }
    this.centre(here, height);
  }

  /** Bring the first mark into the middle of the sheet. */
  centre(boxes, height) {
    this.share = boxes.length ? boxes[0][2] / height : 0;
    const scroll = () => this.sheet.scrollTo({ top: this.share * this.image.clientHeight - this.sheet.clientHeight / 2 });
    if (this.image.complete) scroll();
    else this.image.addEventListener("load", scroll, { once: true });
  }

  enlarge() {
    const zoomed = this.element.classList.toggle("is-zoomed");
    this.zoom.setAttribute("aria-pressed", String(zoomed));
    this.sheet.scrollTo({ top: (this.share ?? 0) * this.image.clientHeight - this.sheet.clientHeight / 2 });
  }
}
