// Which camera took a photo, as an EXIF segment that says nothing else; null where the file does not say it.
const LOOK_IN = 262_144; // bytes: EXIF stands near the beginning
const [MAKE, MODEL, DETAILS, FOCAL, FOCAL_35] = [0x010f, 0x0110, 0x8769, 0x920a, 0xa405];
const EXIF = 0x45786966; // "Exif"

export async function cameraOf(file) {
  try {
    const found = read(new DataView(await file.slice(0, LOOK_IN).arrayBuffer()));
    return found.model && found.focal ? segment(found) : null;
  } catch {
    return null; // broken, or none
  }
}

function read(file) {
  let start = 0;
  while (file.getUint32(start) !== EXIF || file.getUint16(start + 4) !== 0) start += 1;
  start += 6;
  const little = file.getUint16(start) === 0x4949;
  const short = (at) => file.getUint16(start + at, little);
  const long = (at) => file.getUint32(start + at, little);
  const entries = (at) => new Map(Array.from({ length: short(at) }, (_, k) => [short(at + 2 + 12 * k), at + 2 + 12 * k]));
  const text = (at) => {
    if (at === undefined) return "";
    const length = Math.min(long(at + 4), 60);
    const from = length > 4 ? long(at + 8) : at + 8;
    return String.fromCharCode(...Array.from({ length }, (_, k) => file.getUint8(start + from + k))).split("\0")[0].replace(/[^ -~]/g, "").replace(/ +/g, " ").trim();
  };
  const first = entries(long(4));
  const details = entries(long(first.get(DETAILS) + 8));
  const focal = details.has(FOCAL) ? long(details.get(FOCAL) + 8) : null;
  return {
    make: text(first.get(MAKE)),
    model: text(first.get(MODEL)),
    focal: focal === null ? 0 : Math.round(1000 * long(focal) / long(focal + 4)),
    focal35: details.has(FOCAL_35) ? short(details.get(FOCAL_35) + 8) : 0,
  };
}

function segment({ make, model, focal, focal35 }) {
  const texts = [make, model].map((text) => `${text}\0`.padEnd(5, "\0")); // four bytes would stand in the entry itself
  const at = { first: 8, details: 50, texts: 80 }; // of three and of two entries
  const focalAt = at.texts + texts[0].length + texts[1].length;
  const bytes = new DataView(new ArrayBuffer(10 + focalAt + 8));
  bytes.setUint16(0, 0xffe1);
  bytes.setUint16(2, bytes.byteLength - 2);
  bytes.setUint32(4, EXIF);
  const base = 10;
  bytes.setUint32(base, 0x4d4d002a); // what follows has its large end first
  bytes.setUint32(base + 4, at.first);
  const entry = (place, tag, kind, count, value) => {
    bytes.setUint16(base + place, tag);
    bytes.setUint16(base + place + 2, kind);
    bytes.setUint32(base + place + 4, count);
    if (kind === 3) bytes.setUint16(base + place + 8, value);
    else bytes.setUint32(base + place + 8, value);
  };
  const put = (text, place) => [...text].forEach((sign, k) => bytes.setUint8(base + place + k, sign.charCodeAt(0)));
  bytes.setUint16(base + at.first, 3);
  entry(at.first + 2, MAKE, 2, texts[0].length, at.texts);
  entry(at.first + 14, MODEL, 2, texts[1].length, at.texts + texts[0].length);
  entry(at.first + 26, DETAILS, 4, 1, at.details);
  bytes.setUint16(base + at.details, 2);
  entry(at.details + 2, FOCAL, 5, 1, focalAt);
  entry(at.details + 14, FOCAL_35, 3, 1, focal35);
  put(texts[0], at.texts);
  put(texts[1], at.texts + texts[0].length);
  bytes.setUint32(base + focalAt, focal);
  bytes.setUint32(base + focalAt + 4, 1000);
  return bytes.buffer;
}
