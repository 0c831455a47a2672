// Four points over the photo, dragged or moved with the arrow keys, that say where the window is.
import { showWhole } from "./photo.js";
import { problemNotice, say, tell, words } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";

// The projective map from the unit square to four points (Heckbert 1989, section 2.2.3).
function mapping([[x0, y0], [x1, y1], [x2, y2], [x3, y3]]) {
  const dx1 = x1 - x2, dx2 = x3 - x2, dx3 = x0 - x1 + x2 - x3;
  const dy1 = y1 - y2, dy2 = y3 - y2, dy3 = y0 - y1 + y2 - y3;
  const area = dx1 * dy2 - dx2 * dy1 || 1;
  const g = (dx3 * dy2 - dx2 * dy3) / area, h = (dx1 * dy3 - dx3 * dy1) / area;
  return (u, v) => {
    const w = g * u + h * v + 1;
    return [((x1 - x0 + g * x1) * u + (x3 - x0 + h * x3) * v + x0) / w, ((y1 - y0 + g * y1) * u + (y3 - y0 + h * y3) * v + y0) / w];
  };
}

export function cornerTool(model, { done }) {
  const layer = document.getElementById("corners");
  const tools = document.getElementById("corner-tools");
  const photoTools = document.getElementById("photo-tools");
  const problem = document.getElementById("corners-problem");
  const overlay = document.getElementById("overlay");
  const readButton = document.getElementById("read-corners");
  const [width, height] = model.state.size;
  // In a close photo a corner of the grid may lie outside the picture, so there is room around it.
  const edge = Math.round(0.12 * Math.max(width, height));
  const across = width + 2 * edge, down = height + 2 * edge;
  let points = [];

  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", `${-edge} ${-edge} ${across} ${down}`);
  const handles = [0, 1, 2, 3].map((index) => {
    const handle = document.createElement("button");
    handle.type = "button";
    handle.className = "handle";
    handle.setAttribute("aria-label", say(words.corner, { number: index + 1 }));
    handle.addEventListener("pointerdown", (event) => { handle.setPointerCapture(event.pointerId); event.preventDefault(); handle.focus(); });
    handle.addEventListener("pointermove", (event) => { if (handle.hasPointerCapture(event.pointerId)) move(index, place(event)); });
    handle.addEventListener("lostpointercapture", () => look(null));
    handle.addEventListener("blur", () => look(null));
    handle.addEventListener("keydown", (event) => {
      const step = (event.shiftKey ? 0.03 : 0.005) * Math.max(width, height);
      const by = { ArrowUp: [0, -step], ArrowDown: [0, step], ArrowLeft: [-step, 0], ArrowRight: [step, 0] }[event.key];
      if (!by) return;
      event.preventDefault();
      move(index, [points[index][0] + by[0], points[index][1] + by[1]]);
    });
    return handle;
  });
  // A finger hides the very corner it moves, so the place under it is shown enlarged.
  const loupe = document.createElementNS(SVG, "svg");
  const picture = document.createElementNS(SVG, "use");
  const cross = document.createElementNS(SVG, "path");
  picture.setAttribute("href", "#photo-image");
  loupe.setAttribute("class", "loupe");
  loupe.setAttribute("aria-hidden", "true");
  loupe.toggleAttribute("hidden", true);
  loupe.append(picture, cross);
  layer.append(svg, ...handles, loupe);

  function look(index) {
    loupe.toggleAttribute("hidden", index === null);
    if (index === null) return;
    const [x, y] = points[index];
    const half = 0.04 * Math.max(width, height);
    loupe.setAttribute("viewBox", `${x - half} ${y - half} ${2 * half} ${2 * half}`);
    cross.setAttribute("d", `M${x - half} ${y}h${2 * half}M${x} ${y - half}v${2 * half}`);
    loupe.classList.toggle("right", x < width / 2);
  }

  function place(event) {
    const box = layer.getBoundingClientRect();
    return [((event.clientX - box.left) / box.width) * across - edge, ((event.clientY - box.top) / box.height) * down - edge];
  }
  function move(index, [x, y]) {
    points[index] = [Math.min(width + edge, Math.max(-edge, x)), Math.min(height + edge, Math.max(-edge, y))];
    draw();
    look(index);
  }
  function draw() {
    points.forEach(([x, y], index) => {
      handles[index].style.left = `${(100 * (x + edge)) / across}%`;
      handles[index].style.top = `${(100 * (y + edge)) / down}%`;
    });
    const at = mapping(points);
    const lines = [];
    for (let column = 0; column <= 5; column++) lines.push([at(column / 5, 0), at(column / 5, 1)]);
    for (let row = 0; row <= 4; row++) lines.push([at(0, row / 4), at(1, row / 4)]);
    svg.replaceChildren(...lines.map((line) => {
      const drawn = document.createElementNS(SVG, "polyline");
      drawn.setAttribute("points", line.map((point) => point.join(",")).join(" "));
      return drawn;
    }));
  }

  function start() {
    const known = model.state.corners;
    points = known ? known.map((point) => [...point]) : [[0.2, 0.2], [0.8, 0.2], [0.8, 0.8], [0.2, 0.8]].map(([x, y]) => [x * width, y * height]);
    show(true);
    draw();
    document.getElementById("photo").scrollIntoView({ block: "nearest" });
    handles[0].focus({ preventScroll: true });
  }
  function show(on) {
    layer.hidden = tools.hidden = !on;
    photoTools.hidden = on;
    overlay.toggleAttribute("hidden", on);
    problem.replaceChildren();
    showWhole(on || document.getElementById("toggle-whole")?.getAttribute("aria-pressed") === "true", on ? edge : 0);
    fit();
  }

  // The view keeps the photo's proportions inside its box; the points lie on the photo itself.
  function fit() {
    const view = document.getElementById("photo-view");
    const scale = Math.min(view.clientWidth / across, view.clientHeight / down);
    layer.style.width = `${across * scale}px`;
    layer.style.height = `${down * scale}px`;
    layer.style.left = `${(view.clientWidth - across * scale) / 2}px`;
    layer.style.top = `${(view.clientHeight - down * scale) / 2}px`;
  }
  addEventListener("resize", fit);
  async function read() {
    readButton.disabled = true;
    tell(words.reading);
    const result = await model.putCorners(points.map(([x, y]) => [Math.round(x * 10) / 10, Math.round(y * 10) / 10]));
    readButton.disabled = false;
    if (result === true) { show(false); done(); } else problem.replaceChildren(problemNotice(result));
  }
  document.getElementById("move-corners")?.addEventListener("click", start);
  document.getElementById("cancel-corners").addEventListener("click", () => show(false));
  readButton.addEventListener("click", read);
  return { start };
}
