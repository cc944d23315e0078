// The small part of Markdown that answers use, shown while it is being written. Made of DOM nodes, never of HTML text.
import { el } from "../dom.js";

const INLINE = /(`[^`\n]+`)|(\*\*[^*\n]+\*\*)|(\*[^*\s][^*\n]*\*)|\[(\d{1,4})\]/g;
const BULLET = /^\s*[-*]\s+(.*)$/;
const NUMBER = /^\s*\d{1,3}[.)]\s+(.*)$/;
const HEADING = /^#{1,6}\s+(.*)$/;

/** A number that leads to its source. */
export function chip(number) {
  return el("a.marker", { href: `#source-${number}`, "data-marker": number, "aria-label": `Source ${number}`, text: String(number) });
}

/** Return nodes for a text that may still grow; `knows(n)` says which numbers are sources. */
export function liveNodes(text, knows) {
  const blocks = [];
  for (const part of text.split(/\n{2,}|(?=^```)/m)) if (part.trim()) blocks.push(...blockNodes(part, knows));
  return blocks;
}

function blockNodes(part, knows) {
  if (part.startsWith("```")) return [el("pre", {}, el("code", { text: part.replace(/^```[^\n]*\n?/, "").replace(/\n?```\s*$/, "") }))];
  const nodes = [];
  let list = null;
  let words = null;
  for (const line of part.split("\n")) {
    const item = BULLET.exec(line) ?? NUMBER.exec(line);
    const heading = HEADING.exec(line);
    if (item) {
      const kind = BULLET.test(line) ? "ul" : "ol";
      if (list?.localName !== kind) nodes.push((list = el(kind)));
      list.append(el("li", {}, ...inlineNodes(item[1], knows)));
      words = null;
    } else if (heading) {
      nodes.push(el("h3", {}, ...inlineNodes(heading[1], knows)));
      list = words = null;
    } else {
      if (words) words.append("\n");
      else nodes.push((words = el("p")));
      words.append(...inlineNodes(line, knows));
      list = null;
    }
  }
  return nodes;
}

function inlineNodes(text, knows) {
  const nodes = [];
  let last = 0;
  for (const found of text.matchAll(INLINE)) {
    const [whole, code, strong, emphasis, number] = found;
    if (number && !knows(Number(number))) continue;
    nodes.push(text.slice(last, found.index));
    if (code) nodes.push(el("code", { text: code.slice(1, -1) }));
    else if (strong) nodes.push(el("strong", {}, ...inlineNodes(strong.slice(2, -2), knows)));
    else if (emphasis) nodes.push(el("em", {}, ...inlineNodes(emphasis.slice(1, -1), knows)));
    else nodes.push(chip(Number(number)));
    last = found.index + whole.length;
  }
  nodes.push(text.slice(last));
  return nodes;
}
