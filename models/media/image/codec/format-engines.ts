import type { ImageFormat } from '../formats.ts';
import { assertWholeScan, openAvif, openBmp, openGif, openHeic, openPng, openTiff } from './decode.ts';
import { encodeBmp, encodeCoded, encodeHeicFile, encodePngStrips } from './encode.ts';
import type { FormatEngine } from './image-engines.ts';
import type { LibvipsFormat } from './libvips.ts';
import { openColoured } from './open-coloured.ts';

/** Engines of all formats: libvips for most, libheif and x265 for HEIC, our own kernels for BMP. */
const ENGINES: Readonly<Record<ImageFormat, FormatEngine>> = {
  jpeg: { ...byLibvips('jpeg'), assertWhole: assertWholeScan },
  png: { ...byLibvips('png'), open: openPng, encodeStrips: encodePngStrips },
  webp: byLibvips('webp'),
  gif: { ...byLibvips('gif'), open: openGif },
  tiff: { ...byLibvips('tiff'), open: openTiff },
  bmp: { open: openBmp, encode: encodeBmp },
  avif: { ...byLibvips('avif'), open: openAvif },
  heic: { open: openHeic, encode: encodeHeicFile },
};

/** Engines by the ids of their formats. */
export const FORMAT_ENGINES: ReadonlyMap<string, FormatEngine> = new Map(Object.entries(ENGINES));

function byLibvips(format: LibvipsFormat): FormatEngine {
  return {
    open: (file, options, engines) => openColoured(file, format, options, engines),
    encode: (picture, options, engines) => encodeCoded(picture, format, options, engines),
  };
}
