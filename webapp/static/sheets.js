// Sheets over the page, each a dialog that a control opens; and links to a place on the page that is folded away.
export function sheets() {
  document.addEventListener("click", (event) => {
    const opener = event.target.closest("[data-sheet]");
    if (opener) document.getElementById(opener.dataset.sheet).showModal();
    const sheet = event.target.closest("dialog.sheet");
    if (sheet && (event.target === sheet || event.target.closest("[data-close]"))) sheet.close(); // beside it, or its cross
    const link = event.target.closest("a[href^='#']:not(.skip)");
    if (link && lead(link.hash)) event.preventDefault();
  });
  lead(location.hash);
}

// Show what a link leads to; returns whether there was anything.
function lead(hash) {
  const place = hash && document.getElementById(hash.slice(1));
  if (!place) return false;
  const sheet = place.closest("dialog.sheet");
  if (sheet) {
    if (!sheet.open) sheet.showModal();
    place.querySelector("input:checked, input:not([type=hidden])")?.focus({ preventScroll: true });
    return true;
  }
  for (let room = place.closest("details"); room; room = room.parentElement.closest("details")) room.open = true;
  place.querySelector("summary")?.parentElement.setAttribute("open", "");
  place.scrollIntoView({ block: "start" });
  place.querySelector("button, a, input, summary")?.focus({ preventScroll: true });
  return true;
}
