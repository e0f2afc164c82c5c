import { Cell } from '../../../models/core/cell.ts';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { OutputFile } from '../../../models/core/operation/run-result.ts';
import type { VideoFormat } from '../../../models/core/runtime/video-codec.ts';
import { OUTPUT_FORMATS } from '../../../models/media/image/output-format.ts';
import type {
  CutoutEdits,
  CutoutFiles,
  VideoEdits,
} from '../../../models/operations/remove-bg/cutout-edits.ts';
import type { PrepareOptions } from '../download/download-run.ts';
import type { BatchItem } from '../runs/batch.ts';
import { type NamedResult, nameResults } from '../runs/result-names.ts';
import { getResults } from '../runs/results.ts';
import { TOOLS } from '../tools/tools.ts';
import { type FormatWords, imageFormatWords } from '../tools/wording.ts';
import { isTransparent } from './backgrounds.ts';

/** Sizes of the files that were made last, by the cutout of each. */
const sizes = new WeakMap<Blob, { readonly edits: CutoutEdits; readonly bytes: number }>();

/** Number of sizes recorded, for components that show them. */
export const exportSizeChanges = new Cell(0);

export const IMAGE_FORMATS = imageFormatWords(OUTPUT_FORMATS);

export const TRANSPARENT_VIDEO_FORMATS: Readonly<Record<VideoFormat, FormatWords>> = {
  webm: { name: 'WebM', means: 'Transparent, in Chrome, Edge and Firefox.' },
  mp4: {
    name: 'MP4',
    means: 'Twice as high, with the matte below, for video editors.',
  },
};

export const OPAQUE_VIDEO_FORMATS: Readonly<Record<VideoFormat, FormatWords>> = {
  webm: { name: 'WebM', means: 'Plays in every browser.' },
  mp4: { name: 'MP4', means: 'Plays everywhere.' },
};

const { suffix } = TOOLS['remove-bg'];

/** Returns the image or video and its cutout, once there is one. */
export function cutoutFiles(item: BatchItem): CutoutFiles | undefined {
  const [result] = getResults(item);
  return result && { original: item.file, cutout: result.file.blob };
}

/** Whether the cutout is saved as it was found, without edits and in its own format. */
export function isUnedited(cutout: Blob, { strokes, background, format, placement }: CutoutEdits): boolean {
  const isPlain = strokes.length === 0 && isTransparent(background) && placement === null;
  return isPlain && cutout.type === `image/${format}`;
}

/** Last file made, which the next caller gets at once: to show its size, to copy or to download it. */
let last:
  | { readonly cutout: Blob; readonly look: CutoutEdits; readonly made: readonly NamedResult[] }
  | undefined;

/**
 * Makes the full-size file of one image for download. Returns the cutout itself where nothing changed.
 * @throws OperationError as `finishCutout` does
 */
export async function exportImage(
  item: BatchItem,
  edits: CutoutEdits,
  signal: AbortSignal,
): Promise<readonly NamedResult[]> {
  const files = cutoutFiles(item);
  if (!files) return [];
  if (isUnedited(files.cutout, edits)) return getResults(item);
  if (last?.cutout === files.cutout && areSameEdits(last.look, edits)) return last.made;
  const file = await makeFile(files, edits, signal);
  const made = nameResults(item.file, { files: [file], suffix });
  last = { cutout: files.cutout, look: edits, made };
  return made;
}

/**
 * Makes the full-size file of a cutout, with code that is loaded for the first of them, and records its size.
 * @throws OperationError as `finishCutout` does
 */
export async function makeFile(
  files: CutoutFiles,
  edits: CutoutEdits,
  signal: AbortSignal,
): Promise<OutputFile> {
  const { finishCutout } = await import('../../../workers/edits/retouch.ts');
  const file = await finishCutout(files, edits, signal);
  sizes.set(files.cutout, { edits, bytes: file.blob.size });
  exportSizeChanges.set((before) => before + 1);
  return file;
}

/**
 * Makes the file of one video for download.
 * @throws OperationError as `finishVideo` does
 */
export async function exportVideo(
  item: BatchItem,
  edits: VideoEdits,
  { signal, onProgress, onWarning }: PrepareOptions,
): Promise<readonly NamedResult[]> {
  const files = cutoutFiles(item);
  if (!files) return [];
  if (isTransparent(edits.background) && files.cutout.type === `video/${edits.format}`)
    return getResults(item);
  onProgress({ fraction: 0, step: 'starting' });
  const { inWorker } = await import('../../../workers/one-shot/one-shot.ts');
  const { file, warnings } = await inWorker('finishVideo', [files, edits], { signal, onProgress });
  for (const { message } of warnings) onWarning(message);
  return nameResults(item.file, { files: [file], suffix });
}

/**
 * Makes the full-size file of one image as PNG.
 * @throws OperationError as `finishCutout` does, and without a result
 */
export async function exportPng(item: BatchItem, edits: CutoutEdits, signal: AbortSignal): Promise<Blob> {
  const [result] = await exportImage(item, { ...edits, format: 'png' }, signal);
  if (!result) throw new OperationError('conflict', 'There is no result yet. Wait for it, then copy.');
  return result.file.blob;
}

/** Returns the size of the file that these edits make; null where it was not the last one made. */
export function exportSize(cutout: Blob, edits: CutoutEdits): number | null {
  const known = sizes.get(cutout);
  return known && areSameEdits(known.edits, edits) ? known.bytes : null;
}

/** Reports whether two edits make the same file. */
export function areSameEdits(one: CutoutEdits, other: CutoutEdits): boolean {
  return (
    one.strokes === other.strokes &&
    one.background === other.background &&
    one.format === other.format &&
    one.placement === other.placement
  );
}
