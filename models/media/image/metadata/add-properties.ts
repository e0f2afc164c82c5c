import type { Bytes } from '../../bytes/byte-writer.ts';
import { readDatasets } from '../iptc.ts';
import { editProperties } from './edit-properties.ts';
import { readXmlTags } from './xml-tags.ts';

export const DC = 'http://purl.org/dc/elements/1.1/';
export const PHOTOSHOP = 'http://ns.adobe.com/photoshop/1.0/';
export const IPTC_CORE = 'http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/';
const PREFIXES = { [DC]: 'dc', [PHOTOSHOP]: 'photoshop', [IPTC_CORE]: 'Iptc4xmpCore' } as const;
const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';

/** Property of XMP: a text, texts in several languages of which only the usual one is written, or a list. */
export interface XmpProperty {
  readonly namespace: keyof typeof PREFIXES;
  readonly name: string;
  readonly shape: 'text' | 'Alt' | 'Bag' | 'Seq';
}

/** Property with its values: one for a text, at least one for others. */
export interface FilledProperty extends XmpProperty {
  readonly values: readonly string[];
}

/** Property that means the same as a dataset: IPTC Photo Metadata Standard, IPTC Core, mapping to IIM. */
interface Property extends XmpProperty {
  readonly dataset: number;
}

const PROPERTIES: readonly Property[] = [
  { dataset: 5, namespace: DC, name: 'title', shape: 'Alt' },
  { dataset: 25, namespace: DC, name: 'subject', shape: 'Bag' },
  { dataset: 40, namespace: PHOTOSHOP, name: 'Instructions', shape: 'text' },
  { dataset: 55, namespace: PHOTOSHOP, name: 'DateCreated', shape: 'text' },
  { dataset: 80, namespace: DC, name: 'creator', shape: 'Seq' },
  { dataset: 85, namespace: PHOTOSHOP, name: 'AuthorsPosition', shape: 'text' },
  { dataset: 90, namespace: PHOTOSHOP, name: 'City', shape: 'text' },
  { dataset: 92, namespace: IPTC_CORE, name: 'Location', shape: 'text' },
  { dataset: 95, namespace: PHOTOSHOP, name: 'State', shape: 'text' },
  { dataset: 100, namespace: IPTC_CORE, name: 'CountryCode', shape: 'text' },
  { dataset: 101, namespace: PHOTOSHOP, name: 'Country', shape: 'text' },
  { dataset: 103, namespace: PHOTOSHOP, name: 'TransmissionReference', shape: 'text' },
  { dataset: 105, namespace: PHOTOSHOP, name: 'Headline', shape: 'text' },
  { dataset: 110, namespace: PHOTOSHOP, name: 'Credit', shape: 'text' },
  { dataset: 115, namespace: PHOTOSHOP, name: 'Source', shape: 'text' },
  { dataset: 116, namespace: DC, name: 'rights', shape: 'Alt' },
  { dataset: 120, namespace: DC, name: 'description', shape: 'Alt' },
  { dataset: 122, namespace: PHOTOSHOP, name: 'CaptionWriter', shape: 'text' },
];

const DATE_CREATED = 55;

const EMPTY_PACKET = `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="${RDF}"></rdf:RDF></x:xmpmeta>
<?xpacket end="w"?>`;

/**
 * Adds properties to an XMP packet. Those that it has stay as they are.
 * @param xmp a new packet when absent
 * @returns the packet unchanged where it is malformed or lacks nothing
 */
export function addProperties(
  xmp: Bytes | undefined,
  properties: readonly FilledProperty[],
): Bytes | undefined {
  const packet = xmp ? new TextDecoder().decode(xmp) : EMPTY_PACKET;
  const present = new Set<string>();
  editProperties(packet, ({ namespace, name }) => {
    present.add(namespace + name);
    return 'keep';
  });
  const added = properties.filter(({ namespace, name }) => !present.has(namespace + name)).map(writeProperty);
  const end = added.length > 0 ? endOfRdf(packet) : undefined;
  if (end === undefined) return xmp;
  const declarations = Object.entries(PREFIXES).map(
    ([namespace, prefix]) => ` xmlns:${prefix}="${namespace}"`,
  );
  const description = `<rdf:Description rdf:about=""${declarations.join('')} xmlns:rdf="${RDF}">${added.join('')}</rdf:Description>`;
  return new TextEncoder().encode(packet.slice(0, end) + description + packet.slice(end));
}

/** Returns the place before the end tag of `rdf:RDF`. */
function endOfRdf(packet: string): number | undefined {
  return readXmlTags(packet)?.findLast(({ name, kind }) => kind === 'close' && /(^|:)RDF$/.test(name))?.start;
}

function writeProperty({ namespace, name, shape, values }: FilledProperty): string {
  const texts = values.map(escapeXml);
  const element = `${PREFIXES[namespace]}:${name}`;
  if (shape === 'text') return `<${element}>${texts[0] ?? ''}</${element}>`;
  const items = shape === 'Alt' ? texts.slice(0, 1) : texts;
  const language = shape === 'Alt' ? ' xml:lang="x-default"' : '';
  const list = items.map((text) => `<rdf:li${language}>${text}</rdf:li>`).join('');
  return `<${element}><rdf:${shape}>${list}</rdf:${shape}></${element}>`;
}

/** Escapes text, and drops characters that XML 1.0 does not allow (2.2). */
function escapeXml(text: string): string {
  return [...text]
    .filter((letter) => letter >= ' ' || '\t\n\r'.includes(letter))
    .map((letter) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[letter] ?? letter)
    .join('');
}

/**
 * Adds IPTC-IIM datasets to an XMP packet as the properties of IPTC Core, for formats that hold XMP only. Properties
 * that the packet has stay as they are.
 * @param xmp a new packet when absent
 * @returns the packet unchanged where it is malformed or lacks nothing
 */
export function addIptcToXmp(xmp: Bytes | undefined, iptc: Bytes): Bytes | undefined {
  const datasets = readDatasets(iptc);
  const filled = PROPERTIES.flatMap(({ dataset, ...property }) => {
    const values = datasets.get(dataset);
    return values ? [{ ...property, values: dataset === DATE_CREATED ? values.map(hyphenate) : values }] : [];
  });
  return addProperties(xmp, filled);
}

/** Writes a date of IIM (CCYYMMDD) as XMP does; unknown parts, which are zeros, are left out. */
function hyphenate(date: string): string {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)$/.exec(date) ?? [];
  if (!year) return date;
  return [year, month, day].slice(0, month === '00' ? 1 : day === '00' ? 2 : 3).join('-');
}
