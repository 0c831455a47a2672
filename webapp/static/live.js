// A page that follows its game: forms change it in place, and what others do comes in by itself.
import { ask } from "./ask.js";
import { away } from "./away.js";
import { load, redraw, unsent } from "./redraw.js";
import { forgetProblem, tell, words } from "./words.js";

const EVERY_MS = 3000;
const PATIENCE_MS = 8000; // a phone that left the network hears nothing at all
const LEAVING_MS = 20000; // a page that is asked for again before it came begins anew: so long nobody looks

export function follow(root, { changed = () => {}, stage = () => {}, every = EVERY_MS, near = false } = {}) {
  let mark = null; // the state that the page shows, as the server names it
  let busy = 0;
  let behind = false; // a region stayed as it was
  let drawn = 0; // pages that were shown here
  let slept = false; // nobody has looked at the page since the last answer
  let left = -LEAVING_MS; // when another page was asked for
  let line = Promise.resolve(); // what is sent, one after the other
  const inLine = new Set(); // forms with changes whose turn has not come
  const connection = away(root);

  function regions(page) {
    drawn += 1;
    const asked = root.querySelector(".question [autofocus]");
    redraw(root, page, { held, near, drawn: changed });
    root.dataset.page = page.getElementById(root.id)?.dataset.page ?? root.dataset.page; // which may ask something
    if (!asked) root.querySelector(".question [autofocus]")?.focus();
  }

  // A region stays as it is where somebody types, and where a photo is on its way.
  function held(place, fresh) {
    // What went wrong with a photo is said until the next one, whatever the others do meanwhile.
    for (const form of place.querySelectorAll("[data-photo]:has(.photo-problem > *)")) {
      const problem = fresh.querySelector(`[data-photo="${form.dataset.photo}"] .photo-problem`);
      if (problem) problem.innerHTML = form.querySelector(".photo-problem").innerHTML;
    }
    const active = place.contains(document.activeElement) ? document.activeElement : null;
    const typing = active?.matches("input[type=text], input[type=number], textarea") && active.value !== active.defaultValue;
    if (!typing && !place.querySelector(".sending:not([hidden])")) return false;
    behind = true;
    return true;
  }

  async function refresh() {
    const before = drawn;
    const { page, problem } = await load(root.dataset.page);
    if (problem || drawn !== before) return false; // the answer to a form came in between, and is newer
    if (!page.getElementById(root.id)) { location.reload(); return false; } // this device has no seat here any more
    regions(page);
    return true;
  }

  async function leave(go) {
    left = performance.now();
    if ((await go()) === false) left = -LEAVING_MS;
  }

  async function look() {
    if (document.hidden || busy || performance.now() - left < LEAVING_MS) return;
    try {
      const answer = await ask(root.dataset.live, { headers: { Accept: "application/json", ...(mark && { "If-None-Match": mark }) }, cache: "no-store", signal: AbortSignal.timeout(PATIENCE_MS) });
      connection.answered();
      if (answer.status === 304) { slept = document.hidden; return; }
      if (answer.status === 404) { location.reload(); return; }
      if (!answer.ok) return;
      const told = await answer.json();
      if (told.next && root.dataset.next === "") {
        if (!slept) { await leave(() => location.assign(new URL(told.next, new URL(root.dataset.table, location)))); return; }
        root.dataset.next = told.next; // who comes back later reads on here, and finds the way there
        tell(words.next_game);
      }
      slept = document.hidden; // it may have been put away while this was asked
      if (told.stage !== root.dataset.stage) { await leave(() => stage(told)); return; }
      if (!(await refresh())) return;
      mark = answer.headers.get("ETag");
    } catch {
      connection.missed(); // perhaps for a moment only: the next look may find it
    }
  }

  // One after the other: each takes the revision along that the answer to the one before brought.
  function send(form, button = null) {
    if (!button) {
      if (inLine.has(form)) return; // what waits takes this change along
      inLine.add(form);
      unsent.add(form);
    }
    busy += 1;
    line = line.then(() => deliver(form, button)).finally(() => { busy -= 1; });
  }

  async function deliver(form, button) {
    if (!button && !inLine.delete(form)) return; // an earlier change was refused, and this one with it
    if (!form.isConnected || (button && button.form !== form)) { // the answer before took them away
      unsent.delete(form);
      return;
    }
    const { page, problem } = await load(form.action, { method: "POST", body: new FormData(form, button) });
    if (problem) {
      reset(form);
      tell(problem, { bad: true });
      await refresh();
    } else {
      if (!inLine.has(form)) unsent.delete(form);
      forgetProblem();
      regions(page);
    }
  }

  // What was sent by itself and not taken is not shown as if it were, nor what waited behind it.
  function reset(form) {
    inLine.delete(form);
    unsent.delete(form);
    if (form.matches("[data-auto]")) form.reset();
  }

  root.addEventListener("submit", (event) => {
    if (!event.target.matches("[data-quick]")) return;
    event.preventDefault();
    send(event.target, event.submitter);
  });
  root.addEventListener("change", (event) => {
    const form = event.target.closest("[data-auto]");
    if (form?.reportValidity()) send(form);
  });
  root.addEventListener("click", (event) => {
    const step = event.target.closest("[data-step]");
    if (!step) return;
    const field = step.parentElement.querySelector("input");
    const wanted = Math.min(Number(field.max), Math.max(Number(field.min), (Number(field.value) || 0) + Number(step.dataset.step)));
    if (String(wanted) === field.value) return;
    field.value = wanted;
    send(step.form);
  });
  for (const end of ["focusout", "photo-rests"]) {
    root.addEventListener(end, () => {
      if (!behind) return;
      behind = false;
      mark = null; // the page does not show the newest state yet
      look();
    });
  }
  document.addEventListener("visibilitychange", () => {
    slept ||= document.hidden;
    look();
  });
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    left = -LEAVING_MS;
    refresh();
  });
  let timer;
  function pace(wait) {
    clearInterval(timer);
    timer = setInterval(look, wait);
  }
  look();
  pace(every);
  return { isBusy: () => busy > 0, answered: () => line, refresh, pace };
}
