import { OperationError } from '../../core/operation/errors.ts';
import { formatWarning, type RunWarning } from '../../core/runtime/run-warnings.ts';
import { ByteWindow } from '../bytes/byte-window.ts';
import type { Bytes } from '../bytes/byte-writer.ts';
import { getFormat, getImageFormat, SIGNATURE_BYTES } from './find-format.ts';
import { type FileContents, ONE_IMAGE } from './image-format.ts';

const KINDS = { frames: 'lost_frames', pages: 'lost_pages', images: 'lost_images' } as const satisfies Record<
  FileContents['kind'],
  string
>;

/** Counts the images of a file by its structure, without decoding. What is damaged counts as one. */
export async function readContents(file: Bytes, format: string): Promise<FileContents> {
  const code = await getFormat(format).load();
  try {
    return code.readContents?.(file) ?? ONE_IMAGE;
  } catch (thrown) {
    if (thrown instanceof RangeError || thrown instanceof OperationError) return ONE_IMAGE;
    throw thrown;
  }
}

/**
 * Counts the frames of an animation by its structure, without decoding; 1 for every other file. Reads the whole file
 * only where its format usually holds frames, or its header announces them.
 */
export async function countFrames(image: Blob): Promise<number> {
  const format = getImageFormat(new Uint8Array(await image.slice(0, SIGNATURE_BYTES).arrayBuffer()));
  if (!format) return 1;
  const { holds, load } = getFormat(format);
  const code = await load();
  if (holds.several !== 'frames' && !(await code.isAnimated?.(new ByteWindow(image)))) return 1;
  const { kind, count } = await readContents(new Uint8Array(await image.arrayBuffer()), format);
  return kind === 'frames' ? count : 1;
}

/** Counts the frames of an animation or the pages of a document by its structure; 1 for every other file. */
export async function countImages(
  image: Blob,
  { format, isAnimated }: { readonly format: string; readonly isAnimated?: true },
): Promise<number> {
  if (!isAnimated && !getFormat(format).holds.several) return 1;
  const { kind, count } = await readContents(new Uint8Array(await image.arrayBuffer()), format);
  return kind === 'images' ? 1 : count;
}

/**
 * Warns of the images of a file that a result lacks.
 * @param file the whole file
 * @param keptCount number of its images in the result
 */
export async function listLostImages(file: Uint8Array<ArrayBuffer>, keptCount = 1): Promise<RunWarning[]> {
  const format = getImageFormat(file);
  if (!format) return [];
  const { count, kind } = await readContents(file, format);
  return keptCount === 1 && count > 1 ? [formatWarning(KINDS[kind], String(count))] : [];
}
