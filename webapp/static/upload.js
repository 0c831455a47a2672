// Sending a photo: chosen, taken, dropped or pasted, with a bar that shows how far it is.
import { problemNotice, say, words } from "./words.js";

const find = (id) => document.getElementById(id);
const form = find("upload");
const progress = find("progress");
let request = null;

function show(sending) {
  find("pick").hidden = sending;
  find("sending").hidden = !sending;
}

function fail(problem) {
  show(false);
  find("upload-problem").replaceChildren(problemNotice(problem));
  for (const input of form.querySelectorAll(".file")) input.value = "";
}

const offline = () => ({ code: "offline", message: words.offline, next_step: words.try_send });

function send(file) {
  find("upload-problem").replaceChildren();
  form.querySelector(":scope > .notice")?.remove();
  if (file.size > Number(form.dataset.limit)) {
    fail({ code: "upload_too_large", message: words.too_large, next_step: words.too_large_next });
    return;
  }
  const preview = find("preview");
  URL.revokeObjectURL(preview.src);
  preview.src = URL.createObjectURL(file);
  show(true);
  advance(0);

  const body = new FormData();
  body.append("photo", file, file.name || "photo");
  request = new XMLHttpRequest(); // fetch cannot tell how much has been sent
  request.open("POST", "/api/v1/readings");
  request.setRequestHeader("Accept", "application/json");
  request.responseType = "json";
  request.upload.addEventListener("progress", (event) => { if (event.lengthComputable) advance(event.loaded / event.total); });
  request.upload.addEventListener("load", () => {
    find("sending-text").textContent = words.reading;
    progress.removeAttribute("value");
  });
  request.addEventListener("load", () => {
    const { links, failure, error } = request.response ?? {};
    if (request.status === 201) location.assign(links.page + (failure ? "" : form.dataset.next ?? ""));
    else fail(error ?? offline());
  });
  request.addEventListener("error", () => fail(offline()));
  request.send(body);
}

function advance(part) {
  const percent = Math.round(100 * part);
  progress.value = percent;
  find("sending-text").textContent = say(words.uploading, { percent });
}

form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("change", (event) => { if (event.target.files?.[0]) send(event.target.files[0]); });
find("cancel").addEventListener("click", () => { request?.abort(); show(false); for (const input of form.querySelectorAll(".file")) input.value = ""; });
document.addEventListener("paste", (event) => { const [file] = event.clipboardData?.files ?? []; if (file) send(file); });
for (const name of ["dragover", "dragenter"]) document.addEventListener(name, (event) => { event.preventDefault(); form.classList.add("over"); });
for (const name of ["dragleave", "drop"]) document.addEventListener(name, (event) => { event.preventDefault(); if (name === "drop" || !event.relatedTarget) form.classList.remove("over"); });
document.addEventListener("drop", (event) => { const [file] = event.dataTransfer?.files ?? []; if (file) send(file); });
for (const sample of document.querySelectorAll("[data-sample]")) sample.form.addEventListener("submit", () => sample.setAttribute("aria-busy", "true"));
addEventListener("pageshow", (event) => { if (event.persisted) { show(false); for (const sample of document.querySelectorAll("[aria-busy]")) sample.removeAttribute("aria-busy"); } });
