// The moment of the evening: places appear one by one, from the last to the first, over the page that has them all.
// Each device sees it once; a tap, Escape or going anywhere with the keyboard shows the page at once.
import { announce } from "./words.js";

const EACH_MS = 2400, FIRST_MS = 5200, COUNT_MS = 1300;

// Returns what to call when the windows were drawn anew: what is shown already follows, nothing begins again.
export function staged(root) {
  const stage = root.querySelector("#staging");
  const [one, list] = [stage.querySelector(".staging-one"), stage.querySelector(".staging-places")];
  const ranked = stage.dataset.ranked === "yes";
  const isNew = isFirstTime(root.dataset);
  root.classList.add("seen"); // until here the style sheet hides what it would give away
  if (!isNew) return () => {};
  const windows = () => [...root.querySelectorAll(".shown-window")].reverse(); // the page has the best first
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
    say(windows());
    return () => {};
  }

  let step = 0; // how many places are shown
  let timer;
  stage.hidden = false;
  list.replaceChildren(...windows().map(() => document.createElement("li")));
  list.hidden = !ranked;
  next();

  function next() {
    const shown = windows();
    if (step >= shown.length) return finish();
    const now = shown[step];
    step += 1;
    const isLast = step === shown.length;
    stage.dataset.told = String(step);
    stage.classList.toggle("is-first", isLast);
    present(now);
    one.classList.remove("enters");
    one.getBoundingClientRect(); // so that the animation begins anew
    one.classList.add("enters");
    countUp(one.querySelector(".staging-total"));
    fill(shown);
    say([now]);
    timer = setTimeout(next, isLast ? FIRST_MS : EACH_MS);
  }

  function present(article) {
    const total = article.querySelector(".total");
    const [head, points] = [line("p", "staging-head"), line("p", "staging-total", total.textContent)];
    if (ranked) head.append(line("span", "rank-place", article.dataset.place || "–"));
    head.append(line("span", "staging-name", article.querySelector("h2").textContent));
    const frame = article.querySelector(".frame").cloneNode(true);
    for (const cell of frame.querySelectorAll("[data-cell]")) cell.removeAttribute("data-cell"); // only the page's window has spaces
    one.replaceChildren(head, frame, points);
  }

  // The list below has the first place on top; those that are not shown yet stay free.
  function fill(shown) {
    [...list.children].reverse().forEach((slot, index) => {
      const article = index < step ? shown[index] : null;
      slot.classList.toggle("told", Boolean(article));
      slot.replaceChildren(...(article ? [
        line("span", "rank-place", article.dataset.place || "–"),
        line("span", "staging-name", article.querySelector("h2").textContent),
        line("b", "", article.querySelector(".total").textContent),
      ] : []));
    });
  }

  function finish() {
    clearTimeout(timer);
    say(windows().slice(step));
    stage.remove();
    document.removeEventListener("keydown", onKey);
    document.removeEventListener("focusin", onFocus);
    step = Infinity;
  }
  function onKey(event) { if (event.key === "Escape") finish(); }
  function onFocus(event) { if (!stage.contains(event.target)) finish(); }

  document.addEventListener("keydown", onKey);
  document.addEventListener("focusin", onFocus);
  stage.addEventListener("click", finish);
  return () => {
    const shown = windows();
    if (step > shown.length) return;
    present(shown[step - 1]);
    fill(shown);
  };
}

function countUp(place) {
  const total = Number(place.textContent.replace("−", "-"));
  if (!Number.isFinite(total)) return; // a dash
  const begun = performance.now();
  const show = (now) => {
    const part = Math.max(0, Math.min(1, (now - begun) / COUNT_MS));
    place.textContent = String(Math.round(total * (1 - (1 - part) ** 2))).replace("-", "−");
    if (part < 1 && place.isConnected) requestAnimationFrame(show);
  };
  show(begun);
}

const say = (windows) => { if (windows.length) announce(windows.map((one) => one.dataset.said).join(" ")); };

function line(tag, name, text = "") {
  const made = document.createElement(tag);
  made.className = name;
  made.textContent = text;
  return made;
}

// Whether this device, as far as its tab remembers, comes to this reveal for the first time.
function isFirstTime({ code, moment }) {
  if (!moment) return false;
  const key = `reveal-${code}`;
  try {
    if (sessionStorage.getItem(key) === moment) return false;
    sessionStorage.setItem(key, moment);
    return true;
  } catch {
    return false; // without a memory it would come again with each reload
  }
}
