import type { DecodeOptions, EncodeOptions, ImageCodec, Picture } from '../../../models/image-codec.ts';
import { writeBmp } from '../../../models/kernels/bmp/write-bmp.ts';
import { firstFrame } from '../../../models/kernels/first-frame.ts';
import { encodeHeic } from '../../../models/kernels/heif/encode-heic.ts';
import { profileSpace } from '../../../models/kernels/icc/read-profile.ts';
import { embedMetadata } from '../../../models/kernels/metadata/embed-metadata.ts';
import { flatten, toEightBits, withoutAlpha } from '../../../models/kernels/opaque.ts';
import { isDeepPng } from '../../../models/kernels/png/read-png.ts';
import { writePng } from '../../../models/kernels/png/write-png.ts';
import { writeTiff } from '../../../models/kernels/tiff/write-tiff.ts';
import { encodeWebpRaster } from '../../../models/kernels/webp/encode-raster.ts';
import type { Loading } from '../assets.ts';
import { canvasWrites } from './canvas-writes.ts';
import { openBmp } from './decode-bmp.ts';
import { openDeepPng } from './decode-deep-png.ts';
import { openHeic } from './decode-heic.ts';
import { openNatively } from './decode-native.ts';
import { openWithMagick } from './decode-with-magick.ts';
import { encodeOnCanvas } from './encode-on-canvas.ts';
import { encodeWebpAnimation } from './encode-webp-animation.ts';
import { encodeWithMagick } from './encode-with-magick.ts';
import { loadMagick } from './magick.ts';
import { openSource, type Source } from './source.ts';
import { loadHevcEncoder } from './x265.ts';
import { deflate } from './zlib.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Images in a browser worker: the browser's own codecs first, our own kernels where it has none or loses something,
 * libheif and x265 for HEIC, and ImageMagick for the rest. Codecs are loaded when a picture first needs them.
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
  if (source.format === 'bmp') return openBmp(source, options, loading);
  if (source.format === 'heic') return openHeic(source, loading);
  if (source.format === 'png' && isDeepPng(source.bytes)) return openDeepPng(source, loading);
  return (
    (isNative(source) && (await openNatively(source, options.frames))) ||
    openWithMagick(source, options.frames, await loadMagick(loading))
  );
}

/** Browsers read CMYK without its profile, which gives other colours. */
function isNative({ profile }: Source): boolean {
  return !profile || profileSpace(profile) !== 'CMYK';
}

async function encode(picture: Picture, options: EncodeOptions, loading: Loading): Promise<Iterable<Bytes>> {
  const { format, background, metadata } = options;
  if (format === 'heic') return encodeHeic(picture, options, await loadHevcEncoder(loading));
  if (format === 'bmp') {
    const frame = await firstFrame(picture);
    return writeBmp(withoutAlpha(toEightBits(picture.hasAlpha ? flatten(frame, background) : frame)));
  }
  const file =
    (await encodeNatively(picture, options)) ??
    (await encodeWithMagick(picture, options, await loadMagick(loading)));
  return embedMetadata(file, format, metadata, picture);
}

/** @returns null for what neither this browser nor our own kernels write */
async function encodeNatively(picture: Picture, options: EncodeOptions): Promise<Bytes | null> {
  const { hasAlpha, frameCount } = picture;
  switch (options.format) {
    case 'jpeg':
      return encodeOnCanvas(picture, 'jpeg', options);
    case 'png':
      // A canvas has 8 bits, premultiplies, and writes alpha even where there is none.
      return writePng(await firstFrame(picture), hasAlpha, deflate, options.onProgress);
    case 'webp':
      if (frameCount > 1) return encodeWebpAnimation(picture, options);
      // Asked beforehand, since it uses the raster up.
      return hasAlpha && (await canvasWrites('webp'))
        ? encodeWebpRaster(picture, (opaque) => encodeOnCanvas(opaque, 'webp', options))
        : encodeOnCanvas(picture, 'webp', options);
    case 'tiff':
      return writeTiff(picture.frames(), hasAlpha, deflate);
    default:
      return null;
  }
}
