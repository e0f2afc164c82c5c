import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import sharp from 'sharp';
import type { ImageCodec } from '../../../models/core/runtime/image-codec.ts';
import { createImageCodecOn } from '../../../models/media/image/codec/image-codec.ts';
import type { Libheif } from '../../../models/media/image/heif/libheif.ts';
import { createLazyTempFolder } from '../../base/temp-dir.ts';
import { ffmpegSequences } from './decode-sequence.ts';
import { encodeHevcStill } from './libx265.ts';
import { sharpLibvips } from './sharp-libvips.ts';
import { withSpooledFile } from './spool-strips.ts';
import { deflate, inflateWithin } from './zlib.ts';

const require = createRequire(import.meta.url);

let wasmBinary: Buffer | undefined;

/**
 * Creates the image codec for Node.
 * @param tempFolder for images that are too large for memory; defaults to one that ends with the process
 */
export function createImageCodec(tempFolder = createLazyTempFolder()): ImageCodec {
  // A run reads each image once: libvips' cache would only hold memory.
  sharp.cache(false);
  return createImageCodecOn({
    loadLibvips: () => sharpLibvips,
    loadLibheif,
    loadHevcEncoder: () => encodeHevcStill,
    hevcScale: 'node-x265',
    deflate,
    inflate: inflateWithin,
    sequences: ffmpegSequences,
    withWhole: async (picture, options, encode) =>
      withSpooledFile(picture, await tempFolder(), options, encode),
  });
}

/** Loads an instance in about 30 ms. */
function loadLibheif(): Libheif {
  const folder = 'libheif-js/libheif-wasm';
  wasmBinary ??= readFileSync(require.resolve(`${folder}/libheif.wasm`));
  return require(`${folder}/libheif.js`)({ wasmBinary, print: () => {}, printErr: () => {} });
}
