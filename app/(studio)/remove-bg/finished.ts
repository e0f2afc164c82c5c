import type { CutoutFiles, Look, VideoLook } from '../../../models/remove-bg/look.ts';
import { finishVideo } from '../../../workers/finish-video.ts';
import { finishCutout } from '../../../workers/retouch.ts';
import type { BatchItem } from '../frame/batch.ts';
import { type NamedResult, namedResults, resultsOf } from '../frame/results.ts';
import type { FinishOptions } from '../frame/use-taking.ts';
import { isTransparent } from './backgrounds.ts';

/** The picture or video and its cutout, once there is one. */
export function cutoutFiles(item: BatchItem): CutoutFiles | undefined {
  const [result] = resultsOf(item);
  return result && { original: item.file, cutout: result.file.blob };
}

/**
 * The file to take for one picture, made now, at full size. What needs no change is taken as it is.
 * @throws OperationError as `finishCutout` does
 */
export async function finishedResult(
  item: BatchItem,
  look: Look,
  signal: AbortSignal,
): Promise<readonly NamedResult[]> {
  const files = cutoutFiles(item);
  if (!files) return [];
  const isAsFound = look.strokes.length === 0 && isTransparent(look.behind);
  if (isAsFound && files.cutout.type === `image/${look.format}`) return resultsOf(item);
  const file = await finishCutout(files, look, signal);
  return namedResults(item.file, { files: [file], warnings: [] });
}

/**
 * The same of one video.
 * @throws OperationError as `finishVideo` does
 */
export async function finishedVideo(
  item: BatchItem,
  look: VideoLook,
  { signal, onProgress, onWarning }: FinishOptions,
): Promise<readonly NamedResult[]> {
  const files = cutoutFiles(item);
  if (!files) return [];
  if (isTransparent(look.behind) && files.cutout.type === `video/${look.format}`) return resultsOf(item);
  onProgress({ fraction: 0 });
  const { file, warnings } = await finishVideo(files, look, {
    signal,
    onProgress: (fraction, count) => onProgress({ fraction, count }),
  });
  for (const warning of warnings) onWarning(warning);
  return namedResults(item.file, { files: [file], warnings });
}

/** Puts one picture on the clipboard, as PNG: the only format that all programs take from there. */
export async function copyResult(item: BatchItem, look: Look, signal: AbortSignal): Promise<void> {
  const png = finishedResult(item, { ...look, format: 'png' }, signal).then(([result]) => {
    if (!result) throw new Error('There is nothing to copy yet.');
    return result.file.blob;
  });
  // Given as a promise, so that the browser still knows of the click when the file is made.
  const written = navigator.clipboard.write([new ClipboardItem({ 'image/png': png })]);
  // What could not be made says why; the clipboard would only say that it got nothing.
  await Promise.all([png, written]);
}
