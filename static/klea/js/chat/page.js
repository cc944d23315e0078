// The chat page: puts its pieces together.
import { Composer } from "./composer.js";
import { Conversation } from "./conversation.js";
import { Dropping } from "./dropping.js";
import { Panel } from "./panel.js";
import { Preview } from "./preview.js";
import { Scope } from "./scope.js";
import { Scrolling } from "./scrolling.js";
import { SessionList } from "./sessions.js";

const EXAMPLES_SHOWN = 4;
const find = (id) => document.getElementById(id);
const start = JSON.parse(find("page").textContent);
const turns = find("turns");
const panel = new Panel(find("panel"));
const talk = document.querySelector(".talk");
const scrolling = new Scrolling(turns, { talk, toEnd: find("to-end") });

const sessions = new SessionList(find("sessions"), {
  chat: find("chat"), opener: find("sessions-switch"), here: () => conversation.session?.id, onRename: named,
});
const scope = new Scope(find("scope"), { onChange: showExamples });
scope.chosen = start.session?.domains ?? [];

const composer = new Composer(find("composer"), {
  most: start.questionMax,
  draft: `klea-draft-${start.session?.id ?? "new"}`,
  onAsk: (text) => conversation.ask(text),
  onStop: () => conversation.stop(),
});

const conversation = new Conversation(start, {
  turns,
  scope,
  turnOptions: {
    onOpen: (turn, citation, opener) => {
      panel.show(turn, citation, opener);
      opener?.scrollIntoView({ block: "nearest" }); // the talk is narrower now, so its lines have moved
    },
    onAsk: (question) => conversation.ask(question),
    onEdit: (question) => composer.edit(question),
    onSpeak: (words) => { find("spoken").textContent = words; },
  },
  told: {
    began: (session, title) => {
      history.pushState(null, "", `/sessions/${session.id}/`);
      named(title);
      exportsOf(session);
      sessions.raise(session.id, title);
    },
    asked: (turn) => {
      find("welcome")?.remove();
      scrolling.begin(turn.element);
      if (conversation.session) sessions.raise(conversation.session.id, document.title);
    },
    grew: () => scrolling.tell(),
    running: (isRunning) => { composer.isRunning = isRunning; },
    line: (state, words) => {
      find("connection").hidden = state === "open";
      find("connection").textContent = words ?? "The connection is lost. Trying again; nothing is lost.";
    },
  },
});
new Preview(turns, (chip) => turnOf(chip)?.answer.citationOf(chip));
if (start.uploadTo.length) new Dropping(start.uploadTo, { veil: find("drop-veil"), input: find("add-files") });
if (start.session) exportsOf(start.session);
if (conversation.last) requestAnimationFrame(() => scrolling.begin(conversation.last.element, { smooth: false }));

function named(title) {
  find("talk-title").textContent = title;
  document.title = `${title} · Klea`;
}

function exportsOf(session) {
  find("talk-menu").hidden = false;
  for (const format of ["markdown", "json"]) find(`export-${format}`).href = `/api/v1/sessions/${session.id}/export?format=${format}`;
}

function turnOf(element) {
  return [...conversation.turns.values()].find((turn) => turn.element.contains(element));
}

/** Show the first examples of the chosen domains. */
function showExamples(chosen) {
  let room = EXAMPLES_SHOWN;
  for (const row of document.querySelectorAll("#examples > li")) {
    const isWanted = !chosen.length || chosen.includes(row.dataset.domain);
    row.hidden = !isWanted || room-- <= 0;
  }
}

turns.addEventListener("click", (event) => {
  const example = event.target.closest(".example");
  if (example) conversation.ask(example.dataset.question);
});
find("keys-open").addEventListener("click", () => find("keys").showModal());
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (event.key === "Escape") sessions.close();
  if (event.target.closest("textarea, input, select")) return;
  if (event.key === "/") {
    event.preventDefault();
    composer.field.focus();
  }
  if (event.key === "?") find("keys").showModal();
});
document.addEventListener("visibilitychange", () => !document.hidden && conversation.catchUp());
addEventListener("popstate", () => location.reload());
document.body.dataset.ready = "";
