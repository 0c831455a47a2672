// The window as a picture: fetched when somebody opens it, again after a change; saved and shared as PNG.
import { ask } from "./ask.js";
import { tell, words } from "./words.js";

const WIDTH = 1080, HEIGHT = 1350;

export function sharePicture(model, place) {
  const image = place.querySelector("#share-image");
  const save = place.querySelector("#share-png");
  const send = place.querySelector("#share-send");
  let picture = null; // a promise of the newest picture, null until somebody wants it
  image.removeAttribute("src"); // it is loaded with the file's name, and only once

  async function newest() {
    const wanted = (picture ??= load(place.dataset.picture));
    try {
      const loaded = await wanted;
      if (wanted !== picture) return newest(); // the window changed on the way
      if (image.src !== loaded.address) {
        URL.revokeObjectURL(image.src);
        image.src = loaded.address;
      }
      return loaded;
    } catch (error) {
      if (wanted === picture) picture = null;
      throw error;
    }
  }
  const failed = () => tell(words.picture_failed, { bad: true });
  const show = () => { if (place.open) newest().catch(failed); };

  place.addEventListener("toggle", show);
  model.addEventListener("changed", ({ detail: { before } }) => {
    if (before.revision === model.state.revision) return;
    picture = null;
    show();
  });

  function when(button, act) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      button.disabled = true;
      try {
        const { name, drawn } = await newest();
        await act(new File([await drawn()], `${name}.png`, { type: "image/png" }));
      } catch (error) {
        if (error.name !== "AbortError") failed(); // who closes the list of apps has changed their mind
      }
      button.disabled = false;
      button.focus();
    });
  }
  when(save, download);
  if (canShare()) when(send, (file) => navigator.share({ files: [file] }));
}

export function canShare() {
  const trial = new File(["."], "window.png", { type: "image/png" });
  return Boolean(navigator.canShare?.({ files: [trial] }));
}

// The picture at an address as PNG: saved, or handed to another app. Both tell when that does not work.
export const savePng = (address) => withPng(address, download);
export const sharePng = (address, text) => withPng(address, (file) => navigator.share({ files: [file], text }));

async function withPng(address, act) {
  try {
    const { name, address: blob, drawn } = await load(address);
    try {
      await act(new File([await drawn()], `${name}.png`, { type: "image/png" }));
    } finally {
      URL.revokeObjectURL(blob);
    }
  } catch (error) {
    if (error.name !== "AbortError") tell(words.picture_failed, { bad: true });
  }
}

async function load(address) {
  const answer = await ask(address);
  if (!answer.ok) throw new Error(`The picture came with status ${answer.status}.`);
  const name = fileName(answer.headers.get("Content-Disposition") ?? "");
  const loaded = { name, address: URL.createObjectURL(await answer.blob()) };
  let png = null;
  loaded.drawn = () => (png ??= draw(loaded.address));
  return loaded;
}

// Without its ending; the second form is for names with letters beyond ASCII.
function fileName(header) {
  const wide = /filename\*=UTF-8''([^;]+)/i.exec(header);
  const plain = /filename="?([^";]+)/i.exec(header);
  return (wide ? decodeURIComponent(wide[1]) : plain?.[1] ?? "sagrada").replace(/\.svg$/, "");
}

async function draw(address) {
  const picture = new Image(WIDTH, HEIGHT);
  picture.src = address;
  await picture.decode();
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  canvas.getContext("2d").drawImage(picture, 0, 0, WIDTH, HEIGHT);
  return new Promise((done, refused) => {
    canvas.toBlob((blob) => (blob ? done(blob) : refused(new Error("The canvas gave no picture."))), "image/png");
  });
}

function download(file) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000); // the browser reads it after the click
}
