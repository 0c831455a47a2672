// The table of a game: follows what the others do, and sends photos with a bar that shows how far they are.
import { follow } from "./live.js";
import { problemNotice, say, words } from "./words.js";

const table = document.getElementById("table");
follow(table, { stage: () => location.assign(table.dataset.stage === "table" ? table.dataset.reveal : location.pathname) });

table.addEventListener("change", (event) => {
  const form = event.target.closest("[data-photo]");
  if (form && event.target.files?.[0]) sendPhoto(form, event.target.files[0]);
});

function sendPhoto(form, file) {
  const find = (name) => form.querySelector(name);
  const show = (sending) => { find(".pick").hidden = sending; find(".sending").hidden = !sending; };
  const fail = (problem) => {
    show(false);
    find(".photo-problem").replaceChildren(problemNotice(problem));
    for (const input of form.querySelectorAll(".file")) input.value = "";
  };
  find(".photo-problem").replaceChildren();
  if (file.size > Number(form.dataset.limit)) {
    fail({ code: "upload_too_large", message: words.too_large, next_step: words.too_large_next });
    return;
  }
  const advance = (part) => {
    const percent = Math.round(100 * part);
    find("progress").value = percent;
    find(".sending-text").textContent = say(words.uploading, { percent });
  };
  show(true);
  advance(0);
  const body = new FormData();
  body.append("photo", file, file.name || "photo");
  const request = new XMLHttpRequest(); // fetch cannot tell how much has been sent
  request.open("POST", form.dataset.photo);
  request.setRequestHeader("Accept", "application/json");
  request.responseType = "json";
  request.upload.addEventListener("progress", (event) => { if (event.lengthComputable) advance(event.loaded / event.total); });
  request.upload.addEventListener("load", () => {
    find(".sending-text").textContent = words.reading;
    find("progress").removeAttribute("value");
  });
  const offline = () => fail({ code: "offline", message: words.offline, next_step: words.try_send });
  request.addEventListener("load", () => {
    if (request.status === 201) location.assign(request.response.url);
    else if (request.response?.error) fail(request.response.error);
    else offline();
  });
  request.addEventListener("error", offline);
  request.send(body);
}
