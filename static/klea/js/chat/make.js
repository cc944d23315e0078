// Elements made by hand, so that no text of a document or a model is ever read as HTML.
export function make(name, { text, attributes = {}, classes = "", children = [], on = {} } = {}) {
  const element = document.createElement(name);
  if (classes) element.className = classes;
  if (text !== undefined) element.textContent = text;
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined && value !== null && value !== false) element.setAttribute(key, value === true ? "" : value);
  element.append(...children.filter(Boolean));
  for (const [event, listener] of Object.entries(on)) element.addEventListener(event, listener);
  return element;
}

const SVG = "http://www.w3.org/2000/svg";
export function icon(path) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "icon"); svg.setAttribute("viewBox", "0 0 24 24"); svg.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(SVG, "path");
  line.setAttribute("d", path); svg.append(line);
  return svg;
}

export const PATHS = {
  rename: "M4 20h4L19 9l-4-4L4 16z", remove: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13",
  close: "M6 6l12 12M18 6L6 18", previous: "M15 6l-6 6 6 6", next: "M9 6l6 6-6 6", copy: "M9 9h10v11H9zM5 15V4h10",
  good: "M7 11v9H4v-9zM7 11l4-8c2 0 3 1 2.500 3.500L13 10h6l-1.500 9H7", bad: "M17 13V4h3v9zM17 13l-4 8c-2 0-3-1-2.500-3.500L11 14H5l1.500-9H17", again: "M5 12a7 7 0 1 0 2-5L4 10M4 4v6h6",
};

const MARKER = /\[(\d{1,4})\]/g;
/** Write text with its [n] as chips; unknown numbers stay as they are. */
export function withMarkers(text, known) {
  const parts = document.createDocumentFragment();
  let last = 0;
  for (const found of text.matchAll(MARKER)) {
    if (!known.has(Number(found[1]))) continue;
    parts.append(text.slice(last, found.index), make("a", { text: found[1], classes: "marker", attributes: { href: `#source-${found[1]}`, "data-marker": found[1], "aria-label": `Source ${found[1]}` } }));
    last = found.index + found[0].length;
  }
  parts.append(text.slice(last));
  return parts;
}
