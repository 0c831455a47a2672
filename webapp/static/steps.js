// What the pages of one window share: undo and redo, the answers to a doubt, and news for who comes back to the page.
import { say, tell, words } from "./words.js";

const TYPING = "textarea, select, input:not([type=checkbox], [type=radio])";
const KEYS = { z: "undo", y: "redo", "shift z": "redo" };

// `walk` takes a step, and resolves to whether it was taken.
export function steps(model, walk = async (step) => (await step()) === true) {
  const buttons = { undo: document.getElementById("undo"), redo: document.getElementById("redo") };
  const said = { undo: words.undone, redo: words.redone };
  async function go(way) { if (await walk(() => model[way]())) tell(said[way]); }

  for (const [way, button] of Object.entries(buttons)) button.addEventListener("click", () => go(way));
  for (const event of ["changed", "refused"]) {
    model.addEventListener(event, () => {
      buttons.undo.disabled = !model.canUndo;
      buttons.redo.disabled = !model.canRedo;
    });
  }
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.target.closest(TYPING)) return;
    const way = KEYS[(event.shiftKey ? "shift " : "") + event.key.toLowerCase()];
    if (!way) return;
    event.preventDefault();
    go(way);
  });
  document.addEventListener("click", ({ target }) => {
    const choice = target.closest("[data-right], [data-instead]");
    if (!choice) return;
    const { right, instead, die } = choice.dataset;
    if (right) model.confirm(right).then((done) => { if (done === true) tell(say(words.is_right, { cell: right })); });
    else model.put(instead, die);
  });
  document.addEventListener("visibilitychange", () => { if (!document.hidden) model.refresh(); });
  addEventListener("pageshow", (event) => { if (event.persisted) model.refresh(); });
}
