// The library page: drop files, watch them become ready.

import { FileList } from "./library-list.js";
import { csrfToken, filesOfDrop, filesOfInput, uploadFiles } from "./upload.js";

const root = document.getElementById("library");
const list = new FileList(root);
const drop = document.getElementById("drop");
if (drop) acceptFiles();

function acceptFiles() {
  for (const kind of ["dragenter", "dragover"]) {
    drop.addEventListener(kind, (event) => {
      event.preventDefault();
      drop.classList.add("drop-over");
    });
  }
  for (const kind of ["dragleave", "drop"]) drop.addEventListener(kind, () => drop.classList.remove("drop-over"));
  drop.addEventListener("drop", async (event) => {
    event.preventDefault();
    await send(await filesOfDrop(event.dataTransfer));
  });
  for (const id of ["upload-files", "upload-folder"]) {
    document.getElementById(id).addEventListener("change", async (event) => {
      const files = filesOfInput(event.target);
      event.target.value = "";
      await send(files);
    });
  }
}

document.getElementById("fetch")?.addEventListener("click", async (event) => {
  const button = event.currentTarget;
  const field = document.getElementById("fetch-url");
  if (!field.value || !field.reportValidity()) return;
  const body = new FormData();
  body.set("collection", document.getElementById("upload-collection").value);
  body.set("url", field.value);
  button.disabled = true;
  const view = new UploadView([{ file: { size: 1 } }]);
  try {
    const answer = await fetch(button.dataset.url, { method: "POST", body, headers: { "X-CSRFToken": csrfToken() } });
    const told = await answer.json();
    if (answer.ok) view.hear({ kind: "taken", outcomes: told.files });
    else view.hear({ kind: "refused", path: field.value, error: told.error, advice: told.advice });
  } catch {
    view.hear({ kind: "refused", path: field.value, error: "The server did not answer.", advice: "Try again." });
  }
  button.disabled = false;
  field.value = "";
  view.finish();
  await list.renew();
});

async function send(files) {
  if (!files.length) return;
  const view = new UploadView(files);
  await uploadFiles(files, {
    collection: document.getElementById("upload-collection").value,
    begin: root.dataset.begin,
    told: (event) => view.hear(event),
  });
  view.finish();
  await list.renew();
}

class UploadView {
  constructor(files) {
    this.total = files.length;
    this.bytes = Math.max(1, files.reduce((sum, { file }) => sum + file.size, 0));
    this.sent = 0;
    this.done = 0;
    this.same = 0;
    this.taken = 0;
    this.box = document.getElementById("uploads");
    this.words = document.getElementById("uploads-words");
    this.bar = document.getElementById("uploads-progress");
    this.refused = document.getElementById("uploads-refused");
    this.refused.replaceChildren();
    this.box.hidden = false;
    this.renewed = 0;
    this.tell();
  }

  hear(event) {
    if (event.kind === "progress") this.sent += event.bytes;
    else this.done += 1;
    if (event.kind === "taken") for (const one of event.outcomes) this.take(one);
    if (event.kind === "refused") this.refuse(event.path, event.error, event.advice);
    this.tell();
    if (event.kind === "taken" && Date.now() - this.renewed > 1500) {
      this.renewed = Date.now();
      list.renew();
    }
  }

  take(one) {
    if (one.change === "same") this.same += 1;
    if (one.change === "new" || one.change === "changed") this.taken += 1;
    if (one.change === "refused" || one.change === "ignored") this.refuse(one.path, one.cause, one.advice);
  }

  refuse(path, cause, advice) {
    const item = document.createElement("li");
    const name = document.createElement("strong");
    name.textContent = path;
    item.append(name, ` ${cause} ${advice ?? ""}`);
    this.refused.append(item);
  }

  tell() {
    this.bar.value = Math.min(1, this.sent / this.bytes);
    this.words.textContent = `${this.done} of ${this.total} files uploaded`;
  }

  finish() {
    this.bar.value = 1;
    const parts = [`${this.taken} taken`];
    if (this.same) parts.push(`${this.same} were here already`);
    if (this.refused.childElementCount) parts.push(`${this.refused.childElementCount} not taken:`);
    this.words.textContent = parts.join(", ");
  }
}
