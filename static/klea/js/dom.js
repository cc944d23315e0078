// Elements made by hand, so that no text of a document or a model is ever read as HTML.

const SVG = "http://www.w3.org/2000/svg";

/**
 * Make an element.
 * @param {string} selector the tag with its classes, as in "button.icon-button.is-open"
 * @param {object} properties `text`, listeners as `onclick`, and attributes; one that is null, undefined or false is left out
 * @param {...(Node|string|null)} children
 */
export function el(selector, properties = {}, ...children) {
  const [tag, ...classes] = selector.split(".");
  const element = document.createElement(tag);
  element.classList.add(...classes);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "text") element.textContent = value;
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}

/** Return an icon of the page's sprite (templates/klea/icons.html). */
export function icon(name) {
  const svg = svgElement("svg", { class: "icon", "aria-hidden": "true" });
  svg.append(svgElement("use", { href: `#i-${name}` }));
  return svg;
}

export function iconButton(name, label, properties = {}) {
  return el("button.icon-button", { type: "button", title: label, "aria-label": label, ...properties }, icon(name));
}

export function svgElement(name, attributes = {}) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}
