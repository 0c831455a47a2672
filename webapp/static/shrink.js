// A large photo is made smaller before it is sent.

const LONGEST = 2400; // `vision.photo` reads no more pixels than that
const LONGEST_TABLE = 4096; // of a whole table the server keeps so many: a window is a small part of it
const QUALITY = 0.9;
const ENOUGH_BYTES = 1_500_000; // what is smaller is on its way sooner than it is shrunk
const WORTH_IT = 0.75; // a copy that is hardly smaller would only cost sharpness

export const isLarge = (file) => file.size > ENOUGH_BYTES;

// Returns the decoded photo, to be closed; null where this browser cannot decode it (HEIC in most) or falsifies what
// it draws.
export async function opened(file) {
  if (!drawsTruly()) return null;
  try {
    // no color conversion: the server does none either with a file that is sent as it is
    return await createImageBitmap(file, { imageOrientation: "from-image", colorSpaceConversion: "none" });
  } catch {
    return null;
  }
}

// Returns a smaller JPEG of a large photo, upright and without what the camera noted; or the file itself where that saves little.
export async function shrunk(file, bitmap, { table = false } = {}) {
  const [short, long] = [bitmap.width, bitmap.height].sort((one, other) => one - other);
  const longest = (table ? LONGEST_TABLE : LONGEST) * Math.sqrt(Math.max(1, long / (2 * short))); // more of a panorama
  const scale = longest / long;
  if (!isLarge(file) || scale >= 1) return file;
  try {
    const copy = await encoded(bitmap, scale);
    if (copy?.type !== "image/jpeg" || copy.size >= WORTH_IT * file.size) return file;
    return copy;
  } catch {
    return file;
  }
}

async function encoded(bitmap, scale) {
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const pen = canvas.getContext("2d", { alpha: false });
  pen.fillStyle = "#fff"; // shows where the photo is transparent, as on the server
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.imageSmoothingQuality = "high";
  pen.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  const copy = await new Promise((resolve) => { canvas.toBlob(resolve, "image/jpeg", QUALITY); });
  canvas.width = canvas.height = 0; // gives its memory back at once
  return copy;
}

// Against tracking some browsers hand out made-up pixels of a canvas: the photo would be noise.
export function drawsTruly() {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 4;
  const pen = canvas.getContext("2d");
  pen.fillStyle = "rgb(200, 30, 90)";
  pen.fillRect(0, 0, 4, 4);
  const drawn = pen.getImageData(0, 0, 4, 4).data;
  return drawn.every((level, index) => Math.abs(level - [200, 30, 90, 255][index % 4]) < 4);
}
