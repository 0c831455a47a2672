// The page, asked for again, into what is drawn already. idiomorph changes only what differs, so the keyboard's place
// and open lists are not lost while an answer comes in. A control stays only where it would do the same: a press on
// one thing never becomes a press on another.
import { ask } from "./ask.js";
import { words } from "./words.js";
import { Idiomorph } from "./vendor/idiomorph.js";

const FIELD = "input, select, textarea";
const CONTROL = `a, button, ${FIELD}, [data-cell]`;
const KNOWN = `:is(form, ${CONTROL}):not([id], [type=hidden])`; // what idiomorph must not take for something else
const NAMED = "does "; // how an id begins that says what a control does

export const unsent = new Set(); // forms whose fields hold what the server has not answered yet: it stays there

let pressed = null;
document.addEventListener("pointerdown", ({ target }) => { pressed = target.closest(`${CONTROL}, summary`); }, true);
for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, () => { pressed = null; }, true);

// The page at an address, or the answer to what is sent there; and why, where that was refused or did not arrive.
export async function load(address, options = {}) {
  try {
    const answer = await ask(address, { ...options, headers: { Accept: "text/html" } });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const why = [...page.querySelectorAll(".notice.bad > :is(h1, p)")].map((line) => line.textContent.trim()).join(" ");
    return { page, problem: answer.ok ? null : why || words.try_again };
  } catch {
    return { problem: `${words.try_again} ${words.offline}` };
  }
}

// Every region that differs, but for those that are to stay as they are for now.
export function redraw(root, page, { held = () => false, near = false, drawn = () => {} } = {}) {
  for (const place of root.querySelectorAll("[data-region]")) {
    const fresh = page.querySelector(`[data-region="${place.dataset.region}"]`);
    if (!fresh || held(place, fresh) || place.innerHTML === fresh.innerHTML) continue;
    become(place, fresh, near);
    drawn(place);
  }
}

// Give `place` the children of `fresh`. The keyboard's place goes on to the same control where that had to be made
// anew, and with `near` to another one there when it is gone.
export function become(place, fresh, near = false) {
  for (const side of [place, fresh]) {
    for (const one of side.querySelectorAll(KNOWN)) one.setAttribute("id", NAMED + purpose(one, side));
  }
  if (place.contains(pressed)) pressed.focus({ preventScroll: true }); // idiomorph never moves what has the focus
  const active = place.contains(document.activeElement) ? document.activeElement : null;
  const at = [...place.querySelectorAll("a, button, summary")].indexOf(active);
  const kept = new Set();
  Idiomorph.morph(place, fresh.childNodes, {
    morphStyle: "innerHTML",
    callbacks: {
      beforeNodeMorphed(node, wanted) {
        if (node.matches?.(FIELD) && node.type !== "hidden" && (unsent.has(node.form) || (served(node) === served(wanted) && !node.closest("[data-auto]")))) kept.add(node);
      },
      beforeAttributeUpdated(name, node) {
        if (["value", "checked", "selected"].includes(name)) return !kept.has(node.closest(FIELD)); // chosen or typed, and not sent yet
        return name !== "open" || node.tagName !== "DETAILS";
      },
    },
  });
  if (active && !place.contains(document.activeElement)) {
    const { id, dataset: { die } } = active;
    const same = (id && place.querySelector(`#${CSS.escape(id)}`)) || (die && place.querySelector(`[data-die="${die}"]`));
    (same || (near && place.querySelectorAll("a, button, summary")[at]))?.focus?.({ preventScroll: true });
  }
  for (const one of place.querySelectorAll(`[id^="${NAMED}"]`)) one.removeAttribute("id");
}

// All that decides what a control or a form does: two with the same purpose can stand for each other. What a form
// knows of the state, its revision, is not a purpose.
function purpose(control, side) {
  const { tagName, dataset } = control;
  const within = control.parentElement.closest("[id]");
  const part = side !== within && side.contains(within) && within.getAttribute("id");
  if (dataset.cell) return JSON.stringify([part, dataset.cell]);
  if (tagName === "FORM") {
    const sent = [...control.querySelectorAll("input[type=hidden]:not([name$=revision]), button[name]")].map(({ name, value }) => [name, value]);
    const asks = control.querySelector("[name]:not([type=hidden], button)")?.name;
    return JSON.stringify([part, control.getAttribute("action"), sent, asks]);
  }
  const attributes = ["type", "name", "href", "capture"].map((name) => control.getAttribute(name));
  const sentTo = control.getAttribute("formaction")?.split("?")[0]; // behind it stands a revision
  const value = tagName === "BUTTON" || ["radio", "checkbox"].includes(control.type) ? control.getAttribute("value") : null;
  const namesItself = tagName === "BUTTON" && attributes[1] !== null && value !== null; // its words may tell a count
  const label = ["BUTTON", "A"].includes(tagName) && !namesItself ? [control.ariaLabel, control.textContent.trim()] : null;
  return JSON.stringify([part, tagName, attributes, sentTo, value, label, { ...dataset }]);
}

// What a field held when it was served, whatever was typed since.
function served(field) {
  if (field.tagName !== "SELECT") return JSON.stringify([field.defaultValue, field.defaultChecked]);
  return JSON.stringify([...field.options].map((option) => [option.value, option.defaultSelected]));
}
