// Lines of the score and of the placement light their spaces, in the window and on the photo.
export function lights(stage) {
  let held = null;

  function show(cells) {
    stage.classList.toggle("lighting", cells !== null && cells.length > 0);
    for (const cell of stage.querySelectorAll("[data-cell]")) {
      cell.classList.toggle("lit", cells !== null && cells.includes(cell.dataset.cell));
    }
  }
  const lineOf = (event) => event.target.closest("[data-cells]");
  const cellsOf = (line) => line.dataset.cells.split(" ").filter(Boolean);
  const back = () => show(held ? cellsOf(held) : null);

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
    const line = lineOf(event);
    if (line) show(cellsOf(line));
    else back();
  });
  stage.addEventListener("pointerleave", back);
  stage.addEventListener("focusin", (event) => {
    const line = lineOf(event);
    if (line?.matches(":focus-visible")) show(cellsOf(line));
  });
  stage.addEventListener("focusout", (event) => { if (lineOf(event)) back(); });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape" && held) hold(held); });
  return {
    clear() {
      held?.setAttribute("aria-pressed", "false");
      held = null;
      back();
    },
  };
}
