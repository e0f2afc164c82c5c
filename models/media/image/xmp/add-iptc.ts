import type { Bytes } from '../../bytes/byte-writer.ts';
import { readDatasets } from '../iptc/datasets.ts';
import { addProperties, DC, IPTC_CORE, PHOTOSHOP, type XmpProperty } from './add-properties.ts';

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
