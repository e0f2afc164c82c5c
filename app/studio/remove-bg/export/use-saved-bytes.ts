'use client';

import { useSyncExternalStore } from 'react';
import { mediaKind } from '../../files/media-kind.ts';
import type { BatchItem } from '../../runs/batch.ts';
import type { SavedBytesOf } from '../../tool-frame/tile-fact.ts';
import { isTransparent } from '../background/backgrounds.ts';
import type { ToolEdits } from '../edits/use-cutout-edits.ts';
import { cutoutFiles, isUnedited } from './export-cutout.ts';
import { exportSize, exportSizeChanges } from './export-sizes.ts';

/** Returns the sizes of the files that a download would save, and renders again as they become known. */
export function useSavedBytes(edits: ToolEdits): SavedBytesOf {
  useSyncExternalStore(exportSizeChanges.subscribe, exportSizeChanges.get, () => 0);
  return (item: BatchItem) => {
    const cutout = cutoutFiles(item)?.cutout;
    if (!cutout) return undefined;
    if (mediaKind(item.file) === 'video') {
      const isUnchanged =
        isTransparent(edits.shared.background) && cutout.type === `video/${edits.videoFormat}`;
      return isUnchanged ? cutout.size : null;
    }
    const own = edits.editsOf(item.id);
    return isUnedited(cutout, own) ? cutout.size : exportSize(cutout, own);
  };
}
