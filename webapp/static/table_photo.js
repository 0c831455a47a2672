// A photo of the whole table: follows its reading, asks for the objectives, and puts loose dice right where they lie.
import { follow } from "./live.js";
import { load } from "./redraw.js";
import { sheets } from "./sheets.js";
import { announce, words } from "./words.js";

const find = (id) => document.getElementById(id);
const root = find("table-photo");
const TAP_PX = 26; // a finger misses by so much
const MOST_PUBLIC = 3;
const USUAL_MS = 3000;
function changed({ id, firstElementChild }) {
  if (id === "bar") announce(firstElementChild.innerText);
  if (id === "next") remember();
}
const sent = follow(root, { changed, every: root.dataset.stage === "reading" ? 700 : USUAL_MS, near: true, stage });
sheets();

// All is read: the page shows it in place. A photo of dice may lead on from here, so its page comes anew. Where the
// connection is gone right now the next look tries again.
async function stage({ stage: now }) {
  if (!("dice" in root.dataset)) {
    if (await sent.refresh()) {
      root.dataset.stage = now;
      sent.pace(USUAL_MS);
    }
    return false;
  }
  if ((await load(root.dataset.page)).problem) return false;
  location.reload();
  return true;
}

// --- The last objective closes the sheet: at once for a finger; with the keyboard one may go on to others.
const sheet = find("objectives");
sheet?.addEventListener("change", ({ target }) => {
  const asked = [...sheet.querySelectorAll("[id^=private-]")].map(({ id }) => id.split("-")[1]);
  const chosen = asked.every((number) => sheet.querySelector(`:is(#private-${number}, #expansion-${number}) :checked`));
  const all = chosen && sheet.querySelectorAll("[name=public]:checked").length === MOST_PUBLIC;
  if (all && root.dataset.stage !== "reading" && !target.matches(":focus-visible")) sheet.close();
});
sheet?.addEventListener("close", () => { // what opened it may be gone
  if (document.activeElement === document.body) find("bar").querySelector(".primary")?.focus({ preventScroll: true });
});

// --- Loose dice: a tap on one, or on any place where one lies, then the die.
const picker = find("picker");
const form = find("put-die");
let opener = null;
let seen = ""; // the revision of the dice that the picker was opened on

function ask({ index = "", x = "", y = "" }, from = null) {
  opener = from;
  seen = form.elements.revision.value;
  form.elements.index.value = index;
  form.elements.x.value = x;
  form.elements.y.value = y;
  find("no-die").hidden = index === "";
  picker.hidden = false;
  picker.querySelector("#picker-dice button").focus({ preventScroll: true });
}

function close() {
  picker.hidden = true;
  if (opener?.isConnected) opener.focus({ preventScroll: true });
}

root.addEventListener("click", (event) => {
  const view = event.target.closest("#table-view");
  if (!view || root.dataset.stage === "reading" || !("dice" in root.dataset) || event.target.closest("a")) return;
  const spots = [...view.querySelectorAll("[data-die]")].map((spot) => {
    const box = spot.querySelector("circle").getBoundingClientRect();
    const apart = Math.hypot(event.clientX - box.x - box.width / 2, event.clientY - box.y - box.height / 2);
    return { spot, apart, reach: Math.max(TAP_PX, box.width / 2) };
  }).sort((one, other) => one.apart - other.apart);
  if (spots[0]?.apart < spots[0]?.reach) {
    ask({ index: spots[0].spot.dataset.die }, spots[0].spot);
    return;
  }
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(view.getScreenCTM().inverse());
  const { width, height } = view.querySelector("image").getBBox();
  if (at.x < 0 || at.y < 0 || at.x > width || at.y > height) return; // the view is wider than the photo
  ask({ x: Math.round(at.x), y: Math.round(at.y) });
});
root.addEventListener("keydown", (event) => {
  const spot = event.target.closest("[data-die]");
  if (spot && ["Enter", " "].includes(event.key)) {
    event.preventDefault();
    ask({ index: spot.dataset.die }, spot);
  }
  if (event.key === "Escape" && !picker.hidden) close();
});
find("close-picker").addEventListener("click", close);

// A die that is named while another one is on its way waits; the picker may be about a third one by then.
const named = [];
let shifted = false; // the last one that was sent took a die away, and those behind it have other numbers now
form.addEventListener("submit", ({ submitter }) => {
  const { index, x, y } = form.elements;
  named.push({ of: { index: index.value, x: x.value, y: y.value }, seen, removes: submitter.value === "--" });
  close();
});
form.addEventListener("formdata", ({ formData }) => {
  const { of, seen: revision, removes } = named.shift();
  for (const [name, value] of Object.entries(shifted ? { ...of, revision } : of)) formData.set(name, value);
  shifted = removes;
});

// --- What leads away from the page waits for what was entered just before.
const refused = () => document.querySelector("#message .bad");
let leaving = false;
root.addEventListener("submit", async (event) => {
  const { target, submitter } = event;
  if (target.matches("[data-quick]") || !sent.isBusy()) return;
  event.preventDefault();
  if (leaving) return;
  leaving = true;
  const earlier = refused();
  while (sent.isBusy()) await sent.answered();
  leaving = false;
  if (target.isConnected && [null, earlier].includes(refused())) target.requestSubmit(submitter?.form === target ? submitter : null);
});

// --- One window for each seat: who takes another one's gives the own in exchange.
let before = new Map();
const seats = () => [...root.querySelectorAll('[name^="seats."]:checked')];
const remember = () => { before = new Map(seats().map((one) => [one.name, one.value])); };
root.addEventListener("change", ({ target }) => {
  if (!target.name?.startsWith("seats.")) return;
  const other = seats().find((one) => one !== target && one.value && one.value === target.value);
  const swapped = other && root.querySelector(`[name="${other.name}"][value="${before.get(target.name) ?? ""}"]`);
  if (swapped) swapped.checked = true;
  remember();
});
remember();
find("delete").addEventListener("submit", (event) => { if (!confirm(words.delete)) event.preventDefault(); });
