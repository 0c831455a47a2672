// Drawing a window: the grid of spaces with its choices, over the plain selects that the form sends.
import { ask } from "./ask.js";
import { Board } from "./board.js";
import { Editor } from "./editor.js";
import { say, tell, words } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";
const FREE = ".";
const find = (id) => document.getElementById(id);
const form = find("draw");

function drawSpace(sign, className) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 100 100");
  svg.setAttribute("class", className);
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  const kind = /\d/.test(sign) ? "shade" : "pane";
  use.setAttribute("href", `#${kind}-${sign === FREE ? "0" : sign}`);
  svg.append(use);
  return svg;
}

// What the board and its choices take for a model: a space holds a color, a value or nothing ("--").
class Card {
  #selects = new Map([...form.querySelectorAll("[data-space]")].map((one) => [one.dataset.space, one]));

  get state() { return { cells: [...this.#selects.keys()].map((name) => this.cell(name)) }; }
  get signs() { return [...this.#selects.values()].map((select) => select.value); }
  die(name) { return this.cell(name).die ?? "--"; }

  cell(name) {
    const sign = this.#selects.get(name).value;
    const doubtful = this.#doubt(name) !== null;
    const plain = say(words.space, { cell: name, space: words.spaces[sign] });
    const label = doubtful ? `${plain}, ${words.doubtful}` : plain;
    return { name, label, doubtful, candidates: [], die: sign === FREE ? null : sign };
  }

  put(name, sign) {
    this.#selects.get(name).value = sign === "--" ? FREE : sign;
    this.confirm(name);
  }

  confirm(name) {
    this.#doubt(name)?.remove();
    this.draw(name);
    tell(this.cell(name).label);
    check();
  }

  draw(name) {
    const space = board.element(name);
    const { label, doubtful, die } = this.cell(name);
    space.querySelector(".cell-art").replaceWith(drawSpace(die ?? FREE, "cell-art"));
    space.setAttribute("aria-label", label);
    space.classList.toggle("doubtful", doubtful);
    if (!doubtful) space.querySelector(".doubt")?.remove();
    const left = form.querySelectorAll("[name=doubt]").length;
    if (find("look-first")) find("look-first").hidden = left === 0;
  }

  #doubt(name) { return form.querySelector(`[name=doubt][value=${name}]`); }
}

// One sign fills a space, so there is never a half to wait for.
class Spaces extends Board {
  half(name, sign) {
    this.put(name, sign);
    editor.close({ focus: true });
    return sign;
  }
}

const card = new Card();
const board = new Spaces(card, find("board"));
const editor = new Editor(card, board, find("editor"), { advance: false });
board.open = (name) => editor.open(name);
for (const choice of find("editor").querySelectorAll("[data-sign]")) {
  const { sign } = choice.dataset;
  choice.setAttribute("aria-label", words.spaces[sign]);
  choice.title = words.spaces[sign];
  choice.replaceChildren(drawSpace(sign, "die"));
}
const free = words.spaces[FREE];
find("editor").querySelector("[data-die]").textContent = free[0].toUpperCase() + free.slice(1);
find("board").addEventListener("keydown", (event) => {
  const space = event.target.closest("[data-cell]");
  if (event.key === FREE && space) board.put(space.dataset.cell, "--");
});
for (const { name } of card.state.cells) card.draw(name); // a browser may have kept what was chosen before

// What there is to know about the spaces, told anew after each change; an answer that was overtaken is dropped.
let asked = 0;
async function check() {
  const number = ++asked;
  const rows = card.signs.join("").match(/.{5}/g).join(" / ");
  let answer;
  try {
    answer = await ask("/windows/check", {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json" },
      body: JSON.stringify({ pattern: rows, ...(form.dataset.name ? { name: form.dataset.name } : {}) }),
    });
    if (!answer.ok || number !== asked) return;
    answer = await answer.json();
  } catch { return; } // the form checks again when it is sent
  if (number !== asked) return;
  const place = find("notices");
  const before = [...place.children].map((line) => line.textContent);
  place.replaceChildren(...answer.notices.map((notice) => {
    const line = document.createElement("li");
    line.className = "notice warn";
    line.textContent = notice;
    return line;
  }));
  const fresh = answer.notices.find((notice) => !before.includes(notice));
  if (fresh) tell(fresh);
}

// The name and the dots under the window, as on a card.
function follow() {
  find("drawn-name").textContent = form.elements.name.value;
  const dots = Number(form.elements.difficulty.value);
  find("drawn-dots").replaceChildren(...Array.from({ length: dots }, () => document.createElement("i")));
}
form.addEventListener("input", follow);
follow();
