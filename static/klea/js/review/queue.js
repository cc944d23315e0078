// The papers that wait: the next one is fetched before it is asked for.

export class Queue {
  /** `root` names the addresses; `start` is {entry, waiting, clear}. */
  constructor(root, start) {
    this.root = root;
    this.entry = start.entry;
    this.waiting = start.waiting;
    this.clear = start.clear;
    this.seen = [];
    this.last = null; // the paper before, for undo
    this.ahead = null;
    this.busy = false;
    this.token = root.querySelector("input[name=csrfmiddlewaretoken]").value;
  }

  async prepare() {
    const behind = [...this.seen, this.entry?.id].filter(Boolean).join(",");
    const answer = await fetch(`${this.root.dataset.next}?after=${behind}`, { credentials: "same-origin" }).catch(() => null);
    this.ahead = answer?.ok ? await answer.json() : null;
    const file = this.ahead?.entry?.file;
    if (file?.media_type === "application/pdf") new Image().src = `/library/files/${file.id}/pages/1.png`;
  }

  async next() {
    if (this.entry) this.seen.push(this.entry.id);
    this.last = this.entry;
    if (!this.ahead) await this.prepare();
    this.entry = this.ahead?.entry ?? null;
    this.ahead = null;
    if (this.entry) this.prepare();
  }

  /** Do something with a paper; returns whether it was done. Two at once are never sent. */
  async decide(what, entry = this.entry) {
    if (!entry || this.busy) return null;
    this.busy = true;
    try {
      const told = await this.post(`/admin/review/${entry.id}/do/`, { version: entry.version, ...what });
      this.waiting = told.waiting ?? this.waiting;
      return told.entry;
    } finally {
      this.busy = false;
    }
  }

  /** Take back what was done last: with the paper before, else with this one. */
  async undo() {
    const back = await this.decide({ do: "undo" }, this.last ?? this.entry);
    if (!back) return;
    this.seen = this.seen.filter((id) => id !== back.id);
    this.entry = back;
    this.last = null;
    this.ahead = null;
    this.prepare();
  }

  async acceptClear() {
    const told = await this.post(this.root.dataset.clear);
    this.waiting = told.waiting;
    this.clear = 0;
    this.seen = [];
    this.entry = this.ahead = null;
    await this.next();
  }

  async post(address, body = {}) {
    const answer = await fetch(address, {
      method: "POST",
      credentials: "same-origin",
      headers: { "Content-Type": "application/json", "X-CSRFToken": this.token },
      body: JSON.stringify(body),
    });
    const told = await answer.json().catch(() => ({}));
    if (!answer.ok) throw new Error(`${told.error ?? "That didn't work."} ${told.advice ?? ""}`.trim());
    return told;
  }
}
