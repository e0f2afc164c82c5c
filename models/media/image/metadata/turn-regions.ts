import type { ImageSize } from '../../../core/runtime/raster.ts';
import type { Orientation } from '../../../kernels/raster/orient-raster.ts';
import { applyChanges, type Change, endOfElement, nameResolver } from './edit-properties.ts';
import { readXmlTags, type XmlTag } from './xml-tags.ts';

export const REGIONS = 'http://www.metadataworkinggroup.com/schemas/regions/';
const AREA = 'http://ns.adobe.com/xmp/sType/Area#';
const DIMENSIONS = 'http://ns.adobe.com/xap/1.0/sType/Dimensions#';
const PEOPLE_REGION = 'http://ns.microsoft.com/photo/1.2/t/Region#';
export const PEOPLE = 'http://ns.microsoft.com/photo/1.2/';
/** Names of regions, as warnings have them. */
export const FACES = 'face regions';
export const FACES_OF_MICROSOFT = 'face regions of Microsoft';
const STRUCTURES: ReadonlySet<string> = new Set(['AppliedToDimensions', 'Area']);
/** Decimals of a share that stay. */
const PRECISION = 1e6;

/** Value of a simple property, in an attribute or between two tags. */
interface Value {
  readonly start: number;
  readonly text: string;
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/**
 * Turns the regions of an XMP packet with its image: those of the Metadata Working Group (Guidelines 2.0, 5.9), whose
 * areas have their centre, and those of Microsoft, whose rectangles have their upper left corner.
 * @param orientation how the image as stored became upright
 * @param size of the upright image
 * @returns the packet, and names of regions that are left out because they cannot be read; null when it is malformed
 */
export function turnRegions(
  packet: string,
  orientation: Orientation,
  size: ImageSize,
): { readonly text: string; readonly lost: readonly string[] } | null {
  const tags = readXmlTags(packet);
  if (!tags) return null;
  const getName = nameResolver(tags);
  const isOnSide = orientation.quarterTurns % 2 === 1;
  const stored = isOnSide ? { width: size.height, height: size.width } : size;
  const changes: Change[] = [];
  const lost: string[] = [];
  for (let index = 0; index < tags.length; index++) {
    const tag = tags[index];
    const name = tag.kind === 'close' ? null : getName(tag.name);
    const isMwg = name?.namespace === REGIONS && name.name === 'Regions';
    const isPeople = name?.namespace === PEOPLE && name.name === 'RegionInfo';
    if (!isMwg && !isPeople) continue;
    const end = endOfElement(tags, index);
    if (end === null) return null;
    const inside = new Regions(packet, tags.slice(index, end + 1), getName);
    const turned = isMwg ? inside.turnAreas(orientation, stored) : inside.turnRectangles(orientation);
    if (turned) changes.push(...turned);
    else {
      lost.push(isMwg ? FACES : FACES_OF_MICROSOFT);
      changes.push({ start: tag.start, end: tags[end].end, text: '' });
    }
    index = end;
  }
  return { text: applyChanges(packet, changes), lost };
}

/** Tags of one structure of regions. */
class Regions {
  readonly #packet: string;
  readonly #tags: readonly XmlTag[];
  readonly #getName: ReturnType<typeof nameResolver>;

  constructor(packet: string, tags: readonly XmlTag[], getName: ReturnType<typeof nameResolver>) {
    this.#packet = packet;
    this.#tags = tags;
    this.#getName = getName;
  }

  /** Returns the changes of all areas; null when one cannot be read. */
  turnAreas(orientation: Orientation, stored: ImageSize): Change[] | null {
    const changes: Change[] = [];
    for (const [name, start, end] of this.#structures()) {
      if (name === 'AppliedToDimensions') {
        const { w, h } = this.#values(start, end, DIMENSIONS);
        if (w && h && orientation.quarterTurns % 2 === 1)
          changes.push(replace(w, h.text), replace(h, w.text));
        continue;
      }
      const { x, y, w, h, unit } = this.#values(start, end, AREA);
      const size = unit?.text === 'pixel' ? stored : { width: 1, height: 1 };
      // A point and a circle have no width.
      const box = readBox([x?.text, y?.text, w?.text ?? '0', h?.text ?? '0']);
      if (!(x && y && box)) return null;
      const turned = turnBox(box, orientation, size);
      changes.push(replace(x, turned.x), replace(y, turned.y));
      if (w && h) changes.push(replace(w, turned.w), replace(h, turned.h));
    }
    return changes;
  }

