// A photo of a window: chosen, taken, dropped or pasted.
import { sendPhoto } from "./send.js";

const form = document.getElementById("upload");

function send(file) {
  if (!file) return;
  sendPhoto(form, file, "/api/v1/readings", ({ links, failure }) => {
    location.assign(links.page + (failure ? "" : form.dataset.next ?? ""));
  });
}

form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("change", (event) => send(event.target.files?.[0]));
document.addEventListener("paste", (event) => send(event.clipboardData?.files[0]));
for (const name of ["dragover", "dragenter"]) document.addEventListener(name, (event) => { event.preventDefault(); form.classList.add("over"); });
for (const name of ["dragleave", "drop"]) document.addEventListener(name, (event) => { event.preventDefault(); if (name === "drop" || !event.relatedTarget) form.classList.remove("over"); });
document.addEventListener("drop", (event) => send(event.dataTransfer?.files[0]));
for (const sample of document.querySelectorAll("[data-sample]")) sample.form.addEventListener("submit", () => sample.setAttribute("aria-busy", "true"));
addEventListener("pageshow", (event) => { if (event.persisted) for (const sample of document.querySelectorAll("[aria-busy]")) sample.removeAttribute("aria-busy"); });
