import type { Bytes } from '../../bytes/byte-writer.ts';
import { box } from '../../bytes/byte-writer.ts';
import { damagedHeif, findBox, readBoxes } from './read-boxes.ts';
import { type AssociatedProperty, readHeifMeta, readItemData } from './read-meta.ts';
import { readReferences } from './read-references.ts';
import type { HeifItem, HeifProperty } from './write-heif.ts';

/**
 * Splits a still image file of our own encoders into items, so that `writeHeif` can reassemble them with more. Items
 * keep type, data, properties and references; the primary one comes first.
 * @throws OperationError `bad_request` when the boxes are inconsistent
 */
export function readHeifItems(file: Bytes): HeifItem[] {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const metaBox = findBox(readBoxes(view, 0, file.length), 'meta');
  if (!metaBox) throw damagedHeif();
  const meta = readHeifMeta(view, metaBox);
  const ids = [...meta.itemTypes.keys()].sort(
    (left, right) => Number(right === meta.primaryItemId) - Number(left === meta.primaryItemId),
  );
  const getPlace = (id: number): number => ids.indexOf(id);
  const references = readReferences(view, metaBox).map(({ type, from, to }) => ({
    type,
    from,
    to: to.map(getPlace),
  }));
  // Items that share a property must share the object, so that the file contains it once.
  const shared = new Map<number, HeifProperty>();
  const property = ({ type, start, end, isEssential }: AssociatedProperty): HeifProperty => {
    const known = shared.get(start) ?? { box: box(type, file.subarray(start, end)), isEssential };
    shared.set(start, known);
    return known;
  };
  return ids.map((id) => ({
    type: meta.itemTypes.get(id) ?? '',
    data: readItemData(file, metaBox, id),
    properties: meta.propertiesOf(id).map(property),
    references: references.filter(({ from }) => from === id),
    isHidden: id !== meta.primaryItemId,
  }));
}
