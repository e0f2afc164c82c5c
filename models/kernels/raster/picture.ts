import { OperationError } from '../../core/operation/errors.ts';
import type { FrameOptions, ImageMetadata, Picture } from '../../core/runtime/image-codec.ts';
import type { FloatImage, Frame, ImageSize, Raster } from '../../core/runtime/raster.ts';
import type { RunWarning } from '../../core/runtime/run-warnings.ts';
import { divideByAlpha } from './pixel-format.ts';

/** Source that is read once, row by row from the top. */
export interface RowSource {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  /** Writes row `y` into `row`, interleaved. */
  read(y: number, row: Float32Array): void;
}

/** Limit on frames times pixels: an encoder holds all frames. */
const ANIMATION_PIXELS_MAX = 75_000_000;

/** Limit on frames: the largest `n` that the loaders of libvips take. */
export const FRAMES_MAX = 100_000;

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

async function* wholeStrip(picture: Picture): AsyncGenerator<Frame> {
  yield await firstFrame(picture);
}

/** Adds warnings to a decoded image, which stays the same object: encoders recognise their own decoder's images. */
export function addWarnings(picture: Picture, warnings: readonly RunWarning[]): Picture {
  if (warnings.length === 0) return picture;
  return Object.assign(picture, { warnings: [...warnings, ...(picture.warnings ?? [])] });
}

/**
 * Checks that all frames of an image can be read and held.
 * @param pixelsMax limit on frames times pixels
 * @throws OperationError `unprocessable` when it could not
 */
export function assertAnimationFits(
  { width, height }: ImageSize,
  frames: number,
  pixelsMax = ANIMATION_PIXELS_MAX,
): void {
  if (frames <= FRAMES_MAX && width * height * frames <= pixelsMax) return;
  throw new OperationError(
    'unprocessable',
    `The image has ${frames} frames of ${width} x ${height} pixels, more than can be held in memory. Send fewer or smaller frames.`,
  );
}

/** Facts of an image, without its samples. */
export type PictureFacts = Omit<Picture, 'frames' | 'strips'>;

/** Returns the facts of an image, which may be an object of a class. */
export function getFacts(picture: Picture): PictureFacts {
  const { width, height, frameCount, loopCount, hasAlpha, bitDepth, metadata, warnings } = picture;
  return {
    ...{ width, height, frameCount, loopCount, hasAlpha, bitDepth, metadata },
    ...(warnings && { warnings }),
  };
}

/** Holds the frames of an image in memory. Returns a function that gives the image, each time with separate samples. */
export async function holdPicture(picture: Picture): Promise<() => Picture> {
  const held: Frame[] = [];
  for await (const frame of picture.frames()) held.push(frame);
  return () => ({
    ...getFacts(picture),
    async *frames() {
      for (const frame of held) yield { ...frame, data: frame.data.slice() };
    },
  });
}

export async function firstFrame(picture: Picture, options?: FrameOptions): Promise<Frame> {
  for await (const frame of picture.frames(options)) return frame;
  throw new OperationError('unprocessable', 'The image has no frames.', { kind: 'damaged' });
}

/** Changes a copy of each frame as it is read: an image may yield the same samples again to a caller that reads it twice. */
export function mapFrames(picture: Picture, change: (frame: Raster) => void): Picture {
  return {
    ...getFacts(picture),
    async *frames(options) {
      for await (const frame of picture.frames(options)) {
        const changed = { ...frame, data: frame.data.slice() };
        change(changed);
        yield changed;
      }
    },
  };
}

/** Makes an image whose colours its decoder left multiplied by alpha one of straight alpha. */
export function straightenAlpha(picture: Picture): Picture {
  return mapFrames(picture, divideByAlpha);
}

/** Wraps one raster as an image. */
export function getPicture(
  raster: Raster,
  facts: { readonly hasAlpha: boolean; readonly metadata: ImageMetadata },
): Picture {
  return {
    ...facts,
    width: raster.width,
    height: raster.height,
    frameCount: 1,
    loopCount: 0,
    bitDepth: raster.data instanceof Uint16Array ? 16 : 8,
    async *frames() {
      yield { ...raster, durationMs: 0 };
    },
  };
}

export function getRows({ width, height, channels, data }: FloatImage): RowSource {
  const length = width * channels;
  return {
    width,
    height,
    channels,
    read: (y, row) => row.set(data.subarray(y * length, (y + 1) * length)),
  };
}
