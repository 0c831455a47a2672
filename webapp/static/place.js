// Where may this die go? The server knows the rules: the form is asked again after every change, and its
// answer is shown. The draft pool lives in the form, in the address and, while the tab is open, in its memory.
import { Board } from "./board.js";
import { Editor } from "./editor.js";
import { lights } from "./light.js";
import { Model } from "./model.js";
import { picker } from "./picker.js";
import { become, redraw } from "./redraw.js";
import { announce, say, tell, words } from "./words.js";

const find = (id) => document.getElementById(id);
const form = find("ask");
const model = new Model(JSON.parse(find("state").textContent));
const board = new Board(model, find("board"));
const editor = new Editor(model, board, find("editor"), { advance: false });
const light = lights(form);
picker(find("picker"), find("add-dice"), find("close-picker"));

const pool = () => [...form.querySelectorAll("input[name=die]")].map((input) => input.value);
const picked = () => form.querySelector("input[name=pick]")?.value || null;

// One question after the other, each on the pool that the one before left. Resolves to the answer, null
// when there was none.
let queue = Promise.resolve();
function ask(extra = [], options = {}) {
  queue = queue.then(() => send(extra, options));
  return queue;
}

async function send(extra, { fields = null, changed = [], quiet = false }) {
  const query = new URLSearchParams([["with", "regions"], ...extra, ...(fields ?? new FormData(form))]);
  let answer, told;
  try {
    answer = await fetch(`${form.dataset.address}?${query}`, { headers: { Accept: "application/json" } });
    told = await answer.json();
  } catch {
    tell(words.offline, { bad: true });
    return null;
  }
  if (!answer.ok) {
    tell(`${told.error.message} ${told.error.next_step}`, { bad: true });
    return null;
  }
  show(told, changed);
  history.replaceState(null, "", told.query ? `?${told.query}` : location.pathname);
  sessionStorage.setItem(form.dataset.key, told.query);
  if (!quiet) announce(told.headline);
  if (told.revision > model.state.revision) model.refresh(); // somebody else changed this window
  return told;
}

function show({ regions }, changed) {
  for (const [name, html] of Object.entries(regions)) {
    if (name !== "board") swap(form.querySelector(`[data-region="${name}"]`), html);
  }
  board.redraw(regions.board, changed);
  light.clear();
  why(find("board").contains(document.activeElement) ? board.current : null);
}

// Fresh markup, with the keyboard's place in it kept: on the same die of the pool, else on a button in the same place.
function swap(place, html) {
  const focused = place.contains(document.activeElement) ? document.activeElement : null;
  const at = [...place.querySelectorAll("button, summary")].indexOf(focused);
  redraw(place, html);
  if (!focused || place.contains(document.activeElement)) return;
  const same = focused.dataset.die && place.querySelector(`[data-die="${focused.dataset.die}"]`);
  const near = place.querySelectorAll("button, summary")[at];
  (same || near || find("add-dice")).focus({ preventScroll: true });
}

// Why the picked die may not go on a space, next to the window.
function why(name) {
  const place = find("why");
  const reasons = name && form.querySelector(`[data-why="${name}"]`);
  place.hidden = !reasons;
  if (!reasons) return;
  const change = find("change-this").content.cloneNode(true);
  change.firstElementChild.dataset.open = name;
  const fresh = document.createElement("div");
  fresh.append(...[...reasons.children].map((line) => line.cloneNode(true)), change);
  become(place, fresh);
  place.scrollIntoView({ block: "nearest" });
}

const moved = new Set(); // spaces with the dice that went there from the pool, or from there into it

let shown; // the die that was picked when a press began; undefined without a press
form.addEventListener("pointerdown", () => { shown = picked(); });
const released = () => { shown = undefined; };
form.addEventListener("keydown", released);
document.addEventListener("pointercancel", released);
document.addEventListener("click", ({ target }) => {
  if (target.closest("button")?.type !== "submit") released(); // what a button sends comes after its click
});

