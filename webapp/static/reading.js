// The page of one window: ties the window, its choices, the score and the photo together.
import { Board } from "./board.js";
import { choices } from "./choices.js";
import { cornerTool } from "./corners.js";
import { showWhole, viewChanged } from "./photo.js";
import { Editor, tellDie } from "./editor.js";
import { lights } from "./light.js";
import { Model } from "./model.js";
import { load, redraw, unsent } from "./redraw.js";
import { rest, sendPhoto } from "./send.js";
import { sharePicture } from "./share.js";
import { sheets } from "./sheets.js";
import { steps } from "./steps.js";
import { announce, points, say, tell, words } from "./words.js";

const find = (id) => document.getElementById(id);
const model = new Model(JSON.parse(find("state").textContent));
const board = new Board(model, find("board"));
const editor = new Editor(model, board, find("editor"), { advance: !model.state.corners });
board.open = (name) => editor.open(name);
const stage = document.querySelector(".result");
const light = lights(stage, { board: find("board") });
sheets();
choices(model, find("game"));
sharePicture(model, find("share"));
steps(model);

const undrawn = new Set(); // spaces with another die than the page shows
let behind = false;
let scoreTold = false; // together with a die, so that it is not told again when the page shows it
model.addEventListener("changed", ({ detail: { changed, told } }) => {
  for (const name of changed) undrawn.add(name);
  if (!told) scoreTold = tellDie(model, { changed }) || scoreTold;
  drawAnew();
});

function drawAnew() {
  behind = true;
  model.drawing ??= draw().finally(() => { model.drawing = null; });
}

// What was typed to teach dice that were refused stays while dice are put right.
for (const form of document.querySelectorAll("#learn [role=alert] ~ form")) unsent.add(form);

// One page at a time, and another one when something changed while it was on its way.
async function draw() {
  while (behind) {
    behind = false;
    const { page, problem } = await load(location.pathname);
    if (problem) tell(problem, { bad: true });
    else show(page);
  }
}

function show(page) {
  const total = shownTotal();
  redraw(document, page, { near: true });
  board.drawn(undrawn);
  if (!behind) undrawn.clear(); // else the next page shows them once more
  viewChanged(page);
  if (find("other-photo")) find("other-photo").hidden = page.getElementById("other-photo").hidden;
  find("favor").max = page.getElementById("favor").max; // another card may bring other tokens
  light.clear();
  editor.refresh();
  if (shownTotal() !== total) {
    turnRose();
    if (!scoreTold) announce(say(words.score, { total: points(model.state) }));
  }
  scoreTold = false;
  model.drawn(page);
}

function shownTotal() { return find("bar").querySelector(".total")?.textContent; }

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
find("turn").addEventListener("click", async () => {
  editor.close();
  if ((await model.turn()) === true) tell(words.turned);
});
find("delete").addEventListener("submit", (event) => { if (!confirm(words.delete)) event.preventDefault(); });

// A second photo, from the other side, settles doubts.
find("other-photo")?.addEventListener("change", ({ currentTarget: form, target: { files } }) => {
  if (files?.[0]) sendPhoto(form, files[0], form.action, async (answer) => {
    rest(form);
    await model.merged(answer);
    tell(words.photo_merged);
    (form.hidden ? find("board").querySelector("[tabindex='0']") : form.querySelector(".choose .file")).focus({ preventScroll: true });
  });
});

function toggle(button) {
  const on = button.getAttribute("aria-pressed") !== "true";
  button.setAttribute("aria-pressed", String(on));
  return on;
}

find("as-glass")?.addEventListener("click", ({ currentTarget }) => find("pane").classList.toggle("as-photo", !toggle(currentTarget)));

if (model.state.size) {
  // A first reading by hand brings tools that are not there yet, so the page is built anew.
  cornerTool(model, { done: () => (find("toggle-whole") ? tell(words.read_again) : location.reload()) });
  find("toggle-overlay")?.addEventListener("click", ({ currentTarget }) => {
    find("photo-box").classList.toggle("marks-off", !toggle(currentTarget));
  });
  find("toggle-whole")?.addEventListener("click", ({ currentTarget }) => showWhole(toggle(currentTarget)));
}
