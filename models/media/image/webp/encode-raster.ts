import type { Picture } from '../../../core/runtime/image-codec.ts';
import type { PixelRegion, Raster8, Rgb } from '../../../core/runtime/raster.ts';
import { firstFrame, getPicture } from '../../../kernels/raster/picture.ts';
import { isOpaque, toEightBits } from '../../../kernels/raster/pixel-format.ts';
import { type Bytes, concat } from '../../bytes/byte-writer.ts';
import { readWebpChunks, vp8xChunk, WEBP_FLAGS, writeWebp } from './chunks.ts';
import { writeWebpAlpha } from './write-alpha.ts';

/** Side of the blocks that a lossy encoder treats as a unit: chroma has half the resolution. */
const BLOCK = 16;

/**
 * Encodes the first frame of an image with alpha as WebP: colours by an encoder without alpha, alpha by our own.
 * libwebp does both, but spends half its time and several copies of the image on alpha.
 * @param picture its raster is consumed: it becomes opaque, with other colours in transparent areas
 * @param encodeOpaque returns a whole lossy WebP file, or null when there is no encoder
 */
export async function encodeWebpRaster(
  picture: Picture,
  encodeOpaque: (picture: Picture) => Promise<Bytes | null>,
): Promise<Bytes | null> {
  const raster = toEightBits(await firstFrame(picture));
  const opaque = getPicture(raster, { hasAlpha: false, metadata: picture.metadata });
  if (isOpaque(raster)) return encodeOpaque(opaque);
  const alpha = writeWebpAlpha(raster);
  fillClear(raster);
  const file = await encodeOpaque(opaque);
  const colours = file ? readWebpChunks(file).filter(({ type }) => type === 'VP8 ') : [];
  if (colours.length === 0) return null;
  const head = vp8xChunk(raster, WEBP_FLAGS.alpha);
  return concat(writeWebp([head, { type: 'ALPH', body: alpha }, ...colours]));
}

/**
 * Makes a raster opaque, in place. Transparent pixels take the mean visible colour of their block, or of the block
 * before: an invisible edge costs bytes and spoils its neighbours.
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

/** Returns the mean visible colour; null where the whole block is transparent. */
function meanSeen({ width, data }: Raster8, block: PixelRegion): Rgb | null {
  let seen = 0;
  let red = 0;
  let green = 0;
  let blue = 0;
  for (let y = block.top; y < block.top + block.height; y++) {
    const start = (y * width + block.left) * 4;
    for (let at = start; at < start + block.width * 4; at += 4) {
      if (data[at + 3] === 0) continue;
      seen += 1;
      red += data[at];
      green += data[at + 1];
      blue += data[at + 2];
    }
  }
  return seen > 0 ? [Math.round(red / seen), Math.round(green / seen), Math.round(blue / seen)] : null;
}

function fill({ width, data }: Raster8, block: PixelRegion, [r, g, b]: Rgb): void {
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
