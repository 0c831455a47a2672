// A large photo is made smaller before it is sent.
const LONGEST = 2400; // the reader works on no more pixels than that
const QUALITY = 0.9;
const ENOUGH_BYTES = 1_500_000; // what is smaller is on its way sooner than it is shrunk
const WORTH_IT = 0.75; // a copy that is hardly smaller would only cost sharpness

// Returns a smaller JPEG of the photo, upright and without place and camera; or the file itself where that
// saves little, and where this browser cannot decode it (HEIC in most) or falsifies what it draws.
export async function shrunk(file, signal) {
  if (file.size <= ENOUGH_BYTES || !drawsTruly()) return file;
  let bitmap;
  try {
    // no color conversion: the server does none either with a file that is sent as it is
    bitmap = await createImageBitmap(file, { imageOrientation: "from-image", colorSpaceConversion: "none" });
    const scale = LONGEST / Math.max(bitmap.width, bitmap.height);
    if (signal.aborted || scale >= 1) return file;
    const copy = await encoded(bitmap, scale);
    return copy?.type === "image/jpeg" && copy.size < WORTH_IT * file.size ? copy : file;
  } catch {
    return file;
  } finally {
    bitmap?.close(); // 12 megapixels hold 48 MB until then
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
function drawsTruly() {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 4;
  const pen = canvas.getContext("2d");
  pen.fillStyle = "rgb(200, 30, 90)";
  pen.fillRect(0, 0, 4, 4);
  const drawn = pen.getImageData(0, 0, 4, 4).data;
  return drawn.every((level, index) => Math.abs(level - [200, 30, 90, 255][index % 4]) < 4);
}
