// The live list of files: it renews itself, and acts on many files at once.

import { csrfToken } from "./upload.js";

const LOOK_MS = 2000;
const LOOK_IDLE_MS = 10000;
const WORKING = "tr[data-state=queued], tr[data-state=converting], tr[data-state=indexing]";

export class FileList {
  constructor(root) {
    this.root = root;
    this.list = root.querySelector("#list");
    this.bulk = root.querySelector("#bulk");
    this.chosen = new Set();
    this.all = false;
    this.list.addEventListener("change", (event) => this.choose(event.target));
    this.bulk.addEventListener("click", (event) => this.act(event.target.closest("button")));
    this.later();
  }

  /** Load the list anew; what is chosen stays chosen. */
  async renew() {
    clearTimeout(this.timer);
    try {
      const answer = await fetch(this.root.dataset.list + window.location.search, { credentials: "same-origin" });
      if (answer.redirected) return window.location.reload();
      if (answer.ok) this.show(await answer.text());
    } catch {
      // The connection is away; the next look tries again.
    }
    return this.later();
  }

  show(html) {
    const focused = document.activeElement?.closest?.("tr[data-id]")?.dataset.id;
    this.list.innerHTML = html;
    for (const box of this.boxes()) box.checked = this.chosen.has(box.value);
    if (focused) this.list.querySelector(`tr[data-id="${focused}"] input`)?.focus();
    this.tell();
  }

  later() {
    const wait = this.list.querySelector(WORKING) ? LOOK_MS : LOOK_IDLE_MS;
    this.timer = setTimeout(() => (document.hidden ? this.later() : this.renew()), wait);
  }

  boxes() {
    return [...this.list.querySelectorAll("input[name=file]:not(:disabled)")];
  }

  choose(box) {
    if (box.id === "check-all") for (const one of this.boxes()) this.set(one, box.checked);
    else if (box.name === "file") this.set(box, box.checked);
    this.all = false;
    this.tell();
  }

  set(box, on) {
    box.checked = on;
    if (on) this.chosen.add(box.value);
    else this.chosen.delete(box.value);
  }

  /** Show how many files are chosen, and offer all that match. */
  tell() {
    const total = Number(this.list.querySelector("table")?.dataset.count ?? 0);
    const everything = this.bulk.querySelector("#bulk-all");
    this.bulk.hidden = !this.chosen.size;
    this.bulk.querySelector("#bulk-words").textContent = this.all ? `All ${total} files` : `${this.chosen.size} chosen`;
    everything.hidden = this.all || this.chosen.size >= total || this.chosen.size < this.boxes().length;
    everything.textContent = `Choose all ${total}`;
  }

  async act(button) {
    if (!button) return;
    if (button.id === "bulk-all") {
      this.all = true;
      return void this.tell();
    }
    const { verb, ocr } = button.dataset;
    const count = this.bulk.querySelector("#bulk-words").textContent;
    const body = new FormData();
    if (verb === "remove" && !(await this.ask(`Remove ${count.toLowerCase()}? Their passages leave every search at once.`))) return;
    if (verb === "password") {
      const password = await this.ask("The password opens the chosen files. It is kept only until they are converted.", { field: true });
      if (!password) return;
      body.set("password", password);
    }
    body.set("verb", verb === "password" ? "retry" : verb);
    if (ocr) body.set("ocr", ocr);
    if (this.all) {
      body.set("all", "1");
      for (const [key, value] of new URLSearchParams(window.location.search)) body.set(key, value);
    } else for (const id of this.chosen) body.append("file", id);
    await this.send(body);
  }

  async send(body) {
    const answer = await fetch(this.root.dataset.act, {
      method: "POST",
      body,
      headers: { "X-CSRFToken": csrfToken() },
      credentials: "same-origin",
    });
    if (!answer.ok) {
      const told = await answer.json().catch(() => ({ error: "You may not do this.", advice: "Ask a manager of the domain." }));
      await this.ask(`${told.error} ${told.advice ?? ""}`, { tellOnly: true });
    }
    this.chosen.clear();
    this.all = false;
    await this.renew();
  }

  /** Ask in the page's own dialog; the answer is true, a text or nothing. */
  ask(words, { field = false, tellOnly = false } = {}) {
    const dialog = this.root.querySelector("#ask");
    const input = dialog.querySelector("#ask-password");
    dialog.querySelector("#ask-words").textContent = words;
    dialog.querySelector("#ask-field").hidden = !field;
    dialog.querySelector("[value=no]").hidden = tellOnly;
    input.value = "";
    dialog.returnValue = "no";
    dialog.showModal();
    return new Promise((resolve) => {
      dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes" && (field ? input.value : true)), { once: true });
    });
  }
}
