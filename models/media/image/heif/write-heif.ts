import { ascii, type Bytes, box, fullBox, u8, u16, u32 } from '../../bytes/byte-writer.ts';

/** Box of `ipco`. A property object shared by several items is written once. */
export interface HeifProperty {
  readonly box: Bytes;
  /** Whether a reader that does not know the property must not show the item. */
  readonly isEssential: boolean;
}

export interface HeifItem {
  /** `hvc1`, `grid`, `Exif`, `mime`, ... */
  readonly type: string;
  readonly data: Bytes;
  readonly properties?: readonly HeifProperty[];
  /** References to other items by list index. */
  readonly references?: readonly { readonly type: string; readonly to: readonly number[] }[];
  /** Whether the item is part of another image and not shown itself. */
  readonly isHidden?: boolean;
  /** For `mime` items. */
  readonly contentType?: string;
}

/**
 * Writes a HEIF file of still image items: ftyp, meta (hdlr, pitm, iloc, iinf, iref, iprp) and mdat of ISO 14496-12
 * and ISO 23008-12. The first item is the primary one.
 * @returns the parts of the file in order, data untouched
 */
export function writeHeif(
  majorBrand: string,
  brands: readonly string[],
  items: readonly HeifItem[],
): Bytes[] {
  const ftyp = box('ftyp', ascii(majorBrand), u32(0), ...brands.map(ascii));
  const metaBytes = writeMeta(items, 0).length;
  const mdatBytes = 8 + items.reduce((sum, item) => sum + item.data.length, 0);
  const meta = writeMeta(items, ftyp.length + metaBytes + 8);
  return [ftyp, meta, u32(mdatBytes), ascii('mdat'), ...items.map((item) => item.data)];
}

function writeMeta(items: readonly HeifItem[], dataOffset: number): Bytes {
  return fullBox(
    'meta',
    0,
    0,
    fullBox('hdlr', 0, 0, u32(0), ascii('pict'), u32(0, 0, 0), u8(0)),
    fullBox('pitm', 0, 0, u16(1)),
    writeLocations(items, dataOffset),
    fullBox('iinf', 0, 0, u16(items.length), ...items.map(writeItemInfo)),
    ...writeReferences(items),
    writeProperties(items),
  );
}

function writeItemInfo(item: HeifItem, index: number): Bytes {
  const contentType = item.contentType === undefined ? [] : [ascii(`${item.contentType}\0`)];
  return fullBox(
    'infe',
    2,
    item.isHidden ? 1 : 0,
    u16(index + 1, 0),
    ascii(`${item.type}\0`),
    ...contentType,
  );
}

function writeLocations(items: readonly HeifItem[], dataOffset: number): Bytes {
  let offset = dataOffset;
  const locations = items.map((item, index) => {
    const at = offset;
    offset += item.data.length;
    return [u16(index + 1, 0, 1), u32(at, item.data.length)];
  });
  return fullBox('iloc', 0, 0, u16(0x4400, items.length), ...locations.flat());
}

function writeReferences(items: readonly HeifItem[]): Bytes[] {
  const references = items.flatMap((item, index) =>
    (item.references ?? []).map(({ type, to }) =>
      box(type, u16(index + 1, to.length, ...to.map((place) => place + 1))),
    ),
  );
  return references.length ? [fullBox('iref', 0, 0, ...references)] : [];
}

function writeProperties(items: readonly HeifItem[]): Bytes {
  const properties = [...new Set(items.flatMap((item) => item.properties ?? []))];
  const place = new Map(properties.map((property, index) => [property, index + 1]));
  const associated = items.flatMap((item, index) =>
    item.properties?.length ? [{ item, id: index + 1 }] : [],
  );
  const associations = associated.flatMap(({ item: { properties: own = [] }, id }) => [
    u16(id),
    u8(own.length),
    u16(...own.map((property) => (property.isEssential ? 0x8000 : 0) | (place.get(property) ?? 0))),
  ]);
  return box(
    'iprp',
    box('ipco', ...properties.map((property) => property.box)),
    fullBox('ipma', 0, 1, u32(associated.length), ...associations),
  );
}
