import { ascii, type Bytes, concat, u16, u32 } from '../bytes/byte-writer.ts';
import { decodeText } from '../bytes/text.ts';

const SIGNATURE = '8BIM';
/** Identifier of IPTC-IIM: Adobe Photoshop File Formats Specification, Image Resource IDs. */
const IPTC_NAA = 0x0404;
const RESOURCES_MAX = 1000;
/** First byte of every dataset: IPTC-IIM 4.2, chapter 3. */
export const DATASET_MARKER = 0x1c;
const ENVELOPE_RECORD = 1;
const APPLICATION_RECORD = 2;
const CODED_CHARACTER_SET = 90;
/** Escape sequence of ISO 2022 that announces UTF-8. */
const UTF_8 = '\x1b%G';
const DATASETS_MAX = 10_000;

/**
 * Reads the text datasets of IPTC-IIM's application record (IPTC-IIM 4.2, chapters 3 and 6), by number. A damaged end
 * is omitted. Text is read as UTF-8 where it is declared or valid, else as Latin-1, which most writers mean.
 */
export function readDatasets(iptc: Bytes): ReadonlyMap<number, readonly string[]> {
  const view = new DataView(iptc.buffer, iptc.byteOffset, iptc.byteLength);
  const texts = new Map<number, string[]>();
  let isUtf8 = false;
  let at = 0;
  for (let count = 0; count < DATASETS_MAX && at + 5 <= iptc.length && iptc[at] === DATASET_MARKER; count++) {
    const [record, dataset] = [view.getUint8(at + 1), view.getUint8(at + 2)];
    const length = view.getUint16(at + 3);
    // A set highest bit announces an extended length, which no text has.
    if (length & 0x8000) break;
    const value = iptc.subarray(at + 5, at + 5 + length);
    at += 5 + length;
    if (record === ENVELOPE_RECORD && dataset === CODED_CHARACTER_SET) {
      isUtf8 = String.fromCharCode(...value.subarray(0, 8)) === UTF_8;
    }
    if (record !== APPLICATION_RECORD) continue;
    texts.set(dataset, [...(texts.get(dataset) ?? []), decode(value, isUtf8)]);
  }
  return texts;
}

function decode(value: Bytes, isUtf8: boolean): string {
  return isUtf8 ? new TextDecoder().decode(value) : decodeText(value);
}

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