  /** Returns the changes of all rectangles, of shares of the image; null when one cannot be read. */
  turnRectangles(orientation: Orientation): Change[] | null {
    const changes: Change[] = [];
    for (let index = 0; index < this.#tags.length; index++) {
      const { Rectangle } = this.#own(index, PEOPLE_REGION);
      if (!Rectangle) continue;
      const box = readBox(Rectangle.text.split(','));
      if (!box) return null;
      const { w: width, h: height } = box;
      const centred = { ...box, x: box.x + width / 2, y: box.y + height / 2 };
      const { x, y, w, h } = turnBox(centred, orientation, { width: 1, height: 1 });
      changes.push(replace(Rectangle, [x - w / 2, y - h / 2, w, h].map(round).join(', ')));
    }
    return changes;
  }

  /** Yields the structures of numbers with their first and last tags. None is within another: each tag counts once. */
  *#structures(): Generator<readonly [name: string, start: number, end: number]> {
    for (let start = 0; start < this.#tags.length; start++) {
      const { kind, name } = this.#tags[start];
      const resolved = kind === 'close' ? null : this.#getName(name);
      if (resolved?.namespace !== REGIONS || !STRUCTURES.has(resolved.name)) continue;
      const end = endOfElement(this.#tags, start) ?? start;
      yield [resolved.name, start, end];
      start = end;
    }
  }

  /** Returns the values of a namespace from one tag to another, by their names. */
  #values(start: number, end: number, namespace: string): Partial<Record<string, Value>> {
    const values: Partial<Record<string, Value>> = {};
    for (let index = start; index <= end; index++) Object.assign(values, this.#own(index, namespace));
    return values;
  }

  /** Returns the values of a tag: its attributes, and itself if it is simple. */
  #own(index: number, wanted: string): Partial<Record<string, Value>> {
    const tag = this.#tags[index];
    const values: Partial<Record<string, Value>> = {};
    if (tag.kind === 'close') return values;
    const add = (name: string, start: number, text: string): void => {
      const resolved = this.#getName(name);
      if (resolved?.namespace === wanted) values[resolved.name] = { start, text };
    };
    for (const { name, value, valueStart } of tag.attributes) add(name, valueStart, value);
    const next = this.#tags[index + 1];
    if (tag.kind === 'open' && next?.kind === 'close')
      add(tag.name, tag.end, this.#packet.slice(tag.end, next.start));
    return values;
  }
}

function replace({ start, text }: Value, value: number | string): Change {
  return { start, end: start + text.length, text: typeof value === 'number' ? round(value) : value };
}

function round(value: number): string {
  return String(Math.round(value * PRECISION) / PRECISION);
}

function readBox(texts: readonly (string | undefined)[]): Box | null {
  const [x = Number.NaN, y = Number.NaN, w = Number.NaN, h = Number.NaN] = texts.map((text) =>
    text?.trim() ? Number(text) : Number.NaN,
  );
  return [x, y, w, h].every(Number.isFinite) ? { x, y, w, h } : null;
}

/** Turns a box with its centre, clockwise, and mirrors it. @param stored size of the image before */
function turnBox(box: Box, { quarterTurns, isMirrored }: Orientation, stored: ImageSize): Box {
  let { x, y, w, h } = box;
  let { width, height } = stored;
  for (let turn = 0; turn < quarterTurns; turn++) {
    [x, y, w, h] = [height - y, x, h, w];
    [width, height] = [height, width];
  }
  return { x: isMirrored ? width - x : x, y, w, h };
}
