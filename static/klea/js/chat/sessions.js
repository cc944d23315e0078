// The list of conversations: find, rename, delete.
import { icon, make, PATHS } from "./make.js";
import { call } from "./service.js";

export function wireSessions(list, find, here) {
  find?.addEventListener("input", () => {
    const wanted = find.value.trim().toLocaleLowerCase();
    for (const row of list.children) row.hidden = !row.querySelector("a")?.textContent.toLocaleLowerCase().includes(wanted);
  });
  list.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-act]");
    if (!button) return;
    const row = button.closest("[data-session]");
    if (button.dataset.act === "rename") rename(row);
    if (button.dataset.act === "delete" && confirm(`Delete “${row.querySelector("a").textContent.trim()}” with all its answers?`)) {
      try { await call("DELETE", `/sessions/${row.dataset.session}`); } catch (error) { alert(`${error.message} ${error.advice}`); return; }
      if (Number(row.dataset.session) === here()) location.assign("/"); else row.remove();
    }
  });
}

function rename(row) {
  const link = row.querySelector("a");
  const before = link.textContent.trim();
  const field = make("input", { attributes: { type: "text", maxlength: 200, "aria-label": "New name" } });
  field.value = before; link.replaceWith(field); field.focus(); field.select();
  let done = false;
  const end = async (keep) => {
    if (done) return;
    done = true;
    const name = field.value.trim();
    field.replaceWith(link);
    if (!keep || !name || name === before) return;
    link.textContent = name;
    try { await call("PATCH", `/sessions/${row.dataset.session}`, { title: name }); } catch { link.textContent = before; }
  };
  field.addEventListener("keydown", (event) => { if (event.key === "Enter") end(true); if (event.key === "Escape") end(false); });
  field.addEventListener("blur", () => end(true));
}

export function addSession(list, find, session, title) {
  const button = (act, label, path) => make("button", { classes: "icon-button", attributes: { type: "button", "data-act": act, title: label, "aria-label": `${label}: ${title}` }, children: [icon(path)] });
  for (const other of list.querySelectorAll(".is-here")) { other.classList.remove("is-here"); other.querySelector("a")?.removeAttribute("aria-current"); }
  const row = make("li", { classes: "session-row is-here", attributes: { "data-session": session.id }, children: [make("a", { text: title, attributes: { href: `/sessions/${session.id}/`, "aria-current": "page" } }), button("rename", "Rename", PATHS.rename), button("delete", "Delete", PATHS.remove)] });
  list.prepend(row);
  if (find) find.hidden = false;
}
