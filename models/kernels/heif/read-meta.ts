import { type Box, damagedHeif, findBox, fourCc, readBoxes } from './read-boxes.ts';

export interface HeifMeta {
  readonly primaryItemId: number;
  /** Item type by item id: `hvc1`, `av01`, `grid`, `Exif`, ... */
  readonly itemTypes: ReadonlyMap<number, string>;
  /** Properties of an item in the order of their association, box bodies as offsets into the parsed bytes. */
  propertiesOf(itemId: number): readonly Box[];
}

/**
 * Reads the body of a `meta` box: pitm, iinf and iprp of ISO 23008-12 and ISO 14496-12, 8.11.
 * @param view the bytes, `meta` the box within
 * @throws OperationError `bad_request` when a box is missing or broken
 */
export function readHeifMeta(view: DataView, meta: Box): HeifMeta {
  try {
    const boxes = readBoxes(view, meta.start + 4, meta.end);
    const pitm = required(findBox(boxes, 'pitm'));
    const primaryItemId = view.getUint8(pitm.start)
      ? view.getUint32(pitm.start + 4)
      : view.getUint16(pitm.start + 4);
    const iprp = findBox(boxes, 'iprp');
    const inIprp = iprp ? readBoxes(view, iprp.start, iprp.end) : [];
    const ipco = findBox(inIprp, 'ipco');
    const properties = ipco ? readBoxes(view, ipco.start, ipco.end) : [];
    const associations = new Map<number, number[]>();
    for (const box of inIprp) if (box.type === 'ipma') readAssociations(view, box, associations);
    return {
      primaryItemId,
      itemTypes: readItemTypes(view, required(findBox(boxes, 'iinf'))),
      propertiesOf: (itemId) =>
        (associations.get(itemId) ?? []).flatMap((index) => properties[index - 1] ?? []),
    };
  } catch (error) {
    throw error instanceof RangeError ? damagedHeif() : error;
  }
}

function required(box: Box | undefined): Box {
  if (!box) throw damagedHeif();
  return box;
}

function readItemTypes(view: DataView, iinf: Box): Map<number, string> {
  const types = new Map<number, string>();
  const headBytes = view.getUint8(iinf.start) === 0 ? 6 : 8;
  for (const infe of readBoxes(view, iinf.start + headBytes, iinf.end)) {
    const version = view.getUint8(infe.start);
    if (version < 2) continue; // carries no item type
    const id = version === 2 ? view.getUint16(infe.start + 4) : view.getUint32(infe.start + 4);
    types.set(id, fourCc(view, infe.start + (version === 2 ? 8 : 10)));
  }
  return types;
}

function readAssociations(view: DataView, ipma: Box, into: Map<number, number[]>): void {
  const version = view.getUint8(ipma.start);
  const isWide = (view.getUint8(ipma.start + 3) & 1) === 1;
  const itemCount = view.getUint32(ipma.start + 4);
  let offset = ipma.start + 8;
  for (let item = 0; item < itemCount; item++) {
    if (offset >= ipma.end) throw damagedHeif();
    const id = version < 1 ? view.getUint16(offset) : view.getUint32(offset);
    offset += version < 1 ? 2 : 4;
    const indexes: number[] = [];
    const count = view.getUint8(offset++);
    for (let at = 0; at < count; at++) {
      indexes.push(isWide ? view.getUint16(offset) & 0x7fff : view.getUint8(offset) & 0x7f);
      offset += isWide ? 2 : 1;
    }
    into.set(id, indexes);
  }
}
