import { writeBmp } from '../../../models/media/image/bmp/write-bmp.ts';
import { recolourPicture } from '../../../models/media/image/colour/recolour-picture.ts';
import { UPRIGHT } from '../../../models/media/image/exif/exif.ts';
import { probeUprightImage } from '../../../models/media/image/headers/upright-image.ts';
import { encodeHeic } from '../../../models/media/image/heif/encode-heic.ts';
import { profileSpace } from '../../../models/media/image/icc/read-profile.ts';
import { isCmykJpeg } from '../../../models/media/image/jpeg/count-components.ts';
import { embedMetadata } from '../../../models/media/image/metadata/embed-metadata.ts';
import { openPngAnimation } from '../../../models/media/image/png/open-animation.ts';
import { isDeepPng } from '../../../models/media/image/png/read-png.ts';
import { writePng } from '../../../models/media/image/png/write-png.ts';
import { encoderSetting } from '../../../models/media/image/quality/encoder-setting.ts';
import {
  planSequence,
  type SequencePlan,
  sequencePicture,
} from '../../../models/media/image/sequences/plan-sequence.ts';
import { planTiffPages } from '../../../models/media/image/tiff/open-own-pages.ts';
import { writeTiff } from '../../../models/media/image/tiff/write-tiff.ts';
import { addWarnings } from '../../../models/kernels/picture/add-warnings.ts';
import { firstFrame } from '../../../models/kernels/picture/first-frame.ts';
import { stripsOf } from '../../../models/kernels/picture/strips.ts';
import { dropAlpha, flatten, toEightBits } from '../../../models/kernels/raster/pixel-format.ts';
import type {
  DecodeOptions,
  EncodeOptions,
  ImageCodec,
  Picture,
} from '../../../models/core/runtime/image-codec.ts';
import type { Loading } from '../loading/assets.ts';
import { assertWholeSamples } from './assert-whole-samples.ts';
import { canEncodeOnCanvas } from './can-encode-on-canvas.ts';
import { applyColours } from './colours.ts';
import { openBmp } from './decode-bmp.ts';
import { openDeepPng } from './decode-deep-png.ts';
import { openHeic } from './decode-heic.ts';
import { openWithBrowser } from './decode-native.ts';
import { openOwnTiff } from './decode-own-tiff.ts';
import { canReadSequence, readSequence, SEQUENCE_CODINGS } from './decode-sequence.ts';
import { openWithMagick } from './decode-with-magick.ts';
import { encodeMeasured, magickQuality } from './encode-measured.ts';
import { encodeWebpAnimation } from './encode-webp-animation.ts';
import { encodeWithMagick } from './encode-with-magick.ts';
import { loadMagick } from './magick.ts';
import { openSource, type Source } from './source.ts';
import { loadHevcEncoder } from './x265.ts';
import { deflate, inflate } from './zlib.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Creates the image codec for a browser worker: the browser's own codecs first, our own kernels where it has none or
 * loses data, libheif and x265 for HEIC, and ImageMagick for the rest. Codecs load on first use.
 */
export function createImageCodec(loading: Loading): ImageCodec {
  return {
    decode: (input, options) => decode(input, options, loading),
    async encode(picture, options) {
      options.signal.throwIfAborted();
      const parts = await encode(picture, options, loading);
      options.signal.throwIfAborted();
      return new Blob([...parts], { type: `image/${options.format}` });
    },
  };
}

async function decode(input: Blob, options: DecodeOptions, loading: Loading): Promise<Picture> {
  const source = await openSource(input, options);
  if (source.wasCompleted) await assertWholeSamples(source);
  const openFile = source.format === 'avif' ? openAvif : openColoured;
  return addWarnings(await openFile(source, options, loading), source.warnings);
}

async function openColoured(source: Source, options: DecodeOptions, loading: Loading): Promise<Picture> {
  return recolourPicture(await open(source, options, loading), source.colours, options);
}

/** Opens an AVIF, with the frames of its sequence if all are wanted. */
async function openAvif(source: Source, options: DecodeOptions, loading: Loading): Promise<Picture> {
  const plan = await planAvif(source, options);
  const canRead = plan !== null && (await canReadSequence(plan, source.signal));
  if (!canRead) return openColoured(source, options, loading);
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

async function open(source: Source, options: DecodeOptions, loading: Loading): Promise<Picture> {
  if (source.format === 'bmp') return openBmp(source, options, loading);
  if (source.format === 'heic') return openHeic(source, loading);
  if (source.format === 'tiff') return openTiff(source, options, loading);
  if (source.format === 'png') return openPng(source, options, loading);
  return openPlain(source, options.frames, loading);
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
      if (source.wasCompleted) await assertWholeSamples({ bytes, format: 'png' });
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

async function encode(
  picture: Picture,
  options: EncodeOptions,
  loading: Loading,
): Promise<Iterable<BlobPart>> {
  const { format, background, metadata } = options;
  if (format === 'heic') {
    const rateFactor = encoderSetting('wasm-x265', options.quality);
    return encodeHeic(picture, options, rateFactor, await loadHevcEncoder(loading));
  }
  if (format === 'bmp') {
    const frame = await firstFrame(picture);
    const opaque = dropAlpha(toEightBits(picture.hasAlpha ? flatten(frame, background) : frame));
    return writeBmp(opaque, metadata.resolution);
  }
  if (format === 'png' && !options.tuning) {
    // A canvas has 8 bits, premultiplies, and writes alpha even where there is none.
    const [head, ...rest] = await writePng(stripsOf(picture), picture.hasAlpha, deflate, options.onProgress);
    return [...embedMetadata(head, format, metadata, picture), ...rest];
  }
  // No other encoder here has settings beside quality.
  const file =
    (!options.tuning && (await encodeNatively(picture, options, loading))) ||
    (await encodeWithMagick(
      picture,
      { ...options, quality: magickQuality(options) },
      await loadMagick(loading),
    ));
  return embedMetadata(file, format, metadata, picture);
}

/**
 * Encodes by the browser's encoders and our own kernels, and by ImageMagick where those spoil drawings.
 * @returns null for formats that none of them writes
 */
async function encodeNatively(
  picture: Picture,
  options: EncodeOptions,
  loading: Loading,
): Promise<Bytes | null> {
  const { hasAlpha, frameCount } = picture;
  switch (options.format) {
    case 'jpeg':
      return encodeMeasured(picture, 'jpeg', options, loading);
    case 'webp':
      if (frameCount === 1) return encodeMeasured(picture, 'webp', options, loading);
      // Asked beforehand: encoding consumes the image.
      return (await canEncodeOnCanvas('webp')) ? encodeWebpAnimation(picture, options) : null;
    case 'tiff':
      return writeTiff(picture.frames(), hasAlpha, deflate);
    default:
      return null;
  }
}
