// Files that are dropped on the chat page, or chosen there, go to the library; the page tells when they can be asked.
import { el } from "../dom.js";
import { toast } from "../toast.js";
import { filesOfDrop, filesOfInput, uploadFiles } from "../upload.js";

const BEGIN = "/library/uploads/";
const LOOK_AGAIN_MS = 2500;
const AT_WORK = ["queued", "converting", "indexing"];
const FINDABLE = ["ready", "partial"];

export class Dropping {
  /** `collections` are {id, name} of those that the person may add to. */
  constructor(collections, { veil, input }) {
    this.collections = collections;
    this.veil = veil;
    this.depth = 0;
    document.addEventListener("dragenter", (event) => hasFiles(event) && this.over(+1));
    document.addEventListener("dragleave", (event) => hasFiles(event) && this.over(-1));
    document.addEventListener("dragover", (event) => hasFiles(event) && event.preventDefault());
    document.addEventListener("drop", (event) => this.dropped(event));
    document.addEventListener("click", (event) => event.target.closest("[data-act=add-files]") && input.click());
    input.addEventListener("change", () => {
      const files = filesOfInput(input);
      input.value = "";
      this.add(files);
    });
  }

  over(step) {
    this.depth = Math.max(0, this.depth + step);
    this.veil.hidden = this.depth === 0;
  }

  async dropped(event) {
    if (!hasFiles(event)) return;
    event.preventDefault();
    this.depth = 0;
    this.veil.hidden = true;
    await this.add(await filesOfDrop(event.dataTransfer));
  }

  async add(files) {
    if (!files.length) return;
    const collection = await this.collectionFor(files);
    if (!collection) return;
    const taken = [];
    const refused = [];
    toast(files.length === 1 ? `Uploading ${files[0].path}` : `Uploading ${files.length} files`);
    await uploadFiles(files, {
      collection: String(collection),
      begin: BEGIN,
      told: (happened) => {
        if (happened.kind === "refused") refused.push(happened);
        for (const one of happened.outcomes ?? []) {
          if (one.source_file_id) taken.push(one.source_file_id);
          else refused.push({ path: one.path, error: one.cause, advice: one.advice });
        }
      },
    });
    for (const { path, error, advice } of refused) toast(`${path}: ${error ?? "not taken."} ${advice ?? ""}`, { bad: true });
    if (taken.length) this.watch(taken);
  }

  /** Ask which collection, where there is a choice. */
  collectionFor(files) {
    if (this.collections.length === 1) return this.collections[0].id;
    return new Promise((resolve) => {
      const choice = el("select", { "aria-label": "Collection" }, ...this.collections.map(({ id, name }) => el("option", { value: id, text: name })));
      const words = files.length === 1 ? files[0].path : `${files.length} files`;
      const dialog = el("dialog.dialog", { "aria-label": "Add to the library" }, el("form", { method: "dialog" },
        el("h2", { text: "Add to the library" }), el("p", { text: words }),
        el("label.field", {}, "Collection", choice),
        el("div.dialog-buttons", {}, el("button.button.button-quiet", { value: "no", text: "Cancel", formnovalidate: true }), el("button.button", { value: "yes", text: "Add" }))));
      dialog.addEventListener("close", () => {
        dialog.remove();
        resolve(dialog.returnValue === "yes" ? choice.value : null);
      });
      document.body.append(dialog);
      dialog.showModal();
    });
  }

  /** Look after files until each can be asked or needs a person. */
  async watch(ids) {
    toast(ids.length === 1 ? "The file is in the library and being read." : `${ids.length} files are in the library and being read.`, { link: { text: "Look", address: "/library/" } });
    let left = ids;
    const ready = [];
    const stuck = [];
    while (left.length) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
      if (document.hidden) continue;
      const states = await Promise.all(left.map(stateOf));
      states.forEach((state, place) => {
        if (FINDABLE.includes(state)) ready.push(left[place]);
        else if (!AT_WORK.includes(state)) stuck.push(left[place]);
      });
      left = left.filter((id) => !ready.includes(id) && !stuck.includes(id));
    }
    if (ready.length) toast(ready.length === 1 ? "The file is ready. Ask it." : `${ready.length} files are ready. Ask them.`);
    if (stuck.length) toast(stuck.length === 1 ? "A file needs you." : `${stuck.length} files need you.`, { bad: true, link: { text: "Open the library", address: stuck.length === 1 ? `/library/files/${stuck[0]}/` : "/library/" } });
  }
}

async function stateOf(id) {
  const answer = await fetch(`/library/files/${id}/state.json`, { credentials: "same-origin" }).catch(() => null);
  if (!answer) return "queued"; // the line is down; look again
  return answer.ok ? (await answer.json()).state : "removed";
}

const hasFiles = (event) => event.dataTransfer?.types.includes("Files");
