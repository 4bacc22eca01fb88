// Questions to the worker: one at a time, of the same kind only the newest.  A worker that has ended, or does not answer, is replaced.
const PATIENCE = 15_000;
const PATIENCE_AT_START = 120_000;

export class Analysis {
  #worker; #timer; #asked = null; #waiting = new Map(); #count = 0; #isNew = true;

  constructor(restarted) {
    this.restarted = restarted; // is called when a new worker knows nothing of what was asked before
    this.#start();
  }

  // The answer; null when a newer question of its kind came before its turn, or the worker ended before it.
  ask(question) {
    return new Promise((resolve) => {
      this.#waiting.get(question.do)?.resolve(null);
      this.#waiting.delete(question.do); // the newest comes last
      this.#waiting.set(question.do, { question, resolve });
      this.#next();
    });
  }

  #start() {
    this.#isNew = true;
    this.#worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    this.#worker.onmessage = ({ data }) => this.#answered(data);
    this.#worker.onerror = (event) => this.#ended(event.message || "its files could not be loaded");
  }

  #next() {
    if (this.#asked || !this.#waiting.size) return;
    if (!this.#worker) this.#start();
    const [kind, next] = [...this.#waiting].sort(([a], [b]) => (b === "check") - (a === "check"))[0];
    this.#waiting.delete(kind);
    this.#asked = { ...next, id: ++this.#count };
    const patience = this.#isNew ? PATIENCE_AT_START : PATIENCE;
    this.#timer = setTimeout(() => this.#ended(`it had no answer after ${patience / 1000} seconds`), patience);
    this.#worker.postMessage({ ...next.question, id: this.#count });
  }

  #answered(data) {
    if (data.id !== this.#asked?.id) return;
    if (data.fatal) return this.#ended(data.fatal);
    clearTimeout(this.#timer);
    const { resolve } = this.#asked;
    this.#asked = null;
    this.#isNew = false;
    resolve(data);
    this.#next();
  }

  #ended(why) {
    clearTimeout(this.#timer);
    this.#worker.terminate();
    const given = [this.#asked, ...this.#waiting.values()].filter(Boolean);
    this.#asked = null;
    this.#waiting.clear();
    const [first, ...others] = given;
    for (const other of others) other.resolve(null);
    // Where not even the first question was answered another worker would end likewise: none is started before one is asked.
    const isBroken = this.#isNew;
    this.#worker = null; // what is asked next is tried with another
    if (!isBroken) this.#start();
    this.restarted();
    first?.resolve({ error: isBroken ? `Python could not be started: ${why}.` : `The analysis of this text ended (${why}); change the text to try again.` });
  }
}
