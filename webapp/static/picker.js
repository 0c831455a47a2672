// The thirty dice to add to the draft pool: a sheet on a phone that a button opens, always there on a larger
// screen. One tab stop; arrow keys, letters and digits move.
import { words } from "./words.js";

const COLORS = "RYGBP";

export function picker(sheet, opener, closer) {
  const dice = [...sheet.querySelectorAll("[name=add]")];

  function reach(at) {
    dice.forEach((die, i) => { die.tabIndex = i === at ? 0 : -1; });
  }
  reach(0);
  sheet.addEventListener("focusin", ({ target }) => { if (dice.includes(target)) reach(dice.indexOf(target)); });

  sheet.addEventListener("keydown", (event) => {
    if (event.key === "Escape") show(false);
    const at = dice.indexOf(event.target);
    if (at < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const [row, column] = [Math.floor(at / 6), at % 6];
    const key = event.key.toUpperCase();
    let to;
    if (key in words.keys) to = 6 * COLORS.indexOf(words.keys[key]) + column;
    else if (/^[1-6]$/.test(key)) to = 6 * row + Number(key) - 1;
    else if (key === "HOME") to = 6 * row;
    else if (key === "END") to = 6 * row + 5;
    else if (key.startsWith("ARROW")) {
      const [down, right] = { ARROWUP: [-1, 0], ARROWDOWN: [1, 0], ARROWLEFT: [0, -1], ARROWRIGHT: [0, 1] }[key];
      to = 6 * Math.min(4, Math.max(0, row + down)) + Math.min(5, Math.max(0, column + right));
    } else return;
    dice[to].focus();
    event.preventDefault();
  });

  function show(open) {
    const was = opener.getAttribute("aria-expanded") === "true";
    opener.setAttribute("aria-expanded", String(open));
    document.body.classList.toggle("picking", open);
    if (open) dice.find((die) => die.tabIndex === 0).focus({ preventScroll: true });
    else if (was) opener.focus({ preventScroll: true });
  }
  opener.addEventListener("click", () => show(opener.getAttribute("aria-expanded") !== "true"));
  closer.addEventListener("click", () => show(false));
  document.body.classList.add("with-sheet");
}
