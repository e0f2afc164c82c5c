import type { Rgba } from '../../runtime/raster.ts';
import {
  fromDisplayP3,
  fromHsl,
  fromHwb,
  fromLab,
  fromLch,
  fromOklab,
  fromOklch,
  toGamma,
} from './colour-spaces.ts';
import { NAMED_COLOURS } from './named-colours.ts';

type Triple = readonly [number, number, number];

/** Units of a colour function's three parts: the value of 100 % for each, `hue` for an angle. */
interface Notation {
  readonly parts: readonly (number | 'hue')[];
  convert(a: number, b: number, c: number): Triple;
}

const RGB: Notation = { parts: [255, 255, 255], convert: (r, g, b) => [r / 255, g / 255, b / 255] };
const HSL: Notation = { parts: ['hue', 100, 100], convert: fromHsl };

/** CSS Color 4, sections 5 to 9. */
const NOTATIONS: Readonly<Record<string, Notation>> = {
  rgb: RGB,
  rgba: RGB,
  hsl: HSL,
  hsla: HSL,
  hwb: { parts: ['hue', 100, 100], convert: fromHwb },
  lab: { parts: [100, 125, 125], convert: fromLab },
  lch: { parts: [100, 150, 'hue'], convert: fromLch },
  oklab: { parts: [1, 0.4, 0.4], convert: fromOklab },
  oklch: { parts: [1, 0.4, 'hue'], convert: fromOklch },
};

/** Spaces of `color()`. */
const SPACES: Readonly<Record<string, (a: number, b: number, c: number) => Triple>> = {
  srgb: (r, g, b) => [r, g, b],
  'srgb-linear': (r, g, b) => [toGamma(r), toGamma(g), toGamma(b)],
  'display-p3': fromDisplayP3,
};

/**
 * Parses a CSS colour: a name, `#hex`, `rgb()`, `hsl()`, `hwb()`, `lab()`, `lch()`, `oklab()`, `oklch()`, or
 * `color()` in sRGB or Display P3. Clips colours outside sRGB.
 * @returns null for anything else
 */
export function parseColour(text: string): Rgba | null {
  const colour = text.trim().toLowerCase();
  if (colour === 'transparent') return [0, 0, 0, 0];
  if (Object.hasOwn(NAMED_COLOURS, colour))
    return hexDigits((NAMED_COLOURS[colour] as number).toString(16).padStart(6, '0'));
  const hex = /^#([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/.exec(colour)?.[1];
  if (hex) return hexDigits(hex);
  const [, name = '', inner = ''] = /^([a-z]+)\(([^()]*)\)$/.exec(colour) ?? [];
  return name === 'color' ? colourFunction(inner) : notation(NOTATIONS[name], inner);
}

function hexDigits(hex: string): Rgba {
  const long = hex.length <= 4 ? hex.replace(/./g, '$&$&') : hex;
  const part = (index: number) => Number.parseInt(long.slice(index * 2, index * 2 + 2) || 'ff', 16) / 255;
  return [part(0), part(1), part(2), part(3)];
}

function notation(known: Notation | undefined, inner: string): Rgba | null {
  if (!known) return null;
  const words = splitParts(inner);
  if (!words) return null;
  const numbers = known.parts.map((whole, index) =>
    whole === 'hue' ? angleOf(words[index] ?? '') : numberOf(words[index] ?? '', whole),
  );
  return rgba(numbers, words[3], known.convert);
}

function colourFunction(inner: string): Rgba | null {
  const [space = '', ...rest] = inner.trim().split(/\s+/);
  const words = splitParts(rest.join(' '));
  const convert = Object.hasOwn(SPACES, space) ? SPACES[space] : undefined;
  if (!words || !convert) return null;
  const numbers = words.slice(0, 3).map((word) => numberOf(word, 1));
  return rgba(numbers, words[3], convert);
}

function rgba(
  numbers: readonly (number | null)[],
  alphaText: string | undefined,
  convert: Notation['convert'],
): Rgba | null {
  const [a, b, c] = numbers;
  const alpha = alphaText === undefined ? 1 : numberOf(alphaText, 1);
  if (a == null || b == null || c == null || alpha === null) return null;
  const [red, green, blue] = convert(a, b, c);
  return [clip(red), clip(green), clip(blue), clip(alpha)];
}

/**
 * Splits three parts and an optional alpha, in the old notation with commas or the new one with spaces and a slash.
 */
function splitParts(inner: string): string[] | null {
  const hasCommas = inner.includes(',');
  const [colour = '', ...alphas] = hasCommas ? [inner] : inner.split('/');
  const words = colour.trim().split(hasCommas ? /\s*,\s*/ : /\s+/);
  if (hasCommas) return words.length === 3 || words.length === 4 ? words : null;
  return words.length === 3 && alphas.length <= 1 ? [...words, ...alphas.map((alpha) => alpha.trim())] : null;
}

/**
 * Parses a number or percentage.
 * @param whole value of 100 %
 */
function numberOf(word: string, whole: number): number | null {
  if (word === 'none') return 0;
  const [, number, percent] = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(%)?$/.exec(word) ?? [];
  if (number === undefined) return null;
  return percent ? (Number(number) / 100) * whole : Number(number);
}

const DEGREES: Readonly<Record<string, number>> = { '': 1, deg: 1, grad: 0.9, rad: 180 / Math.PI, turn: 360 };

/**
 * Parses an angle to degrees.
 * @returns null for anything else
 */
export function angleOf(word: string): number | null {
  if (word === 'none') return 0;
  const [, number, unit = ''] = /^([+-]?(?:\d+\.?\d*|\.\d+))(deg|grad|rad|turn)?$/.exec(word) ?? [];
  return number === undefined ? null : Number(number) * (DEGREES[unit] as number);
}

function clip(value: number): number {
  return Math.min(1, Math.max(0, value));
}
