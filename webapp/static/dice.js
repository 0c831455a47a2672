// A die as the page draws it; color "0" is a grey one, without a value it is blank.
import { words } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";

function use(id, className) {
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#${id}`);
  if (className) use.setAttribute("class", className);
  return use;
}

export function drawDie(color, value) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 100 100");
  svg.setAttribute("class", "die");
  svg.setAttribute("aria-hidden", "true");
  svg.append(use(`glass-${color}`));
  if (value) svg.append(use(`pips-${value}`, "pips"));
  if (color !== "0") {
    const letter = document.createElementNS(SVG, "text");
    letter.setAttribute("x", 50);
    letter.setAttribute("y", 18.6);
    letter.setAttribute("class", "die-letter");
    letter.textContent = words.letters[color];
    svg.append(letter);
  }
  return svg;
}
