import type { Picture } from '../../core/runtime/image-codec.ts';
import type { RunWarning } from '../../core/runtime/run-warnings.ts';

/** Adds warnings to a decoded image, which stays the same object: encoders recognise their own decoder's images. */
export function addWarnings(picture: Picture, warnings: readonly RunWarning[]): Picture {
  if (warnings.length === 0) return picture;
  return Object.assign(picture, { warnings: [...warnings, ...(picture.warnings ?? [])] });
}
