// The photo: turned upright and cropped to the window, or whole as it was taken.
const find = (id) => document.getElementById(id);

// With `edge`, so much (in pixels of the photo) is left free around the whole photo.
export function showWhole(on, edge = 0) {
  const view = find("photo-view");
  const [, , width, height] = view.dataset.whole.split(" ").map(Number);
  const whole = [-edge, -edge, width + 2 * edge, height + 2 * edge].join(" ");
  view.setAttribute("viewBox", on ? whole : view.dataset.crop);
  find("photo-turn").setAttribute("transform", on ? "" : find("photo-turn").dataset.turn);
  find("photo-box").classList.toggle("whole", on);
}

// The view of a page that was asked for again: another crop, or the other way up.
export function viewChanged(page) {
  if (!find("photo-view")) return;
  find("photo-view").dataset.crop = page.getElementById("photo-view").dataset.crop;
  find("photo-turn").dataset.turn = page.getElementById("photo-turn").dataset.turn;
  showWhole(find("photo-box").classList.contains("whole"));
}
