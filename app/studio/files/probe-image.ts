import type { ImageFacts } from '../../../models/media/image/image-header.ts';

/**
 * Reads format and upright size of an image, with code that is loaded for the first one.
 * @throws OperationError as `probeUprightImage` does
 */
export async function probeImageFile(image: Blob): Promise<ImageFacts> {
  const { probeUprightImage } = await import('../../../models/media/image/upright-image.ts');
  return probeUprightImage(image);
}
