// The fields of a paper with their candidates: what was found, by whom, with how much doubt.
import { el } from "../dom.js";

const CLEAR = 0.1;
const DOUBTFUL = 0.4;
const LISTS = ["authors", "keywords"];

export const shown = (value) => (Array.isArray(value) ? value.join("; ") : String(value ?? ""));
export const isList = (field) => Array.isArray(field.value) || LISTS.includes(field.name);

/** Read what a person wrote as a value of the field. */
export function valueOf(field, text) {
  const plain = text.trim();
  if (isList(field)) return plain.split(/\s*[;\n]\s*/).filter(Boolean);
  return field.name === "year" && /^\d+$/.test(plain) ? Number(plain) : plain;
}

/** Which paper this is, and how sure Klea is of it. */
export function headOf(entry) {
  const [look, words] = entry.doubt > DOUBTFUL ? ["bad", "doubtful"] : entry.doubt > CLEAR ? ["warn", "some doubt"] : ["good", "clear"];
  return el("p.review-file", {},
    el("a", { href: `/library/files/${entry.file.id}/`, text: entry.file.path }), ` · ${entry.file.collection} `, el(`span.badge.badge-${look}`, { text: words }));
}

export function fieldOf(field, index, { onFocus, onEdit, onChoose }) {
  const value = shown(field.value);
  return el(field.contested ? "div.review-field.is-contested" : "div.review-field", { "data-index": index, onclick: () => onFocus(index) },
    el("p.review-label", {},
      el("strong", { text: field.label }),
      el("span", { text: field.decided ? `by ${field.decided.by}` : field.tier }),
      field.contested ? el("span.badge.badge-warn", { text: "contested" }) : null),
    el(value ? "p.review-value" : "p.review-value.is-empty", { text: value || "nothing found", ondblclick: () => onEdit(index) }),
    ...field.findings.map((finding) => el("p.review-finding", { class: `review-finding ${finding.severity}`, text: finding.message })),
    el("ol.review-candidates", {}, ...field.candidates.map((candidate, place) => candidateOf(candidate, place, onChoose))));
}

function candidateOf(candidate, place, onChoose) {
  return el("li", {},
    el(candidate.is_value ? "button.is-value" : "button", {
      type: "button",
      onclick: (event) => {
        event.stopPropagation();
        onChoose(candidate);
      },
    },
    el("span.number", { text: String(place + 1) }),
    el("span", { text: shown(candidate.value) }),
    el("span.tier", { text: candidate.tier }),
    candidate.doubt ? el("span.doubt", { text: candidate.doubt }) : null));
}

export function historyOf(entry) {
  if (!entry.history.length) return null;
  const told = (event) => `${new Date(event.at).toLocaleString()}: ${event.who}, ${event.verb}${event.changed.length ? ` (${event.changed.join(", ")})` : ""}`;
  return el("details.review-history", {}, el("summary", { text: "History" }), el("ol", {}, ...entry.history.map((event) => el("li", { text: told(event) }))));
}
