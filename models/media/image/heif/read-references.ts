import { type Box, findBox, readBoxes } from './read-boxes.ts';

/** Reference from an item to others: ISO 14496-12, 8.11.12. */
export interface ItemReference {
  /** `dimg`, `thmb`, `auxl`, `cdsc`, ... */
  readonly type: string;
  readonly from: number;
  readonly to: readonly number[];
}

/**
 * Reads the references between the items of a file, in their order. Those that are cut off are omitted.
 * @throws OperationError `bad_request` when the boxes are inconsistent
 */
export function readReferences(view: DataView, meta: Box): ItemReference[] {
  const iref = findBox(readBoxes(view, meta.start + 4, meta.end), 'iref');
  if (!iref) return [];
  const isWide = view.getUint8(iref.start) > 0;
  const idBytes = isWide ? 4 : 2;
  const idAt = (at: number): number => (isWide ? view.getUint32(at) : view.getUint16(at));
  return readBoxes(view, iref.start + 4, iref.end).flatMap(({ type, start, end }) => {
    const first = start + idBytes + 2;
    if (first > end) return [];
    const count = Math.min(view.getUint16(start + idBytes), Math.floor((end - first) / idBytes));
    const to = Array.from({ length: count }, (_, place) => idAt(first + place * idBytes));
    return [{ type, from: idAt(start), to }];
  });
}
