// All windows side by side: lines light their dice, and corrections of their owners come in by themselves.
import { lights } from "./light.js";
import { follow } from "./live.js";
import { savePng } from "./share.js";

const root = document.getElementById("reveal");
const lit = new WeakMap(); // each window with what lights its spaces
function light() {
  for (const article of root.querySelectorAll(".shown-window")) {
    if (lit.has(article)) lit.get(article).clear();
    else lit.set(article, lights(article));
  }
}
follow(root, {
  changed: (place) => { if (place.dataset.region === "windows") { light(); pictures(); } },
  stage: () => location.assign(root.dataset.table),
});
function pictures() {
  for (const button of root.querySelectorAll("[data-png]")) button.hidden = false;
}
root.addEventListener("click", async ({ target }) => {
  const button = target.closest("[data-png]");
  if (!button) return;
  button.disabled = true;
  await savePng(button.dataset.png);
  button.disabled = false;
  button.focus();
});
light();
pictures();
