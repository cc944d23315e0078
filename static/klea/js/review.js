// The review workspace: a paper is confirmed with one key, and the next one is there before it is asked for.
import { make } from "./chat/make.js";

const start = JSON.parse(document.getElementById("page").textContent);
const find = (id) => document.getElementById(id);
const root = find("review"), box = find("review-entry"), sheet = find("review-page"), count = find("review-count"), trouble = find("review-error");
const token = root.querySelector("input[name=csrfmiddlewaretoken]").value;
let entry = start.entry, waiting = start.waiting, focus = 0, prepared = null, last = null, busy = false;
const seen = [];

const shown = (value) => (Array.isArray(value) ? value.join("; ") : value === undefined || value === null ? "" : String(value));
const isList = (field) => Array.isArray(field.value) || field.name === "authors" || field.name === "keywords";

async function post(address, body) {
  const answer = await fetch(address, { method: "POST", credentials: "same-origin", headers: { "Content-Type": "application/json", "X-CSRFToken": token }, body: JSON.stringify(body ?? {}) });
  const told = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(`${told.error ?? "That didn't work."} ${told.advice ?? ""}`);
  return told;
}
async function prepare() {
  const here = entry?.id;
  const answer = await fetch(`${root.dataset.next}?after=${[...seen, here].filter(Boolean).join(",")}`, { credentials: "same-origin" });
  prepared = answer.ok ? await answer.json() : null;
  if (prepared?.entry?.file.media_type === "application/pdf") new Image().src = pageAddress(prepared.entry, 1, "");
}
const pageAddress = (one, page, mark) => `/library/files/${one.file.id}/pages/${page}.png${mark ? `?mark=${encodeURIComponent(mark)}` : ""}`;

async function decide(what) {
  if (!entry || busy) return null;
  busy = true; trouble.hidden = true;
  try {
    const told = await post(`/admin/review/${entry.id}/do/`, { version: entry.version, ...what });
    waiting = told.waiting ?? waiting;
    return told.entry;
  } catch (error) {
    trouble.textContent = error.message; trouble.hidden = false;
    return null;
  } finally { busy = false; }
}
async function next() {
  if (entry) seen.push(entry.id);
  last = entry;
  if (!prepared) await prepare();
  entry = prepared?.entry ?? null; prepared = null; focus = 0;
  draw();
  if (entry) prepare();
}
const acts = {
  accept: async () => { if (await decide({ do: "accept" })) await next(); },
  skip: async () => { if (await decide({ do: "skip" })) await next(); },
  next,
  look_up: async () => { const now = await decide({ do: "look_up" }); if (now) { entry = now; draw(); } },
  undo: async () => {
    if (last && entry) { const here = entry; entry = last; const back = await decide({ do: "undo" }); if (back) { seen.splice(seen.indexOf(back.id), 1); entry = back; last = null; draw(); return; } entry = here; }
    const back = await decide({ do: "undo" });
    if (back) { entry = back; draw(); }
  },
};

