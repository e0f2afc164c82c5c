import type { Picture } from '../../../models/core/runtime/image-codec.ts';
import { type OwnPages, pictureOfPages } from '../../../models/media/image/tiff/open-own-pages.ts';
import type { Loading } from '../loading/assets.ts';
import { applyProfile } from './colours.ts';
import type { Source } from './source.ts';

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
