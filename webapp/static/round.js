// The round helper: the clock of a turn, which the page counts itself, and who is told that a turn began.
import { stayAwake } from "./awake.js";
import { announce } from "./words.js";

let clock = null; // the clock that is shown
let since = 0; // when its turn began, as this device counts
let told = null; // what was said last
let focused = null; // the button of the helper that the keyboard was on

export function roundChanged(place) {
  if (place.dataset.region !== "round") return;
  start(place);
  awake();
  const now = place.querySelector(".round-now")?.textContent.trim();
  if (now && now !== told) announce(now);
  told = now;
  if (!focused) return;
  // The keyboard goes on to what comes next, never to what skips a round or takes the last tap back.
  const next = focused === "back" ? "[value=back]" : ".primary";
  (place.querySelector(`[name=move]${next}`) ?? place.querySelector("#round-head"))?.focus({ preventScroll: true });
}

function awake() { stayAwake("round", Boolean(helper?.querySelector("[name=move][value^=next]"))); }

function start(place) {
  clock = place.querySelector(".round-clock");
  if (!clock) return;
  since = performance.now() - 1000 * Number(clock.dataset.elapsed);
  show();
}

// A turn that takes longer than it should counts on, with a plus.
function show() {
  if (!clock) return;
  const limit = Number(clock.dataset.limit);
  const passed = Math.floor((performance.now() - since) / 1000);
  const seconds = limit ? Math.abs(limit - passed) : passed;
  clock.classList.toggle("is-over", limit > 0 && passed > limit);
  clock.textContent = `${limit && passed > limit ? "+" : ""}${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

const helper = document.querySelector("[data-region=round]");
told = helper?.querySelector(".round-now")?.textContent.trim();
document.addEventListener("focusin", ({ target }) => { focused = helper?.contains(target) && target.name === "move" ? target.value : null; });
document.addEventListener("pointerdown", ({ target }) => { if (!helper?.contains(target)) focused = null; });
if (helper) start(helper);
awake();
setInterval(show, 1000);
