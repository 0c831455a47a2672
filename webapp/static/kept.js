// A photo that was not sent yet is kept in this browser with its id, so that it outlives a reload, under the address of its form.
// Where the browser keeps nothing (a private window), everything goes on without it.
const NAME = "sagrada-photos";
const PHOTOS = "photos";
const DAY_MS = 24 * 60 * 60 * 1000;
const PATIENCE_MS = 1000; // how long forgetting may hold up the page that comes next

const wanted = new Map(); // address -> the photo to be kept there by now
let opening;
let line = Promise.resolve(); // one thing after the other: what is forgotten is not written afterwards

function database() {
  opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(PHOTOS);
    request.onsuccess = () => resolve(request.result);
    request.onerror = request.onblocked = () => reject(request.error);
  });
  return opening;
}

function act(mode, what) {
  line = line.then(async () => {
    try {
      const transaction = (await database()).transaction(PHOTOS, mode);
      const request = what(transaction.objectStore(PHOTOS));
      return await new Promise((resolve, reject) => {
        transaction.oncomplete = () => resolve(request?.result);
        transaction.onerror = transaction.onabort = () => reject(transaction.error);
      });
    } catch {
      return undefined;
    }
  });
  return line;
}

export async function keep(address, photo, id) {
  wanted.set(address, photo);
  let bytes;
  try {
    bytes = await photo.arrayBuffer(); // the file itself may be gone after a reload
  } catch {
    return;
  }
  await act("readwrite", (photos) => (wanted.get(address) === photo
    ? photos.put({ bytes, id, name: photo.name ?? "photo.jpg", type: photo.type, at: Date.now() }, address) : null));
}

export async function forget(address) {
  wanted.delete(address);
  const done = act("readwrite", (photos) => photos.delete(address));
  await Promise.race([done, new Promise((resolve) => { setTimeout(resolve, PATIENCE_MS); })]);
}

// The photo that is kept for a form and its id, or null.
export async function keptFor(address) {
  const found = await act("readonly", (photos) => photos.get(address));
  if (!found) return null;
  if (Date.now() - found.at < DAY_MS) return { photo: new File([found.bytes], found.name, { type: found.type }), id: found.id };
  await forget(address);
  return null;
}
