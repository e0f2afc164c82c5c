import type { CutoutEdits } from '../../../models/remove-bg/cutout-edits.ts';

/** Sizes of the files that were made last, by the cutout of each. */
const sizes = new WeakMap<Blob, { readonly look: CutoutEdits; readonly bytes: number }>();
const listeners = new Set<() => void>();
let count = 0;

export function recordMadeSize(cutout: Blob, look: CutoutEdits, bytes: number): void {
  sizes.set(cutout, { look, bytes });
  count += 1;
  for (const listener of listeners) listener();
}

/** Returns the size of the file that these edits make; null where it was not the last one made. */
export function madeSize(cutout: Blob, look: CutoutEdits): number | null {
  const known = sizes.get(cutout);
  return known && isSameLook(known.look, look) ? known.bytes : null;
}

/** Whether two edits make the same file. */
export function isSameLook(one: CutoutEdits, other: CutoutEdits): boolean {
  return one.strokes === other.strokes && one.behind === other.behind && one.format === other.format;
}

/** Store of the number of sizes recorded, for components that show them. */
export const madeSizeChanges = {
  get: (): number => count,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
