// Short words at the foot of the page that go by themselves.
import { el } from "./dom.js";

const SHOWN_MS = 4000;
const SHOWN_BAD_MS = 9000;

/** Tell something; `link` is {text, address}. */
export function toast(text, { bad = false, link = null } = {}) {
  const note = el(bad ? "p.toast.toast-bad" : "p.toast", {}, text, link ? el("a", { href: link.address, text: link.text }) : null);
  document.getElementById("toasts").append(note);
  setTimeout(() => note.remove(), bad || link ? SHOWN_BAD_MS : SHOWN_MS);
}

/** Tell what went wrong, with the advice that came with it. */
export function toastError(error) {
  toast([error.message, error.advice].filter(Boolean).join(" "), { bad: true });
}
