// A small copy of a window that floats in view while lines light dice in the real one, out of sight.
const ATTRIBUTES = ["id", "role", "tabindex", "aria-label", "aria-describedby", "aria-haspopup", "data-cell"];

// Returns what to call with the line that lights and the names of the cells that it lights, or with nothing.
export function littleWindow(board) {
  const place = document.createElement("div");
  place.className = "little lighting";
  place.setAttribute("aria-hidden", "true");
  place.hidden = true;
  document.body.append(place);
  let inSight = true;
  let lit = null;

  new IntersectionObserver((changes) => {
    inSight = changes.at(-1).intersectionRatio > 0.6; // a busy page hears of several at once, the newest last
    draw();
  }, { threshold: [0, 0.6, 1] }).observe(board);

  function draw() {
    place.hidden = inSight || !lit;
    place.replaceChildren();
    if (place.hidden) return;
    const { line, cells } = lit;
    const copy = board.querySelector(".lead-grid").cloneNode(true);
    for (const one of [copy, ...copy.querySelectorAll("*")]) {
      one.classList.toggle("lit", cells.includes(one.dataset.cell));
      for (const name of ATTRIBUTES) one.removeAttribute(name);
    }
    place.append(copy);
    const { top, bottom } = line.getBoundingClientRect(); // it never covers the line
    place.classList.toggle("above", top + bottom > innerHeight);
  }
  return (line, cells) => {
    lit = cells?.length ? { line, cells } : null;
    draw();
  };
}
