import type { Region } from '../../../kernels/raster/crop.ts';
import { type Bytes, concat, u8 } from '../../bytes/byte-writer.ts';
import { readWebpChunks, u24le, vp8xChunk, WEBP_FLAGS, writeWebp, writeWebpChunk } from './chunks.ts';

/** Frame that replaces a region of the previous image. */
export interface WebpFrame {
  /** Left and top are even. */
  readonly region: Region;
  readonly durationMs: number;
  /** Region as a still WebP file. */
  readonly still: Bytes;
}

/** Players lengthen a shorter frame to this; libwebp writes it so. */
const SHORTEST_MS = 10;
const SHORT_PLAYS_MS = 100;

const DO_NOT_BLEND = 0x02;

/** Chunks of a still file that contain its image. */
const PICTURE_CHUNKS: ReadonlySet<string> = new Set(['ALPH', 'VP8 ', 'VP8L']);

/**
 * Writes an animated WebP: RFC 9649, 2.7.1.1.
 * @param loopCount number of plays, 0 for endless
 * @returns the whole file
 */
export function writeWebpAnimation(
  size: { readonly width: number; readonly height: number; readonly hasAlpha: boolean },
  loopCount: number,
  frames: readonly WebpFrame[],
): Bytes {
  const flags = WEBP_FLAGS.animation | (size.hasAlpha ? WEBP_FLAGS.alpha : 0);
  const background = u8(0, 0, 0, 0);
  const loops = Math.min(0xffff, loopCount);
  return concat(
    writeWebp([
      vp8xChunk(size, flags),
      { type: 'ANIM', body: concat([background, u8(loops, loops >> 8)]) },
      ...frames.map((frame) => ({ type: 'ANMF', body: frameBody(frame) })),
    ]),
  );
}

function frameBody({ region, durationMs, still }: WebpFrame): Bytes {
  const { left, top, width, height } = region;
  const shownMs = durationMs <= SHORTEST_MS ? SHORT_PLAYS_MS : Math.round(durationMs);
  const picture = readWebpChunks(still).filter(({ type }) => PICTURE_CHUNKS.has(type));
  return concat([
    u24le(left / 2),
    u24le(top / 2),
    u24le(width - 1),
    u24le(height - 1),
    u24le(shownMs),
    u8(DO_NOT_BLEND),
    ...picture.flatMap(writeWebpChunk),
  ]);
}
