// Sends the photo of a form, made smaller where that helps, and shows how far it is.
//
// The form has the parts .photo-problem, .pick with its .file inputs, and .sending with .sending-text,
// a progress bar, .cancel and maybe a .preview; its data-limit is the most bytes that the server takes.
import { shrunk } from "./shrink.js";
import { announce, problemNotice, say, words } from "./words.js";

const onTheWay = new Map(); // form -> what stops its photo

// Sends to `address` and calls `arrived` with the answer; a photo of this form that is on its way is given up.
export async function sendPhoto(form, file, address, arrived) {
  onTheWay.get(form)?.abort();
  const stop = new AbortController();
  onTheWay.set(form, stop);
  const find = (name) => form.querySelector(name);
  const progress = find("progress");
  const tell = (text, percent) => {
    if (!percent) announce(text); // each step is said aloud, not each percent
    find(".sending-text").textContent = text;
    if (percent === undefined) progress.removeAttribute("value");
    else progress.value = percent;
  };
  const fail = (problem) => {
    rest(form);
    find(".photo-problem").replaceChildren(problemNotice(problem));
  };
  find(".photo-problem").replaceChildren();
  form.querySelector(":scope > .notice")?.remove();
  showPreview(form, null);
  show(form, true);
  tell(words.preparing);

  const photo = await shrunk(file, stop.signal);
  if (stop.signal.aborted) return;
  if (photo.size > Number(form.dataset.limit)) {
    fail({ code: "upload_too_large", message: words.too_large, next_step: words.too_large_next });
    return;
  }
  showPreview(form, photo);
  const advance = (part) => {
    const percent = Math.round(100 * part);
    tell(say(words.uploading, { percent }), percent);
  };
  advance(0);
  const request = new XMLHttpRequest(); // fetch cannot tell how much has been sent
  stop.signal.addEventListener("abort", () => request.abort());
  request.open("POST", address);
  request.setRequestHeader("Accept", "application/json");
  request.responseType = "json";
  request.upload.addEventListener("progress", (event) => { if (event.lengthComputable) advance(event.loaded / event.total); });
  request.upload.addEventListener("load", () => {
    find(".cancel").disabled = true; // the server has the photo now
    tell(words.reading);
  });
  const offline = { code: "offline", message: words.offline, next_step: words.try_send };
  request.addEventListener("load", () => {
    if (request.status === 201) arrived(request.response);
    else fail(request.response?.error ?? offline);
  });
  request.addEventListener("error", () => fail(offline));
  const body = new FormData(form); // with whatever else the form says about the photo
  body.set("photo", photo, photo === file ? file.name || "photo" : "photo.jpg");
  request.send(body);
}

function show(form, sending) {
  form.querySelector(".pick").hidden = sending;
  form.querySelector(".sending").hidden = !sending;
  form.querySelector(".cancel").disabled = false;
}

function showPreview(form, photo) {
  const preview = form.querySelector(".preview");
  if (!preview) return;
  URL.revokeObjectURL(preview.src);
  if (photo) preview.src = URL.createObjectURL(photo);
  else preview.removeAttribute("src");
}

// Gives up what is on its way; the form is ready for another photo.
function rest(form) {
  onTheWay.get(form)?.abort();
  onTheWay.delete(form);
  announce("");
  show(form, false);
  for (const input of form.querySelectorAll(".file")) input.value = "";
  form.dispatchEvent(new Event("photo-rests", { bubbles: true }));
}

document.addEventListener("click", (event) => {
  const form = event.target.closest(".cancel")?.form;
  if (!form) return;
  rest(form);
  form.querySelector(".choose .file").focus();
});
addEventListener("pageshow", (event) => { if (event.persisted) for (const form of [...onTheWay.keys()]) rest(form); });
