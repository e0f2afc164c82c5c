import { formatWarning } from '../../../core/runtime/run-warnings.ts';
import type { Bytes } from '../../bytes/byte-writer.ts';
import type { FileContents, ReadableFile } from './image-format.ts';

/** Contents of a file with one image. */
export const ONE_IMAGE: FileContents = { count: 1, kind: 'images', hasGainMap: false };

/** Describes an animation of so many frames. */
export function animationOf(frames: number): FileContents {
  return { ...ONE_IMAGE, count: Math.max(1, frames), kind: 'frames' };
}

/** Describes a file whose end was added; null where nothing was missing. */
export function completedFile(bytes: Bytes | null, part: string): ReadableFile | null {
  return bytes && { bytes, wasCompleted: true, warnings: [formatWarning('missing_end', part)] };
}
