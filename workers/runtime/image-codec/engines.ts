import type { DecodeOptions, EncodeOptions, Picture } from '../../../models/core/runtime/image-codec.ts';
import { addWarnings, firstFrame, getStrips } from '../../../models/kernels/raster/picture.ts';
import { dropAlpha, flatten, toEightBits } from '../../../models/kernels/raster/pixel-format.ts';
import type { Bytes } from '../../../models/media/bytes/byte-writer.ts';
import { writeBmp } from '../../../models/media/image/bmp/write-bmp.ts';
import { recolourPicture } from '../../../models/media/image/colours.ts';
import { UPRIGHT } from '../../../models/media/image/exif/exif.ts';
import type { ImageFormat } from '../../../models/media/image/formats.ts';
import { encodeHeic } from '../../../models/media/image/heif/encode-heic.ts';
import { profileSpace } from '../../../models/media/image/icc/read-profile.ts';
import { isCmykJpeg } from '../../../models/media/image/jpeg/segments.ts';
import { embedMetadata } from '../../../models/media/image/metadata.ts';
import {
  planSequence,
  type SequencePlan,
  sequencePicture,
} from '../../../models/media/image/plan-sequence.ts';
import { openPngAnimation } from '../../../models/media/image/png/open-animation.ts';
import { isDeepPng } from '../../../models/media/image/png/read-png.ts';
import { writePng } from '../../../models/media/image/png/write-png.ts';
import { encoderSetting, type ScaledEncoder } from '../../../models/media/image/quality/quality-tables.ts';
import { planTiffPages } from '../../../models/media/image/tiff/open-own-pages.ts';
import { writeTiff } from '../../../models/media/image/tiff/write-tiff.ts';
import { probeUprightImage } from '../../../models/media/image/upright-image.ts';
import type { Loading } from '../loading/assets.ts';
import { canEncodeOnCanvas } from './can-encode-on-canvas.ts';
import { applyColours } from './colours.ts';
import { openWithBrowser } from './decode-native.ts';
import { openBmp, openDeepPng, openHeic, openOwnTiff } from './decode-own.ts';
import { canReadSequence, readSequence, SEQUENCE_CODINGS } from './decode-sequence.ts';
import { openWithMagick } from './decode-with-magick.ts';
import { encodeMeasured } from './encode-measured.ts';
import { encodeWebpAnimation } from './encode-webp-animation.ts';
import { encodeWithMagick } from './encode-with-magick.ts';
import { loadMagick } from './magick.ts';
import { assertWholeJpeg, assertWholePng, type Source } from './source.ts';
import { loadHevcEncoder } from './x265.ts';
import { deflate, inflate } from './zlib.ts';

/** Reader and writer of one format in a browser's worker. */
export interface FormatEngine {
  /** Opens a file in the colours that it states. */
  open(source: Source, options: DecodeOptions, loading: Loading): Promise<Picture>;
  /** Checks that a file whose end was missing lacks no samples. Absent where the decoder notices it. */
  assertWhole?(file: Bytes): Promise<void>;
  /** Encodes an image. Returns the parts of the file in order. */
  encode(picture: Picture, options: EncodeOptions, loading: Loading): Promise<Iterable<BlobPart>>;
}

type Open = FormatEngine['open'];

const openPlainColoured = coloured((source, options, loading) => openPlain(source, options.frames, loading));

/** Engines of all formats: the browser's own codecs first, then our kernels, and ImageMagick for the rest. */
const ENGINES: Readonly<Record<ImageFormat, FormatEngine>> = {
  jpeg: {
    open: openPlainColoured,
    assertWhole: assertWholeJpeg,
    encode: withMetadata((picture, options, loading) =>
      options.tuning
        ? encodeByMagick(picture, options, loading)
        : encodeMeasured(picture, 'jpeg', options, loading),
    ),
  },
  png: { open: coloured(openPng), assertWhole: assertWholePng, encode: encodePng },
  webp: {
    open: openPlainColoured,
    encode: withMetadata(
      async (picture, options, loading) =>
        (!options.tuning && (await encodeWebpNatively(picture, options, loading))) ||
        encodeByMagick(picture, options, loading, 'magick-webp'),
    ),
  },
  gif: { open: openPlainColoured, encode: withMetadata(encodeByMagick) },
  tiff: {
    open: coloured(openTiff),
    encode: withMetadata((picture, options, loading) =>
      options.tuning
        ? encodeByMagick(picture, options, loading)
        : writeTiff(picture.frames(), picture.hasAlpha, deflate),
    ),
  },
  bmp: {
    open: coloured(openBmp),
    async encode(picture, { background, metadata }) {
      const frame = await firstFrame(picture);
      const opaque = dropAlpha(toEightBits(picture.hasAlpha ? flatten(frame, background) : frame));
      return writeBmp(opaque, metadata.resolution);
    },
  },
  avif: {
    open: openAvif,
    encode: withMetadata((picture, options, loading) =>
      encodeByMagick(picture, options, loading, 'magick-avif'),
    ),
  },
  heic: {
    open: coloured((source, _options, loading) => openHeic(source, loading)),
    encode: async (picture, options, loading) =>
      encodeHeic(
        picture,
        options,
        encoderSetting('wasm-x265', options.quality),
        await loadHevcEncoder(loading),
      ),
  },
};

