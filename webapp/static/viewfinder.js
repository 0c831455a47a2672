// The viewfinder: where the browser allows a camera, "Take a photo" opens its picture. The server says of small frames
// where the windows are and the one thing to do; when that is to hold still, and they do, the photo is taken. It goes
// into the field of the form as if it were chosen there.
import { stayAwake } from "./awake.js";
import { drawsTruly } from "./shrink.js";
import { tell, words } from "./words.js";

const FRAME_PX = 640; // the longest side of a frame, as `vision.viewfinder` wants it
const FRAME_QUALITY = 0.7;
const SHOT_QUALITY = 0.92;
const SHOT_MS = 4000; // a camera that takes longer for a photo is not waited for
const STILL = 0.025; // of a window's width: corners that move less are still
const ANSWERS = 3; // so many in a row, and so long, have them still before the photo is taken
const ANSWERS_SEVERAL = 4; // where several windows are to be whole
const HOLD_MS = 600;
const HINT_MS = 500; // a hint can be read before the next one comes
const AGAIN_MS = 1000; // where the server had no time or did not answer
const SVG = "http://www.w3.org/2000/svg";
const PARTS = `<video autoplay muted playsinline></video><svg aria-hidden="true"></svg><p role="status" aria-live="polite"></p>
  <button type="button" class="shutter" autofocus><svg viewBox="0 0 72 72" aria-hidden="true"><circle cx="36" cy="36" r="33" pathLength="1"/></svg></button>
  <button type="button" class="close"><svg class="ico" viewBox="0 0 24 24" aria-hidden="true"><path d="m6 6 12 12M18 6 6 18"/></svg></button>`;

let refused = false; // then the file field takes the photo, as without a camera

document.getElementById("with-https")?.toggleAttribute("hidden", isSecureContext);
if (navigator.mediaDevices) {
  const styles = document.createElement("link");
  styles.rel = "stylesheet";
  styles.href = new URL("viewfinder.css", import.meta.url);
  document.head.append(styles);
}

document.addEventListener("click", (event) => {
  const input = event.target.closest("input, label:has([capture])");
  const field = input?.matches("label") ? input.querySelector("[capture]") : input;
  if (!field?.matches("[capture]") || refused || !navigator.mediaDevices || !drawsTruly()) return;
  event.preventDefault();
  if (!document.querySelector(".viewfinder")) open(field);
});

async function open(field) {
  const dialog = document.createElement("dialog");
  dialog.className = "viewfinder";
  dialog.innerHTML = PARTS;
  const [video, outlines, line, shutter, close] = dialog.children;
  dialog.ariaLabel = shutter.ariaLabel = words.viewfinder.take;
  close.ariaLabel = words.viewfinder.close;
  document.body.append(dialog);
  const stop = new AbortController();
  const { signal } = stop;
  const { form: { action, dataset } } = field;
  dialog.addEventListener("close", () => stop.abort());
  close.addEventListener("click", () => dialog.close());
  document.addEventListener("visibilitychange", () => { if (document.hidden) dialog.close(); }, { signal });
  addEventListener("pagehide", () => dialog.close(), { signal });
  signal.addEventListener("abort", () => {
    for (const track of video.srcObject?.getTracks() ?? []) track.stop();
    dialog.remove();
    stayAwake("viewfinder", false);
  });
  dialog.showModal();
  stayAwake("viewfinder", true);

  try {
    const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment", width: { ideal: 4096 }, height: { ideal: 3072 } } });
    video.srcObject = stream;
    if (signal.aborted) for (const track of stream.getTracks()) track.stop();
  } catch {
    if (signal.aborted) return;
    dialog.close();
    refused = true;
    if (navigator.userActivation?.isActive ?? true) field.click();
    else tell(words.viewfinder.no_camera, { bad: true });
    return;
  }

  let isTaken = false;
  const shoot = async () => {
    if (isTaken || video.readyState < video.HAVE_CURRENT_DATA) return;
    isTaken = true;
    fill(shutter, 1);
    const photo = await shot(video);
    if (signal.aborted) return;
    dialog.close();
    // the form may be drawn anew meanwhile
    const now = field.isConnected ? field : [...document.querySelectorAll("[capture]")].find((one) => one.form.action === action);
    if (now) put(photo, now);
  };
  shutter.addEventListener("click", shoot);

  const every = dataset.table !== undefined;
  let [before, said, rest] = ["", 0, null];
  while (!signal.aborted && !isTaken) {
    const seen = video.readyState >= video.HAVE_CURRENT_DATA ? await looked(video, { every, signal }) : { windows: [], hint: "" };
    if (signal.aborted || isTaken) return;
    draw(outlines, seen);
    const hint = seen?.hint ?? words.viewfinder.by_button;
    const isNew = hint === before && hint !== line.textContent; // what one answer alone says may be a mistake
    if (isNew && performance.now() - said > HINT_MS) [line.textContent, said] = [hint, performance.now()];
    before = hint;
    rest = resting(rest, seen);
    const answers = every || seen?.windows.length > 1 ? ANSWERS_SEVERAL : ANSWERS;
    const part = rest ? Math.min(rest.answers / answers, (performance.now() - rest.since) / HOLD_MS) : 0;
    fill(shutter, part);
    if (part >= 1) shoot();
    await (seen ? new Promise(requestAnimationFrame) : new Promise((go) => { setTimeout(go, AGAIN_MS); }));
  }
}

