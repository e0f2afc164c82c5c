import { OperationError } from '../../../core/operation/errors.ts';
import { type Bytes, box, concat } from '../../bytes/byte-writer.ts';
import { readFourCc } from '../../bytes/text.ts';
import type { HeifItem, HeifProperty } from './write-heif.ts';

/** A box of ISO 14496-12, 4.2: `start` and `end` enclose its body, header not included. */
export interface Box {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

const BOXES_MAX = 20_000;
/**
 * Limit on items with their properties, and on references: ten for each of as many items as there may be. Cameras write
 * about five.
 */
const ASSOCIATIONS_MAX = 200_000;

/** Reference from an item to others: ISO 14496-12, 8.11.12. */
export interface ItemReference {
  /** `dimg`, `thmb`, `auxl`, `cdsc`, ... */
  readonly type: string;
  readonly from: number;
  readonly to: readonly number[];
}

/** Property as associated with an item. */
export interface AssociatedProperty extends Box {
  readonly isEssential: boolean;
}

export interface HeifMeta {
  readonly primaryItemId: number;
  /** Item type by item id: `hvc1`, `av01`, `grid`, `Exif`, ... */
  readonly itemTypes: ReadonlyMap<number, string>;
  /** Items whose entry says that they are hidden: ISO 23008-12, 6.4.2. */
  readonly hidden: ReadonlySet<number>;
  /**
   * Returns the properties of an item in the order of their association; box bodies are offsets into the parsed
   * bytes.
   */
  propertiesOf(itemId: number): readonly AssociatedProperty[];
}

/** The `meta` box of a file, opened. */
export interface OpenedMeta extends HeifMeta {
  readonly view: DataView;
  readonly box: Box;
  /** Reads the references between the items, in their order. Those that are cut off are omitted. */
  references(): ItemReference[];
}

/**
 * Opens the `meta` box of a file; null where there is none.
 * @throws OperationError `bad_request` when the boxes are inconsistent
 */
export function openHeifMeta(file: Bytes): OpenedMeta | null {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const box = findBox(readBoxes(view, 0, file.length), 'meta');
  return box ? { ...readHeifMeta(view, box), view, box, references: () => readReferences(view, box) } : null;
}

/**
 * Reads the body of a `meta` box: pitm, iinf and iprp of ISO 23008-12 and ISO 14496-12, 8.11.
 * @param view the bytes, `meta` the box within
 * @throws OperationError `bad_request` when a box is missing or broken
 */
export function readHeifMeta(view: DataView, meta: Box): HeifMeta {
  return orDamaged(() => {
    const boxes = readBoxes(view, meta.start + 4, meta.end);
    const pitm = required(findBox(boxes, 'pitm'));
    const iprp = findBox(boxes, 'iprp');
    const inIprp = iprp ? readBoxes(view, iprp.start, iprp.end) : [];
    const ipco = findBox(inIprp, 'ipco');
    const properties = ipco ? readBoxes(view, ipco.start, ipco.end) : [];
    const associations = readAssociations(view, inIprp);
    return {
      primaryItemId: readId(view, pitm.start + 4, view.getUint8(pitm.start) > 0),
      ...readItems(view, required(findBox(boxes, 'iinf'))),
      propertiesOf: (itemId) =>
        (associations.get(itemId) ?? []).flatMap(({ index, isEssential }) => {
          const property = properties[index - 1];
          return property ? [{ ...property, isEssential }] : [];
        }),
    };
  });
}

/**
 * Returns the bytes of an item that are stored in the file itself (construction method 0): ISO 14496-12, 8.11.3.
 * @throws OperationError `bad_request` when it has no such bytes
 */
export function readItemData(file: Bytes, meta: Box, itemId: number): Bytes {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  return orDamaged(() => {
    const iloc = required(findBox(readBoxes(view, meta.start + 4, meta.end), 'iloc'));
    const version = view.getUint8(iloc.start);
    const sizes = view.getUint16(iloc.start + 4);
    const [offsetBytes, lengthBytes, baseBytes] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15];
    const indexBytes = version > 0 ? sizes & 15 : 0;
    let at = iloc.start + 6;
    const take = (bytes: number): number => {
      at += bytes;
      if (bytes === 0) return 0;
      return bytes === 8
        ? Number(view.getBigUint64(at - 8))
        : bytes === 4
          ? view.getUint32(at - 4)
          : view.getUint16(at - 2);
    };
    for (let left = take(version < 2 ? 2 : 4); left > 0; left--) {
      const id = take(version < 2 ? 2 : 4);
      const method = version > 0 ? take(2) & 15 : 0;
      take(2); // data reference
      const base = take(baseBytes);
      const count = take(2);
      if (id !== itemId || method !== 0) {
        at += count * (indexBytes + offsetBytes + lengthBytes);
        continue;
      }
      const extents = Array.from({ length: count }, () => {
        take(indexBytes);
        const start = base + take(offsetBytes);
        return file.subarray(start, start + take(lengthBytes));
      });
      // Extents that overlap could make any number of bytes of a small file.
      if (extents.reduce((sum, { length }) => sum + length, 0) > file.length) throw damagedHeif();
      return concat(extents);
    }
    throw damagedHeif();
  });
}

function orDamaged<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw error instanceof RangeError ? damagedHeif() : error;
  }
}

function required(box: Box | undefined): Box {
  if (!box) throw damagedHeif();
  return box;
}

function readId(view: DataView, offset: number, isWide: boolean): number {
  return isWide ? view.getUint32(offset) : view.getUint16(offset);
}