/** Engines by the ids of their formats. */
export const FORMAT_ENGINES: ReadonlyMap<string, FormatEngine> = new Map(Object.entries(ENGINES));

/** Adds to a decoder the colours that a file states outside of a profile. */
function coloured(open: Open): Open {
  return async (source, options, loading) =>
    recolourPicture(await open(source, options, loading), source.colours, options);
}

/** Adds the metadata to the files of an encoder. */
function withMetadata(
  encode: (picture: Picture, options: EncodeOptions, loading: Loading) => Promise<Bytes>,
): FormatEngine['encode'] {
  return async (picture, options, loading) => {
    const file = await encode(picture, options, loading);
    return embedMetadata(file, options.format, options.metadata, picture);
  };
}

/** Opens an AVIF, with the frames of its sequence if all are wanted. */
async function openAvif(source: Source, options: DecodeOptions, loading: Loading): Promise<Picture> {
  const plan = await planAvif(source, options);
  const canRead = plan !== null && (await canReadSequence(plan, source.signal));
  if (!canRead) return openPlainColoured(source, options, loading);
  const still = { ...plan.sequence.main, metadata: source.metadata, warnings: [] };
  const picture = sequencePicture(plan, still, () => readSequence(plan, source.signal));
  return applyColours(picture, plan.colours, options, loading);
}

/** Plans the frames of an AVIF; null where all are not wanted, or there is one, or its header cannot be read. */
async function planAvif({ bytes }: Source, options: DecodeOptions): Promise<SequencePlan | null> {
  if (options.frames !== 'all') return null;
  const still = await probeUprightImage(new Blob([bytes])).catch(() => null);
  return still && planSequence(bytes, still, options, SEQUENCE_CODINGS);
}

/** Opens a TIFF: with ImageMagick where it reads the kind right, else with our own decoder. */
async function openTiff(source: Source, options: DecodeOptions, loading: Loading): Promise<Picture> {
  const decoding = { frames: options.frames, orientation: source.orientation, inflate };
  const { own, frames, warnings } = await planTiffPages(source.bytes, decoding);
  return addWarnings(
    await (own ? openOwnTiff(own, source, loading) : openPlain(source, frames, loading)),
    warnings,
  );
}

/** Opens a PNG, with the frames of an animated one if all are wanted: few browsers decode these. */
async function openPng(source: Source, options: DecodeOptions, loading: Loading): Promise<Picture> {
  const openStill = async (bytes: Bytes, orientation: Source['orientation']): Promise<Picture> => {
    const file = { ...source, bytes, orientation };
    return isDeepPng(bytes) ? openDeepPng(file, loading) : openPlain(file, 'first', loading);
  };
  const still = await openStill(source.bytes, source.orientation);
  if (options.frames === 'first') return still;
  return openPngAnimation(source.bytes, still, {
    orientation: source.orientation,
    decodeStill: async (bytes) => {
      if (source.wasCompleted) await assertWholePng(bytes);
      return firstFrame(await openStill(bytes, UPRIGHT));
    },
    signal: source.signal,
  });
}

async function openPlain(
  source: Source,
  frames: DecodeOptions['frames'],
  loading: Loading,
): Promise<Picture> {
  return (
    (isNative(source) && (await openWithBrowser(source, frames))) ||
    openWithMagick(source, frames, await loadMagick(loading))
  );
}

/**
 * Reports whether the browser decodes a file correctly. Browsers convert inks by a formula, whatever the profile
 * says, and the coded colours of an AVIF in their own way.
 */
function isNative({ format, bytes, profile, colours }: Source): boolean {
  if (format === 'avif' && (colours.kind === 'stated' || colours.kind === 'hdr')) return false;
  if (profile) return profileSpace(profile) !== 'CMYK';
  return format !== 'jpeg' || !isCmykJpeg(bytes);
}

async function encodePng(
  picture: Picture,
  options: EncodeOptions,
  loading: Loading,
): Promise<Iterable<BlobPart>> {
  if (options.tuning) return withMetadata(encodeByMagick)(picture, options, loading);
  // A canvas has 8 bits, premultiplies, and writes alpha even where there is none.
  const [head, ...rest] = await writePng(getStrips(picture), picture.hasAlpha, deflate, options.onProgress);
  return [...(await embedMetadata(head, 'png', options.metadata, picture)), ...rest];
}

/**
 * Encodes a WebP by the browser's encoder and our own kernels.
 * @returns null where this browser writes none
 */
async function encodeWebpNatively(
  picture: Picture,
  options: EncodeOptions,
  loading: Loading,
): Promise<Bytes | null> {
  if (picture.frameCount === 1) return encodeMeasured(picture, 'webp', options, loading);
  // Asked beforehand: encoding consumes the image.
  return (await canEncodeOnCanvas('webp')) ? encodeWebpAnimation(picture, options) : null;
}

/**
 * Encodes by ImageMagick, which alone has settings besides quality.
 * @param scale of its quality; ours when absent
 */
async function encodeByMagick(
  picture: Picture,
  options: EncodeOptions,
  loading: Loading,
  scale?: ScaledEncoder,
): Promise<Bytes> {
  const quality = scale ? encoderSetting(scale, options.quality) : Math.round(options.quality);
  return encodeWithMagick(picture, { ...options, quality }, await loadMagick(loading));
}
