// A photo that waits for its turn: says how many are before it, and goes on when it is read.
import { ask } from "./ask.js";
import { announce } from "./words.js";

const root = document.getElementById("waiting");
const place = root.querySelector("h1");
const EVERY_MS = 1000;

async function look() {
  const answer = await ask(root.dataset.live, { headers: { Accept: "application/json" }, cache: "no-store" }).catch(() => null);
  if (answer?.status === 404) { location.reload(); return; }
  const { failure } = answer?.ok ? await answer.json() : { failure: { code: "being_read" } };
  if (failure?.code !== "being_read") { location.reload(); return; }
  if (failure.message && failure.message !== place.textContent) {
    place.textContent = failure.message;
    announce(failure.message);
  }
  setTimeout(look, EVERY_MS);
}

setTimeout(look, EVERY_MS);
