// The window as the server knows it. Every change goes to the server and comes back counted;
// nothing is scored here. Changes are sent one after the other, in the order they were made.
import { ask } from "./ask.js";
import { tell, words } from "./words.js";

export class Model extends EventTarget {
  #queue = Promise.resolve();
  #past = []; // steps that can be undone, each with what to send to go back and to go on again
  #future = []; // steps that were undone
  drawing = null; // the page after the last change, while it is on its way
  #onTheWay = new Map(); // dice that were set and not yet confirmed: fast typing builds on them

  constructor(state) {
    super();
    this.state = state;
    this.address = `/w/${state.id}`;
  }

  cell(name) { return this.state.cells.find((cell) => cell.name === name); }
  die(name) { return this.#onTheWay.has(name) ? this.#onTheWay.get(name) : this.cell(name).die ?? "--"; }
  get canUndo() { return this.#past.length > 0; }
  get canRedo() { return this.#future.length > 0; }

  // One die, "--" for none. Also marks the space as looked at.
  put(name, die) {
    const before = this.die(name);
    const unchecked = this.cell(name).doubtful ? [name] : [];
    const cells = { [name]: die };
    const step = { back: { cells: { [name]: before }, unchecked }, again: { cells } };
    this.#onTheWay.set(name, die);
    const send = () => this.send("", { cells });
    return (before === die && !unchecked.length ? send() : this.#do(step, send)).then((done) => {
      if (this.#onTheWay.get(name) === die) this.#onTheWay.delete(name);
      return done;
    });
  }

  confirm(name) {
    const step = { back: { unchecked: [name] }, again: { checked: [name] } };
    return this.#do(step, () => this.send("", step.again));
  }

  choose(choices) { return this.send("", choices); }
  turn() { this.#forget(); return this.send("/turn", {}); }

  // Both resolve as `send` does, and to false when there is nothing to undo or to do again.
  undo() {
    return this.#walk(this.#past, this.#future, (step) =>
      step.whole ? this.#otherReading() : this.send("", step.back));
  }

  redo() {
    return this.#walk(this.#future, this.#past, (step) =>
      step.whole ? this.#otherReading() : this.send("", step.again));
  }

  // The server keeps one reading beside the one that is shown: this changes them over, there and back.
  #otherReading() { return this.send("/corners", { corners: null }); }

  // A new step: what was undone before it cannot be done again.
  #do(step, send) {
    this.#future = [];
    this.#past.push(step);
    return send().then((done) => {
      if (done !== true) {
        this.#past = this.#past.filter((other) => other !== step);
        this.dispatchEvent(new Event("refused")); // the step is no longer there to be undone
      } else if (step.whole) this.#past.splice(0, 1 + this.#past.findLastIndex((other) => other.whole && other !== step));
      return done;
    });
  }

  // The step changes sides at once, so that quick taps take different ones; it goes back when it was not saved.
  #walk(from, to, send) {
    const step = from.pop();
    if (!step) return Promise.resolve(false);
    to.push(step);
    return send(step).then((done) => {
      if (done !== true && to.includes(step)) {
        to.splice(to.indexOf(step), 1);
        if (done.code === "offline") from.push(step);
        this.dispatchEvent(new Event("refused"));
      }
      return done;
    });
  }

  #forget() { this.#past = []; this.#future = []; }

  putCorners(corners) {
    const send = () => this.send("/corners", { corners }, { quiet: true });
    return this.state.corners ? this.#do({ whole: true }, send) : send();
  }

  // Another photo was merged in; one that the server knew already is no step.
  merged(answer) {
    const show = async () => { this.#accept(answer); await this.drawing; return true; };
    return answer.revision > this.state.revision ? this.#do({ whole: true }, show) : show();
  }

  // Resolves, when the page shows it, to true, or to the error object when the server refused.
  send(path, body, { quiet = false } = {}) {
    const sent = this.#queue.then(() => this.#send(path, body, quiet));
    this.#queue = sent;
    return sent.then(async (done) => { await this.drawing; return done; });
  }

  async #send(path, body, quiet) {
    const revision = this.state.revision;
    let answer, told;
    try {
      answer = await ask(this.address + path, {
        method: "POST",
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
      this.#forget();
      await this.refresh({ told: true }); // the refusal stays on the line until it was read
    } else {
      this.dispatchEvent(new Event("refused"));
    }
    return told.error;
  }

  async refresh({ told = false } = {}) {
    try {
      const answer = await ask(this.address, { headers: { Accept: "application/json" } });
      if (answer.ok) this.#accept(await answer.json(), told);
    } catch { /* the next change will tell */ }
  }

  // A page was drawn that may be newer: somebody else changed this window.
  drawn(page) {
    const { revision } = JSON.parse(page.getElementById("state").textContent);
    this.#queue = this.#queue.then(() => { if (revision > this.state.revision) return this.refresh(); });
  }

  #accept(answer, told = false) {
    const before = this.state;
    if (answer.revision < before.revision) return; // an answer that was overtaken by a newer one
    this.state = answer;
    const changed = answer.cells.filter((cell, i) => cell.die !== before.cells[i].die).map((cell) => cell.name);
    this.dispatchEvent(new CustomEvent("changed", { detail: { changed, before, told } }));
  }
}
