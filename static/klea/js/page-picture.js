// The picture of a page of a PDF with places marked on it: the marks are drawn over the picture, from boxes in points.
import { el, iconButton, svgElement } from "./dom.js";

const BROKEN = "The picture of this page can't be shown.";

export class PagePicture {
  /** `file` is {id, name}. */
  constructor(file) {
    this.file = file;
    this.boxes = [];
    this.words = el("span");
    this.back = iconButton("previous", "Page before", { onclick: () => this.show(this.page - 1, this.boxes) });
    this.on = iconButton("next", "Page after", { onclick: () => this.show(this.page + 1, this.boxes) });
    this.zoom = iconButton("zoom", "Larger", { "aria-pressed": "false", onclick: () => this.enlarge() });
    this.image = el("img.page-picture", { alt: "", onclick: () => this.enlarge() });
    this.marks = svgElement("svg", { class: "page-marks", preserveAspectRatio: "none", "aria-hidden": "true" });
    this.sheet = el("div.page-sheet", { tabindex: "0", role: "group", "aria-label": "Page" }, el("div.page-paper", {}, this.image, this.marks));
    this.broken = el("p.note", { hidden: true, text: BROKEN });
    this.element = el("figure.page-frame", {}, el("figcaption.page-tools", {}, this.words, this.back, this.on, this.zoom), this.broken, this.sheet);
    this.image.addEventListener("error", () => this.isBroken(true));
    this.image.addEventListener("load", () => {
      this.isBroken(false);
      this.centre();
    });
  }

  /** Show a page; `boxes` are [page, left, top, right, bottom] in points from the top left. */
  async show(page, boxes) {
    const isOther = page !== this.page;
    this.page = page;
    this.boxes = boxes;
    const here = boxes.filter((box) => box[0] === page);
    const base = `/library/files/${this.file.id}/pages/${page}`;
    this.image.alt = `Page ${page} of ${this.file.name}${here.length ? ", with the words in question marked" : ""}`;
    if (isOther) {
      this.marks.replaceChildren();
      this.words.textContent = `Page ${page}`;
      this.image.src = `${base}.png`;
      const answer = await fetch(`${base}.json`, { credentials: "same-origin" }).catch(() => null);
      if (this.page !== page) return;
      this.facts = answer?.ok ? await answer.json() : null;
    }
    if (this.facts) this.mark(here);
  }

  mark(boxes) {
    const { width, height, count } = this.facts;
    this.words.textContent = `Page ${this.page} of ${count}`;
    this.back.disabled = this.page <= 1;
    this.on.disabled = this.page >= count;
    this.marks.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.marks.replaceChildren(...boxes.map(markOf));
    this.top = boxes.length ? Math.min(...boxes.map((box) => box[2])) / height : 0;
    this.centre();
  }

  /** Bring the first mark into view. */
  centre() {
    this.sheet.scrollTo({ top: (this.top ?? 0) * this.image.clientHeight - this.sheet.clientHeight / 3 });
  }

  enlarge() {
    const zoomed = this.element.classList.toggle("is-zoomed");
    this.zoom.setAttribute("aria-pressed", String(zoomed));
    this.centre();
  }

  isBroken(broken) {
    this.broken.hidden = !broken;
    this.sheet.hidden = broken;
  }
}

/** A mark a little larger than the ink, as a pen would draw it. */
function markOf([, left, top, right, bottom]) {
  const height = bottom - top;
  return svgElement("rect", { x: left - 1.5, y: top - height * 0.22, width: right - left + 3, height: height * 1.4 });
}
