// A photo of a window: chosen, taken, dropped or pasted.
import { sendPhoto } from "./send.js";

const form = document.getElementById("upload");

function send(files) {
  const [file] = files ?? [];
  if (!file) return;
  form.dataset.others = files.length - 1;
  // A photo in which there are more windows leads to all of them.
  sendPhoto(form, file, form.dataset.to ?? form.action, ({ links, failure }) => {
    const waits = failure?.code === "being_read"; // its page goes on when the photo is read
    location.assign(links.table ?? links.self + (waits ? `?then=${form.dataset.then ?? "table"}` : failure ? "" : form.dataset.next ?? ""));
  });
}

form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("change", (event) => send(event.target.files));
document.addEventListener("paste", (event) => send(event.clipboardData?.files));

// A photo may be dropped anywhere, but not on a form that takes another file; its own field takes that one.
function otherForm({ target }) {
  const its = target.closest?.("form");
  return its && its !== form && its.querySelector("input[type=file]") ? its : null;
}
const isFileField = ({ target }) => Boolean(target.matches?.("input[type=file]"));
for (const name of ["dragenter", "dragover", "dragleave", "drop"]) {
  document.addEventListener(name, (event) => {
    const other = otherForm(event);
    if (other || name === "drop" || (name === "dragleave" && !event.relatedTarget)) form.classList.remove("over");
    else if (name !== "dragleave") form.classList.add("over");
    if (other && isFileField(event)) return;
    event.preventDefault(); // else the browser opens the file in the place of the page
    if (other && event.dataTransfer) event.dataTransfer.dropEffect = "none";
    if (name === "drop" && !other) send(event.dataTransfer?.files);
  });
}
for (const sample of document.querySelectorAll("[data-sample]")) sample.form.addEventListener("submit", () => sample.setAttribute("aria-busy", "true"));
addEventListener("pageshow", (event) => { if (event.persisted) for (const sample of document.querySelectorAll("[aria-busy]")) sample.removeAttribute("aria-busy"); });
