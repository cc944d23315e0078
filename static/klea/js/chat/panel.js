// The source beside the answer: what it is, the passage with the cited words marked, the page with them marked.
import { icon, make, PATHS } from "./make.js";

const SUPPORT = {
  verified: "Verified: these very words stand in the source.", supported: "Supported: the source says this in its own words.",
  weak: "Weak: the source says this only in part. Read it before you rely on it.", unsupported: "Not supported: the source doesn't say this.",
};

export class Panel {
  constructor(element) {
    this.element = element; this.turn = null; this.citation = null;
    document.addEventListener("keydown", (event) => {
      if (element.hidden) return;
      if (event.key === "Escape") this.close();
      if (event.target.matches("textarea, input")) return;
      if (event.key === "ArrowRight") this.step(1);
      if (event.key === "ArrowLeft") this.step(-1);
    });
  }
  show(turn, citation, chip) {
    this.turn = turn; this.citation = citation; this.from = chip ?? this.from;
    for (const open of document.querySelectorAll(".is-open.marker, .is-open.source")) open.classList.remove("is-open");
    chip?.classList.add("is-open");
    document.getElementById(`source-${turn.id}-${citation.marker}`)?.classList.add("is-open");
    this.element.hidden = false;
    this.element.replaceChildren(this.head(), make("div", { classes: "panel-body", children: this.body(citation) }));
    this.element.scrollTop = 0;
  }
  close() {
    this.element.hidden = true;
    for (const open of document.querySelectorAll(".is-open.marker, .is-open.source")) open.classList.remove("is-open");
    this.from?.focus();
  }
  step(by) {
    const all = this.turn.shown(); const here = all.findIndex((one) => one.marker === this.citation.marker);
    const next = all[here + by];
    if (next) this.show(this.turn, next);
  }
  head() {
    const button = (path, label, act) => make("button", { classes: "icon-button", attributes: { type: "button", title: label, "aria-label": label }, children: [icon(path)], on: { click: act } });
    return make("div", { classes: "panel-head", children: [
      make("strong", { text: `Source ${this.citation.marker}` }), button(PATHS.previous, "Previous source (←)", () => this.step(-1)), button(PATHS.next, "Next source (→)", () => this.step(1)), button(PATHS.close, "Close (Esc)", () => this.close()),
    ] });
  }
  body(citation) {
    const source = citation.source;
    const page = citation.pages?.[0];
    const where = [source.section?.replaceAll(" > ", " › "), page ? `page ${page}` : "", source.file_name].filter(Boolean).join(" · ");
    return [
      make("h2", { text: source.title || source.file_name || "This source was removed" }),
      make("p", { classes: "by", text: [source.authors?.join(", "), source.year, source.venue].filter(Boolean).join(" · ") }),
      make("p", { classes: "where", text: where }),
      citation.support ? make("p", { classes: `support support-${citation.support}`, text: SUPPORT[citation.support] }) : null,
      this.passage(citation), this.picture(citation, page), this.links(source),
    ].filter(Boolean);
  }
  passage(citation) {
    const text = citation.source.text ?? "";
    const { start, end } = citation;
    const parts = end > start ? [text.slice(0, start), make("mark", { text: text.slice(start, end) }), text.slice(end)] : [text];
    return make("blockquote", { classes: "passage", children: parts });
  }
  picture(citation, page) {
    const source = citation.source;
    if (!page || source.media_type !== "application/pdf" || !source.file) return null;
    const boxes = citation.boxes.filter((box) => box[0] === page).map((box) => box.slice(1).map((value) => Math.round(value)).join(","));
    const mark = boxes.length ? boxes.join(";") : source.chunk;
    const address = `/library/files/${source.file}/pages/${page}.png?mark=${encodeURIComponent(mark)}`;
    const image = make("img", { classes: "page-picture", attributes: { src: address, alt: `Page ${page} of ${source.title || source.file_name}, with the cited words marked`, loading: "lazy" } });
    image.addEventListener("error", () => image.closest("figure").replaceChildren(make("figcaption", { text: "The picture of this page can't be shown; the passage above is what was cited." })));
    return make("figure", { classes: "page-frame", children: [make("a", { attributes: { href: address, target: "_blank", rel: "noopener", title: "Open the page in full size" }, children: [image] }), make("figcaption", { text: `Page ${page}` })] });
  }
  links(source) {
    const links = (source.links ?? []).map(([label, address]) => make("a", { classes: "button button-quiet", text: label, attributes: { href: address, target: "_blank", rel: "noopener noreferrer" } }));
    if (source.file) links.push(make("a", { classes: "button button-quiet", text: "Open in the library", attributes: { href: `/library/files/${source.file}/` } }));
    return make("p", { classes: "panel-links", children: links });
  }
}
