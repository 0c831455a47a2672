// All windows side by side: lines light their dice, and corrections of their owners come in by themselves.
import { lights } from "./light.js";
import { follow } from "./live.js";
import { canShare, savePng, sharePng } from "./share.js";
import { staged } from "./staging.js";

const root = document.getElementById("reveal");
const lit = new WeakMap(); // each window with what lights its spaces
function light() {
  for (const article of root.querySelectorAll(".shown-window")) {
    if (lit.has(article)) lit.get(article).again();
    else lit.set(article, lights(article, { board: article.querySelector(".frame") }));
  }
}
const windowsChanged = staged(root);
follow(root, {
  changed: ({ dataset: { region } }) => {
    pictures();
    if (region !== "windows") return;
    light();
    windowsChanged();
  },
  stage: () => location.assign(root.dataset.table),
});
function pictures() {
  for (const button of root.querySelectorAll("[data-png]")) button.hidden = false;
  for (const button of root.querySelectorAll("[data-share]")) button.hidden = !canShare();
}
root.addEventListener("click", async ({ target }) => {
  const button = target.closest("[data-png], [data-share]");
  if (!button) return;
  const { png, share } = button.dataset;
  button.disabled = true;
  if (png) await savePng(png);
  else await sharePng(share, button.closest("figure").querySelector("figcaption").textContent);
  button.disabled = false;
  button.focus();
});
light();
pictures();
