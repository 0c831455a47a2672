// The page of one window: ties the window, its choices, the score and the photo together.
import { Board } from "./board.js";
import { choices } from "./choices.js";
import { cornerTool } from "./corners.js";
import { showWhole, viewChanged } from "./photo.js";
import { announce, Editor } from "./editor.js";
import { lights } from "./light.js";
import { Model } from "./model.js";
import { redraw } from "./redraw.js";
import { sharePicture } from "./share.js";
import { say, tell, words } from "./words.js";

const find = (id) => document.getElementById(id);
const model = new Model(JSON.parse(find("state").textContent));
const board = new Board(model, find("board"));
const editor = new Editor(model, board, find("editor"), { advance: !model.state.corners });
board.open = (name) => editor.open(name);
const stage = document.querySelector(".result");
const light = lights(stage);
choices(model, find("game"));
sharePicture(model, find("share"));

model.addEventListener("changed", ({ detail: { regions, changed, before, told } }) => {
  for (const [name, html] of Object.entries(regions)) {
    if (name === "board") continue;
    const place = document.querySelector(`[data-region="${name}"]`);
    if (place) swap(place, html);
  }
  board.redraw(regions.board, changed);
  viewChanged(model.state.view);
  light.clear();
  editor.refresh();
  stepsChanged();
  if (!told) announce(model, { changed });
  find("pill-total").textContent = document.querySelector(".total").textContent;
  if (before.total !== model.state.total) turnRose();
});

// Fresh markup, with the keyboard's place in it kept where that is still there.
function swap(place, html) {
  const focused = place.contains(document.activeElement) ? [...place.querySelectorAll("button, a")].indexOf(document.activeElement) : -1;
  redraw(place, html);
  if (focused >= 0 && !place.contains(document.activeElement)) place.querySelectorAll("button, a")[focused]?.focus();
}

// While neither the total nor the window is in sight, a small sign keeps the score in view.
const inSight = new Map();
const sight = new IntersectionObserver((entries) => {
  for (const entry of entries) inSight.set(entry.target, entry.isIntersecting);
  find("pill").hidden = [...inSight.values()].some(Boolean);
});
for (const place of [find("arch"), find("score")]) sight.observe(place);

let turns = 0;
function turnRose() {
  const petals = document.querySelector("#arch .petals");
  petals.style.transform = `rotate(${36 * turns}deg)`;
  petals.getBoundingClientRect(); // the browser must see the start before the end
  turns += 1;
  petals.style.transform = `rotate(${36 * turns}deg)`;
}

document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-open], #overlay [data-cell]");
  if (opener) board.pick(opener.dataset.open ?? opener.dataset.cell);
});
document.addEventListener("click", ({ target }) => {
  const choice = target.closest("[data-right], [data-instead]");
  if (!choice) return;
  const { right, instead, die } = choice.dataset;
  if (right) model.confirm(right).then((done) => { if (done === true) tell(say(words.is_right, { cell: right })); });
  else model.put(instead, die);
});

function stepsChanged() {
  find("undo").disabled = !model.canUndo;
  find("redo").disabled = !model.canRedo;
}
model.addEventListener("refused", stepsChanged);
async function undo() { if ((await model.undo()) === true) tell(words.undone); }
async function redo() { if ((await model.redo()) === true) tell(words.redone); }
find("undo").addEventListener("click", undo);
find("redo").addEventListener("click", redo);
document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("textarea, select, input:not([type=checkbox], [type=radio])");
  if (!(event.ctrlKey || event.metaKey) || event.altKey || typing) return;
  const key = (event.shiftKey ? "shift " : "") + event.key.toLowerCase();
  const go = { z: undo, y: redo, "shift z": redo }[key];
  if (go) {
    event.preventDefault();
    go();
  }
});
find("turn").addEventListener("click", async () => {
  editor.close();
  if ((await model.turn()) === true) tell(words.turned);
});
find("delete").addEventListener("submit", (event) => { if (!confirm(words.delete)) event.preventDefault(); });
document.addEventListener("visibilitychange", () => { if (!document.hidden) model.refresh(); });
addEventListener("pageshow", (event) => { if (event.persisted) model.refresh(); });

function toggle(button) {
  const on = button.getAttribute("aria-pressed") !== "true";
  button.setAttribute("aria-pressed", String(on));
  return on;
}

if (model.state.size) {
  // A first reading by hand brings tools that are not there yet, so the page is built anew.
  cornerTool(model, { done: () => (find("toggle-whole") ? tell(words.read_again) : location.reload()) });
  find("toggle-overlay")?.addEventListener("click", ({ currentTarget }) => {
    find("photo-box").classList.toggle("marks-off", !toggle(currentTarget));
  });
  find("toggle-whole")?.addEventListener("click", ({ currentTarget }) => showWhole(toggle(currentTarget)));
}