// What the server sees in the picture of this moment; null where it has no time or does not answer.
async function looked(video, { every, signal }) {
  const frame = await jpeg(video, FRAME_PX / Math.max(video.videoWidth, video.videoHeight), FRAME_QUALITY);
  const headers = { "Content-Type": "image/jpeg", Accept: "application/json" };
  const answer = await fetch(`/look${every ? "?table" : ""}`, { method: "POST", body: frame, headers, signal }).catch(() => null);
  return answer?.ok ? answer.json().catch(() => null) : null;
}

function jpeg(video, scale, quality) {
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(video.videoWidth * Math.min(scale, 1));
  canvas.height = Math.round(video.videoHeight * Math.min(scale, 1));
  canvas.getContext("2d", { alpha: false }).drawImage(video, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => { canvas.toBlob(resolve, "image/jpeg", quality); });
}

// Where the corners came to rest, since when and for how many answers; null while something else is to be done.
function resting(rest, seen) {
  if (!seen?.ready) return null;
  const points = seen.windows.flat();
  const apart = ([x, y], [u, v]) => Math.hypot(x - u, y - v);
  const near = STILL * apart(points[0], points[1]);
  const isStill = rest?.points.length === points.length && points.every((one) => rest.points.some((other) => apart(one, other) < near));
  return isStill ? { ...rest, answers: rest.answers + 1 } : { points, since: performance.now(), answers: 1 };
}

function draw(outlines, seen) {
  if (seen?.size) outlines.setAttribute("viewBox", `0 0 ${seen.size.join(" ")}`);
  outlines.classList.toggle("ready", Boolean(seen?.ready));
  outlines.replaceChildren(...(seen?.windows ?? []).map((corners) => {
    const outline = document.createElementNS(SVG, "polygon");
    outline.setAttribute("points", corners.join(" "));
    return outline;
  }));
}

const fill = (shutter, part) => { shutter.querySelector("circle").style.strokeDashoffset = 1 - part; };

// The photo: as the camera takes it, or where it takes none the picture of this moment.
async function shot(video) {
  const [track] = video.srcObject.getVideoTracks();
  const taken = "ImageCapture" in window ? new ImageCapture(track).takePhoto().catch(() => null) : null;
  const photo = await Promise.race([taken, new Promise((resolve) => { setTimeout(resolve, SHOT_MS, null); })]);
  return photo?.size ? photo : jpeg(video, 1, SHOT_QUALITY);
}

function put(photo, field) {
  const chosen = new DataTransfer();
  chosen.items.add(new File([photo], "photo.jpg", { type: photo.type }));
  field.files = chosen.files;
  field.dispatchEvent(new Event("change", { bubbles: true }));
}
