import type { ImageMetadata } from '../../core/runtime/image-codec.ts';
import type { ListedFormat } from './find-format.ts';
import { createResolutionExif } from './metadata/set-resolution.ts';

/** Returns the metadata of a result that has nothing but a print resolution, in pixels per inch. */
export function printResolution(dpi: number | undefined, target: ListedFormat): ImageMetadata {
  if (dpi === undefined) return {};
  const resolution = { x: dpi, y: dpi };
  return { resolution, ...withExif(undefined, resolution, target) };
}

/** Returns the EXIF of a result: its own, or one that states a resolution where the format has no field for it. */
export function withExif(
  exif: ImageMetadata['exif'],
  resolution: ImageMetadata['resolution'],
  target: ListedFormat,
): Pick<ImageMetadata, 'exif'> {
  if (exif) return { exif };
  const needsExif = resolution !== undefined && !target.holds.metadata.includes('resolution');
  return needsExif ? { exif: createResolutionExif(resolution) } : {};
}
