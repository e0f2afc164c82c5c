import { useSyncExternalStore } from 'react';
import { Cell } from '../../../models/core/cell.ts';
import type { ImageSize } from '../../../models/core/runtime/raster.ts';
import { AsyncCache } from '../../ui/async-cache.ts';
import { mediaKind } from './media-kind.ts';
import { probeImageFile } from './open-bitmap.ts';

/** Number of sizes that became known so far. */
const revision = new Cell(0);

/** Upright sizes of files; null for a file whose header names none. */
const sizes = new AsyncCache<File, ImageSize | null>(readSize, () => revision.set((before) => before + 1));

async function readSize(file: File): Promise<ImageSize | null> {
  if (mediaKind(file) === 'video') return null;
  return probeImageFile(file).then(
    ({ width, height }) => ({ width, height }),
    () => null,
  );
}

/** Returns the upright size of an image file; undefined until it is read, and for a file without one. */
export function getImageSize(file: File): ImageSize | undefined {
  return sizes.get(file) ?? undefined;
}

/** Settles once `getImageSize` returns all that it can. Never rejects. */
export function waitForImageSize(file: File): Promise<void> {
  return sizes.wait(file);
}

/** Renders again whenever another size becomes known. */
export function useImageSizes(): void {
  const { subscribe, get } = revision;
  useSyncExternalStore(subscribe, get, get);
}
