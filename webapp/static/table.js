// The table of a game: follows what the others do, and sends the photos of the own seats.
import { follow } from "./live.js";
import { roundChanged } from "./round.js";
import { sendPhoto } from "./send.js";
import { tell, words } from "./words.js";

const table = document.getElementById("table");
const sent = follow(table, { changed, stage: () => location.assign(table.dataset.stage === "table" ? table.dataset.reveal : table.dataset.page) });

// One step at a time: where the next one begins, it opens and the one before folds to a line.
function changed(place) {
  roundChanged(place);
  const step = place.querySelector("[data-at]")?.dataset.at;
  if (!step || step === table.dataset.at) return;
  table.dataset.at = step;
  for (const one of table.querySelectorAll(".table-steps > .step")) {
    const left = !one.open || one.id === `step-${step}` ? null : one.contains(document.activeElement);
    one.open = one.id === `step-${step}`;
    if (left) table.querySelector(`#step-${step} > summary`)?.focus({ preventScroll: true });
  }
  document.getElementById(`step-${step}`)?.scrollIntoView({ block: "nearest" });
}

// The private objective is covered again once it is chosen. Who goes through the colors with the keyboard leaves
// the list first.
const cover = (secret) => {
  if (secret.contains(document.activeElement)) secret.querySelector("summary").focus();
  secret.open = false;
};
table.addEventListener("click", async ({ target, detail }) => {
  const secret = target.closest(".swatch")?.closest("[data-covers]");
  if (!secret || !detail) return;
  await new Promise((resolve) => { setTimeout(resolve); }); // the choice is sent by then
  await sent.answered();
  if (!secret.querySelector(":checked")) return; // it was refused
  cover(secret);
  tell(words.covered);
});
table.addEventListener("focusout", ({ target, relatedTarget }) => {
  const secret = target.closest("[data-covers]");
  if (secret?.querySelector(":checked") && relatedTarget && !secret.contains(relatedTarget)) cover(secret);
});

table.addEventListener("change", (event) => {
  const form = event.target.closest("[data-photo]");
  const file = event.target.files?.[0];
  if (form && file) sendPhoto(form, file, form.dataset.photo, ({ links }) => location.assign(links.self));
});
