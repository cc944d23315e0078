// The websocket of a session: connects again by itself, and asks for the events that it missed.

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15000;
const ENDS = ["finished", "stopped", "failed"];
const REFUSED = new Map([
  [4401, "You are signed out. Sign in again to go on."],
  [4404, "This conversation is no longer there."],
  [4400, "The connection was closed. Reload the page."],
]);

export class Socket {
  /** `onEvent(event)` hears events once and in order; `onState("open" | "lost" | "refused", words)` hears of the line. */
  constructor(sessionId, { onEvent, onState }) {
    this.address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws/sessions/${sessionId}/`;
    this.onEvent = onEvent;
    this.onState = onState;
    this.seen = new Map(); // turn -> the last number that came
    this.followed = new Set(); // turns that are not over
    this.waiting = [];
    this.tries = 0;
    this.connect();
  }

  get isOpen() {
    return this.socket.readyState === WebSocket.OPEN;
  }

  connect() {
    this.socket = new WebSocket(this.address);
    this.socket.addEventListener("open", () => this.opened());
    this.socket.addEventListener("message", (message) => this.take(JSON.parse(message.data)));
    this.socket.addEventListener("close", (closed) => this.closed(closed.code));
  }

  opened() {
    this.tries = 0;
    this.onState("open");
    for (const turn of this.followed) this.resume(turn);
    for (const message of this.waiting.splice(0)) this.post(message);
  }

  closed(code) {
    if (REFUSED.has(code)) {
      this.onState("refused", REFUSED.get(code));
      return;
    }
    this.onState("lost");
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.tries++);
    setTimeout(() => this.connect(), wait * (0.7 + Math.random() * 0.6));
  }

  take(event) {
    if (event.type === "heartbeat") return;
    if (event.turn !== undefined && event.seq !== undefined) {
      const last = this.seen.get(event.turn) ?? 0;
      if (event.seq <= last) return;
      if (event.seq > last + 1) {
        this.resume(event.turn);
        return;
      }
      this.seen.set(event.turn, event.seq);
      if (ENDS.includes(event.type)) this.followed.delete(event.turn);
      else this.followed.add(event.turn);
    }
    this.onEvent(event);
  }

  /** Ask for all events of a turn that has begun elsewhere. */
  follow(turn) {
    this.followed.add(turn);
    if (this.isOpen) this.resume(turn);
  }

  /** Send now, or as soon as the line is open. */
  send(message) {
    if (this.isOpen) this.post(message);
    else this.waiting.push(message);
  }

  resume(turn) {
    this.post({ type: "resume", turn, seq: this.seen.get(turn) ?? 0 });
  }

  post(message) {
    this.socket.send(JSON.stringify(message));
  }
}
