// The chat page: puts the pieces together.
import { Panel } from "./panel.js";
import { addSession, wireSessions } from "./sessions.js";
import { call } from "./service.js";
import { Socket } from "./socket.js";
import { TurnView } from "./turn.js";

const start = JSON.parse(document.getElementById("page").textContent);
const find = (id) => document.getElementById(id);
const turns = find("turns"), composer = find("composer"), question = find("question"), send = find("send"), stop = find("stop"), connection = find("connection"), scope = find("scope");
const panel = new Panel(find("panel"));
const views = new Map();
let session = start.session, socket = null, waiting = null, running = null, asked = false;

const atBottom = () => turns.scrollHeight - turns.scrollTop - turns.clientHeight < 120;
/** Follow the words as they come, but never past the question that they answer. */
const toBottom = (view) => {
  const end = turns.scrollHeight - turns.clientHeight;
  turns.scrollTop = view ? Math.min(end, view.element.offsetTop - turns.offsetTop - 24) : end;
};
const newView = (text) => new TurnView(text, { onSource: showSource, onRetry: ask });
function showSource(turn, citation, chip) {
  panel.show(turn, citation, chip);
  chip?.scrollIntoView({ block: "nearest" }); // the talk is narrower now, so its lines have moved
}
const chosen = () => [...scope.querySelectorAll("input:checked")];

function connect() {
  socket = new Socket(session.id, {
    onEvent: take,
    onState: (state, words) => {
      if (state === "open" && asked) recover();
      connection.hidden = state === "open";
      connection.textContent = words ?? "The connection is lost. Trying again; nothing is lost.";
    },
  });
}

/** After a break: was the question heard before the line went dead? Follow it; otherwise ask it again. */
async function recover() {
  const view = waiting;
  if (!view) { asked = false; return; }
  try {
    const { turns: held } = await call("GET", `/sessions/${session.id}`);
    const heard = held.filter((turn) => !views.has(turn.id) && turn.question === view.question).at(-1);
    if (waiting !== view) return;
    if (heard) socket.follow(heard.id); else socket.send(frameOf(view));
  } catch (error) { waiting = null; view.failed({ message: error.message, advice: error.advice }); }
}

const frameOf = (view) => ({ type: "ask", question: view.question, domains: view.domains });

function take(event) {
  const stick = atBottom();
  if (event.type === "error") {
    const view = waiting ?? running;
    view?.failed({ message: event.message, advice: event.advice });
    waiting = null; asked = false; setRunning(null);
    return;
  }
  let view = views.get(event.turn);
  if (!view && waiting) { view = waiting; waiting = null; asked = false; view.id = event.turn; views.set(event.turn, view); setRunning(view); }
  if (!view) return;
  view.take(event);
  if (view.isOver && view === running) setRunning(null);
  if (stick) toBottom(view);
}

function setRunning(view) {
  running = view;
  stop.hidden = !view; send.hidden = Boolean(view);
}

async function ask(text) {
  if (running || waiting || !text.trim()) return;
  const view = newView(text.trim());
  waiting = view;
  find("welcome")?.remove();
  turns.append(view.element);
  toBottom(view);
  try {
    if (!session) {
      session = await call("POST", "/sessions", { domains: [] });
      history.pushState(null, "", `/sessions/${session.id}/`);
      addSession(find("sessions-list"), find("sessions-find"), session, text.trim().slice(0, 80));
      document.title = `${text.trim().slice(0, 80)} · Klea`;
    }
    if (!socket) connect();
    view.domains = chosen().map((box) => box.value);
    asked = socket.isOpen; // what is sent while the line is down is kept by the socket itself
    socket.send(frameOf(view));
  } catch (error) {
    waiting = null;
    view.failed({ message: error.message, advice: error.advice });
  }
}

function measure() {
  question.style.height = "auto";
  question.style.height = `${question.scrollHeight}px`;
  const left = start.questionMax - question.value.length;
  find("count").textContent = left < 500 ? `${left} characters left` : "";
  send.disabled = !question.value.trim();
}

composer.addEventListener("submit", (event) => {
  event.preventDefault();
  if (running || waiting) return;
  const text = question.value;
  question.value = ""; measure();
  ask(text);
});
question.addEventListener("input", measure);
question.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) { event.preventDefault(); composer.requestSubmit(); }
});
stop.addEventListener("click", () => running?.id && socket.send({ type: "stop", turn: running.id }));
turns.addEventListener("click", (event) => { const example = event.target.closest(".example"); if (example) ask(example.dataset.question); });
scope.addEventListener("change", () => { find("scope-words").textContent = chosen().map((box) => box.dataset.name).join(", ") || "All domains"; });
document.addEventListener("click", (event) => { if (scope.open && !scope.contains(event.target)) scope.open = false; });
function openSessions(open) {
  find("sessions").classList.toggle("is-open", open);
  find("sessions-open").setAttribute("aria-expanded", String(open));
}
find("sessions-open").addEventListener("click", (event) => { event.stopPropagation(); openSessions(!find("sessions").classList.contains("is-open")); });
document.addEventListener("click", (event) => { if (!event.target.closest("#sessions")) openSessions(false); });
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && !event.target.matches("textarea, input, select")) { event.preventDefault(); question.focus(); }
  if (event.key !== "Escape") return;
  openSessions(false); scope.open = false;
});
addEventListener("popstate", () => location.reload());
wireSessions(find("sessions-list"), find("sessions-find"), () => session?.id);

for (const slug of start.session?.domains ?? []) { const box = scope.querySelector(`input[value="${CSS.escape(slug)}"]`); if (box) box.checked = true; }
scope.dispatchEvent(new Event("change"));
for (const turn of start.turns) {
  const view = newView(turn.question);
  view.fill(turn); views.set(turn.id, view); turns.append(view.element);
  if (!view.isOver) { if (!socket) connect(); setRunning(view); socket.follow(turn.id); }
}
if (start.session && !socket) connect();
if (start.turns.length) requestAnimationFrame(toBottom);
measure();
document.body.dataset.ready = "";
