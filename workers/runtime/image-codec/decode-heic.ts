import { OperationError } from '../../../models/core/operation/errors.ts';
import type { Picture } from '../../../models/core/runtime/image-codec.ts';
import { pictureOf } from '../../../models/kernels/picture/raster-picture.ts';
import { type Libheif, openHeif } from '../../../models/media/image/heif/libheif.ts';
import type { Loading } from '../loading/assets.ts';
import { applyProfile } from './colours.ts';
import type { Source } from './source.ts';

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
    const isDeep = source.colours.kind === 'hdr';
    const raster = { width, height, data: isDeep ? image.decodeDeep() : new Uint8Array(width * height * 4) };
    if (raster.data instanceof Uint8Array) image.decodeInto(raster.data, 4);
    image.close();
    return pictureOf(await applyProfile(raster, source, loading), { hasAlpha, metadata: source.metadata });
  } catch (cause) {
    if (cause instanceof OperationError) throw cause;
    throw new OperationError('unprocessable', 'The image is a damaged HEIC file: decoding it failed.', {
      kind: 'damaged',
      cause,
    });
  }
}
