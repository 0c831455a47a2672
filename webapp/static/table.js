// The table of a game: follows what the others do, and sends the photos of the own seats.
import { follow } from "./live.js";
import { roundChanged } from "./round.js";
import { sendPhoto } from "./send.js";

const table = document.getElementById("table");
follow(table, { changed: roundChanged, stage: () => location.assign(table.dataset.stage === "table" ? table.dataset.reveal : table.dataset.page) });

table.addEventListener("change", (event) => {
  const form = event.target.closest("[data-photo]");
  const file = event.target.files?.[0];
  if (form && file) sendPhoto(form, file, form.dataset.photo, ({ url, links }) => location.assign(url ?? links.page));
});
