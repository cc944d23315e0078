// One file: mark the passage that is looked at on the picture of its page; renew the page when its state changes.

import { csrfToken } from "./upload.js";

const LOOK_MS = 2000;
const page = document.getElementById("file-page");
const picture = document.getElementById("page-picture");

function mark(chunk) {
  if (!picture || !chunk) return;
  const wanted = `${picture.dataset.plain}?mark=${chunk.dataset.chunk}`;
  if (picture.getAttribute("src") !== wanted) picture.src = wanted;
  for (const one of document.querySelectorAll(".passage-on")) one.classList.remove("passage-on");
  chunk.classList.add("passage-on");
}

for (const kind of ["click", "focusin"]) page.addEventListener(kind, (event) => mark(event.target.closest(".passage")));
if (window.location.hash.startsWith("#chunk-")) mark(document.getElementById(window.location.hash.slice(1)));

document.getElementById("file-actions")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = event.submitter;
  if (button.value === "remove" && !window.confirm("Remove this file? Its passages leave every search at once.")) return;
  const body = new FormData(event.target);
  body.set("verb", button.value);
  if (button.dataset.ocr) body.set("ocr", button.dataset.ocr);
  const answer = await fetch(page.dataset.act, { method: "POST", body, headers: { "X-CSRFToken": csrfToken() } });
  if (button.value === "remove" && answer.ok) window.location.assign(document.querySelector(".crumbs a").href);
  else window.location.reload();
});

async function look() {
  try {
    const answer = await fetch(page.dataset.stateUrl, { credentials: "same-origin" });
    if (answer.ok) {
      const row = await answer.json();
      if (row.state !== page.dataset.state) return window.location.reload();
      const pages = row.pages && row.pages_done ? `, page ${row.pages_done} of ${row.pages}` : "";
      document.getElementById("file-stage").textContent = row.stage_label ? row.stage_label + pages : "";
    }
  } catch {
    // The connection is away; the next look tries again.
  }
  return setTimeout(look, LOOK_MS);
}
if (["queued", "converting", "indexing"].includes(page.dataset.state)) setTimeout(look, LOOK_MS);
