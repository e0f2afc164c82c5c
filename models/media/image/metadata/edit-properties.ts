import { readXmlTags, type XmlAttribute, type XmlTag } from './xml-tags.ts';

const DECLARATION = 'xmlns:';

/** Name of a property: that of its namespace, and its own, which is empty for the namespace's declaration. */
export interface PropertyName {
  readonly namespace: string;
  readonly name: string;
}

/**
 * Decides what becomes of a property: its new value, `remove`, or `keep`. A new value applies to simple properties;
 * structures are kept.
 */
export type PropertyEdit = (property: PropertyName) => { readonly value: string } | 'remove' | 'keep';

/** Text in place of another one. */
export interface Change {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Edits the properties of an XMP packet (ISO 16684-1, 7), as attributes and as elements, and leaves all other bytes.
 * @returns null when the packet is malformed XML
 */
export function editProperties(packet: string, edit: PropertyEdit): string | null {
  const tags = readXmlTags(packet);
  if (!tags) return null;
  const getName = nameResolver(tags);
  const changes: Change[] = [];
  for (let index = 0; index < tags.length; index++) {
    const tag = tags[index];
    if (tag.kind === 'close') continue;
    const element = getName(tag.name);
    const decision = element ? edit(element) : 'keep';
    if (decision === 'remove') {
      const last = endOfElement(tags, index);
      if (last === null) return null;
      changes.push({ start: tag.start, end: tags[last].end, text: '' });
      index = last;
      continue;
    }
    const next = tags[index + 1];
    if (decision !== 'keep' && tag.kind === 'open' && next?.kind === 'close') {
      changes.push({ start: tag.end, end: next.start, text: decision.value });
    }
    for (const attribute of tag.attributes) changes.push(...editAttribute(attribute, getName, edit));
  }
  return applyChanges(packet, changes);
}

function editAttribute(
  { name, value, start, end, valueStart }: XmlAttribute,
  getName: (name: string) => PropertyName | null,
  edit: PropertyEdit,
): Change[] {
  const property = name.startsWith(DECLARATION) ? { namespace: value, name: '' } : getName(name);
  const decision = property ? edit(property) : 'keep';
  if (decision === 'keep') return [];
  if (decision === 'remove') return [{ start, end, text: '' }];
  return [{ start: valueStart, end: valueStart + value.length, text: decision.value }];
}

/** Resolves prefixes. One that stands for several namespaces in a packet, which no writer does, has the first. */
export function nameResolver(tags: readonly XmlTag[]): (name: string) => PropertyName | null {
  const namespaces = new Map<string, string>();
  for (const { attributes } of tags) {
    for (const { name, value } of attributes) {
      const prefix = name.startsWith(DECLARATION) ? name.slice(DECLARATION.length) : null;
      if (prefix !== null && !namespaces.has(prefix)) namespaces.set(prefix, value);
    }
  }
  return (name) => {
    const colon = name.indexOf(':');
    const namespace = namespaces.get(name.slice(0, colon));
    return colon < 0 || namespace === undefined ? null : { namespace, name: name.slice(colon + 1) };
  };
}

/** Returns the index of the tag that ends an element; null when there is none. */
export function endOfElement(tags: readonly XmlTag[], start: number): number | null {
  let depth = 0;
  for (let index = start; index < tags.length; index++) {
    const kind = tags[index]?.kind;
    if (kind === 'open') depth++;
    if (kind === 'close') depth--;
    if (depth === 0) return index;
  }
  return null;
}

/** Makes changes, in any order, that do not overlap. */
export function applyChanges(text: string, changes: readonly Change[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end, text: replacement } of changes.toSorted(
    (left, right) => left.start - right.start,
  )) {
    pieces.push(text.slice(at, start), replacement);
    at = end;
  }
  return [...pieces, text.slice(at)].join('');
}
