// The window as a grid: arrow keys move, letters and digits set the die, Enter opens the choices.
import { drawDie } from "./dice.js";
import { say, tell, words } from "./words.js";

const COLORS = "RYGBP";
const MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

export class Board {
  #pending = null; // a color or a value of an empty space that waits for its other half
  #current = "A1";

  constructor(model, root) {
    this.model = model;
    this.root = root;
    this.open = () => {};
    root.addEventListener("keydown", (event) => this.#key(event));
    root.addEventListener("click", (event) => {
      const cell = event.target.closest("[data-cell]");
      if (cell) this.pick(cell.dataset.cell);
    });
    root.addEventListener("focusin", (event) => {
      const cell = event.target.closest("[data-cell]");
      if (cell) this.#rove(cell.dataset.cell);
    });
  }

  element(name) { return this.root.querySelector(`[data-cell="${name}"]`); }
  get current() { return this.#current; }

  pick(name) {
    this.#rove(name);
    this.open(name);
  }

  focus(name = this.#current) { this.element(name)?.focus(); }

  // The window was drawn anew: keep the place, and the half-typed die unless a whole one lies there now.
  drawn(changed) {
    if (this.#pending && this.model.die(this.#pending.name) !== "--") this.#pending = null;
    this.#rove(this.#current);
    for (const name of changed) this.element(name)?.classList.add("changed");
    if (this.#pending) this.#showPending();
  }

  // A color letter or a digit for a space; an empty space needs both before there is a die.
  half(name, sign) {
    const shown = this.model.die(name);
    const die = shown === "--" ? null : shown;
    const waiting = this.#pending?.name === name ? this.#pending.sign : null;
    const isColor = COLORS.includes(sign);
    let color = isColor ? sign : die?.[0];
    let value = isColor ? die?.[1] : sign;
    if (!die && waiting) {
      if (isColor && /\d/.test(waiting)) value = waiting;
      if (!isColor && COLORS.includes(waiting)) color = waiting;
    }
    this.#clearPending();
    if (color && value) {
      this.put(name, color + value);
      return color + value;
    }
    this.#pending = { name, sign };
    this.#showPending();
    const sentence = isColor ? words.now_value : words.now_color;
    tell(say(sentence, { cell: name, color: words.colors[sign], value: sign }));
    return null;
  }

  put(name, die) {
    this.#clearPending();
    return this.model.put(name, die);
  }

  waiting(name) { return this.#pending?.name === name ? this.#pending.sign : null; }

  #key(event) {
    const cell = event.target.closest("[data-cell]");
    if (!cell || event.ctrlKey || event.metaKey || event.altKey) return;
    const name = cell.dataset.cell;
    const key = event.key.length === 1 ? event.key.toUpperCase() : event.key;
    if (key in MOVES) this.#move(name, ...MOVES[key]);
    else if (key === "Home") this.focus(`${name[0]}1`);
    else if (key === "End") this.focus(`${name[0]}5`);
    else if (key in words.keys || /^[1-6]$/.test(key)) this.half(name, words.keys[key] ?? key);
    else if (["Delete", "Backspace", "0", "-"].includes(key)) this.put(name, "--");
    else if (key === "Enter" || key === " ") this.pick(name);
    else if (key === "Escape") { this.#clearPending(); return; }
    else return;
    event.preventDefault();
  }

  #move(name, down, right) {
    const row = Math.min(3, Math.max(0, "ABCD".indexOf(name[0]) + down));
    const column = Math.min(5, Math.max(1, Number(name[1]) + right));
    this.focus("ABCD"[row] + column);
  }

  #rove(name) {
    this.#current = name;
    for (const cell of this.root.querySelectorAll("[data-cell]")) cell.tabIndex = cell.dataset.cell === name ? 0 : -1;
  }

  #showPending() {
    const cell = this.element(this.#pending.name);
    const { sign } = this.#pending;
    cell.append(COLORS.includes(sign) ? drawDie(sign) : drawDie("0", sign));
  }

  #clearPending() {
    if (this.#pending) this.element(this.#pending.name)?.querySelector(":scope > .die")?.remove();
    this.#pending = null;
  }
}
