// A page that follows its game: forms change it in place, and what others do comes in by itself.
import { become, unsent } from "./redraw.js";
import { tell, words } from "./words.js";

const EVERY_MS = 3000;

export function follow(root, { changed = () => {}, stage = () => {} } = {}) {
  let mark = null; // the state that the page shows, as the server names it
  let busy = 0;
  let waiting = null; // fresh markup for a region in which somebody types
  let skipped = false; // a region stayed as it was because a photo was on its way
  let line = Promise.resolve(); // what is sent, one after the other
  const inLine = new Set(); // forms with changes whose turn has not come

  function regions(page) {
    for (const place of root.querySelectorAll("[data-region]")) {
      const fresh = page.querySelector(`[data-region="${place.dataset.region}"]`);
      if (!fresh) continue;
      keepProblems(place, fresh);
      if (place.innerHTML !== fresh.innerHTML) swap(place, fresh);
    }
  }

  // What went wrong with a photo is said until the next one, whatever the others do meanwhile.
  function keepProblems(place, fresh) {
    for (const form of place.querySelectorAll("[data-photo]:has(.photo-problem > *)")) {
      const problem = fresh.querySelector(`[data-photo="${form.dataset.photo}"] .photo-problem`);
      if (problem) problem.innerHTML = form.querySelector(".photo-problem").innerHTML;
    }
  }

  function swap(place, fresh) {
    const active = place.contains(document.activeElement) ? document.activeElement : null;
    if (active?.matches("input[type=text], input[type=number]") && active.value !== active.defaultValue) {
      waiting = place;
      return;
    }
    if (place.querySelector(".sending:not([hidden])")) {
      skipped = true;
      return;
    }
    const again = active && nameOf(active);
    const open = new Map([...place.querySelectorAll("details[data-keep]")].map((one) => [one.dataset.keep, one.open]));
    become(place, fresh);
    for (const one of place.querySelectorAll("details[data-keep]")) one.open = open.get(one.dataset.keep) ?? one.open;
    if (again && !place.contains(document.activeElement)) [...place.querySelectorAll(active.tagName)].find((one) => nameOf(one) === again)?.focus();
    changed(place);
  }

  // What tells a control from the others of its region, before and after new markup came.
  function nameOf(one) {
    return [one.tagName, one.form?.getAttribute("action"), one.name, one.type === "number" ? "" : one.value, one.dataset.step, one.getAttribute("capture"), one.textContent.trim()].join("|");
  }

  async function refresh() {
    const answer = await fetch(location.pathname, { headers: { Accept: "text/html" } });
    if (!answer.ok) return false;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (!page.getElementById(root.id)) { location.reload(); return false; } // this device has no seat here any more
    regions(page);
    return true;
  }

  async function look() {
    if (document.hidden || busy) return;
    try {
      const answer = await fetch(root.dataset.live, { headers: { Accept: "application/json", ...(mark && { "If-None-Match": mark }) }, cache: "no-store" });
      if (answer.status === 304) return;
      if (answer.status === 404) { location.reload(); return; }
      if (!answer.ok) return;
      const told = await answer.json();
      if (told.stage !== root.dataset.stage) { stage(told.stage); return; }
      if (!(await refresh())) return;
      mark = answer.headers.get("ETag");
    } catch { /* the computer that serves the page is away for a moment; the next look may find it */ }
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
    try {
      const body = new FormData(form, button);
      const answer = await fetch(form.action, { method: "POST", body, headers: { Accept: "text/html" } });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (answer.ok) {
        if (!inLine.has(form)) unsent.delete(form);
        regions(page);
      } else {
        reset(form);
        const notice = page.querySelector(".notice.bad");
        tell(notice ? [...notice.querySelectorAll("p")].map((line) => line.textContent).join(" ") : words.try_again, { bad: true });
        await refresh();
      }
    } catch {
      reset(form);
      tell(`${words.try_again} ${words.offline}`, { bad: true });
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
  root.addEventListener("focusout", () => {
    if (!waiting) return;
    waiting = null;
    refresh();
  });
  root.addEventListener("photo-rests", () => {
    if (!skipped) return;
    skipped = false;
    mark = null; // the page does not show the newest state yet
    look();
  });
  document.addEventListener("visibilitychange", look);
  addEventListener("pageshow", (event) => { if (event.persisted) refresh(); });
  look();
  setInterval(look, EVERY_MS);
}
