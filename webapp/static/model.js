// The window as the server knows it. Every change goes to the server and comes back counted;
// nothing is scored here. Changes are sent one after the other, in the order they were made.
import { tell, words } from "./words.js";

export class Model extends EventTarget {
  #queue = Promise.resolve();
  #past = [];
  #onTheWay = new Map(); // dice that were set and not yet confirmed: fast typing builds on them

  constructor(state) {
    super();
    this.state = state;
    this.address = `/api/readings/${state.id}`;
  }

  cell(name) { return this.state.cells.find((cell) => cell.name === name); }
  die(name) { return this.#onTheWay.has(name) ? this.#onTheWay.get(name) : this.cell(name).die ?? "--"; }
  get canUndo() { return this.#past.length > 0; }

  // One die, "--" for none. Also marks the space as looked at.
  put(name, die) {
    const before = this.die(name);
    const step = { cells: { [name]: before }, unchecked: this.cell(name).doubtful ? [name] : [] };
    if (before !== die) this.#past.push(step);
    this.#onTheWay.set(name, die);
    return this.send("PATCH", "", { cells: { [name]: die } }).then((done) => {
      if (this.#onTheWay.get(name) === die) this.#onTheWay.delete(name);
      if (done !== true) this.#past = this.#past.filter((other) => other !== step);
      return done;
    });
  }

  confirm(name) { return this.send("PATCH", "", { checked: [name] }); }
  choose(choices) { return this.send("PATCH", "", { choices }); }
  turn() { this.#past = []; return this.send("POST", "/turn", {}); }

  undo() {
    const step = this.#past.pop();
    if (!step) return Promise.resolve(false);
    return step.corners ? this.send("DELETE", "/corners", {}) : this.send("PATCH", "", step);
  }

  putCorners(corners) {
    const step = { corners: true };
    if (this.state.corners) this.#past.push(step);
    return this.send("POST", "/corners", { corners }, { quiet: true }).then((done) => {
      if (done !== true) this.#past = this.#past.filter((other) => other !== step);
      return done;
    });
  }

  // Resolves to true, or to the error object when the server refused.
  send(method, path, body, { quiet = false } = {}) {
    this.#queue = this.#queue.then(() => this.#send(method, path, body, quiet));
    return this.#queue;
  }

  async #send(method, path, body, quiet) {
    const revision = this.state.revision;
    let answer, told;
    try {
      answer = await fetch(this.address + path, {
        method,
        headers: { "Content-Type": "application/json", Accept: "application/json" },
        body: JSON.stringify({ ...body, revision }),
      });
      told = await answer.json();
    } catch {
      tell(`${words.try_again} ${words.offline}`, { bad: true });
      this.dispatchEvent(new Event("refused"));
      return { code: "offline", message: words.try_again, next_step: words.offline };
    }
    if (answer.ok) {
      if (told.revision > revision + 1) tell(words.merged);
      this.#accept(told);
      return true;
    }
    if (!quiet) tell(`${told.error.message} ${told.error.next_step}`, { bad: true });
    if (answer.status === 409) {
      this.#past = [];
      await this.refresh({ told: true }); // the refusal stays on the line until it was read
    } else {
      this.dispatchEvent(new Event("refused"));
    }
    return told.error;
  }

  async refresh({ told = false } = {}) {
    try {
      const answer = await fetch(this.address, { headers: { Accept: "application/json" } });
      if (answer.ok) this.#accept(await answer.json(), told);
    } catch { /* the next change will tell */ }
  }

  #accept(answer, told = false) {
    const before = this.state;
    if (answer.revision < before.revision) return; // an answer that was overtaken by a newer one
    const { regions, ...state } = answer;
    this.state = state;
    const changed = state.cells.filter((cell, i) => cell.die !== before.cells[i].die).map((cell) => cell.name);
    this.dispatchEvent(new CustomEvent("changed", { detail: { regions, changed, before, told } }));
  }
}
