import { getMessage } from '../../../core/operation/errors.ts';
import type { EncodeOptions, Picture } from '../../../core/runtime/image-codec.ts';
import type { Frame } from '../../../core/runtime/raster.ts';
import { measureGraphics } from '../../../kernels/raster/measure-graphics.ts';
import { firstFrame, getStrips } from '../../../kernels/raster/picture.ts';
import type { Bytes } from '../../bytes/byte-writer.ts';
import { writeBmp } from '../bmp/write-bmp.ts';
import { getFormat } from '../find-format.ts';
import { clearGifTransparency } from '../gif/blocks.ts';
import { writeExactGif } from '../gif/write-gif.ts';
import { encodeHeic } from '../heif/encode-heic.ts';
import { embedMetadata } from '../metadata.ts';
import { writePng } from '../png/write-png.ts';
import { encodeWebpRaster } from '../webp/encode-raster.ts';
import { encodeAvifGrid, needsGrid } from './encode-avif-grid.ts';
import { encodeByPlan, type GraphicsCoding, type GraphicsPlan, planGraphics } from './graphics-coding.ts';
import type { ImageEngines } from './image-engines.ts';
import type { LibvipsFormat, LibvipsPlan } from './libvips.ts';
import { decodingError, LibvipsPicture, type LibvipsWork } from './libvips-picture.ts';
import { planWriting, type WritingFacts } from './plan-writing.ts';
import { encoderSetting, type ScaledEncoder } from './quality-tables.ts';

/** Above this, an encoder may not hold much more than the image itself. */
const LARGE_FROM_PIXELS = 50_000_000;

/** Pixels of all frames up to which an image is measured: it is in memory whole for that. */
const MEASURED_PIXELS_MAX = 50_000_000;

/** Pixels that stay in memory while they are encoded: 64 MB here, and as much in libvips. */
const HELD_PIXELS_MAX = 16_000_000;

/** Limit of libvips on delays and loops, which are whole numbers. */
const TIMING_MAX = 65_535;

/** Formats whose quality libvips counts on another scale. */
const SCALES: Partial<Record<LibvipsFormat, ScaledEncoder>> = { webp: 'libvips-webp', avif: 'libvips-avif' };

/**
 * Encodes an image in a format that libvips writes: photographs as usual, drawings by their plan. Adds the metadata.
 * @returns the parts of the file in order
 * @throws OperationError `unprocessable`
 */
export async function encodeCoded(
  picture: Picture,
  format: LibvipsFormat,
  options: EncodeOptions,
  engines: ImageEngines,
): Promise<Bytes[]> {
  if (format === 'avif' && needsGrid(picture)) {
    const quality = encoderSetting('libvips-avif', options.quality);
    return encodeAvifGrid(picture, { ...options, quality }, await engines.loadLibvips());
  }
  const { plan, read } = options.tuning
    ? { plan: null, read: picture }
    : await planPicture(picture, options, engines);
  const file = await (plan
    ? encodeByPlan(plan, (coding) => encodeWithLibvips(read, format, options, engines, coding))
    : encodeUsually(read, format, options, engines));
  return embedMetadata(file, format, options.metadata, picture);
}

async function encodeUsually(
  picture: Picture,
  format: LibvipsFormat,
  options: EncodeOptions,
  engines: ImageEngines,
): Promise<Bytes> {
  const encode = (each: Picture) => encodeWithLibvips(each, format, options, engines);
  if (format === 'webp' && !options.tuning) {
    // Our own kernel codes alpha, where the image is a raster anyway.
    const isRaster = picture.frameCount === 1 && !(picture instanceof LibvipsPicture);
    const file = isRaster && picture.hasAlpha ? await encodeWebpRaster(picture, encode) : null;
    return file ?? encode(picture);
  }
  if (format === 'gif' && !options.tuning && countPixels(picture) <= MEASURED_PIXELS_MAX) {
    const exact = await writeExactGif(picture);
    if (exact) return exact;
  }
  const file = await encode(picture);
  if (format === 'gif' && picture.frameCount === 1 && !picture.hasAlpha) clearGifTransparency(file);
  return file;
}

/** Counts the pixels of all frames. */
function countPixels({ width, height, frameCount }: Picture): number {
  return width * height * frameCount;
}

/** An image that was read to measure it. */
interface PlannedPicture {
  /** null for photographs and images that are too large to measure. */
  readonly plan: GraphicsPlan | null;
  /** The image, with its samples in memory where they are all: its encoder need not decode it again. */
  readonly read: Picture;
}

