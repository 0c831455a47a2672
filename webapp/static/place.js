// Where may this die go? The server knows the rules: the form is asked again after every change, and its
// answer is shown. The draft pool lives in the form, in the address and, while the tab is open, in its memory.
import { Board } from "./board.js";
import { Editor } from "./editor.js";
import { lights } from "./light.js";
import { Model } from "./model.js";
import { picker } from "./picker.js";
import { become, load, redraw } from "./redraw.js";
import { sendPhoto } from "./send.js";
import { steps } from "./steps.js";
import { announce, tell } from "./words.js";


const find = (id) => document.getElementById(id);
const form = find("ask");
const model = new Model(JSON.parse(find("state").textContent));
const board = new Board(model, find("board"));
const editor = new Editor(model, board, find("editor"), { advance: false });
const light = lights(form, { board: find("board") });
picker(find("picker"), find("add-dice"), find("close-picker"));

const pool = () => [...form.querySelectorAll("input[name=die]")].map((input) => input.value);
const picked = () => form.querySelector("input[name=pick]")?.value || null;

// One question after the other, each on the pool that the one before left. Resolves to whether there was an answer.
let queue = Promise.resolve();
function ask(extra = [], options = {}) {
  queue = queue.then(() => send(extra, options));
  return queue;
}

async function send(extra, { fields = null, changed = [], quiet = false }) {
  const question = new URLSearchParams([...extra, ...(fields ?? new FormData(form))]);
  const { page, problem } = await load(`${form.action}?${question}`);
  if (problem) {
    tell(problem, { bad: true });
    return false;
  }
  show(page, changed);
  const query = new URLSearchParams(new FormData(form)).toString();
  history.replaceState(null, "", query ? `?${query}` : location.pathname);
  sessionStorage.setItem(form.dataset.key, query);
  find("clear-pool").hidden = !pool().length;
  if (!quiet) announce(find("verdict").querySelector("h2 span").textContent);
  model.drawn(page);
  return true;
}

function show(page, changed) {
  const active = form.contains(document.activeElement);
  redraw(form, page, { near: true });
  if (active && !form.contains(document.activeElement)) find("add-dice").focus({ preventScroll: true });
  board.drawn(changed);
  light.clear();
  why(find("board").contains(document.activeElement) ? board.current : null);
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
document.addEventListener("click", ({ isTrusted }) => { if (isTrusted) setTimeout(released); }); // what it sends comes after it

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
});
form.addEventListener("change", (event) => {
  if (["tool", "house_rule"].includes(event.target.name)) ask();
  else if (event.target.id === "window") model.choose({ window: event.target.value });
});

document.addEventListener("click", ({ target }) => {
  const opener = target.closest("[data-open]");
  if (opener) editor.open(opener.dataset.open);
});

// A die that a tool card moves: off the window and into the hand.
find("pick-up").addEventListener("click", async () => {
  const name = find("board").querySelector(".picked")?.dataset.cell;
  const die = name && model.die(name);
  editor.close({ focus: true });
  if (!die || die === "--" || !(await ask([["lift", die]], { quiet: true }))) return;
  moved.add(name + die);
  if ((await model.put(name, "--")) !== true) await ask([["drop", die]]);
});

model.addEventListener("changed", async ({ detail: { changed } }) => {
  find("window").value = model.state.choices.window;
  await (model.drawing = ask([], { changed, quiet: true }));
  editor.refresh();
});
model.addEventListener("refused", () => { find("window").value = model.state.choices.window; });

const diceNow = () => new Map(model.state.cells.map((cell) => [cell.name, cell.die]));

// A die that was placed and is taken back lies in the pool again, and the other way round.
steps(model, async (step) => {
  const before = diceNow();
  if ((await step()) !== true) return false;
  for (const [name, die] of diceNow()) {
    const gone = before.get(name);
    if (die === gone) continue;
    if (moved.has(name + gone) && pool().length < Number(form.dataset.most)) await ask([["add", gone]], { quiet: true });
    if (moved.has(name + die) && pool().includes(die)) await ask([["drop", die]], { quiet: true });
  }
  return true;
});

// A photo of the draft pool; the tools of the page stay while its address changes.
document.querySelector(".pool-photo").addEventListener("change", ({ target }) => {
  const to = target.closest("[data-photo]");
  if (to && target.files?.[0]) sendPhoto(to, target.files[0], to.dataset.photo, ({ links }) => location.assign(links.self));
});

// Back on this page without the pool in its address, after a look at the score for example.
const kept = sessionStorage.getItem(form.dataset.key);
const asked = new URLSearchParams(location.search);
if (kept && (!location.search || (asked.has("photo") && !asked.has("tool")))) {
  const fields = new URLSearchParams(kept);
  for (const name of location.search ? ["die", "pick", "moved", "photo"] : []) {
    fields.delete(name); // these the photo says
    for (const value of asked.getAll(name)) fields.append(name, value);
  }
  for (const box of form.querySelectorAll("[type=checkbox]")) box.checked = fields.getAll(box.name).includes(box.value);
  ask([], { fields, quiet: true });
}
