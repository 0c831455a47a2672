// A press counts though the page changes under it: what was pressed is clicked when the browser clicks something else,
// because a section closed or news came in between press and release.
const CONTROLS = "button, a[href], summary, label, [data-cell]";
const STILL_PX = 12; // farther is a drag

let pressed = null;

addEventListener("pointerdown", ({ target, isPrimary, button, clientX, clientY }) => {
  const control = isPrimary && button === 0 ? target.closest(CONTROLS) : null;
  pressed = control && { control, clientX, clientY };
}, true);
addEventListener("pointercancel", () => { pressed = null; }, true); // the finger scrolls, or asks for the browser's menu
addEventListener("click", ({ target }) => { if (pressed?.control.contains(target)) pressed = null; }, true);
addEventListener("pointerup", ({ clientX, clientY }) => {
  const press = pressed;
  if (!press) return;
  if (Math.hypot(clientX - press.clientX, clientY - press.clientY) > STILL_PX) { pressed = null; return; }
  setTimeout(() => { // the browser's own click comes first
    if (pressed !== press) return;
    pressed = null;
    if (press.control.isConnected && !press.control.matches(":disabled")) press.control.click();
  }, 60);
}, true);
