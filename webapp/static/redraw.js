// Fresh markup into a place that is drawn already. What did not change stays the same element: a finger that
// is just pressing it, the keyboard's place and open lists are not lost while an answer comes in. A control
// stays only where it would do the same: a press on one thing never becomes a press on another.
const CONTROL = "a, button, input, select, textarea, [data-cell]";
const KEPT = `${CONTROL}, details`; // what is never dropped for the sake of words and pictures
const SHAPES = ["g", "polygon", "rect", "text"]; // on a photo they are pressed themselves

export const unsent = new Set(); // forms whose fields hold what the server has not answered yet: it stays there

export function redraw(place, html) {
  const fresh = place.cloneNode(false); // an element of the same kind, so that SVG is parsed as such
  fresh.innerHTML = html;
  become(place, fresh);
}

// Give `place` the children of `fresh`, which is used up.
export function become(place, fresh) {
  const inside = (form) => place.contains(form) || fresh.contains(form);
  children(place, fresh, inside);
}

function children(place, fresh, inside) {
  let old = place.firstChild;
  for (const wanted of [...fresh.childNodes]) {
    const same = matching(old, wanted, inside);
    if (!same) {
      place.insertBefore(wanted, old);
      continue;
    }
    while (old !== same) old = dropped(old);
    old = same.nextSibling;
    update(same, wanted, inside);
  }
  while (old) old = dropped(old);
}

// The first node from `old` on that can become what is wanted. Words and pictures never skip a control for that.
function matching(old, wanted, inside) {
  const maySkip = isKept(wanted);
  for (let node = old; node; node = node.nextSibling) {
    if (alike(node, wanted, inside)) return node;
    if (!maySkip && isKept(node)) return null;
  }
  return null;
}

function isKept(node) {
  return node.nodeType === Node.ELEMENT_NODE && (node.matches(KEPT) || node.querySelector(KEPT) !== null);
}

function dropped(node) {
  const next = node.nextSibling;
  node.remove();
  return next;
}

function alike(node, wanted, inside) {
  if (node.nodeName !== wanted.nodeName) return false;
  if (node.nodeType !== Node.ELEMENT_NODE || node.tagName === "SUMMARY") return true;
  if (node.dataset.keep !== wanted.dataset.keep) return false;
  if (node.tagName === "DETAILS") return node.dataset.keep !== undefined || node.className === wanted.className;
  if (node.matches(CONTROL)) return purpose(node, inside) === purpose(wanted, inside);
  const purposes = purposesIn(node, inside);
  if (!purposes.size) return !wanted.querySelector(CONTROL) && (node.outerHTML === wanted.outerHTML || SHAPES.includes(node.nodeName));
  return [...purposesIn(wanted, inside)].some((one) => purposes.has(one));
}

function purposesIn(node, inside) {
  return new Set([...node.querySelectorAll(CONTROL)].map((control) => purpose(control, inside)));
}

// All that decides what a control does: two with the same purpose can stand for each other. What a form
// knows of the state, its revision, is not a purpose.
function purpose(control, inside) {
  const { tagName, dataset } = control;
  if (dataset.cell) return `space ${dataset.cell}`;
  const attributes = ["id", "type", "name", "href", "capture"].map((name) => control.getAttribute(name));
  const sentTo = control.getAttribute("formaction")?.split("?")[0]; // behind it stands a revision
  const value = tagName === "BUTTON" || ["hidden", "radio", "checkbox"].includes(control.type) ? control.getAttribute("value") : null;
  const namesItself = tagName === "BUTTON" && attributes[2] !== null && value !== null; // its words may tell a count
  const words = ["BUTTON", "A"].includes(tagName) && !namesItself ? [control.ariaLabel, control.textContent.trim()] : null;
  const form = control.closest("form");
  const own = form !== null && inside(form);
  const action = own && form.getAttribute("action");
  const sent = own && [...form.querySelectorAll("input[type=hidden]:not([name$=revision])")].map((field) => [field.name, field.value]);
  return JSON.stringify([tagName, attributes, sentTo, value, words, { ...dataset }, action, sent]);
}

function update(node, wanted, inside) {
  if (node.nodeType !== Node.ELEMENT_NODE) {
    if (node.data !== wanted.data) node.data = wanted.data;
    return;
  }
  const asServed = !["INPUT", "SELECT", "TEXTAREA"].includes(node.tagName) || unsent.has(node.form) || (served(node) === served(wanted) && !node.closest("[data-auto]"));
  const { value, checked } = wanted;
  for (const name of node.getAttributeNames()) {
    if (!wanted.hasAttribute(name) && name !== "open") node.removeAttribute(name);
  }
  for (const name of wanted.getAttributeNames()) {
    const fresh = wanted.getAttribute(name);
    if (name !== "open" && node.getAttribute(name) !== fresh) node.setAttribute(name, fresh);
  }
  children(node, wanted, inside);
  if (asServed) return; // what somebody chose or typed and did not send yet stays
  if (node.value !== value) node.value = value;
  if (checked !== undefined) node.checked = checked;
}

// What a field held when it was served, whatever was typed since.
function served(field) {
  if (field.tagName !== "SELECT") return JSON.stringify([field.defaultValue, field.defaultChecked]);
  return JSON.stringify([...field.options].map((option) => [option.value, option.defaultSelected]));
}
