'use client';

import { useEffect, useState } from 'react';
import type { ImageSize } from '../../../models/core/runtime/raster.ts';
import type { CutoutEdits } from '../../../models/operations/remove-bg/cutout-edits.ts';
import type { BatchItem } from '../runs/batch.ts';
import { areSameEdits, cutoutFiles, exportImage, isUnedited } from './export-cutout.ts';

/** Pause after the last edit before the file is made: strokes and swatches follow each other quickly. */
const PAUSE_MS = 700;
/** Largest image whose file is made only to show its size, in pixels: more costs seconds and hundreds of MB. */
const PIXELS_MAX = 24_000_000;

/**
 * Makes the file that a download of an image would save, so that its true size is known, and the download has it.
 * @param size of the image, once known
 * @returns undefined where it is the result itself, or there is none; null while it is unknown
 */
export function useExportedFile(
  item: BatchItem,
  edits: CutoutEdits,
  size: ImageSize | undefined,
): Blob | null | undefined {
  const [made, setMade] = useState<{ cutout: Blob; look: CutoutEdits; blob: Blob }>();
  const cutout = cutoutFiles(item)?.cutout;
  const { strokes, background, format, placement } = edits;
  const isEdited = cutout !== undefined && !isUnedited(cutout, edits);
  const isSmall = size !== undefined && size.width * size.height <= PIXELS_MAX;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the item and the look are new objects at each rendering
  useEffect(() => {
    if (!cutout || !isEdited || !isSmall) return;
    const ending = new AbortController();
    const make = async () => {
      const [result] = await exportImage(item, edits, ending.signal);
      if (result && !ending.signal.aborted) setMade({ cutout, look: edits, blob: result.file.blob });
    };
    // A file that cannot be made has no size; the download says why.
    const pause = setTimeout(() => void make().catch(() => {}), PAUSE_MS);
    return () => {
      clearTimeout(pause);
      ending.abort();
    };
  }, [cutout, strokes, background, format, placement, isEdited, isSmall]);
  if (!isEdited) return undefined;
  return made?.cutout === cutout && made && areSameEdits(made.look, edits) ? made.blob : null;
}
