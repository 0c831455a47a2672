// Sends the photo of a form, made smaller where that helps, and shows how far it is. Before that it says what will
// make the photo hard to read. A photo whose connection broke is kept, and sent again until the server has it: the id
// that goes with it lets the server take it once, however often it arrives.
//
// The form has the parts .photo-problem, .pick with its .file inputs, and .sending with .sending-text,
// a progress bar, .cancel and maybe a .preview; its data-limit is the most bytes that the server takes, and
// data-table says that its photos show a whole table, and data-reading what is said while it is read.
import { pause } from "./ask.js";
import { forget, keep, keptFor } from "./kept.js";
import { look } from "./lens.js";
import { isLarge, opened, shrunk } from "./shrink.js";
import "./viewfinder.js"; // the other way to a photo
import { announce, problemNotice, say, words } from "./words.js";

const LOOK_MS = 3000; // a photo that need not be shrunk waits no longer for advice
const PROBE_MS = 5000;
const BY_ITSELF = 8; // so often in a row without getting further; then a person has to press

const onTheWay = new Map(); // form -> its job: what is known of its photo
const asked = new Map(); // address of a form -> the job that waits for a person's choice
const before = new Map(); // address of a form -> the photo that was kept before this page was loaded, and its id
let keptId = null; // the id of the photo that is handed in right now, where it is such a one

const named = (form) => new URL(form.action).pathname; // the form itself may be drawn anew

// The server did not answer.
class Lost extends Error {}

function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_");
}

// Posts a form (fetch cannot tell how much has been sent) and resolves to { status, told }.
function post(address, body, { signal, sent, handed, tried = 0 }) {
  return new Promise((resolve, reject) => { // of one that is given up nothing is heard
    if (signal.aborted) return;
    const request = new XMLHttpRequest();
    signal.addEventListener("abort", () => request.abort());
    request.open("POST", address);
    request.setRequestHeader("Accept", "application/json");
    request.responseType = "json";
    request.upload.addEventListener("progress", ({ lengthComputable, loaded, total }) => { if (lengthComputable) sent(loaded, total); });
    request.upload.addEventListener("load", handed);
    request.addEventListener("load", () => {
      const wait = pause(request.status, request.getResponseHeader("Retry-After"), tried);
      if (wait) setTimeout(() => resolve(post(address, body, { signal, sent, handed, tried: tried + 1 })), wait);
      else resolve({ status: request.status, told: request.response });
    });
    request.addEventListener("error", () => reject(new Lost()));
    request.send(body);
  });
}

// Sends to `address` and calls `arrived` with the answer; a photo of this form that is on its way is given up.
export async function sendPhoto(form, file, address, arrived) {
  const goesOn = keptId;
  keptId = null;
  stopped(form);
  asked.delete(named(form));
  before.delete(named(form));
  const job = { form, address, arrived, photo: file, id: goesOn ?? newId(), stop: new AbortController(), tries: 0, best: 0 };
  onTheWay.set(form, job);
  form.querySelector(":scope > .notice")?.remove();
  showPreview(form, null);
  if (goesOn) {
    deliver(job);
    return;
  }
  busy(job);
  tell(form, words.preparing);
  const { photo, fault } = await prepared(file, { table: form.dataset.table !== undefined, signal: job.stop.signal });
  if (job.stop.signal.aborted) return;
  job.photo = photo;
  if (photo.size > Number(form.dataset.limit)) fail(job, { code: "upload_too_large", message: words.too_large, next_step: words.too_large_next });
  else if (fault) ask(job, fault);
  else deliver(job);
}

async function prepared(file, { table, signal }) {
  const opening = opened(file);
  try {
    const bitmap = await (isLarge(file) ? opening : within(LOOK_MS, opening));
    if (!bitmap || signal.aborted) return { photo: file };
    return { fault: look(bitmap, { table }), photo: await shrunk(file, bitmap, { table }) };
  } finally {
    opening.then((bitmap) => bitmap?.close()); // 12 megapixels hold 48 MB until then
  }
}

const within = (time, promise) => Promise.race([promise, new Promise((resolve) => { setTimeout(resolve, time, null); })]);

async function deliver(job) {
  const { form, photo, stop: { signal } } = job;
  busy(job);
  showPreview(form, photo);
  if (!job.isKept) keep(named(form), photo, job.id);
  job.isKept = true;
  let answer;
  try {
    answer = await answered(job);
  } catch (error) {
    if (!(error instanceof Lost)) throw error;
  }
  if (signal.aborted) return;
  if (!answer?.told || (answer.status !== 201 && !answer.told.error)) {
    wait(job);
    return;
  }
  await forget(named(form));
  if (signal.aborted) return;
  if (answer.status === 201) job.arrived(answer.told);
  else fail(job, answer.told.error);
}

async function answered(job) {
  const { form, photo, stop: { signal } } = job;
  const advance = (part) => {
    const percent = Math.round(100 * part);
    if (percent > job.best) [job.best, job.tries] = [percent, 0];
    tell(form, say(words.uploading, { percent }), percent);
  };
  advance(0);
  const body = new FormData(form); // with whatever else the form says about the photo
  body.set("photo", photo, photo.name || "photo.jpg");
  if (Number(form.dataset.others)) body.append("photo", new Blob(["+"])); // the next page says that others are left out
  body.set("photo_id", job.id);
  return post(job.address, body, {
    signal,
    sent: (loaded, total) => advance(loaded / total),
    handed: () => {
      form.querySelector(".cancel").disabled = true; // the server has the photo now
      tell(form, form.dataset.reading ?? words.reading);
    },
  });
}

