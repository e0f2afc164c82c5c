'use client';

import { useSyncExternalStore } from 'react';
import type { BatchItem } from '../batch/batch.ts';
import { mediaKind } from '../files/media-kind.ts';
import type { SavedBytesOf } from '../frame/tile-fact.ts';
import { isTransparent } from './backgrounds.ts';
import { cutoutFiles, isAsFound } from './finished.ts';
import { madeSize, madeSizeChanges } from './made-sizes.ts';
import type { ToolEdits } from './use-cutout-edits.ts';

/** Returns the sizes of the files that a download would save, and renders again as they become known. */
export function useSavedBytes(looks: ToolEdits): SavedBytesOf {
  useSyncExternalStore(madeSizeChanges.subscribe, madeSizeChanges.get, () => 0);
  return (item: BatchItem) => {
    const cutout = cutoutFiles(item)?.cutout;
    if (!cutout) return undefined;
    if (mediaKind(item.file) === 'video') {
      const isUnchanged = isTransparent(looks.behind) && cutout.type === `video/${looks.videoFormat}`;
      return isUnchanged ? cutout.size : null;
    }
    const look = looks.lookOf(item.id);
    return isAsFound(cutout, look) ? cutout.size : madeSize(cutout, look);
  };
}
