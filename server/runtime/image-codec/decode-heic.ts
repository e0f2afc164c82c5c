import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import sharp from 'sharp';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { DecodeOptions, ImageMetadata, Picture } from '../../../models/core/runtime/image-codec.ts';
import { getPicture } from '../../../models/kernels/raster/picture.ts';
import { readColours, recolourPicture } from '../../../models/media/image/colours.ts';
import { type Libheif, openHeif } from '../../../models/media/image/heif/libheif.ts';
import { readMetadata } from '../../../models/media/image/metadata.ts';
import { METADATA_BYTES_MAX } from './open-coloured.ts';
import { openSamples } from './open-samples.ts';
import { getMetadata } from './sharp-picture.ts';
import { inflateAtMost } from './zlib.ts';

const require = createRequire(import.meta.url);

let wasmBinary: Buffer | undefined;

/** An instance that held a larger image is dropped, so that its memory comes back. */
const KEPT_PIXELS_MAX = 16_000_000;

let kept: Libheif | undefined;

/**
 * Decodes the primary image of a HEIF file with libheif, including grids, rotation, mirroring, cropping and alpha.
 * @throws OperationError `unprocessable`
 */
export async function openHeic(input: Uint8Array<ArrayBuffer>, options: DecodeOptions): Promise<Picture> {
  const [bySharp, { metadata: byUs }] = await Promise.all([
    sharp(input)
      .metadata()
      .then(getMetadata, () => ({})),
    readMetadata(input, 'heic', inflateAtMost(METADATA_BYTES_MAX)),
  ]);
  const found: ImageMetadata = { ...bySharp, ...byUs };
  const colours = await readColours(input, 'heic', found);
  const metadata = colours.kind === 'stated' ? { ...found, icc: colours.icc } : found;
  const libheif = kept ?? loadLibheif();
  kept = undefined;
  try {
    const image = openHeif(libheif, input);
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
        : openSamples({ width, height, channels, hasAlpha, metadata }, options, (samples) =>
            image.decodeInto(samples, channels),
          );
    image.close();
    if (width * height <= KEPT_PIXELS_MAX) kept = libheif;
    return picture;
  } catch (cause) {
    if (cause instanceof OperationError || options.signal.aborted) throw cause;
    throw new OperationError('unprocessable', 'The image is a damaged HEIC file: decoding it failed.', {
      cause,
    });
  }
}

/** Loads a new instance with its own memory, in about 30 ms. Its memory is freed only with the instance. */
function loadLibheif(): Libheif {
  const folder = 'libheif-js/libheif-wasm';
  wasmBinary ??= readFileSync(require.resolve(`${folder}/libheif.wasm`));
  return require(`${folder}/libheif.js`)({ wasmBinary, print: () => {}, printErr: () => {} });
}