// --- The connection is gone ------------------------------------------------------------------------

function wait(job) {
  const { form } = job;
  show(form, true); // what is on its way is not drawn anew
  tell(form, words.waiting, job.best);
  notice(form, { code: "offline", message: words.photo_kept, next_step: words.sent_by_itself }, [["again", words.send_again, "primary"]]);
  job.waits = true;
  probe(job);
}

function probe(job) {
  job.timer = setTimeout(async () => {
    const there = await fetch("/", { method: "HEAD", cache: "no-store", signal: job.stop.signal }).then(({ ok }) => ok, () => false);
    if (there) byItself(job);
    else if (job.waits) probe(job);
  }, PROBE_MS);
}

function byItself(job) {
  if (!job.waits || job.stop.signal.aborted || job.tries >= BY_ITSELF) return;
  job.tries += 1;
  again(job);
}

function again(job) {
  clearTimeout(job.timer);
  job.waits = false;
  deliver(job);
}

addEventListener("online", () => { for (const job of onTheWay.values()) byItself(job); });

// --- What a person is asked ------------------------------------------------------------------------

function ask(job, { name, bad }) {
  const { form } = job;
  rest(form);
  asked.set(named(form), job);
  const [message, next] = words.advice[name];
  notice(form, { code: `advice_${name}`, message, next_step: next }, [
    ["sure", words.send_anyway, bad ? "" : "primary"],
    ["another", words.another_photo, bad ? "primary" : ""],
  ], "warn");
  const active = document.activeElement;
  if (!active || active === document.body || form.contains(active)) form.querySelector(".photo-problem button").focus();
}

async function offer(form) {
  const kept = await keptFor(named(form));
  if (!kept || onTheWay.has(form) || form.querySelector(".photo-problem").hasChildNodes()) return;
  before.set(named(form), kept);
  notice(form, { code: "photo_before", message: words.photo_before }, [
    ["before", words.send_again, "primary"],
    ["forget", words.delete_photo, ""],
  ], "warn");
}

const ways = {
  again(form) {
    const job = onTheWay.get(form);
    if (!job?.waits) return;
    job.tries = 0;
    again(job);
  },
  sure(form) {
    const job = asked.get(named(form));
    if (!job) return;
    asked.delete(named(form));
    stopped(form);
    onTheWay.set(form, Object.assign(job, { form, stop: new AbortController() }));
    deliver(job);
  },
  another(form) {
    form.querySelector(".choose .file").click();
  },
  before(form) { // as if it were chosen now: the page knows what to do with a photo of this form
    const kept = before.get(named(form));
    if (!kept) return;
    const chosen = new DataTransfer();
    chosen.items.add(kept.photo);
    const input = form.querySelector(".choose .file");
    input.files = chosen.files;
    keptId = kept.id;
    input.dispatchEvent(new Event("change", { bubbles: true }));
    keptId = null;
  },
  forget(form) {
    before.delete(named(form));
    forget(named(form));
    form.querySelector(".photo-problem").replaceChildren();
    form.querySelector(".choose .file").focus();
  },
};

function notice(form, problem, buttons, kind = "bad") {
  const shown = problemNotice(problem);
  shown.className = `notice ${kind}`;
  const row = document.createElement("div");
  row.className = "notice-ways";
  for (const [way, label, look] of buttons) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = `button small ${look}`.trim();
    button.dataset.way = way;
    button.textContent = label;
    row.append(button);
  }
  shown.append(row);
  form.querySelector(".photo-problem").replaceChildren(shown);
}

// --- The form --------------------------------------------------------------------------------------

function busy({ form }) {
  form.querySelector(".photo-problem").replaceChildren();
  show(form, true);
}

function tell(form, text, percent) {
  const progress = form.querySelector("progress");
  if (!percent) announce(text); // each step is said aloud, not each percent
  form.querySelector(".sending-text").textContent = text;
  if (percent === undefined) progress.removeAttribute("value");
  else progress.value = percent;
}

function fail({ form }, problem) {
  rest(form);
  form.querySelector(".photo-problem").replaceChildren(problemNotice(problem));
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

function stopped(form) {
  const job = onTheWay.get(form);
  job?.stop.abort();
  clearTimeout(job?.timer);
  onTheWay.delete(form);
}

// Gives up what is on its way; the form is ready for another photo.
export function rest(form) {
  stopped(form);
  announce("");
  show(form, false);
  for (const input of form.querySelectorAll(".file")) input.value = "";
  form.dispatchEvent(new Event("photo-rests", { bubbles: true }));
}

document.addEventListener("click", ({ target }) => {
  const way = target.closest("[data-way]");
  if (way?.form) ways[way.dataset.way]?.(way.form);
  const form = target.closest(".cancel")?.form;
  if (!form) return;
  rest(form);
  ways.forget(form);
});
const forms = [...document.querySelectorAll(".photo-problem")].map((place) => place.closest("form"));
for (const form of forms) offer(form);
addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  for (const form of [...onTheWay.keys()]) rest(form);
  for (const form of forms) if (form.isConnected) offer(form);
});
