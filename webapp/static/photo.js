// The photo: turned upright and cropped to the window, or whole as it was taken.
const find = (id) => document.getElementById(id);

export function showWhole(on) {
  const view = find("photo-view");
  view.setAttribute("viewBox", on ? view.dataset.whole : view.dataset.crop);
  find("photo-turn").setAttribute("transform", on ? "" : find("photo-turn").dataset.turn);
  find("photo-box").classList.toggle("whole", on);
}

export function viewChanged(view) {
  if (!view || !find("photo-view")) return;
  find("photo-view").dataset.crop = view.crop;
  find("photo-turn").dataset.turn = view.turn;
  showWhole(find("photo-box").classList.contains("whole"));
}
