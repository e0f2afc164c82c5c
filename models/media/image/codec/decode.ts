import { OperationError } from '../../../core/operation/errors.ts';
import type { DecodeOptions, Picture } from '../../../core/runtime/image-codec.ts';
import { addWarnings, firstFrame, getPicture } from '../../../kernels/raster/picture.ts';
import type { Bytes } from '../../bytes/byte-writer.ts';
import { readBmp } from '../bmp/read-bmp.ts';
import { readColours, recolourPicture } from '../colours.ts';
import { openUncoveredGif } from '../gif/open-gif.ts';
import { type Libheif, openHeif } from '../heif/libheif.ts';
import { getOrientation } from '../metadata/exif.ts';
import { readOrientation } from '../metadata.ts';
import { planSequence, sequencePicture } from '../plan-sequence.ts';
import { openPngAnimation } from '../png/open-animation.ts';
import { appendNoise, truncatedError } from '../read-image-file.ts';
import { type OwnPages, pictureOfPages, planTiffPages } from '../tiff/open-own-pages.ts';
import type { ImageEngines } from './image-engines.ts';
import { decodingError } from './libvips-picture.ts';
import { applyColours, openColoured, openSamples, readOwnMetadata } from './open-coloured.ts';

const MAJOR_BRAND_OFFSET = 8;
const AVIF_BRAND = [0x61, 0x76, 0x69, 0x66];

/**
 * Opens a TIFF: with libvips where it reads its kind right, else with our own decoder.
 * @throws OperationError `unprocessable`
 */
export async function openTiff(file: Bytes, options: DecodeOptions, engines: ImageEngines): Promise<Picture> {
  const decoding = {
    frames: options.frames,
    orientation: getOrientation(file),
    inflate: engines.inflate,
  };
  const { own, frames, warnings } = await planTiffPages(file, decoding);
  options.signal.throwIfAborted();
  return addWarnings(
    await (own
      ? openOwn(file, own, options, engines)
      : openColoured(file, 'tiff', { ...options, frames }, engines)),
    warnings,
  );
}

async function openOwn(
  file: Bytes,
  pages: OwnPages,
  options: DecodeOptions,
  engines: ImageEngines,
): Promise<Picture> {
  const { metadata } = await readOwnMetadata(file, 'tiff', engines);
  const { icc: _, ...others } = metadata;
  const picture = pictureOfPages(pages, others);
  if (pages.isSrgb) return picture;
  return applyColours(picture, await readColours(file, 'tiff', metadata), options, engines);
}

/**
 * Opens a PNG, with the frames of an animated one if all are wanted.
 * @throws OperationError `unprocessable`
 */
export async function openPng(file: Bytes, options: DecodeOptions, engines: ImageEngines): Promise<Picture> {
  const still = await openColoured(file, 'png', options, engines);
  if (options.frames === 'first') return still;
  return openPngAnimation(file, still, {
    orientation: await readOrientation(file, 'png'),
    decodeStill: async (part) =>
      firstFrame(await openColoured(part, 'png', { ...options, frames: 'first' }, engines)),
    signal: options.signal,
  });
}

/**
 * Opens a GIF: with libvips where it shows its kind right, else with our own decoder.
 * @throws OperationError `unprocessable`
 */
export async function openGif(file: Bytes, options: DecodeOptions, engines: ImageEngines): Promise<Picture> {
  const { metadata } = await readOwnMetadata(file, 'gif', engines);
  return openUncoveredGif(file, options, metadata) ?? openColoured(file, 'gif', options, engines);
}

/**
 * Opens a BMP.
 * @throws OperationError `unprocessable`
 */
export async function openBmp(file: Bytes, options: DecodeOptions, engines: ImageEngines): Promise<Picture> {
  const { width, height, hasAlpha, icc, data } = readBmp(file);
  const facts = { width, height, channels: 4, hasAlpha, metadata: icc ? { icc } : {} } as const;
  return openSamples(await engines.loadLibvips(), facts, options, (samples) => samples.set(data));
}

/**
 * Opens an AVIF, with the frames of its sequence if all are wanted.
 * @throws OperationError `unprocessable`
 */
