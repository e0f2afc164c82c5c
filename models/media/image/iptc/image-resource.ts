import { ascii, type Bytes, concat, u16, u32 } from '../../bytes/byte-writer.ts';

const SIGNATURE = '8BIM';
/** Identifier of IPTC-IIM: Adobe Photoshop File Formats Specification, Image Resource IDs. */
const IPTC_NAA = 0x0404;
const RESOURCES_MAX = 1000;

/** Writes IPTC datasets as an image resource, with an empty name. */
export function writeImageResource(iptc: Bytes): Bytes {
  return concat([
    ascii(SIGNATURE),
    u16(IPTC_NAA, 0),
    u32(iptc.length),
    iptc,
    new Uint8Array(iptc.length % 2),
  ]);
}

/**
 * Reads the IPTC datasets of a list of image resources. @returns undefined when it has none, or is damaged before them
 */
export function readImageResource(resources: Bytes): Bytes | undefined {
  const view = new DataView(resources.buffer, resources.byteOffset, resources.byteLength);
  let at = 0;
  for (let count = 0; count < RESOURCES_MAX && at + 12 <= resources.length; count++) {
    if (String.fromCharCode(...resources.subarray(at, at + 4)) !== SIGNATURE) return undefined;
    const id = view.getUint16(at + 4);
    const nameBytes = 1 + view.getUint8(at + 6);
    const sizeAt = at + 6 + nameBytes + (nameBytes % 2);
    if (sizeAt + 4 > resources.length) return undefined;
    const size = view.getUint32(sizeAt);
    const end = sizeAt + 4 + size;
    if (end > resources.length) return undefined;
    if (id === IPTC_NAA) return resources.slice(sizeAt + 4, end);
    at = end + (size % 2);
  }
  return undefined;
}
