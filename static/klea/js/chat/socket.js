// The websocket of a session: reconnects by itself, and asks for the events that it missed.
const LONGEST_WAIT_MS = 15000;
const REFUSED = new Map([[4401, "You are signed out. Sign in again to go on."], [4404, "This conversation is no longer there."]]);

export class Socket {
  constructor(sessionId, { onEvent, onState }) {
    this.address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws/sessions/${sessionId}/`;
    this.onEvent = onEvent; this.onState = onState;
    this.seen = new Map(); this.open = new Set(); this.waiting = []; this.tries = 0;
    this.connect();
  }
  connect() {
    this.socket = new WebSocket(this.address);
    this.socket.addEventListener("open", () => {
      this.tries = 0; this.onState("open");
      for (const turn of this.open) this.post({ type: "resume", turn, seq: this.seen.get(turn) ?? 0 });
      for (const message of this.waiting.splice(0)) this.post(message);
    });
    this.socket.addEventListener("message", (message) => this.take(JSON.parse(message.data)));
    this.socket.addEventListener("close", (closed) => {
      if (REFUSED.has(closed.code)) { this.onState("refused", REFUSED.get(closed.code)); return; }
      this.onState("lost");
      const wait = Math.min(LONGEST_WAIT_MS, 500 * 2 ** this.tries++) * (0.7 + Math.random() * 0.6);
      setTimeout(() => this.connect(), wait);
    });
  }
  take(event) {
    if (event.type === "heartbeat") return;
    if (event.turn !== undefined && event.seq !== undefined) {
      const last = this.seen.get(event.turn) ?? 0;
      if (event.seq <= last) return;
      if (event.seq > last + 1) { this.post({ type: "resume", turn: event.turn, seq: last }); return; }
      this.seen.set(event.turn, event.seq);
      if (["finished", "stopped", "failed"].includes(event.type)) this.open.delete(event.turn); else this.open.add(event.turn);
    }
    this.onEvent(event);
  }
  follow(turn) { this.open.add(turn); this.send({ type: "resume", turn, seq: this.seen.get(turn) ?? 0 }); }
  get isOpen() { return this.socket.readyState === WebSocket.OPEN; }
  send(message) { if (this.isOpen) this.post(message); else this.waiting.push(message); }
  post(message) { this.socket.send(JSON.stringify(message)); }
}
