import { OperationError } from '../../../models/errors.ts';
import type { CutoutEdits, CutoutFiles, VideoEdits } from '../../../models/remove-bg/cutout-edits.ts';
import { finishVideo } from '../../../workers/finish-video.ts';
import { finishCutout } from '../../../workers/retouch.ts';
import type { BatchItem } from '../batch/batch.ts';
import { type NamedResult, namedResults } from '../batch/result-names.ts';
import { resultsOf } from '../batch/results.ts';
import type { FinishOptions } from '../frame/download-run.ts';
import { TOOLS } from '../tools/tools.ts';
import { isTransparent } from './backgrounds.ts';
import { isSameLook, recordMadeSize } from './made-sizes.ts';

const { suffix } = TOOLS['remove-bg'];

/** Returns the image or video and its cutout, once there is one. */
export function cutoutFiles(item: BatchItem): CutoutFiles | undefined {
  const [result] = resultsOf(item);
  return result && { original: item.file, cutout: result.file.blob };
}

/** Whether the cutout is saved as it was found, without edits and in its own format. */
export function isAsFound(cutout: Blob, { strokes, behind, format }: CutoutEdits): boolean {
  return strokes.length === 0 && isTransparent(behind) && cutout.type === `image/${format}`;
}

/** Last file made: whoever wants the same one next, to show its size, to copy or to download it, has it at once. */
let last:
  | { readonly cutout: Blob; readonly look: CutoutEdits; readonly made: readonly NamedResult[] }
  | undefined;

/**
 * Makes the full-size file of one image for download. Returns the cutout itself where nothing changed.
 * @throws OperationError as `finishCutout` does
 */
export async function finishedResult(
  item: BatchItem,
  look: CutoutEdits,
  signal: AbortSignal,
): Promise<readonly NamedResult[]> {
  const files = cutoutFiles(item);
  if (!files) return [];
  if (isAsFound(files.cutout, look)) return resultsOf(item);
  if (last?.cutout === files.cutout && isSameLook(last.look, look)) return last.made;
  const file = await finishCutout(files, look, signal);
  const made = namedResults(item.file, { files: [file], warnings: [], suffix });
  last = { cutout: files.cutout, look, made };
  recordMadeSize(files.cutout, look, file.blob.size);
  return made;
}

/**
 * Makes the file of one video for download.
 * @throws OperationError as `finishVideo` does
 */
export async function finishedVideo(
  item: BatchItem,
  look: VideoEdits,
  { signal, onProgress, onWarning }: FinishOptions,
): Promise<readonly NamedResult[]> {
  const files = cutoutFiles(item);
  if (!files) return [];
  if (isTransparent(look.behind) && files.cutout.type === `video/${look.format}`) return resultsOf(item);
  onProgress({ fraction: 0 });
  const { file, warnings } = await finishVideo(files, look, {
    signal,
    onProgress: (fraction, count, activity) => onProgress({ fraction, count, ...activity }),
  });
  for (const warning of warnings) onWarning(warning);
  return namedResults(item.file, { files: [file], warnings, suffix });
}

/**
 * Makes the full-size file of one image as PNG.
 * @throws OperationError as `finishCutout` does, and without a result
 */
export async function finishedPng(item: BatchItem, look: CutoutEdits, signal: AbortSignal): Promise<Blob> {
  const [result] = await finishedResult(item, { ...look, format: 'png' }, signal);
  if (!result) throw new OperationError('conflict', 'There is no result yet. Wait for it, then copy.');
  return result.file.blob;
}
