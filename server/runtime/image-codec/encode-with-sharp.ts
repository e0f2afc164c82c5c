import sharp, { type JpegOptions, type Sharp, type WebpOptions } from 'sharp';
import { type GraphicsCoding, LOSSLESS_LEVEL_MAX } from '../../../models/media/image/quality/graphics-coding.ts';
import { firstFrame } from '../../../models/kernels/picture/first-frame.ts';
import { messageOf } from '../../../models/core/operation/errors.ts';
import type { EncodeOptions, ImageFormat, Picture } from '../../../models/core/runtime/image-codec.ts';
import type { Frame, Rgb, RgbSamples } from '../../../models/core/runtime/raster.ts';
import { decodingError } from './sharp-errors.ts';
import { SharpPicture } from './sharp-picture.ts';

export type SharpFormat = Exclude<ImageFormat, 'bmp' | 'heic'>;

/** 0 to 9. From 2 to 4 the time rises sixfold, and the size falls by a tenth. */
const AVIF_EFFORT = 2;

/** 1 to 10. Above 5 the palette search takes four times as long, for a tenth of the size. */
const GIF_EFFORT = 5;

/** Above this, an encoder may not hold much more than the image itself. */
const LARGE_FROM_PIXELS = 50_000_000;

/**
 * 0 to 6. For a photo of 12 megapixels, 4 (libwebp's default) takes twice the time of 2, for as many bytes and 0.4 dB
 * more. For 64 megapixels with alpha, 4 holds 25 bytes per pixel and 0 holds 17, at one and a half times the size.
 * Optimised coding of a JPEG holds 6 to save an eighth; without it a JPEG is written row by row.
 */
const WEBP_EFFORT = {
  usual: 2,
  large: 0,
  /** From 3 on libwebp makes the head of an image fit into the 512 KB that it may have; below, it fails. */
  crowded: 4,
};

/**
 * Smaller files and less ringing beside white, but several times slower. Trellis quantisation saves a little more, but
 * doubles the largest errors of thin lines.
 */
const DRAWING_JPEG: JpegOptions = { progressive: true, optimiseScans: true, overshootDeringing: true };

/** 0 to 6. From 4 on, a fifth fewer bytes than from 2 for some drawings; above, seconds instead of tenths. */
const LOSSLESS_EFFORT = 4;
/** Limit of sharp on delays and loops, which are whole numbers. */
const TIMING_MAX = 65_535;

/** Formats that keep 16 bits per sample. */
const DEEP_FORMATS: ReadonlySet<ImageFormat> = new Set(['png', 'tiff']);

/**
 * Encodes with sharp.
 * @param options with sharp's own quality for the format, a whole number
 * @param coding of a drawing; that of photographs when absent
 * @throws OperationError `unprocessable`
 */
export async function encodeWithSharp(
  picture: Picture,
  format: SharpFormat,
  options: EncodeOptions,
  coding?: GraphicsCoding,
): Promise<Uint8Array<ArrayBuffer>> {
  const isDeep = picture.bitDepth === 16 && DEEP_FORMATS.has(format);
  return render(picture, (pipeline, timing) => {
    const coloured = pipeline.toColourspace(isDeep ? 'rgb16' : 'srgb');
    const shaped = format === 'jpeg' ? onBackground(coloured, picture, options.background) : coloured;
    const choices = { ...options, timing, coding, isLarge: isLarge(picture) };
    return withFormat(shaped, format, choices)
      .toBuffer()
      .catch((cause) => {
        if (format !== 'webp' || !messageOf(cause).includes('unable to encode')) throw cause;
        return withFormat(shaped, format, { ...choices, isCrowded: true }).toBuffer();
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

interface Saving {
  readonly quality: number;
  readonly timing: Timing;
  readonly coding: GraphicsCoding | undefined;
  readonly isLarge: boolean;
  /** Whether WebP could not hold the image otherwise. */
  readonly isCrowded?: boolean;
}

function withFormat(
  pipeline: Sharp,
  format: SharpFormat,
  { quality, timing, coding, isLarge, isCrowded = false }: Saving,
): Sharp {
  switch (format) {
    case 'jpeg':
      // As browsers do: half the colour resolution, except at full quality.
      return pipeline.jpeg({
        quality,
        chromaSubsampling: quality === 100 || coding?.chroma === '4:4:4' ? '4:4:4' : '4:2:0',
        optimiseCoding: !isLarge,
        ...(coding && DRAWING_JPEG),
      });
    case 'png':
      return pipeline.png();
    case 'webp':
      return pipeline.webp({
        quality,
        effort: WEBP_EFFORT[isCrowded ? 'crowded' : isLarge ? 'large' : 'usual'],
        smartSubsample: coding?.chroma === 'sharp',
        ...losslessOptions(coding),
        ...timing,
      });
    case 'gif':
      return pipeline.gif({ ...timing, effort: GIF_EFFORT });
    case 'tiff':
      return pipeline.tiff({ compression: 'deflate', predictor: 'horizontal' });
    case 'avif':
      return pipeline.avif({ quality, effort: AVIF_EFFORT });
  }
}

/** Returns sharp's options for WebP without loss; none for a lossy one. */
function losslessOptions({ losslessLevel }: Partial<GraphicsCoding> = {}): WebpOptions {
  if (losslessLevel === undefined) return {};
  const effort = LOSSLESS_EFFORT;
  return losslessLevel === LOSSLESS_LEVEL_MAX
    ? { lossless: true, effort }
    : { nearLossless: true, quality: losslessLevel, effort };
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
