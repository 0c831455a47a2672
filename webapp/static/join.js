import { ask } from "./ask.js";
import { announce } from "./words.js";

// Another address of this computer: the code changes at once. The plain form does the same with a reload.
for (const place of document.querySelectorAll("[data-join]")) {
  const form = place.querySelector(".join-choice");
  form?.addEventListener("change", () => choose(place, form));
}

let newest = 0;
async function choose(place, form) {
  const mine = ++newest;
  let made;
  try {
    const answer = await ask(form.action, { method: "POST", body: new FormData(form), headers: { Accept: "application/json" } });
    if (answer.ok) made = await answer.json();
  } catch {
    // Told below, by the browser itself or by the page that comes back.
  }
  if (mine !== newest) return;
  if (made) show(place, made);
  else form.submit();
}

function show(place, { url, qr }) {
  const code = place.querySelector(".join-qr");
  code.innerHTML = qr; // drawn by our own server
  const link = place.querySelector(".join-address a");
  link.href = url;
  link.textContent = url;
  announce(url);
}
