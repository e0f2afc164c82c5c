import type { Bytes } from '../../bytes/byte-writer.ts';
import { md5 } from '../../bytes/digests.ts';
import { applyChanges } from './edit-properties.ts';
import { readXmlTags, type XmlTag } from './xml-tags.ts';

/** XMP in two packets: XMP, part 3, 1.1.3.1. */
export interface SplitXmp {
  /** Packet that names the extension. */
  readonly main: Bytes;
  readonly extension: Bytes;
  /** Digest of the extension, which tells its portions. */
  readonly guid: string;
}

/** Property that is an element, and the description that it is in. */
interface Property {
  readonly start: number;
  readonly end: number;
  readonly bytes: number;
  readonly description: XmlTag;
}

/** Limit on the length of the element that names the extension, next to the subject of the packet. */
const NOTE_BYTES = 256;

const encoder = new TextEncoder();

/**
 * Moves the largest properties of an XMP packet to a second one until the first is short enough.
 * @param bytesMax of the first packet
 * @returns null for a packet that is malformed, or too long without any property that is an element
 */
export function splitXmp(packet: Bytes, bytesMax: number): SplitXmp | null {
  const text = new TextDecoder().decode(packet);
  const tags = readXmlTags(text) ?? [];
  const rdf = tags.findIndex(({ name, kind }) => kind === 'open' && /(^|:)RDF$/.test(name));
  const [first, open, last] = [tags[0], tags[rdf], tags.at(-1)];
  const close = tags.findLast(({ name, kind }) => kind === 'close' && name === open?.name);
  if (!(first && open && close && last)) return null;
  const properties = listProperties(text, tags.slice(rdf + 1, tags.indexOf(close)));
  const about =
    properties[0]?.description.attributes.find(({ name }) => name.endsWith(':about'))?.value ?? '';
  const noteBytes = NOTE_BYTES + encoder.encode(about).length;
  const moved = chooseMoved(properties, packet.length + noteBytes - bytesMax);
  if (!moved) return null;
  const content = moved.map((property) => describe(text, property));
  const head = text.slice(first.start, open.end);
  const extension = encoder.encode(head + content.join('') + text.slice(close.start, last.end));
  const guid = md5(extension).toUpperCase();
  const prefix = open.name.slice(0, open.name.indexOf(':') + 1);
  const note = `<${prefix}Description ${prefix}about="${about}" xmlns:xmpNote="http://ns.adobe.com/xmp/note/" xmpNote:HasExtendedXMP="${guid}"/>`;
  const changes = moved.map(({ start, end }) => ({ start, end, text: '' }));
  const main = encoder.encode(
    applyChanges(text, [{ start: open.end, end: open.end, text: note }, ...changes]),
  );
  return { main, extension, guid };
}

/** Lists the elements within the descriptions of a packet, in order. */
function listProperties(text: string, tags: readonly XmlTag[]): Property[] {
  const properties: Property[] = [];
  let description: XmlTag | null = null;
  let [depth, start] = [0, 0];
  for (const tag of tags) {
    if (tag.kind === 'close') depth--;
    if (depth === 0 && tag.kind === 'open') description = tag;
    if (depth === 1 && description) {
      if (tag.kind !== 'close') start = tag.start;
      const { end } = tag;
      const bytes = tag.kind === 'open' ? 0 : encoder.encode(text.slice(start, end)).length;
      if (bytes > 0) properties.push({ start, end, bytes, description });
    }
    if (tag.kind === 'open') depth++;
  }
  return properties;
}

/** Chooses the largest properties that have a number of bytes together, in the order of the packet; null if none do. */
function chooseMoved(properties: readonly Property[], bytesWanted: number): Property[] | null {
  const moved: Property[] = [];
  let left = bytesWanted;
  for (const property of properties.toSorted((one, other) => other.bytes - one.bytes)) {
    if (left <= 0) break;
    moved.push(property);
    left -= property.bytes;
  }
  return left > 0 ? null : moved.sort((one, other) => one.start - other.start);
}

/** Returns a property in its own description, with the subject and the namespaces of the former one. */
function describe(text: string, { start, end, description: { name, attributes } }: Property): string {
  const kept = attributes.filter((attribute) => /^xmlns:|:about$/.test(attribute.name));
  const head = kept.map((attribute) => text.slice(attribute.start, attribute.end)).join('');
  return `<${name}${head}>${text.slice(start, end)}</${name}>`;
}
