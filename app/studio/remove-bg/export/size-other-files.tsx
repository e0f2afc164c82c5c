'use client';

import { useEffect } from 'react';
import { finishCutout } from '../../../../workers/retouch/retouch.ts';
import { mediaKind } from '../../files/media-kind.ts';
import { useRunFiles, useRunOutline } from '../../runs/runs-context.ts';
import type { ToolEdits } from '../edits/use-cutout-edits.ts';
import { cutoutFiles, isUnedited } from './export-cutout.ts';
import { exportSize, recordExportSize } from './export-sizes.ts';

/** Pause after the last edit or run: the file on the stage is made first. */
const PAUSE_MS = 2_000;
/** Files that are made only to show their size, and the largest original among them: more costs minutes. */
const FILES_MAX = 20;
const FILE_BYTES_MAX = 12_000_000;

/**
 * Makes the files that a download would save of images that are not on the stage, one after the other while nothing
 * runs, so that their tiles show true sizes. An edit, a run and another file on the stage end it.
 */
export function SizeOtherFiles({ edits }: { readonly edits: ToolEdits }) {
  const { items } = useRunFiles();
  const { isRunning, selected } = useRunOutline();
  const { strokes } = edits.editsOf(selected?.id ?? 0);
  const { background, canvas } = edits.shared;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the edits are a new object at each rendering
  useEffect(() => {
    if (isRunning) return;
    const ending = new AbortController();
    const measure = async () => {
      for (const item of items.slice(0, FILES_MAX)) {
        const files = cutoutFiles(item);
        const own = edits.editsOf(item.id);
        const isDue = files && item.id !== selected?.id && mediaKind(item.file) === 'image';
        if (!isDue || item.file.size > FILE_BYTES_MAX) continue;
        if (isUnedited(files.cutout, own) || exportSize(files.cutout, own) !== null) continue;
        // A file that cannot be made has no size; the download says why.
        const made = await finishCutout(files, own, ending.signal).catch(() => undefined);
        if (ending.signal.aborted) return;
        if (made) recordExportSize(files.cutout, own, made.blob.size);
      }
    };
    const pause = setTimeout(() => void measure(), PAUSE_MS);
    return () => {
      clearTimeout(pause);
      ending.abort();
    };
  }, [items, isRunning, selected?.id, strokes, background, canvas, edits.format]);
  return null;
}
