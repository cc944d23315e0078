// Questions that a person must answer before something happens.
import { el } from "./dom.js";

/** Ask; resolves to true if the person agrees. */
export function confirmed({ title, text, action, danger = false }) {
  return new Promise((resolve) => {
    const yes = el(danger ? "button.button.button-danger" : "button.button", { value: "yes", text: action });
    const no = el("button.button.button-quiet", { value: "no", text: "Cancel", autofocus: true });
    const dialog = el("dialog.dialog", { "aria-label": title },
      el("form", { method: "dialog" }, el("h2", { text: title }), text ? el("p", { text }) : null, el("div.dialog-buttons", {}, no, yes)));
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
