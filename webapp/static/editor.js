// The choices for one space: likely dice first, then color and value. A sheet on a phone, a card
// beside the space on a larger screen.
import { drawDie } from "./dice.js";
import { become } from "./redraw.js";
import { dieWords, points, say, tell, words } from "./words.js";

function button(label, data, art) {
  const made = document.createElement("button");
  made.type = "button";
  made.setAttribute("aria-label", label);
  made.title = label;
  Object.assign(made.dataset, data);
  made.append(art);
  return made;
}

export class Editor {
  #name = null;

  constructor(model, board, dialog, { advance }) {
    Object.assign(this, { model, board, dialog, advance });
    this.parts = Object.fromEntries(["title", "likely", "colors", "values"].map((part) => [part, document.getElementById(`editor-${part}`)]));
    this.confirmButton = document.getElementById("confirm");
    this.parts.colors.append(...[..."RYGBP"].map((color) => button(words.colors[color], { sign: color }, drawDie(color))));
    this.parts.values.append(...[..."123456"].map((value) => button(value, { sign: value }, drawDie("0", value))));
    dialog.addEventListener("click", (event) => this.#click(event));
    dialog.addEventListener("keydown", (event) => this.#key(event));
    document.addEventListener("pointerdown", (event) => {
      if (this.isOpen && !event.target.closest(".editor, [data-cell], [data-open], .top, #undo")) this.close();
    });
    addEventListener("resize", () => { if (this.isOpen) this.#place(); });
  }

  get isOpen() { return this.dialog.open; }

  open(name) {
    const wasOpen = this.isOpen;
    this.#name = name;
    this.startedEmpty = this.model.die(name) === "--";
    this.refresh();
    if (!wasOpen) {
      // Near its place first: a dialog takes the focus when it opens, and the page would jump to it.
      const box = this.board.element(name).getBoundingClientRect();
      this.dialog.style.top = `${box.top + scrollY}px`;
      this.dialog.show();
    }
    document.body.classList.add("editing");
    this.#place();
    (this.parts.likely.querySelector("button") ?? this.parts.colors.querySelector("button")).focus({ preventScroll: true });
    this.#mark();
  }

  close({ focus = false } = {}) {
    if (!this.isOpen) return;
    this.dialog.close();
    document.body.classList.remove("editing");
    const name = this.#name;
    this.#name = null;
    this.#mark();
    if (focus) this.board.focus(name);
  }

  // Draw the choices for the space anew, after a change or for another space.
  refresh() {
    if (!this.#name) return;
    const cell = this.model.cell(this.#name);
    const waiting = this.board.waiting(this.#name);
    this.parts.title.textContent = cell.label;
    const likely = document.createElement("div");
    likely.append(...cell.candidates.map((die) => {
      let art;
      if (die === "--") {
        art = document.createElement("span");
        art.className = "open-die";
        art.textContent = words.empty;
      } else {
        art = drawDie(die[0], die[1]);
      }
      return button(dieWords(die), { die }, art);
    }));
    become(this.parts.likely, likely);
    for (const choice of this.dialog.querySelectorAll("[data-sign]")) {
      const sign = choice.dataset.sign;
      choice.setAttribute("aria-pressed", String(cell.die?.includes(sign) || waiting === sign));
    }
    this.confirmButton.hidden = !cell.doubtful;
    this.#mark();
  }

  async #click(event) {
    const choice = event.target.closest("button");
    const name = this.#name;
    if (!choice || !name) return;
    if ("close" in choice.dataset) this.close({ focus: true });
    else if (choice === this.confirmButton) { this.model.confirm(name); this.close({ focus: true }); }
    else if (choice.dataset.die) { this.board.put(name, choice.dataset.die); this.close({ focus: true }); }
    else if (choice.dataset.sign) this.#half(name, choice.dataset.sign);
  }

  #half(name, sign) {
    const die = this.board.half(name, sign);
    if (die && this.startedEmpty) this.#next(name);
    else this.refresh();
  }

  // After a whole die by hand: on to the next empty space, so that twenty dice are forty taps.
  #next(name) {
    const names = this.model.state.cells.map((cell) => cell.name);
    const following = names.slice(names.indexOf(name) + 1).find((other) => this.model.die(other) === "--");
    if (this.advance && following) this.open(following);
    else this.close({ focus: true });
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.length === 1 ? event.key.toUpperCase() : event.key;
    if (key === "Escape") this.close({ focus: true });
    else if (key in words.keys || /^[1-6]$/.test(key)) this.#half(this.#name, words.keys[key] ?? key);
    else if (["Delete", "Backspace", "0"].includes(key)) { this.board.put(this.#name, "--"); this.close({ focus: true }); }
    else if (key === "ArrowRight" || key === "ArrowLeft") this.#step(key === "ArrowRight" ? 1 : -1);
    else return;
    event.preventDefault();
  }

  #step(by) {
    const buttons = [...this.dialog.querySelectorAll("button:not([hidden])")];
    const at = buttons.indexOf(document.activeElement);
    buttons[(at + by + buttons.length) % buttons.length].focus();
  }

  #mark() {
    for (const picked of document.querySelectorAll(".picked")) picked.classList.remove("picked");
    if (this.#name) for (const cell of document.querySelectorAll(`[data-cell="${this.#name}"]`)) cell.classList.add("picked");
  }

  #place() {
    const cell = this.board.element(this.#name);
    const box = cell.getBoundingClientRect();
    if (matchMedia("(min-width: 700px)").matches) {
      const { width, height } = this.dialog.getBoundingClientRect();
      const right = document.documentElement.clientWidth - width - 12;
      const below = box.bottom + 12 + height < innerHeight;
      this.dialog.style.left = `${Math.max(12, Math.min(right, box.left + box.width / 2 - width / 2)) + scrollX}px`;
      this.dialog.style.top = `${(below ? box.bottom + 12 : Math.max(12, box.top - height - 12)) + scrollY}px`;
    } else {
      this.dialog.style.left = this.dialog.style.top = "";
      const sheet = this.dialog.getBoundingClientRect().top;
      if (box.bottom + 16 > sheet || box.top < 8) scrollBy({ top: box.bottom + 24 - sheet, behavior: "smooth" });
    }
  }
}

// Tells the one die that changed and the score with it; returns whether there was one.
export function tellDie(model, { changed }) {
  if (changed.length === 1) {
    const [name] = changed;
    const total = points(model.state);
    const set = say(words.set, { cell: name, die: dieWords(model.cell(name).die) });
    tell(model.state.is_counted ? `${set} ${say(words.score, { total })}` : set); // a dash says nothing to the ear
  }
  return changed.length === 1;
}
