import { OperationError } from '../../../models/core/operation/errors.ts';
import type { DecodeOptions, Picture } from '../../../models/core/runtime/image-codec.ts';
import { orientRaster } from '../../../models/kernels/raster/orient-raster.ts';
import { getPicture } from '../../../models/kernels/raster/picture.ts';
import { readBmp } from '../../../models/media/image/bmp/read-bmp.ts';
import { type Libheif, openHeif } from '../../../models/media/image/heif/libheif.ts';
import { readDeepPng } from '../../../models/media/image/png/read-png.ts';
import { type OwnPages, pictureOfPages } from '../../../models/media/image/tiff/open-own-pages.ts';
import type { Loading } from '../loading/assets.ts';
import { applyProfile } from './colours.ts';
import { chooseProfile, type Source } from './source.ts';
import { inflate } from './zlib.ts';

/** Opens the pages of a TIFF of a kind that ImageMagick reads wrong. */
export async function openOwnTiff(pages: OwnPages, source: Source, loading: Loading): Promise<Picture> {
  const picture = pictureOfPages(pages, source.metadata);
  if (pages.isSrgb || !source.profile) return picture;
  const first = await applyProfile(pages.first, source, loading);
  return {
    ...picture,
    bitDepth: first.data instanceof Uint16Array ? 16 : 8,
    async *frames() {
      let isFirst = true;
      for await (const raster of pages.rasters()) {
        yield { ...(isFirst ? first : await applyProfile(raster, source, loading)), durationMs: 0 };
        isFirst = false;
      }
    },
  };
}

/**
 * Opens a BMP.
 * @throws OperationError `unprocessable`
 */
export async function openBmp({ bytes }: Source, options: DecodeOptions, loading: Loading): Promise<Picture> {
  const { hasAlpha, icc, ...raster } = readBmp(bytes);
  const { metadata, profile } = chooseProfile(icc ? { icc } : {}, options);
  return getPicture(await applyProfile(raster, { profile }, loading), { hasAlpha, metadata });
}

/**
 * Opens a 16-bit PNG.
 * @throws OperationError `unprocessable`
 */
export async function openDeepPng(source: Source, loading: Loading): Promise<Picture> {
  const { hasAlpha, ...raster } = await readDeepPng(source.bytes, inflate);
  const coloured = await applyProfile(raster, source, loading);
  return getPicture(orientRaster(coloured, source.orientation), { hasAlpha, metadata: source.metadata });
}

/**
 * Decodes the primary image of a HEIF file with libheif.
 * @throws OperationError `unprocessable`
 */
export async function openHeic(source: Source, loading: Loading): Promise<Picture> {
  const { default: createLibheif } = await import('libheif-js/libheif-wasm/libheif-bundle.mjs');
  source.signal.throwIfAborted();
  const libheif = createLibheif({ print() {}, printErr() {} }) as Libheif;
  try {
    const image = openHeif(libheif, source.bytes);
    const { width, height, hasAlpha } = image;
    const is16Bit = source.colours.kind === 'hdr';
    const raster = { width, height, data: is16Bit ? image.decodeDeep() : new Uint8Array(width * height * 4) };
    if (raster.data instanceof Uint8Array) image.decodeInto(raster.data, 4);
    image.close();
    return getPicture(await applyProfile(raster, source, loading), { hasAlpha, metadata: source.metadata });
  } catch (cause) {
    if (cause instanceof OperationError) throw cause;
    throw new OperationError('unprocessable', 'The image is a damaged HEIC file: decoding it failed.', {
      kind: 'damaged',
      cause,
    });
  }
}