async function placeOn(name) {
  const die = picked();
  if (!die || (shown !== undefined && shown !== die)) return; // another one was picked while the finger was down
  const before = new FormData(form);
  await ask([["drop", die]], { quiet: true });
  if (picked()) return; // the pool could not be changed, and the line has told why
  moved.add(name + die);
  if ((await model.put(name, die)) === true) announce(model.cell(name).label);
  else await ask([], { fields: before });
}

board.open = (name) => {
  const { verdict } = board.element(name).dataset;
  if (verdict === "may") placeOn(name);
  else if (verdict === "not") why(name);
  else editor.open(name);
};
find("board").addEventListener("focusin", (event) => {
  const cell = event.target.closest("[data-cell]");
  if (cell) why(cell.dataset.cell);
});

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const { name, value } = event.submitter ?? {};
  if (name === "cell") placeOn(value).then(() => board.focus(value));
  else ask(name ? [[name, value]] : []);
  released();
});
form.addEventListener("change", (event) => {
  if (["tool", "house_rule"].includes(event.target.name)) ask();
  else if (event.target.id === "window") model.choose({ window: event.target.value });
});

document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-open], [data-right], [data-instead]");
  if (!button) return;
  const { open, right, instead, die } = button.dataset;
  if (open) editor.open(open);
  else if (right) model.confirm(right).then((done) => { if (done === true) tell(say(words.is_right, { cell: right })); });
  else model.put(instead, die);
});

// A die that a tool card moves: off the window and into the hand.
find("pick-up").addEventListener("click", async () => {
  const name = find("board").querySelector(".picked")?.dataset.cell;
  const die = name && model.die(name);
  editor.close({ focus: true });
  if (!die || die === "--" || !(await ask([["add", die]], { quiet: true }))) return;
  moved.add(name + die);
  if ((await model.put(name, "--")) !== true) await ask([["drop", die]]);
});

model.addEventListener("changed", async ({ detail: { regions, changed } }) => {
  find("window").value = model.state.choices.window;
  find("window").options[0].textContent = model.state.autoLabel;
  stepsChanged();
  if (!(await ask([], { changed, quiet: true }))) board.redraw(regions.board, changed);
  editor.refresh();
});
model.addEventListener("refused", () => {
  find("window").value = model.state.choices.window;
  stepsChanged();
});

function stepsChanged() {
  find("undo").disabled = !model.canUndo;
  find("redo").disabled = !model.canRedo;
}
const diceNow = () => new Map(model.state.cells.map((cell) => [cell.name, cell.die]));

// A die that was placed and is taken back lies in the pool again, and the other way round.
async function walk(step, said) {
  const before = diceNow();
  if ((await step()) !== true) return;
  for (const [name, die] of diceNow()) {
    const gone = before.get(name);
    if (die === gone) continue;
    if (moved.has(name + gone) && pool().length < Number(form.dataset.most)) await ask([["add", gone]], { quiet: true });
    if (moved.has(name + die) && pool().includes(die)) await ask([["drop", die]], { quiet: true });
  }
  tell(said);
}
const undo = () => walk(() => model.undo(), words.undone);
const redo = () => walk(() => model.redo(), words.redone);
find("undo").addEventListener("click", undo);
find("redo").addEventListener("click", redo);
document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.target.closest("select")) return;
  const key = (event.shiftKey ? "shift " : "") + event.key.toLowerCase();
  const go = { z: undo, y: redo, "shift z": redo }[key];
  if (go) {
    event.preventDefault();
    go();
  }
});
document.addEventListener("visibilitychange", () => { if (!document.hidden) model.refresh(); });
addEventListener("pageshow", (event) => { if (event.persisted) model.refresh(); });

// Back on this page without the pool in its address, after a look at the score for example.
const kept = sessionStorage.getItem(form.dataset.key);
if (kept && !location.search) {
  const fields = new URLSearchParams(kept);
  for (const box of form.querySelectorAll("[type=checkbox]")) box.checked = fields.getAll(box.name).includes(box.value);
  ask([], { fields, quiet: true });
}
