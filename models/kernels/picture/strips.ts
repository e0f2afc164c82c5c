import type { ImageMetadata, Picture } from '../../core/runtime/image-codec.ts';
import type { Frame, Raster } from '../../core/runtime/raster.ts';
import { firstFrame } from './first-frame.ts';

/** Image that comes in strips, from the top: rasters as wide as it. */
export interface StripImage {
  readonly width: number;
  readonly height: number;
  readonly bitDepth: 8 | 16;
  /** Strips in order; each may be used once and changed. */
  readonly strips: AsyncIterable<Raster>;
}

/** Reads an image by strips: its only frame, or its first as one strip. */
export function getStrips(picture: Picture): StripImage {
  const { width, height, bitDepth } = picture;
  return { width, height, bitDepth, strips: picture.strips?.() ?? wholeStrip(picture) };
}

/** Wraps an image in strips as one that encoders take: those that need it whole gather it. */
export function stripPicture(
  { width, height, bitDepth, strips }: StripImage,
  facts: { readonly hasAlpha: boolean; readonly metadata: ImageMetadata },
): Picture {
  return {
    ...facts,
    width,
    height,
    bitDepth,
    frameCount: 1,
    loopCount: 0,
    strips: () => strips,
    async *frames() {
      yield { ...(await assembleStrips({ width, height, bitDepth, strips })), durationMs: 0 };
    },
  };
}

/**
 * Holds an image of strips as one raster.
 * @throws Error when rows are missing: the strips have been read before
 */
export async function assembleStrips({ width, height, bitDepth, strips }: StripImage): Promise<Raster> {
  const data = new (bitDepth === 16 ? Uint16Array : Uint8Array)(width * height * 4);
  let at = 0;
  for await (const strip of strips) {
    data.set(strip.data, at);
    at += strip.data.length;
  }
  if (at < data.length) throw new Error(`The image has ${at / 4 / width} of its ${height} rows.`);
  return { width, height, data };
}

/** Splits a raster into strips of `rows` rows, which share its samples. */
export function* splitRows({ width, height, data }: Raster, rows: number): Generator<Raster> {
  for (let top = 0; top < height; top += rows) {
    const bottom = Math.min(height, top + rows);
    yield { width, height: bottom - top, data: data.subarray(top * width * 4, bottom * width * 4) };
  }
}

async function* wholeStrip(picture: Picture): AsyncGenerator<Frame> {
  yield await firstFrame(picture);
}
