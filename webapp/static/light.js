// Lines of the score and of the placement light their spaces, in the window and on the photo.
export function lights(stage, panels) {
  let held = null;

  function show(cells) {
    stage.classList.toggle("lighting", cells !== null && cells.length > 0);
    for (const cell of stage.querySelectorAll("[data-cell]")) {
      cell.classList.toggle("lit", cells !== null && cells.includes(cell.dataset.cell));
    }
  }
  const cellsOf = (line) => line.dataset.cells.split(" ").filter(Boolean);
  const back = () => show(held ? cellsOf(held) : null);

  function hold(line) {
    if (held) held.setAttribute("aria-pressed", "false");
    held = held === line ? null : line;
    if (held) held.setAttribute("aria-pressed", "true");
    back();
  }
  for (const panel of panels) {
    panel.addEventListener("click", (event) => {
      const line = event.target.closest("[data-cells]");
      if (line) hold(line);
    });
    panel.addEventListener("pointerover", (event) => {
      const line = event.pointerType === "mouse" && event.target.closest("[data-cells]");
      if (line) show(cellsOf(line));
    });
    panel.addEventListener("pointerleave", back);
    panel.addEventListener("focusin", (event) => {
      const line = event.target.closest("[data-cells]");
      if (line?.matches(":focus-visible")) show(cellsOf(line));
    });
    panel.addEventListener("focusout", back);
  }
  document.addEventListener("keydown", (event) => { if (event.key === "Escape" && held) hold(held); });
  return { clear() { held = null; back(); } };
}
