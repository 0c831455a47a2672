// Lines of the score and of the placement light their spaces, in the window and on the photo. With `board`, a small
// copy of it shows them while the window itself is out of sight.
import { littleWindow } from "./little.js";

export function lights(stage, { board = null } = {}) {
  let held = null;
  const little = board ? littleWindow(board) : () => {};

  function show(line) {
    const cells = line ? cellsOf(line) : null;
    stage.classList.toggle("lighting", cells !== null && cells.length > 0);
    for (const cell of stage.querySelectorAll("[data-cell]")) {
      cell.classList.toggle("lit", cells !== null && cells.includes(cell.dataset.cell));
    }
    little(line, cells);
  }
  const lineOf = (event) => event.target.closest("[data-cells]");
  const cellsOf = (line) => line.dataset.cells.split(" ").filter(Boolean);
  const back = () => show(held);

  function hold(line) {
    if (held) held.setAttribute("aria-pressed", "false");
    held = held === line ? null : line;
    if (held) held.setAttribute("aria-pressed", "true");
    back();
  }
  stage.addEventListener("click", (event) => {
    const line = lineOf(event);
    if (line) hold(line);
  });
  stage.addEventListener("pointerover", (event) => {
    if (event.pointerType !== "mouse") return;
    show(lineOf(event) ?? held);
  });
  stage.addEventListener("pointerleave", back);
  stage.addEventListener("focusin", (event) => {
    const line = lineOf(event);
    if (line?.matches(":focus-visible")) show(line);
  });
  stage.addEventListener("focusout", (event) => { if (lineOf(event)) back(); });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape" && held) hold(held); });
  return {
    clear() {
      held?.setAttribute("aria-pressed", "false");
      held = null;
      back();
    },
    // The page was drawn anew: a line that is still there goes on lighting its spaces.
    again() {
      const same = (line) => line.dataset.cells === held?.dataset.cells && line.textContent === held.textContent;
      held = [...stage.querySelectorAll("[data-cells]")].find(same) ?? null;
      held?.setAttribute("aria-pressed", "true");
      back();
    },
  };
}
