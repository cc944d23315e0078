// The list of conversations: find, rename, delete, fold away.
import { confirmed } from "../dialog.js";
import { el, iconButton } from "../dom.js";
import { call } from "../service.js";
import { toastError } from "../toast.js";

const FIND_AFTER_MS = 250;
const NARROW = matchMedia("(max-width: 800px)");

export class SessionList {
  /** `here()` returns the id of the conversation that is shown. */
  constructor(element, { chat, opener, here, onRename }) {
    this.element = element;
    this.chat = chat;
    this.opener = opener;
    this.here = here;
    this.onRename = onRename;
    this.list = document.getElementById("sessions-list");
    this.find = document.getElementById("sessions-find");
    this.find.addEventListener("input", () => this.filter());
    this.list.addEventListener("click", (event) => this.clicked(event));
    opener.addEventListener("click", () => this.toggle());
    document.addEventListener("click", (event) => {
      if (!event.target.closest("#sessions, #sessions-switch, dialog")) this.close();
    });
    if (localStorage.getItem("klea-sessions") === "folded") chat.classList.add("is-wide");
    this.tell();
  }

  toggle() {
    if (NARROW.matches) this.element.classList.toggle("is-open");
    else localStorage.setItem("klea-sessions", this.chat.classList.toggle("is-wide") ? "folded" : "shown");
    this.tell();
  }

  /** Close it where it lies over the talk. */
  close() {
    this.element.classList.remove("is-open");
    this.tell();
  }

  tell() {
    const shown = NARROW.matches ? this.element.classList.contains("is-open") : !this.chat.classList.contains("is-wide");
    this.opener.setAttribute("aria-expanded", String(shown));
  }

  get rows() {
    return [...this.list.querySelectorAll(".session-row")];
  }

  /** Keep the conversations whose name, question or answer holds what is looked for. */
  filter() {
    const wanted = this.find.value.trim();
    const lower = wanted.toLocaleLowerCase();
    this.show((row) => row.querySelector("a")?.textContent.toLocaleLowerCase().includes(lower) ?? true);
    clearTimeout(this.timer);
    if (wanted.length < 3) return;
    this.timer = setTimeout(async () => {
      const found = await call("GET", `/sessions?limit=500&find=${encodeURIComponent(wanted)}`).catch(() => []);
      if (this.find.value.trim() !== wanted) return;
      const ids = new Set(found.map((session) => session.id));
      this.show((row) => !row.hidden || ids.has(Number(row.dataset.session)));
    }, FIND_AFTER_MS);
  }

  show(isWanted) {
    for (const row of this.rows) row.hidden = !isWanted(row);
    for (const age of this.list.querySelectorAll(".sessions-age")) age.hidden = !age.querySelector(".session-row:not([hidden])");
    document.getElementById("sessions-none").hidden = this.rows.some((row) => !row.hidden);
  }

  async clicked(event) {
    const button = event.target.closest("[data-act]");
    if (!button) return;
    const row = button.closest(".session-row");
    if (button.dataset.act === "rename") this.rename(row);
    else await this.remove(row);
  }

  async remove(row) {
    const title = row.querySelector("a").textContent.trim();
    if (!(await confirmed({ title: `Delete “${title}”?`, text: "The conversation and its answers are deleted for good.", action: "Delete", danger: true }))) return;
    try {
      await call("DELETE", `/sessions/${row.dataset.session}`);
    } catch (error) {
      toastError(error);
      return;
    }
    if (Number(row.dataset.session) === this.here()) location.assign("/");
    row.remove();
    this.filter();
  }

  rename(row) {
    const link = row.querySelector("a");
    const before = link.textContent.trim();
    const field = el("input", { type: "text", maxlength: "200", "aria-label": "New name" });
    field.value = before;
    link.replaceWith(field);
    field.focus();
    field.select();
    let done = false;
    const end = async (keep) => {
      if (done) return;
      done = true;
      field.replaceWith(link);
      const name = field.value.trim();
      if (!keep || !name || name === before) return;
      this.name(row, name);
      try {
        await call("PATCH", `/sessions/${row.dataset.session}`, { title: name });
      } catch (error) {
        this.name(row, before);
        toastError(error);
      }
    };
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter") end(true);
      if (event.key === "Escape") end(false);
    });
    field.addEventListener("blur", () => end(true));
  }

  name(row, title) {
    const link = row.querySelector("a");
    link.textContent = link.title = title;
    row.querySelector("[data-act=rename]").setAttribute("aria-label", `Rename: ${title}`);
    row.querySelector("[data-act=delete]").setAttribute("aria-label", `Delete: ${title}`);
    if (Number(row.dataset.session) === this.here()) this.onRename(title);
  }

  /** Put a new conversation, or one that goes on, on top. */
  raise(id, title) {
    const row = this.rows.find((one) => Number(one.dataset.session) === id) ?? this.row(id, title);
    for (const other of this.rows) other.classList.toggle("is-here", other === row);
    this.today().prepend(row);
    row.classList.add("is-here");
    for (const age of this.list.querySelectorAll(".sessions-age")) age.hidden = !age.querySelector(".session-row");
    this.find.parentElement.hidden = false;
  }

  row(id, title) {
    return el("li.session-row", { "data-session": id },
      el("a", { href: `/sessions/${id}/`, title, "aria-current": "page", text: title }),
      iconButton("rename", "Rename", { "data-act": "rename", "aria-label": `Rename: ${title}` }),
      iconButton("delete", "Delete", { "data-act": "delete", "aria-label": `Delete: ${title}` }));
  }

  today() {
    let age = this.list.querySelector('.sessions-age[data-age="Today"]');
    if (!age) {
      age = el("section.sessions-age", { "data-age": "Today" }, el("h2", { text: "Today" }), el("ol"));
      this.list.prepend(age);
    }
    return age.querySelector("ol");
  }
}
