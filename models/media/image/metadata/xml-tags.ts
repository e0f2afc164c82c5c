/** Attribute of a tag, with the place of its value between the quotes. */
export interface XmlAttribute {
  readonly name: string;
  readonly value: string;
  /** Place of the whole attribute with the white space before it. */
  readonly start: number;
  readonly end: number;
  readonly valueStart: number;
}

/** Tag of an XML text: `<a>`, `</a>` or `<a/>`. */
export interface XmlTag {
  readonly name: string;
  readonly kind: 'open' | 'close' | 'empty';
  readonly attributes: readonly XmlAttribute[];
  readonly start: number;
  readonly end: number;
}

/** Constructs that hold no tags, with their ends: XML 1.0, 2.5 to 2.8. */
const OPAQUE = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
  ['<!', '>'],
] as const;

const NAME = /[^\s/>=]+/y;
const ATTRIBUTE = /\s+([^\s/>=]+)\s*=\s*("[^"]*"|'[^']*')/y;
const TAG_END = /\s*(\/?)>/y;
const TAGS_MAX = 200_000;

/**
 * Lists the tags of an XML text in order, without comments, instructions and character data.
 * @returns null when the text is malformed
 */
export function readXmlTags(text: string): XmlTag[] | null {
  const tags: XmlTag[] = [];
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at)) {
    const opaque = OPAQUE.find(([head]) => text.startsWith(head, at));
    if (opaque) {
      const [head, tail] = opaque;
      const end = text.indexOf(tail, at + head.length);
      if (end < 0) return null;
      at = end + tail.length;
      continue;
    }
    const tag = readTag(text, at);
    if (!tag || tags.length === TAGS_MAX) return null;
    tags.push(tag);
    at = tag.end;
  }
  return tags;
}

function readTag(text: string, start: number): XmlTag | null {
  const isClose = text[start + 1] === '/';
  NAME.lastIndex = start + (isClose ? 2 : 1);
  const name = NAME.exec(text)?.[0];
  if (name === undefined) return null;
  let at = NAME.lastIndex;
  const attributes: XmlAttribute[] = [];
  for (;;) {
    ATTRIBUTE.lastIndex = at;
    const found = ATTRIBUTE.exec(text);
    if (!found) break;
    const [, attribute = '', quoted = ''] = found;
    const end = ATTRIBUTE.lastIndex;
    const value = quoted.slice(1, -1);
    attributes.push({ name: attribute, value, start: at, end, valueStart: end - quoted.length + 1 });
    at = end;
  }
  TAG_END.lastIndex = at;
  const end = TAG_END.exec(text);
  if (!end) return null;
  const kind = isClose ? 'close' : end[1] ? 'empty' : 'open';
  return { name, kind, attributes, start, end: TAG_END.lastIndex };
}