export async function openAvif(file: Bytes, options: DecodeOptions, engines: ImageEngines): Promise<Picture> {
  // libvips reads the major brand only and does not know that of a sequence (`avis`), which contains a still image as
  // well.
  file.set(AVIF_BRAND, MAJOR_BRAND_OFFSET);
  return openSequence(file, await openColoured(file, 'avif', options, engines), options, engines);
}

/** An instance that held a larger image is dropped, so that its memory comes back. */
const KEPT_PIXELS_MAX = 16_000_000;

let kept: Libheif | undefined;

/**
 * Opens the primary image of a HEIF file with libheif, including grids, rotation, mirroring, cropping and alpha, or the
 * frames of its sequence if all are wanted.
 * @throws OperationError `unprocessable`
 */
export async function openHeic(file: Bytes, options: DecodeOptions, engines: ImageEngines): Promise<Picture> {
  return openSequence(file, await openHeicStill(file, options, engines), options, engines);
}

async function openHeicStill(file: Bytes, options: DecodeOptions, engines: ImageEngines): Promise<Picture> {
  const { metadata: found } = await readOwnMetadata(file, 'heic', engines);
  const colours = await readColours(file, 'heic', found);
  const metadata = colours.kind === 'stated' ? { ...found, icc: colours.icc } : found;
  const libheif = kept ?? (await engines.loadLibheif());
  kept = undefined;
  try {
    const image = openHeif(libheif, file);
    const { width, height, hasAlpha } = image;
    options.signal.throwIfAborted();
    const channels = hasAlpha ? 4 : 3;
    const picture =
      colours.kind === 'hdr'
        ? recolourPicture(
            getPicture({ width, height, data: image.decodeDeep() }, { hasAlpha, metadata }),
            colours,
            options,
          )
        : openSamples(
            await engines.loadLibvips(),
            { width, height, channels, hasAlpha, metadata },
            options,
            (samples) => {
              const decode = (room: Bytes) => image.decodeInto(room, channels);
              if (engines.heicSamples) engines.heicSamples.fill(file, samples, decode);
              else decode(samples);
            },
          );
    image.close();
    if (width * height <= KEPT_PIXELS_MAX) kept = libheif;
    return picture;
  } catch (cause) {
    if (cause instanceof OperationError || options.signal.aborted) throw cause;
    throw new OperationError('unprocessable', 'The image is a damaged HEIC file: decoding it failed.', {
      kind: 'damaged',
      cause,
    });
  }
}

/**
 * Opens the image sequence of an AVIF or HEIC file, if all frames are wanted.
 * @param still its primary image, opened
 * @returns `still` when there is no sequence, or one that cannot be decoded
 * @throws OperationError `unprocessable` when it is damaged, or too large
 */
async function openSequence(
  file: Bytes,
  still: Picture,
  options: DecodeOptions,
  engines: ImageEngines,
): Promise<Picture> {
  const { codings, assertReadable, read } = engines.sequences;
  const plan = planSequence(file, still, options, codings);
  if (!plan) return still;
  await assertReadable?.(plan, options);
  const picture = sequencePicture(plan, still, () => read(plan, options));
  return applyColours(picture, plan.colours, options, engines);
}

/**
 * Checks that a JPEG whose end marker was missing lacks no samples: libvips overlooks those of the last rows.
 * @param file with an end marker
 * @throws OperationError `unprocessable` when some are missing
 */
export async function assertWholeScan(file: Bytes, engines: ImageEngines): Promise<void> {
  const libvips = await engines.loadLibvips();
  const copy = (source: Bytes) =>
    libvips
      .render({
        source: { kind: 'file', file: source, keepsProfile: true, failOn: 'none' },
        alpha: 'kept',
        depth: 8,
        // Small, and written row by row.
        write: { format: 'jpeg', quality: 100, chromaSubsampling: '4:4:4', optimiseCoding: false },
      })
      .catch(decodingError);
  const [plain, noisy] = [await copy(file), await copy(appendNoise(file))];
  if (plain.length !== noisy.length || plain.some((byte, at) => byte !== noisy[at]))
    throw truncatedError('JPEG');
}
