import type { Picture, Rgb } from '../../image-codec.ts';
import { type Bytes, concat } from '../byte-writer.ts';
import type { Region } from '../crop-raster.ts';
import { firstFrame } from '../first-frame.ts';
import { isOpaque, type Raster8, toEightBits } from '../opaque.ts';
import { pictureOf } from '../raster-picture.ts';
import { extendedHead, readWebpChunks, WEBP_FLAGS, writeWebp } from './chunks.ts';
import { writeWebpAlpha } from './write-alpha.ts';

/** Side of the blocks that share what a lossy encoder loses: colours have half the resolution. */
const BLOCK = 16;

/**
 * The first frame of a picture with alpha as WebP: colours by an encoder that knows no transparency, opacity by our own.
 * libwebp does both, but needs half of its time and several copies of the picture for the opacity.
 * @param picture its raster is used up: it becomes opaque, with other colours where nothing was to be seen
 * @param encodeOpaque gives a whole lossy WebP file, or null when there is no encoder
 */
export async function encodeWebpRaster(
  picture: Picture,
  encodeOpaque: (picture: Picture) => Promise<Bytes | null>,
): Promise<Bytes | null> {
  const raster = toEightBits(await firstFrame(picture));
  const opaque = pictureOf(raster, { hasAlpha: false, metadata: picture.metadata });
  if (isOpaque(raster)) return encodeOpaque(opaque);
  const alpha = writeWebpAlpha(raster);
  fillClear(raster);
  const file = await encodeOpaque(opaque);
  const colours = file ? readWebpChunks(file).filter(({ type }) => type === 'VP8 ') : [];
  if (colours.length === 0) return null;
  const head = extendedHead(raster, WEBP_FLAGS.alpha);
  return concat(writeWebp([head, { type: 'ALPH', body: alpha }, ...colours]));
}

/**
 * Makes a raster opaque, in place. What is clear takes the mean colour of what is seen in its block, or of the block
 * before: an edge that nobody sees costs bytes, and spoils what is beside it.
 */
function fillClear(raster: Raster8): void {
  for (let top = 0; top < raster.height; top += BLOCK) {
    const height = Math.min(BLOCK, raster.height - top);
    let colour: Rgb = [0, 0, 0];
    for (let left = 0; left < raster.width; left += BLOCK) {
      const block = { left, top, width: Math.min(BLOCK, raster.width - left), height };
      if (isOpaque(raster, block)) continue;
      colour = meanSeen(raster, block) ?? colour;
      fill(raster, block, colour);
    }
  }
}

/** null where all of it is clear. */
function meanSeen({ width, data }: Raster8, block: Region): Rgb | null {
  let seen = 0;
  let red = 0;
  let green = 0;
  let blue = 0;
  for (let y = block.top; y < block.top + block.height; y++) {
    const start = (y * width + block.left) * 4;
    for (let at = start; at < start + block.width * 4; at += 4) {
      if (data[at + 3] === 0) continue;
      seen += 1;
      red += data[at] as number;
      green += data[at + 1] as number;
      blue += data[at + 2] as number;
    }
  }
  return seen > 0 ? [Math.round(red / seen), Math.round(green / seen), Math.round(blue / seen)] : null;
}

function fill({ width, data }: Raster8, block: Region, [r, g, b]: Rgb): void {
  for (let y = block.top; y < block.top + block.height; y++) {
    const start = (y * width + block.left) * 4;
    for (let at = start; at < start + block.width * 4; at += 4) {
      if (data[at + 3] === 0) {
        data[at] = r;
        data[at + 1] = g;
        data[at + 2] = b;
      }
      data[at + 3] = 255;
    }
  }
}
