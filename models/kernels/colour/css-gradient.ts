import type { Rgba } from '../../core/runtime/raster.ts';
import { parseColour } from './css-colour.ts';

/**
 * Digits may follow a point only once it is there: two runs side by side would take quadratic time on a long number.
 */
const NUMBER = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+))([a-z%]*)$/;
const DEGREES: Readonly<Record<string, number>> = { '': 1, deg: 1, grad: 0.9, rad: 180 / Math.PI, turn: 360 };

/** Length along an axis: a share of the reference length, plus CSS pixels (here: pixels of the image). */
export interface Length {
  readonly share: number;
  readonly px: number;
}

/** Colour at a position on the gradient line. `null`: spaced evenly between its neighbours. */
export interface Stop {
  readonly colour: Rgba;
  readonly at: Length | null;
}

export type Corner = readonly [horizontal: -1 | 0 | 1, vertical: -1 | 0 | 1];

export interface LinearGradient {
  readonly kind: 'linear';
  /** Degrees clockwise from upwards, or the side or corner it points to. */
  readonly direction: number | Corner;
  readonly stops: readonly Stop[];
}

export type Extent = 'closest-side' | 'closest-corner' | 'farthest-side' | 'farthest-corner';

export interface RadialGradient {
  readonly kind: 'radial';
  readonly shape: 'circle' | 'ellipse';
  /** Extent keyword, or radii. */
  readonly size: Extent | readonly [Length, Length];
  readonly centre: readonly [Length, Length];
  readonly stops: readonly Stop[];
}

export type Gradient = LinearGradient | RadialGradient;

/** Longest text that is parsed: about a thousand stops. */
export const GRADIENT_CHARACTERS_MAX = 4_096;

/**
 * Parses `linear-gradient(...)` or `radial-gradient(...)`: CSS Images 3, sections 3.1, 3.2 and 3.4, without colour
 * hints.
 * @returns null for anything else
 */
export function parseGradient(text: string): Gradient | null {
  if (text.length > GRADIENT_CHARACTERS_MAX) return null;
  const [, kind, inner = ''] = /^(linear|radial)-gradient\((.*)\)$/s.exec(text.trim().toLowerCase()) ?? [];
  if (!kind) return null;
  const parts = splitOutside(inner, ',');
  return kind === 'linear' ? parseLinear(parts) : parseRadial(parts);
}

function parseLinear(parts: readonly string[]): LinearGradient | null {
  const direction = getDirection(parts[0] ?? '');
  const stops = parseStops(direction === null ? parts : parts.slice(1));
  return stops && { kind: 'linear', direction: direction ?? 180, stops };
}

function getDirection(part: string): number | Corner | null {
  const sides = /^to ([a-z]+)(?: ([a-z]+))?$/.exec(part.trim().replace(/\s+/g, ' '));
  if (!sides) return /[a-z]/.test(part) ? parseAngle(part.trim()) : part.trim() === '0' ? 0 : null;
  const words = [sides[1], sides[2]];
  const of = (low: string, high: string) => (words.includes(low) ? -1 : words.includes(high) ? 1 : 0);
  const corner: Corner = [of('left', 'right'), of('top', 'bottom')];
  const found = Math.abs(corner[0]) + Math.abs(corner[1]);
  return found === words.filter(Boolean).length ? corner : null;
}

function parseRadial(parts: readonly string[]): RadialGradient | null {
  const CENTRE = [
    { share: 0.5, px: 0 },
    { share: 0.5, px: 0 },
  ] as const;
  const head = parseStop(parts[0] ?? '') ? '' : (parts[0] ?? '');
  const [, outline = '', position] = /^(.*?)(?:(?:^|\s)at\s+(.+))?$/s.exec(head.trim()) ?? [];
  const stops = parseStops(head ? parts.slice(1) : parts);
  const centre = position === undefined ? CENTRE : getPosition(position);
  const shape = getOutline(outline);
  return stops && centre && shape && { kind: 'radial', ...shape, centre, stops };
}

const EXTENTS = ['closest-side', 'closest-corner', 'farthest-side', 'farthest-corner'] as const;

