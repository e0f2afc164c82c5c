import type { CutoutEdits } from '../../../../models/remove-bg/cutout-edits.ts';

/** Sizes of the files that were made last, by the cutout of each. */
const sizes = new WeakMap<Blob, { readonly look: CutoutEdits; readonly bytes: number }>();
const listeners = new Set<() => void>();
let count = 0;

export function recordExportSize(cutout: Blob, edits: CutoutEdits, bytes: number): void {
  sizes.set(cutout, { look: edits, bytes });
  count += 1;
  for (const listener of listeners) listener();
}

/** Returns the size of the file that these edits make; null where it was not the last one made. */
export function exportSize(cutout: Blob, edits: CutoutEdits): number | null {
  const known = sizes.get(cutout);
  return known && areSameEdits(known.look, edits) ? known.bytes : null;
}

/** Whether two edits make the same file. */
export function areSameEdits(one: CutoutEdits, other: CutoutEdits): boolean {
  return one.strokes === other.strokes && one.background === other.background && one.format === other.format;
}

/** Store of the number of sizes recorded, for components that show them. */
export const exportSizeChanges = {
  get: (): number => count,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
