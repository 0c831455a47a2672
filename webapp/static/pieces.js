// Requests that tell how much was sent, and a large photo in pieces: after a failure the next one goes on from there.
import { pause } from "./ask.js";

const PIECE_BYTES = 512 * 1024; // as in webapp/web/uploads.py
const IN_ONE = 600_000; // what is smaller is sent in one request
const PIECE_MS = 60_000; // a piece that takes longer is on no connection any more
const IN_VAIN = 3; // so often in a row without a byte more, and the connection counts as gone
const UPLOADS = "/api/v1/uploads";

// The server did not answer.
export class Lost extends Error {}

export const inPieces = (photo) => photo.size > IN_ONE;

// Sends a request (fetch cannot tell how much has been sent) and resolves to { status, told }.
export function exchange(method, address, { body = null, headers = {}, signal, timeout = 0, sent = () => {}, handed = () => {}, tried = 0 }) {
  return new Promise((resolve, reject) => { // of one that is given up nothing is heard
    if (signal.aborted) return;
    const request = new XMLHttpRequest();
    signal.addEventListener("abort", () => request.abort());
    request.open(method, address);
    for (const [name, value] of Object.entries({ Accept: "application/json", ...headers })) request.setRequestHeader(name, value);
    request.responseType = "json";
    request.timeout = timeout;
    request.upload.addEventListener("progress", ({ lengthComputable, loaded, total }) => { if (lengthComputable) sent(loaded, total); });
    request.upload.addEventListener("load", handed);
    request.addEventListener("load", () => {
      const wait = pause(request.status, request.getResponseHeader("Retry-After"), tried);
      if (wait) setTimeout(() => resolve(exchange(method, address, { body, headers, signal, timeout, sent, handed, tried: tried + 1 })), wait);
      else resolve({ status: request.status, told: request.response });
    });
    for (const end of ["error", "timeout"]) request.addEventListener(end, () => reject(new Lost()));
    request.send(body);
  });
}

// Brings a photo to the server and resolves to its id there; to null when the server takes no pieces now. `mark` is
// the name under which this tab remembers how far it is.
export async function brought(photo, mark, { signal, advance }) {
  let upload = await begunBefore(photo, mark, signal) ?? await begun(photo, mark, signal);
  let inVain = 0;
  while (upload && upload.received < photo.size) {
    const { received, links } = upload;
    let answer;
    try {
      answer = await exchange("PATCH", links.self, {
        body: photo.slice(received, received + PIECE_BYTES),
        headers: { "Content-Type": "application/offset+octet-stream", "Upload-Offset": received },
        signal,
        timeout: PIECE_MS,
        sent: (loaded) => advance(Math.min(1, (received + loaded) / photo.size)),
      });
    } catch (error) {
      if (!(error instanceof Lost)) throw error;
      answer = await exchange("GET", links.self, { signal, timeout: PIECE_MS }); // how much arrived?
    }
    if (answer.status === 404) { // it lay there too long
      forgetUpload(mark);
      upload = await begun(photo, mark, signal);
    } else if (answer.status === 200 || answer.status === 409) {
      upload = { ...upload, received: answer.status === 200 ? answer.told.received : answer.told.error.data.received };
    } else {
      return null;
    }
    inVain = upload?.received > received ? 0 : inVain + 1;
    if (inVain === IN_VAIN) throw new Lost();
    if (upload) advance(upload.received / photo.size);
  }
  return upload?.id ?? null;
}

export function forgetUpload(mark) {
  try { sessionStorage.removeItem(mark); } catch { /* nothing is kept in this browser */ }
}

async function begun(photo, mark, signal) {
  const { status, told } = await exchange("POST", UPLOADS, {
    body: JSON.stringify({ size: photo.size }), headers: { "Content-Type": "application/json" }, signal, timeout: PIECE_MS,
  });
  if (status !== 201) return null;
  try { sessionStorage.setItem(mark, JSON.stringify([photo.size, told.links.self])); } catch { /* then a reload begins anew */ }
  return told;
}

async function begunBefore(photo, mark, signal) {
  let before;
  try { before = JSON.parse(sessionStorage.getItem(mark)); } catch { /* nothing is kept in this browser */ }
  if (before?.[0] !== photo.size) return null;
  const { status, told } = await exchange("GET", before[1], { signal, timeout: PIECE_MS });
  if (status === 200) return told;
  forgetUpload(mark);
  return null;
}
