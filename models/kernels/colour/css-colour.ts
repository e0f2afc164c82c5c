import {
  converter,
  modeHsl,
  modeHwb,
  modeLab,
  modeLch,
  modeLrgb,
  modeOklab,
  modeOklch,
  modeP3,
  modeRgb,
  parse,
  useMode as registerMode,
} from 'culori/fn';
import type { Rgba } from '../../core/runtime/raster.ts';

const MODES = [modeRgb, modeHsl, modeHwb, modeLab, modeLch, modeOklab, modeOklch, modeLrgb, modeP3];
for (const mode of MODES) registerMode(mode);
const toRgb = converter('rgb');

// culori throws on some malformed text, takes quadratic time on long numbers, and accepts hex digits without `#` and
// functions that nothing closes. So it sees only short text that has the shape of a colour.
const CHARACTERS_MAX = 200;
const NUMBER = String.raw`(?:none|[+-]?(?:\d+|\d*\.\d+)(?:e[+-]?\d+)?(?:%|deg|grad|rad|turn)?)`;
const FUNCTION = String.raw`[a-z]+\( ?(?:(?:srgb|srgb-linear|display-p3) )?${NUMBER}(?:[ ,/]+${NUMBER}){2,3} ?\)`;
const COLOUR = new RegExp(String.raw`^(?:#[\da-f]+|[a-z]+|${FUNCTION})$`);

/**
 * Parses a CSS colour: a name, `#hex`, `rgb()`, `hsl()`, `hwb()`, `lab()`, `lch()`, `oklab()`, `oklch()`, or
 * `color()` in sRGB or Display P3. Clips colours outside sRGB.
 * @returns null for anything else
 */
export function parseColour(text: string): Rgba | null {
  if (text.length > CHARACTERS_MAX) return null;
  const colour = text.trim().toLowerCase().replace(/\s+/g, ' ');
  // An alpha of `none` is 0 in CSS, but culori treats it as absent.
  const parsed = COLOUR.test(colour) ? parse(colour.replace(/\/ ?none ?\)$/, '/ 0)')) : undefined;
  if (!parsed) return null;
  if (parsed.mode === 'hsl') parsed.s = Math.max(0, parsed.s ?? 0);
  const { r, g, b, alpha = 1 } = toRgb(parsed);
  const parts: Rgba = [clip(r), clip(g), clip(b), clip(alpha)];
  return parts.some(Number.isNaN) ? null : parts;
}

/** Clips a part to 0 to 1. A part of `none` is absent. */
function clip(value = 0): number {
  return Math.min(1, Math.max(0, value));
}
