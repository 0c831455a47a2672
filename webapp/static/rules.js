// What the rules say: answers while one types, and entries that open at their address. Nothing here asks the server.
import { asked, ranked } from "./search.js";
import { announce } from "./words.js";

const form = document.getElementById("rules-search");
const field = document.getElementById("rules-query");
const foundPart = document.getElementById("rules-found");
const answers = document.getElementById("rules-answers");
const parts = document.querySelectorAll(".rules-part, .rules-parts");
const entries = [...document.querySelectorAll("[data-entry]")].map((element) => ({
  element,
  key: element.dataset.entry,
  number: Number(element.dataset.number),
  home: document.querySelector(`[data-home="${element.dataset.section}"]`),
  ...Object.fromEntries(["title", "keywords", "text"].map((place) => [place, element.dataset[place].split(" ")])),
})).sort((one, other) => one.number - other.number);
const byKey = new Map(entries.map((entry) => [entry.key, entry]));
const show = (query) => {
  const found = query ? ranked(entries, asked(query, form.dataset.skipped)) : [];
  const isFound = new Set(found);
  for (const { element, home, ...rest } of entries) {
    element.open = false;
    if (!isFound.has(byKey.get(rest.key))) home.append(element);
  }
  answers.append(...found.map((entry) => entry.element));
  if (found.length) found[0].element.open = true;
  for (const part of parts) part.hidden = Boolean(query);
  foundPart.hidden = !query;
  document.getElementById("rules-none").hidden = found.length > 0;
  return found;
};

// The answers are said once the typing rests, so that a screen reader is not cut off at each letter.
let resting;
function search() {
  const query = field.value.trim();
  const found = show(query);
  history.replaceState(null, "", query ? `?q=${encodeURIComponent(query)}` : location.pathname);
  clearTimeout(resting);
  const { none, first } = foundPart.dataset;
  resting = setTimeout(() => {
    if (query) announce(found.length ? first.replace("{title}", titleOf(found[0])) : none);
  }, 600);
}

const titleOf = ({ element }) => element.querySelector(".rule-title").lastChild.textContent.trim();

// An address such as #lathekin opens its entry, also from the answers to another question; without one all are closed.
function follow() {
  const entry = byKey.get(location.hash.slice(1));
  for (const { element } of entries) if (element !== entry?.element) element.open = false;
  if (!entry) return;
  if (entry.element.closest("[hidden]")) { field.value = ""; show(""); }
  entry.element.open = true;
  entry.element.scrollIntoView({ block: "nearest" });
  entry.element.querySelector("summary").focus({ preventScroll: true });
}

form.addEventListener("submit", (event) => { event.preventDefault(); search(); });
field.addEventListener("input", search);
document.getElementById("rules-all").addEventListener("click", (event) => {
  event.preventDefault();
  field.value = "";
  search();
  field.focus();
});
// Opening by hand goes to the address of the entry, so that "back" closes it again.
for (const { element, key } of entries) {
  element.querySelector("summary").addEventListener("click", (event) => {
    event.preventDefault();
    if (!element.open) location.hash = key;
    else {
      element.open = false;
      if (location.hash === `#${key}`) history.replaceState(null, "", location.pathname + location.search);
    }
  });
}
addEventListener("hashchange", follow);
if (field.value) show(field.value.trim());
if (location.hash) follow();