function draw() {
  count.textContent = entry ? `${waiting} to review` : "";
  root.querySelectorAll("[data-do]").forEach((button) => { button.disabled = !entry; });
  if (!entry) {
    sheet.replaceChildren(make("p", { text: "Nothing waits for review." }));
    box.replaceChildren(make("h2", { text: "All reviewed" }), make("p", { text: "New files come here as soon as they are read." }), make("a", { classes: "button", text: "Add documents", attributes: { href: "/library/" } }));
    return;
  }
  box.replaceChildren(
    make("p", { classes: "review-file", children: [make("a", { text: entry.file.path, attributes: { href: `/library/files/${entry.file.id}/` } }), ` · ${entry.file.collection} `, make("span", { classes: `badge ${entry.doubt > 0.4 ? "badge-bad" : entry.doubt > 0.1 ? "badge-warn" : "badge-good"}`, text: entry.doubt > 0.4 ? "doubtful" : entry.doubt > 0.1 ? "some doubt" : "clear" })] }),
    ...entry.fields.map(fieldOf), historyOf(), clearOf(),
  );
  picture();
}
function fieldOf(field, index) {
  const value = shown(field.value);
  return make("div", { classes: `review-field${index === focus ? " is-focus" : ""}${field.contested ? " is-contested" : ""}`, attributes: { "data-index": index }, on: { click: () => focusOn(index) }, children: [
    make("p", { classes: "review-label", children: [make("strong", { text: field.label }), make("span", { text: field.decided ? `by ${field.decided.by}` : field.tier }), field.contested ? make("span", { classes: "badge badge-warn", text: "contested" }) : null] }),
    make("p", { classes: `review-value${value ? "" : " is-empty"}`, text: value || "nothing found", on: { dblclick: () => edit(index) } }),
    ...field.findings.map((finding) => make("p", { classes: `review-finding ${finding.severity}`, text: finding.message })),
    make("ol", { classes: "review-candidates", children: field.candidates.map((candidate, number) => make("li", { children: [make("button", { attributes: { type: "button" }, classes: candidate.is_value ? "is-value" : "", on: { click: (event) => { event.stopPropagation(); choose(candidate); } }, children: [make("span", { classes: "number", text: number + 1 }), make("span", { text: shown(candidate.value) }), make("span", { classes: "tier", text: candidate.tier }), candidate.doubt ? make("span", { classes: "doubt", text: candidate.doubt }) : null] })] })) }),
  ] });
}
function historyOf() {
  if (!entry.history.length) return "";
  return make("details", { classes: "review-history", children: [make("summary", { text: "History" }), make("ol", { children: entry.history.map((event) => make("li", { text: `${new Date(event.at).toLocaleString()}: ${event.who}, ${event.verb}${event.changed.length ? ` (${event.changed.join(", ")})` : ""}` })) })] });
}
function clearOf() {
  if (!start.clear) return "";
  return make("p", { children: [make("button", { classes: "button button-quiet", text: `Accept all ${start.clear} clear ones`, attributes: { type: "button" }, on: { click: async (event) => { event.target.disabled = true; const told = await post(root.dataset.clear); waiting = told.waiting; start.clear = 0; prepared = null; entry = null; seen.length = 0; await next(); } } })] });
}
function focusOn(index) {
  focus = Math.max(0, Math.min(entry.fields.length - 1, index));
  box.querySelectorAll(".review-field").forEach((element) => element.classList.toggle("is-focus", Number(element.dataset.index) === focus));
  box.querySelector(".is-focus")?.scrollIntoView({ block: "nearest" });
  picture();
}
function picture() {
  if (entry.file.media_type !== "application/pdf") { sheet.replaceChildren(make("p", { children: ["This file has no pages. ", make("a", { text: "Open it in the library", attributes: { href: `/library/files/${entry.file.id}/` } })] })); return; }
  const field = entry.fields[focus];
  const evidence = field?.candidates.find((candidate) => candidate.is_value && candidate.evidence?.box)?.evidence ?? field?.candidates.find((candidate) => candidate.evidence?.box)?.evidence;
  const page = evidence?.page ?? 1;
  const address = pageAddress(entry, page, evidence?.box ? evidence.box.map((part) => part.toFixed(1)).join(",") : "");
  const image = sheet.querySelector("img");
  if (image) { if (image.getAttribute("src") !== address) image.src = address; image.alt = `Page ${page}`; } else sheet.replaceChildren(make("img", { attributes: { src: address, alt: `Page ${page}` } }));
}
async function choose(candidate) {
  const now = await decide({ do: "choose", candidate: candidate.id });
  if (now) { entry = now; draw(); }
}
function edit(index) {
  focusOn(index);
  const field = entry.fields[index];
  const place = box.querySelector(".is-focus .review-value");
  const input = make("textarea", { attributes: { rows: isList(field) ? 3 : 2, "aria-label": field.label } });
  input.value = shown(field.value); place.replaceWith(input); input.focus(); input.select();
  const end = async (keep) => {
    if (!keep) { draw(); return; }
    const text = input.value.trim();
    const value = isList(field) ? text.split(/\s*[;\n]\s*/).filter(Boolean) : field.name === "year" && /^\d+$/.test(text) ? Number(text) : text;
    const now = await decide({ do: "edit", values: { [field.name]: value } });
    if (now) { entry = now; draw(); }
  };
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { event.preventDefault(); end(false); }
    if (event.key === "Enter" && !event.shiftKey) { event.preventDefault(); end(true); }
  });
}
document.addEventListener("keydown", (event) => {
  if (event.target.matches("textarea, input") || event.ctrlKey || event.metaKey || event.altKey || !entry) return;
  const keys = { a: acts.accept, s: acts.skip, n: acts.next, u: acts.undo, l: acts.look_up, j: () => focusOn(focus + 1), k: () => focusOn(focus - 1), e: () => edit(focus) };
  const act = keys[event.key];
  const candidate = /^[1-9]$/.test(event.key) && entry.fields[focus].candidates[Number(event.key) - 1];
  if (act || candidate) { event.preventDefault(); if (act) act(); else choose(candidate); }
});
root.querySelectorAll("[data-do]").forEach((button) => button.addEventListener("click", () => acts[button.dataset.do]()));
draw();
if (entry) prepare();
document.body.dataset.ready = "";
