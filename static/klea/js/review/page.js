// The review workspace: a paper is confirmed with one key, and the next one is there before it is asked for.
import { el } from "../dom.js";
import { PagePicture } from "../page-picture.js";
import { fieldOf, headOf, historyOf, isList, shown, valueOf } from "./fields.js";
import { Queue } from "./queue.js";

const find = (id) => document.getElementById(id);
const root = find("review");
const box = find("review-entry");
const sheet = find("review-page");
const trouble = find("review-error");
const queue = new Queue(root, JSON.parse(find("page").textContent));
let focus = 0;
let picture = null;

/** Do something that may fail, and show what is then. */
async function attempt(does) {
  trouble.hidden = true;
  try {
    await does();
  } catch (error) {
    trouble.textContent = error.message;
    trouble.hidden = false;
  }
}

async function change(what) {
  const now = await queue.decide(what);
  if (!now) return;
  queue.entry = now;
  draw();
}

async function finish(what) {
  if (what && !(await queue.decide(what))) return;
  await queue.next();
  focus = 0;
  draw();
}

const acts = {
  accept: () => finish({ do: "accept" }),
  skip: () => finish({ do: "skip" }),
  next: () => finish(null),
  look_up: () => change({ do: "look_up" }),
  undo: async () => {
    await queue.undo();
    draw();
  },
};

function draw() {
  const { entry, waiting } = queue;
  find("review-count").textContent = entry ? `${waiting} to review` : "";
  for (const button of root.querySelectorAll("[data-do]")) button.disabled = !entry;
  root.classList.toggle("is-empty", !entry);
  if (!entry) {
    picture = null;
    sheet.replaceChildren();
    box.replaceChildren(
      el("h2", { text: "Nothing waits for review" }),
      el("p", { text: "New files come here as soon as their titles and authors are read." }),
      el("a.button.button-quiet", { href: "/library/", text: "Open the library" }));
    return;
  }
  const listeners = { onFocus: focusOn, onEdit: edit, onChoose: (candidate) => attempt(() => change({ do: "choose", candidate: candidate.id })) };
  box.replaceChildren(...[headOf(entry), ...entry.fields.map((field, index) => fieldOf(field, index, listeners)), historyOf(entry), clearButton()].filter(Boolean));
  focusOn(focus);
}

function clearButton() {
  if (!queue.clear) return null;
  const accept = (event) => {
    event.currentTarget.disabled = true;
    attempt(async () => {
      await queue.acceptClear();
      draw();
    });
  };
  return el("p.review-clear", {}, el("button.button.button-quiet", { type: "button", text: `Accept all ${queue.clear} clear ones`, onclick: accept }));
}

function focusOn(index) {
  const { fields } = queue.entry;
  focus = Math.max(0, Math.min(fields.length - 1, index));
  for (const field of box.querySelectorAll(".review-field")) field.classList.toggle("is-focus", Number(field.dataset.index) === focus);
  box.querySelector(".is-focus")?.scrollIntoView({ block: "nearest" });
  showPage(queue.entry.file, fields[focus]);
}

/** Show the page with the place marked that the field's value, else one of its candidates, comes from. */
function showPage(file, field) {
  if (file.media_type !== "application/pdf") {
    sheet.replaceChildren(el("p", {}, "This file has no pages. ", el("a", { href: `/library/files/${file.id}/`, text: "Open it in the library" })));
    picture = null;
    return;
  }
  if (picture?.file.id !== file.id) {
    picture = new PagePicture({ id: file.id, name: file.path });
    sheet.replaceChildren(picture.element);
  }
  const placed = (field?.candidates ?? []).filter((candidate) => candidate.evidence?.box);
  const evidence = (placed.find((candidate) => candidate.is_value) ?? placed[0])?.evidence;
  const page = evidence?.page ?? 1;
  picture.show(page, evidence ? [[page, ...evidence.box]] : []);
}

function edit(index) {
  focusOn(index);
  const field = queue.entry.fields[index];
  const input = el("textarea", { rows: isList(field) ? 3 : 2, "aria-label": field.label });
  input.value = shown(field.value);
  box.querySelector(".is-focus .review-value").replaceWith(input);
  input.focus();
  input.select();
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" && (event.key !== "Enter" || event.shiftKey)) return;
    event.preventDefault();
    if (event.key === "Escape") draw();
    else attempt(() => change({ do: "edit", values: { [field.name]: valueOf(field, input.value) } }));
  });
}

const keys = {
  a: acts.accept, s: acts.skip, n: acts.next, u: acts.undo, l: acts.look_up,
  j: () => focusOn(focus + 1), k: () => focusOn(focus - 1), e: () => edit(focus),
};

document.addEventListener("keydown", (event) => {
  if (event.target.closest("textarea, input") || event.ctrlKey || event.metaKey || event.altKey || !queue.entry) return;
  const candidate = /^[1-9]$/.test(event.key) && queue.entry.fields[focus].candidates[Number(event.key) - 1];
  const act = keys[event.key] ?? (candidate && (() => change({ do: "choose", candidate: candidate.id })));
  if (!act) return;
  event.preventDefault();
  attempt(async () => act());
});
for (const button of root.querySelectorAll("[data-do]")) button.addEventListener("click", () => attempt(acts[button.dataset.do]));
draw();
if (queue.entry) queue.prepare();
document.body.dataset.ready = "";
