import { formatWarning, type RunWarning } from '../../core/runtime/run-warnings.ts';
import { imageFormatOf } from './find-format.ts';
import type { FileContents } from './format/image-format.ts';
import { readContents } from './headers/read-contents.ts';

const KINDS = { frames: 'lost_frames', pages: 'lost_pages', images: 'lost_images' } as const satisfies Record<
  FileContents['kind'],
  string
>;

/**
 * Warns of the images of a file that a result lacks.
 * @param file the whole file
 * @param keptCount number of its images in the result
 */
export async function listLostImages(file: Uint8Array<ArrayBuffer>, keptCount = 1): Promise<RunWarning[]> {
  const format = imageFormatOf(file);
  if (!format) return [];
  const { count, kind } = await readContents(file, format);
  return keptCount === 1 && count > 1 ? [formatWarning(KINDS[kind], String(count))] : [];
}
