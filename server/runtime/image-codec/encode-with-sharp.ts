import sharp, { type Sharp } from 'sharp';
import { getMessage } from '../../../models/core/operation/errors.ts';
import type { EncodeOptions, Picture } from '../../../models/core/runtime/image-codec.ts';
import type { Frame, Rgb, RgbSamples } from '../../../models/core/runtime/raster.ts';
import { firstFrame } from '../../../models/kernels/picture/first-frame.ts';
import { getFormat } from '../../../models/media/image/find-format.ts';
import type { GraphicsCoding } from '../../../models/media/image/quality/graphics-coding.ts';
import { decodingError } from './sharp-errors.ts';
import { SharpPicture } from './sharp-picture.ts';

/** Above this, an encoder may not hold much more than the image itself. */
const LARGE_FROM_PIXELS = 50_000_000;

/** Limit of sharp on delays and loops, which are whole numbers. */
const TIMING_MAX = 65_535;

/** Choices of a saver of sharp. */
export interface Saving {
  /** Sharp's own quality for the format, a whole number. */
  readonly quality: number;
  readonly timing: Timing;
  readonly coding: GraphicsCoding | undefined;
  readonly isLarge: boolean;
  /** Whether the format could not hold the image otherwise. */
  readonly isCrowded: boolean;
}

/**
 * Encodes with sharp.
 * @param save ends a pipeline in the format of the options
 * @param options with sharp's own quality for the format, a whole number
 * @param coding of a drawing; that of photographs when absent
 * @throws OperationError `unprocessable`
 */
export async function encodeWithSharp(
  picture: Picture,
  save: (pipeline: Sharp, saving: Saving) => Sharp,
  options: EncodeOptions,
  coding?: GraphicsCoding,
): Promise<Uint8Array<ArrayBuffer>> {
  const { holds } = getFormat(options.format);
  const is16Bit = picture.bitDepth === 16 && holds.is16Bit;
  return render(picture, (pipeline, timing) => {
    const coloured = pipeline.toColourspace(is16Bit ? 'rgb16' : 'srgb');
    const shaped = holds.alpha ? coloured : onBackground(coloured, picture, options.background);
    const saving = { quality: options.quality, timing, coding, isLarge: isLarge(picture), isCrowded: false };
    return save(shaped, saving)
      .toBuffer()
      .catch((cause) => {
        if (!getMessage(cause).includes('unable to encode')) throw cause;
        return save(shaped, { ...saving, isCrowded: true }).toBuffer();
      });
  });
}

/**
 * Reads the first frame over a background as RGB samples, for an encoder of our own.
 * @throws OperationError `unprocessable`
 */
export async function readOpaqueSamples(picture: Picture, background: Rgb): Promise<RgbSamples> {
  const data = await render(picture, (pipeline) =>
    onBackground(pipeline.toColourspace('srgb'), picture, background).removeAlpha().raw().toBuffer(),
  );
  return { width: picture.width, height: picture.height, data };
}

interface Timing {
  readonly loop?: number;
  readonly delay?: number[];
}

function isLarge({ width, height }: Picture): boolean {
  return width * height > LARGE_FROM_PIXELS;
}

/** Encodes with the timing: sharp knows it for its own images; others must supply it. */
async function render(
  picture: Picture,
  use: (pipeline: Sharp, timing: Timing) => Promise<Buffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  if (picture instanceof SharpPicture) return picture.render((pipeline) => use(pipeline, {}));
  const { pipeline, timing } = await openRasters(picture);
  return new Uint8Array(await use(pipeline, timing).catch(decodingError));
}

/** Opens an image of another origin: its frames stacked vertically, as sharp expects. */
async function openRasters(picture: Picture): Promise<{ pipeline: Sharp; timing: Timing }> {
  const { width, height, frameCount, hasAlpha, loopCount: loop } = picture;
  const { data, delay } = frameCount === 1 ? await onlyFrame(picture) : await allFrames(picture);
  const raw = { width, height: height * frameCount, channels: 4, pageHeight: height } as const;
  const pipeline = sharp(data, { raw, limitInputPixels: false });
  return {
    pipeline: hasAlpha ? pipeline : pipeline.removeAlpha(),
    timing: frameCount > 1 ? { loop: Math.min(TIMING_MAX, loop), delay } : {},
  };
}

interface Samples {
  readonly data: Frame['data'];
  readonly delay: number[];
}

/** Returns the only frame without a copy, which would not fit into memory for the largest images. */
async function onlyFrame(picture: Picture): Promise<Samples> {
  const { data, durationMs } = await firstFrame(picture);
  return { data, delay: [durationMs] };
}

async function allFrames(picture: Picture): Promise<Samples> {
  const frameSamples = picture.width * picture.height * 4;
  const data = new (picture.bitDepth === 16 ? Uint16Array : Uint8Array)(frameSamples * picture.frameCount);
  const delay: number[] = [];
  for await (const frame of picture.frames()) {
    data.set(frame.data, delay.length * frameSamples);
    delay.push(Math.min(TIMING_MAX, Math.round(frame.durationMs)));
  }
  return { data, delay };
}

function onBackground(pipeline: Sharp, { hasAlpha }: Picture, [r, g, b]: Rgb): Sharp {
  return hasAlpha ? pipeline.flatten({ background: { r, g, b } }) : pipeline;
}
