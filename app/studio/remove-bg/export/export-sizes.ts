import type { CutoutEdits } from '../../../../models/operations/remove-bg/cutout-edits.ts';
import { Cell } from '../../../state/cell.ts';

/** Sizes of the files that were made last, by the cutout of each. */
const sizes = new WeakMap<Blob, { readonly edits: CutoutEdits; readonly bytes: number }>();

/** Number of sizes recorded, for components that show them. */
export const exportSizeChanges = new Cell(0);

export function recordExportSize(cutout: Blob, edits: CutoutEdits, bytes: number): void {
  sizes.set(cutout, { edits, bytes });
  exportSizeChanges.set((before) => before + 1);
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
