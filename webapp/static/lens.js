// Looks at a photo before it is sent: is it too dark, blurred or small to be read? It only gives advice.
//
// The thresholds were found by measuring 139 photos (samples, rendered ones, whole tables, real ones) as they are,
// darkened to 1/12, and blurred by 1/250 of their longer side:
//   brightest 5 % begin at    119 to 250 as they are; 20 at most when darkened
//   mean                       41 to 168 as they are; 14 at most when darkened
//   sharpness                0.036 and more as they are, the lowest two of them out of focus on purpose;
//                            0.0095 at most when blurred
// The reader brightens a dark photo by itself and reads well down to a twelfth of the light of a room.
const DIM = 30; // where the brightest 5 % begin, 0 to 255
const DIM_MEAN = 25; // a lit window on a dark table is brighter in a few places
const NO_LIGHT = 16; // the reader refuses what is darker
const SOFT = 0.018;
const VERY_SOFT = 0.01;
const TILE = 40;
const ENOUGH_CONTRAST = 100; // variance of the luminance in a tile: in a plain one there is only noise to measure
const ENOUGH_TILES = 10;
const SHARPEST = 0.9; // a photo is sharp where its sharpest tenth is: the rest may lie beside the window
const SMALL = 500; // pixels of the longer side, for one window
const SMALL_TABLE = 1000; // for a whole table
const LOOKED_AT = 1600; // what is measured is made at most so long: the grain of the sensor is no sharpness

// What is wrong with a photo: { name: "dark", "blurred" or "small", bad: whether it is hardly worth a try }, or null.
// `data` are its pixels, RGBA, at most LOOKED_AT long; `longest` is the longer side that the photo itself has.
export function faultOf({ data, width, height }, longest, { table = false } = {}) {
  if (longest < (table ? SMALL_TABLE : SMALL)) return { name: "small", bad: longest < SMALL };
  const light = luminance(data, width * height);
  const { mean, bright } = levels(light);
  if (bright < DIM && mean < DIM_MEAN) return { name: "dark", bad: bright < NO_LIGHT };
  const sharp = sharpness(light, width, height);
  if (sharp !== null && sharp < SOFT) return { name: "blurred", bad: sharp < VERY_SOFT };
  return null;
}

// The same of a decoded photo. Null also where this browser does not let it be measured.
export function look(bitmap, options) {
  const longest = Math.max(bitmap.width, bitmap.height);
  const scale = Math.min(1, LOOKED_AT / longest);
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  try {
    const pen = canvas.getContext("2d", { alpha: false, willReadFrequently: true });
    pen.fillStyle = "#fff"; // as on the server, where the photo is transparent
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.imageSmoothingQuality = "high";
    pen.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    return faultOf(pen.getImageData(0, 0, canvas.width, canvas.height), longest, options);
  } catch {
    return null;
  } finally {
    canvas.width = canvas.height = 0; // gives its memory back at once
  }
}

function luminance(data, count) {
  const light = new Float32Array(count);
  for (let at = 0; at < count; at += 1) light[at] = 0.299 * data[4 * at] + 0.587 * data[4 * at + 1] + 0.114 * data[4 * at + 2];
  return light;
}

// The mean, and the level above which one pixel of twenty lies.
function levels(light) {
  const counts = new Uint32Array(256);
  let sum = 0;
  for (const level of light) {
    counts[Math.round(level)] += 1;
    sum += level;
  }
  let bright = 255;
  for (let above = counts[255]; bright > 0 && above < light.length / 20; above += counts[bright]) bright -= 1;
  return { mean: sum / light.length, bright };
}

// How much of the contrast in a tile is in its finest details, of the sharpest tenth of the tiles: the variance of
// the Laplacian over that of the luminance. Null where the photo has too little contrast to tell.
function sharpness(light, width, height) {
  const shares = [];
  for (let top = 1; top + TILE < height; top += TILE) {
    for (let left = 1; left + TILE < width; left += TILE) {
      let [sum, squares, edges, edgeSquares] = [0, 0, 0, 0];
      for (let y = top; y < top + TILE; y += 1) {
        for (let at = y * width + left, end = at + TILE; at < end; at += 1) {
          const level = light[at];
          const edge = 4 * level - light[at - 1] - light[at + 1] - light[at - width] - light[at + width];
          sum += level;
          squares += level * level;
          edges += edge;
          edgeSquares += edge * edge;
        }
      }
      const count = TILE * TILE;
      const contrast = squares / count - (sum / count) ** 2;
      if (contrast >= ENOUGH_CONTRAST) shares.push((edgeSquares / count - (edges / count) ** 2) / contrast);
    }
  }
  if (shares.length < ENOUGH_TILES) return null;
  shares.sort((one, other) => one - other);
  return shares[Math.floor(SHARPEST * (shares.length - 1))];
}
