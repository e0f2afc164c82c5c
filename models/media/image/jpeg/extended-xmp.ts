import { ascii, type Bytes, concat, u32 } from '../../bytes/byte-writer.ts';
import { startsWith } from '../../bytes/text.ts';
import { readXmlTags } from '../metadata/xml-tags.ts';
import { HEAD, MARKER, readJpegSegments } from './segments.ts';

const GUID_BYTES = 32;
const PORTION_AT = HEAD.extendedXmp.length + GUID_BYTES + 8;
/** Length of a portion, as the specification advises. */
const PORTION_BYTES = 65_400;

/** Divides an extension of XMP into the bodies of segments: XMP, part 3, 1.1.3.1. */
export function divideExtension(extension: Bytes, guid: string): Bytes[] {
  return Array.from({ length: Math.ceil(extension.length / PORTION_BYTES) }, (_, index) => {
    const at = index * PORTION_BYTES;
    const head = [ascii(HEAD.extendedXmp), ascii(guid), u32(extension.length, at)];
    return concat([...head, extension.subarray(at, at + PORTION_BYTES)]);
  });
}

/**
 * Joins the XMP of a JPEG with its extension, which holds what did not fit into one segment: XMP, part 3, 1.1.3.1.
 * @param packet the XMP of the main segment
 * @returns the packet itself where there is no extension, or one of which portions are missing
 */
export function joinExtendedXmp(file: Bytes, packet: Bytes): Bytes {
  const main = new TextDecoder().decode(packet);
  const portions = readJpegSegments(file)
    .filter(
      ({ marker, body }) =>
        marker === MARKER.app1 && startsWith(body, HEAD.extendedXmp) && body.length > PORTION_AT,
    )
    .map(({ body }) => readPortion(body))
    .filter(({ guid }) => main.includes(guid))
    .sort((left, right) => left.offset - right.offset);
  const bytes = concat(portions.map(({ data }) => data));
  const [first] = portions;
  if (!first || bytes.length !== first.totalBytes) return packet;
  const content = contentOfRdf(new TextDecoder().decode(bytes));
  const place = contentOfRdf(main);
  if (!(content && place)) return packet;
  return new TextEncoder().encode(main.slice(0, place.end) + content.text + main.slice(place.end));
}

interface Portion {
  readonly guid: string;
  readonly totalBytes: number;
  readonly offset: number;
  readonly data: Bytes;
}

function readPortion(body: Bytes): Portion {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const at = HEAD.extendedXmp.length + GUID_BYTES;
  return {
    guid: String.fromCharCode(...body.subarray(HEAD.extendedXmp.length, at)),
    totalBytes: view.getUint32(at),
    offset: view.getUint32(at + 4),
    data: body.subarray(PORTION_AT),
  };
}

/** Finds what stands within `rdf:RDF`. */
function contentOfRdf(packet: string): { readonly text: string; readonly end: number } | null {
  const tags = readXmlTags(packet)?.filter(({ name }) => /(^|:)RDF$/.test(name)) ?? [];
  const [open, close] = [tags[0], tags.at(-1)];
  if (open?.kind !== 'open' || close?.kind !== 'close') return null;
  return { text: packet.slice(open.end, close.start), end: close.start };
}
