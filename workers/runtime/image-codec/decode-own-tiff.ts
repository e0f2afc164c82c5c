import { openOwnPage } from '../../../models/files/tiff/open-own-page.ts';
import { pictureOf } from '../../../models/kernels/picture/raster-picture.ts';
import type { DecodeOptions, Picture } from '../../../models/runtime/image-codec.ts';
import type { Loading } from '../loading/assets.ts';
import { applyProfile } from './colours.ts';
import type { Source } from './source.ts';
import { inflate } from './zlib.ts';

/**
 * Opens a TIFF of a kind that ImageMagick reads wrong.
 * @returns null for the others
 * @throws OperationError `unprocessable`
 */
export async function openOwnTiff(
  source: Source,
  options: DecodeOptions,
  loading: Loading,
): Promise<Picture | null> {
  const page = await openOwnPage(
    source.bytes,
    { frames: options.frames, orientation: source.orientation },
    inflate,
  );
  if (!page) return null;
  const { raster, hasAlpha, isSrgb, warnings } = page;
  const coloured = isSrgb ? raster : await applyProfile(raster, source, loading);
  return { ...pictureOf(coloured, { hasAlpha, metadata: source.metadata }), warnings };
}
