// The server sends finished answers as sanitised HTML. What it may hold is checked here once more, node by node.

const ALLOWED = new Set([
  "P", "BR", "HR", "EM", "STRONG", "S", "CODE", "PRE", "BLOCKQUOTE", "UL", "OL", "LI", "H3", "H4", "H5", "H6",
  "TABLE", "THEAD", "TBODY", "TR", "TH", "TD", "A", "SUP", "SPAN",
]);
const ATTRIBUTES = { A: ["href", "class", "data-marker", "aria-label", "rel", "target"], OL: ["start"] };
const ADDRESS = /^(https?:\/\/|#source-\d+$)/;

/** Return the nodes of an answer's HTML; an element that isn't allowed is replaced by its text. */
export function safeNodes(html) {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  return [...parsed.body.childNodes].map(safeCopy);
}

function safeCopy(node) {
  if (node.nodeType === Node.TEXT_NODE) return document.createTextNode(node.data);
  if (node.nodeType !== Node.ELEMENT_NODE || !ALLOWED.has(node.tagName)) return document.createTextNode(node.textContent ?? "");
  const copy = document.createElement(node.tagName);
  for (const name of ATTRIBUTES[node.tagName] ?? []) {
    const value = node.getAttribute(name);
    if (value !== null && (name !== "href" || ADDRESS.test(value))) copy.setAttribute(name, value);
  }
  copy.append(...[...node.childNodes].map(safeCopy));
  return copy;
}