/** Measures an image by its first frame, and plans its coding if it is a drawing. */
async function planPicture(
  picture: Picture,
  { format, quality }: Pick<EncodeOptions, 'format' | 'quality'>,
  engines: Pick<ImageEngines, 'loadLibvips'>,
): Promise<PlannedPicture> {
  const { width, height, frameCount, bitDepth } = picture;
  if (!getFormat(format).drawings || countPixels(picture) > MEASURED_PIXELS_MAX)
    return { plan: null, read: picture };
  const frame = await firstFrame(picture);
  const plan = planGraphics(measureGraphics(frame), { format, quality, width, height });
  const isSmall = countPixels(picture) <= HELD_PIXELS_MAX;
  const isHeld = picture instanceof LibvipsPicture && frameCount === 1 && bitDepth === 8 && isSmall;
  return { plan, read: isHeld ? LibvipsPicture.hold(frame, picture, await engines.loadLibvips()) : picture };
}

/**
 * Encodes with libvips.
 * @param coding of a drawing; that of photographs when absent
 * @throws OperationError `unprocessable`
 */
export async function encodeWithLibvips(
  picture: Picture,
  format: LibvipsFormat,
  options: EncodeOptions,
  engines: Pick<ImageEngines, 'loadLibvips'>,
  coding?: GraphicsCoding,
): Promise<Bytes> {
  const { holds } = getFormat(format);
  const scale = SCALES[format];
  const asked = coding?.quality ?? options.quality;
  const quality = scale ? encoderSetting(scale, asked) : Math.round(asked);
  const work = {
    background: picture.hasAlpha && !holds.alpha ? options.background : undefined,
    alpha: 'kept',
    depth: picture.bitDepth === 16 && holds.is16Bit ? 16 : 8,
  } as const;
  const isLarge = picture.width * picture.height > LARGE_FROM_PIXELS;
  const pixels = countPixels(picture);
  const { render, timing } = await openForRendering(picture, engines);
  const write = (isCrowded: boolean) => {
    const facts: WritingFacts = {
      quality,
      timing,
      coding,
      tuning: options.tuning,
      pixels,
      isLarge,
      isCrowded,
    };
    return render({ ...work, write: planWriting(format, facts) });
  };
  return write(false).catch((cause) => {
    if (!getMessage(cause).includes('unable to encode')) throw cause;
    return write(true);
  });
}

/** Reads the first frame over a background and writes it as BMP. */
export async function encodeBmp(
  picture: Picture,
  { background, metadata }: EncodeOptions,
  engines: ImageEngines,
): Promise<Iterable<Bytes>> {
  const { render } = await openForRendering(picture, engines);
  const data = await render({
    background: picture.hasAlpha ? background : undefined,
    alpha: 'dropped',
    depth: 8,
    write: { format: 'raw' },
  });
  return writeBmp({ width: picture.width, height: picture.height, data }, metadata.resolution);
}

/** Encodes an image of strips as PNG, one at a time. */
export async function encodePngStrips(
  picture: Picture,
  { metadata, onProgress }: EncodeOptions,
  { deflate }: Pick<ImageEngines, 'deflate'>,
): Promise<Iterable<Bytes | Blob>> {
  const [head, ...rest] = await writePng(getStrips(picture), picture.hasAlpha, deflate, onProgress);
  return [...(await embedMetadata(head, 'png', metadata, picture)), ...rest];
}

export async function encodeHeicFile(
  picture: Picture,
  options: EncodeOptions,
  engines: ImageEngines,
): Promise<Bytes[]> {
  const rateFactor = encoderSetting(engines.hevcScale, options.quality);
  return encodeHeic(picture, options, rateFactor, await engines.loadHevcEncoder());
}

interface Opened {
  readonly timing: NonNullable<WritingFacts['timing']>;
  render(work: LibvipsWork): Promise<Bytes>;
}

/** Opens an image for libvips. It knows the timing of images that it opened; others must supply it. */
async function openForRendering(
  picture: Picture,
  engines: Pick<ImageEngines, 'loadLibvips'>,
): Promise<Opened> {
  if (picture instanceof LibvipsPicture) return { timing: {}, render: (work) => picture.render(work) };
  const { width, height, frameCount, hasAlpha, loopCount: loop } = picture;
  const { data, delay } = frameCount === 1 ? await onlyFrame(picture) : await allFrames(picture);
  const libvips = await engines.loadLibvips();
  const source = { kind: 'samples', width, height: height * frameCount, pageHeight: height, data } as const;
  const render = (work: LibvipsWork) => {
    const alpha: LibvipsPlan['alpha'] = hasAlpha || work.alpha !== 'kept' ? work.alpha : 'dropped';
    return libvips.render({ ...work, alpha, source }).catch(decodingError);
  };
  return { render, timing: frameCount > 1 ? { loop: Math.min(TIMING_MAX, loop), delay } : {} };
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
