// A conversation: its turns, the socket that brings their events, and what happens when the line breaks.
import { call } from "../service.js";
import { Socket } from "./socket.js";
import { Turn } from "./turn.js";

const TITLE_LENGTH = 80;

export class Conversation {
  /**
   * @param {{session: object|null, turns: object[]}} start what the page came with
   * @param {{turns: Element, turnOptions: object, scope: object, told: object}} parts `told` hears `began(session, title)`,
   *   `asked(turn)`, `grew()`, `running(isRunning)` and `line(state, words)`
   */
  constructor(start, { turns, turnOptions, scope, told }) {
    this.session = start.session;
    this.element = turns;
    this.turnOptions = turnOptions;
    this.scope = scope;
    this.told = told;
    this.turns = new Map(); // id -> turn
    this.socket = null;
    this.running = null; // the turn that is being answered
    this.waiting = null; // a question that the server has not confirmed
    this.wasSent = false;
    for (const stored of start.turns) this.fill(stored);
    if (this.session && !this.socket) this.connect();
  }

  get isBusy() {
    return Boolean(this.running ?? this.waiting);
  }

  get last() {
    return [...this.turns.values()].at(-1);
  }

  fill(stored) {
    const turn = new Turn(stored.question, this.turnOptions);
    turn.fill(stored);
    this.turns.set(stored.id, turn);
    this.element.append(turn.element);
    if (!turn.isOver) this.follow(turn);
  }

  follow(turn) {
    if (!this.socket) this.connect();
    this.setRunning(turn);
    this.socket.follow(turn.id);
  }

  /** Ask; returns whether the question is taken. */
  ask(question) {
    if (this.isBusy) return false;
    const turn = new Turn(question, this.turnOptions);
    this.waiting = turn;
    this.element.append(turn.element);
    this.told.asked(turn);
    this.told.running(true);
    this.send(turn);
    return true;
  }

  async send(turn) {
    try {
      if (!this.session) {
        this.session = await call("POST", "/sessions", { domains: this.scope.chosen });
        this.told.began(this.session, turn.question.slice(0, TITLE_LENGTH));
      }
      if (!this.socket) this.connect();
      turn.domains = this.scope.chosen;
      this.wasSent = this.socket.isOpen; // what is sent while the line is down is kept by the socket itself
      this.socket.send(frameOf(turn));
    } catch (error) {
      this.refused(turn, error);
    }
  }

  connect() {
    this.socket = new Socket(this.session.id, {
      onEvent: (event) => this.take(event),
      onState: (state, words) => {
        if (state === "open" && this.wasSent) this.recover();
        this.told.line(state, words);
      },
    });
  }

  take(event) {
    if (event.type === "error") {
      this.refused(this.waiting ?? this.running, event);
      return;
    }
    let turn = this.turns.get(event.turn);
    if (!turn && this.waiting) turn = this.confirmed(event.turn);
    if (!turn) return;
    turn.take(event);
    if (turn.isOver && turn === this.running) this.setRunning(null);
    this.told.grew();
  }

  confirmed(id) {
    const turn = this.waiting;
    this.waiting = null;
    this.wasSent = false;
    turn.id = id;
    this.turns.set(id, turn);
    this.setRunning(turn);
    return turn;
  }

  refused(turn, { message, advice }) {
    this.waiting = null;
    this.wasSent = false;
    turn?.end("failed", { message, advice });
    this.setRunning(null);
  }

  setRunning(turn) {
    this.running = turn;
    this.told.running(Boolean(turn));
  }

  stop() {
    if (this.running?.id) this.socket.send({ type: "stop", turn: this.running.id });
  }

  /** After a break: was the question heard before the line went dead? Follow it; otherwise ask it again. */
  async recover() {
    const turn = this.waiting;
    this.wasSent = false;
    if (!turn) return;
    try {
      const held = await call("GET", `/sessions/${this.session.id}`);
      if (this.waiting !== turn) return;
      const heard = held.turns.filter((one) => !this.turns.has(one.id) && one.question === turn.question).at(-1);
      if (heard) {
        this.socket.follow(heard.id);
        return;
      }
      this.wasSent = this.socket.isOpen; // a second break is looked after like the first
      this.socket.send(frameOf(turn));
    } catch (error) {
      this.refused(turn, error);
    }
  }

  /** Show what was asked in this conversation from another window. */
  async catchUp() {
    if (!this.session || this.isBusy) return;
    const held = await call("GET", `/sessions/${this.session.id}`).catch(() => null);
    if (!held || this.isBusy) return;
    for (const stored of held.turns) if (!this.turns.has(stored.id)) this.fill(stored);
  }
}

function frameOf(turn) {
  return { type: "ask", question: turn.question, domains: turn.domains };
}