function getOutline(text: string): Pick<RadialGradient, 'shape' | 'size'> | null {
  const words = text.split(/\s+/).filter(Boolean);
  const named = words.find((word) => word === 'circle' || word === 'ellipse');
  const rest = words.filter((word) => word !== named);
  const [first, second, ...surplus] = rest;
  if (surplus.length > 0) return null;
  if (first === undefined)
    return { shape: named === 'circle' ? 'circle' : 'ellipse', size: 'farthest-corner' };
  const extent = EXTENTS.find((each) => each === first);
  if (extent && second === undefined) {
    return { shape: named === 'circle' ? 'circle' : 'ellipse', size: extent };
  }
  const across = getLength(first);
  const down = second === undefined ? across : getLength(second);
  // A circle has one radius in pixels, an ellipse two of any kind.
  const isCircle = second === undefined;
  if (!across || !down || (isCircle && across.share !== 0) || named === (isCircle ? 'ellipse' : 'circle'))
    return null;
  return { shape: isCircle ? 'circle' : 'ellipse', size: [across, down] };
}

/** A map: a word of a stranger may be the name of what every object has. */
const PLACES: ReadonlyMap<string, { axis: 'x' | 'y' | 'any'; share: number }> = new Map([
  ['left', { axis: 'x', share: 0 }],
  ['right', { axis: 'x', share: 1 }],
  ['top', { axis: 'y', share: 0 }],
  ['bottom', { axis: 'y', share: 1 }],
  ['center', { axis: 'any', share: 0.5 }],
]);

function getPosition(text: string): readonly [Length, Length] | null {
  const words = text.trim().split(/\s+/);
  if (words.length > 2) return null;
  const [first = '', second = 'center'] = words;
  const isSwapped = PLACES.get(first)?.axis === 'y' || PLACES.get(second)?.axis === 'x';
  const [across, down] = isSwapped ? [second, first] : [first, second];
  const x = PLACES.get(across)?.axis === 'y' ? null : getPlace(across);
  const y = PLACES.get(down)?.axis === 'x' ? null : getPlace(down);
  return x && y && [x, y];
}

function getPlace(word: string): Length | null {
  const known = PLACES.get(word);
  return known ? { share: known.share, px: 0 } : getLength(word);
}

function getLength(word: string): Length | null {
  const { number, unit } = splitNumber(word) ?? {};
  if (number === undefined) return null;
  if (unit === '%') return { share: number / 100, px: 0 };
  return unit === 'px' || (unit === '' && number === 0) ? { share: 0, px: number } : null;
}

function parseStops(parts: readonly string[]): readonly Stop[] | null {
  const stops = parts.map(parseStop);
  if (stops.some((stop) => stop === null)) return null;
  const all = stops.flatMap((stop) => stop ?? []);
  return all.length >= 2 ? all : null;
}

/** Parses a colour with up to two positions. */
function parseStop(part: string): readonly Stop[] | null {
  const words = splitOutside(part.trim(), ' ').filter(Boolean);
  const [text = '', ...places] = words;
  const colour = parseColour(text);
  const lengths = places.map(getLength);
  if (!colour || lengths.length > 2 || lengths.some((length) => length === null)) return null;
  return lengths.length === 0 ? [{ colour, at: null }] : lengths.map((at) => ({ colour, at }));
}

/** Splits at separators outside all brackets. */
function splitOutside(text: string, separator: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    const character = at < text.length ? text[at] : separator;
    if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    else if (
      (depth === 0 || at === text.length) &&
      (character === separator || (separator === ' ' && /\s/.test(character ?? '')))
    ) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return parts;
}

/**
 * Parses an angle to degrees.
 * @returns null for anything else
 */
export function parseAngle(word: string): number | null {
  const parts = splitNumber(word);
  const degrees = parts && Object.hasOwn(DEGREES, parts.unit) ? DEGREES[parts.unit] : undefined;
  return parts && degrees !== undefined ? parts.number * degrees : null;
}

/**
 * Divides a lower-case CSS number from its unit, which may be empty.
 * @returns null for anything else, and for a number beyond those of JavaScript
 */
function splitNumber(word: string): { readonly number: number; readonly unit: string } | null {
  const [, digits, unit = ''] = NUMBER.exec(word) ?? [];
  const number = Number(digits);
  return digits !== undefined && Number.isFinite(number) ? { number, unit } : null;
}

/**
 * Counts the numbers that are at most a value, by binary search.
 * @param ascending sorted numbers
 */
export function countUpTo(ascending: ArrayLike<number>, value: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