function readItems(view: DataView, iinf: Box): Pick<HeifMeta, 'itemTypes' | 'hidden'> {
  const itemTypes = new Map<number, string>();
  const hidden = new Set<number>();
  const headBytes = view.getUint8(iinf.start) === 0 ? 6 : 8;
  for (const infe of readBoxes(view, iinf.start + headBytes, iinf.end)) {
    const version = view.getUint8(infe.start);
    if (version < 2) continue; // carries no item type
    const id = readId(view, infe.start + 4, version > 2);
    itemTypes.set(id, readFourCc(view, infe.start + (version > 2 ? 10 : 8)));
    if (view.getUint8(infe.start + 3) & 1) hidden.add(id);
  }
  return { itemTypes, hidden };
}

interface Association {
  /** From 1; 0 is none. */
  readonly index: number;
  readonly isEssential: boolean;
}

/** Reads the `ipma` boxes: the properties of each item. */
function readAssociations(view: DataView, inIprp: readonly Box[]): Map<number, readonly Association[]> {
  const byItem = new Map<number, readonly Association[]>();
  let total = 0;
  for (const ipma of inIprp.filter(({ type }) => type === 'ipma')) {
    const hasWideIds = view.getUint8(ipma.start) > 0;
    const isWide = (view.getUint8(ipma.start + 3) & 1) === 1;
    const itemCount = view.getUint32(ipma.start + 4);
    let offset = ipma.start + 8;
    for (let item = 0; item < itemCount; item++) {
      if (offset >= ipma.end) throw damagedHeif();
      const id = readId(view, offset, hasWideIds);
      offset += hasWideIds ? 4 : 2;
      const count = view.getUint8(offset++);
      total += 1 + count;
      if (total > ASSOCIATIONS_MAX) throw damagedHeif();
      const associations = Array.from({ length: count }, (): Association => {
        const word = isWide ? view.getUint16(offset) : view.getUint8(offset) << 8;
        offset += isWide ? 2 : 1;
        return { index: isWide ? word & 0x7fff : (word >> 8) & 0x7f, isEssential: word >= 0x8000 };
      });
      byItem.set(id, associations);
    }
  }
  return byItem;
}

/** Reads the references, `ASSOCIATIONS_MAX` at most. */
function readReferences(view: DataView, meta: Box): ItemReference[] {
  const iref = findBox(readBoxes(view, meta.start + 4, meta.end), 'iref');
  if (!iref) return [];
  const isWide = view.getUint8(iref.start) > 0;
  const idBytes = isWide ? 4 : 2;
  const idAt = (at: number): number => (isWide ? view.getUint32(at) : view.getUint16(at));
  let left = ASSOCIATIONS_MAX;
  return readBoxes(view, iref.start + 4, iref.end).flatMap(({ type, start, end }) => {
    const first = start + idBytes + 2;
    if (first > end) return [];
    const count = Math.min(view.getUint16(start + idBytes), Math.floor((end - first) / idBytes), left);
    left -= count;
    const to = Array.from({ length: count }, (_, place) => idAt(first + place * idBytes));
    return [{ type, from: idAt(start), to }];
  });
}

/**
 * Reports whether the colours of the primary image are multiplied by its alpha: a reference `prem` to the latter (ISO
 * 23008-12, 6.10.1.1). Boxes that cannot be read say nothing.
 */
export function isPremultiplied(file: Bytes): boolean {
  try {
    const meta = openHeifMeta(file);
    return (
      meta?.references().some(({ type, from }) => type === 'prem' && from === meta.primaryItemId) ?? false
    );
  } catch (thrown) {
    if (thrown instanceof RangeError || thrown instanceof OperationError) return false;
    throw thrown;
  }
}

/**
 * Splits a still image file of our own encoders into items, so that `writeHeif` can reassemble them with more. Items
 * keep type, data, properties and references; the primary one comes first.
 * @throws OperationError `bad_request` when the boxes are inconsistent
 */
export function readHeifItems(file: Bytes): HeifItem[] {
  const meta = openHeifMeta(file);
  if (!meta) throw damagedHeif();
  const ids = [...meta.itemTypes.keys()].sort(
    (left, right) => Number(right === meta.primaryItemId) - Number(left === meta.primaryItemId),
  );
  const getPlace = (id: number): number => ids.indexOf(id);
  const references = meta.references().map(({ type, from, to }) => ({
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
    data: readItemData(file, meta.box, id),
    properties: meta.propertiesOf(id).map(property),
    references: references.filter(({ from }) => from === id),
    isHidden: id !== meta.primaryItemId,
  }));
}

/**
 * Iterates over the consecutive boxes between two offsets.
 * @throws OperationError `bad_request` when one is larger than its container
 */
export function readBoxes(view: DataView, start: number, end: number): Box[] {
  const boxes: Box[] = [];
  let offset = start;
  while (offset + 8 <= end) {
    const size32 = view.getUint32(offset);
    const isLong = size32 === 1;
    if (isLong && offset + 16 > end) throw damagedHeif();
    const size = isLong ? Number(view.getBigUint64(offset + 8)) : size32 || end - offset;
    const headBytes = isLong ? 16 : 8;
    if (size < headBytes || offset + size > end || boxes.length === BOXES_MAX) throw damagedHeif();
    boxes.push({ type: readFourCc(view, offset + 4), start: offset + headBytes, end: offset + size });
    offset += size;
  }
  return boxes;
}

export function findBox(boxes: readonly Box[], type: string): Box | undefined {
  return boxes.find((box) => box.type === type);
}

export function damagedHeif(): OperationError {
  return new OperationError(
    'bad_request',
    'The image is a damaged HEIC or AVIF file: its boxes are inconsistent.',
    { kind: 'damaged' },
  );
}
