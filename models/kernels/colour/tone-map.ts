import type { Raster } from '../../core/runtime/raster.ts';
import { type ColourEncoding, fullRange } from './colour-encoding.ts';
import { multiply, toGamma, toXyzD50, XYZ_TO_SRGB } from './xyz-matrix.ts';

/** Luminance of diffuse white: ITU-R BT.2408, 2.1. Light is in units of it. */
const WHITE_NITS = 203;
/** Luminance of the display that HLG is shown on, and its gamma: ITU-R BT.2100, table 5. */
const HLG_NITS = 1000;
const HLG_GAMMA = 1.2;
/** Luminance of HLG in linear samples of BT.2100. */
const LUMA = [0.2627, 0.678, 0.0593] as const;

/** Share of the pixels that may be brighter than the peak that is mapped to white: sparks and coding noise. */
const BRIGHTER_SHARE = 0.001;

/** Steps of the tables, by the square root of light up to the greatest of PQ. */
const STEPS = 16_384;
const LIGHT_MAX = 10_000 / WHITE_NITS;

/**
 * Converts a raster of PQ or HLG in place to sRGB. Light up to white stays where the image has none above; brighter
 * images are compressed by the curve of ITU-R BT.2390-10, 5.4.1, from the image's own peak, by the largest component of
 * a pixel, so that hues stay. Colours outside sRGB are clipped. Alpha stays.
 */
export function toneMapToSrgb(raster: Raster, encoding: ColourEncoding): void {
  const { data } = raster;
  const most = data instanceof Uint16Array ? 65_535 : 255;
  const curve = encoding.transfer.kind === 'hlg' ? hlgToScene : pqToLight;
  const light = Float64Array.from({ length: most + 1 }, (_, sample) =>
    curve(encoding.isNarrow ? fullRange(sample / most) : sample / most),
  );
  const systemGain = encoding.transfer.kind === 'hlg' ? hlgGains() : null;
  const gains = compressionGains(findPeak(data, light, systemGain));
  const [rr = 1, rg = 0, rb = 0, gr = 0, gg = 1, gb = 0, br = 0, bg = 0, bb = 1] = multiply(
    XYZ_TO_SRGB,
    toXyzD50(encoding.primaries) ?? [],
  );
  const table = encodingTable(most);
  const encode = (value: number) => table[getStep(Math.min(1, Math.max(0, value)), 1)];
  for (let at = 0; at < data.length; at += 4) {
    let r = light[data[at]];
    let g = light[data[at + 1]];
    let b = light[data[at + 2]];
    let gain = systemGain ? systemGain[getStep(luminance(r, g, b), 1)] : 1;
    gain *= gains[getStep(gain * Math.max(r, g, b), LIGHT_MAX)];
    r *= gain;
    g *= gain;
    b *= gain;
    data[at] = encode(rr * r + rg * g + rb * b);
    data[at + 1] = encode(gr * r + gg * g + gb * b);
    data[at + 2] = encode(br * r + bg * g + bb * b);
  }
}

/** Returns the place of light in a table by its square root. */
function getStep(light: number, most: number): number {
  return Math.min(STEPS, Math.round(Math.sqrt(light / most) * STEPS));
}

function getLight(step: number, most: number): number {
  return (step / STEPS) ** 2 * most;
}

function luminance(red: number, green: number, blue: number): number {
  return LUMA[0] * red + LUMA[1] * green + LUMA[2] * blue;
}

/** Finds the light that all but a few pixels stay below. At least 1. */
function findPeak(data: Raster['data'], light: Float64Array, systemGain: Float64Array | null): number {
  const counts = new Uint32Array(STEPS + 1);
  for (let at = 0; at < data.length; at += 4) {
    const r = light[data[at]];
    const g = light[data[at + 1]];
    const b = light[data[at + 2]];
    const gain = systemGain ? systemGain[getStep(luminance(r, g, b), 1)] : 1;
    const step = getStep(gain * Math.max(r, g, b), LIGHT_MAX);
    counts[step] = counts[step] + 1;
  }
  let brighter = (data.length / 4) * BRIGHTER_SHARE;
  let step = STEPS;
  while (step > 0 && counts[step] <= brighter) brighter -= counts[step--];
  return Math.max(1, getLight(step, LIGHT_MAX));
}

/** Returns the factor by which each step of light is compressed, so that the peak becomes white. */
function compressionGains(peak: number): Float64Array {
  const peakCode = lightToPq(peak);
  const whiteCode = lightToPq(1) / peakCode;
  const knee = 1.5 * whiteCode - 0.5;
  return Float64Array.from({ length: STEPS + 1 }, (_, step) => {
    const light = getLight(step, LIGHT_MAX);
    const code = Math.min(1, lightToPq(light) / peakCode);
    if (code <= knee || light === 0) return 1;
    if (knee >= 1) return Math.min(1, 1 / light);
    return pqToLight(spline(code, knee, whiteCode) * peakCode) / light;
  });
}

/** Hermite spline from the knee to white: BT.2390-10, 5.4.1, step 3. */
function spline(code: number, knee: number, white: number): number {
  const t = (code - knee) / (1 - knee);
  const [square, cube] = [t ** 2, t ** 3];
  return (
    (2 * cube - 3 * square + 1) * knee +
    (cube - 2 * square + t) * (1 - knee) +
    (-2 * cube + 3 * square) * white
  );
}

/** Constants of PQ: SMPTE ST 2084, 5.2. */
const M1 = 2610 / 16_384;
const M2 = (2523 / 4096) * 128;
const C1 = 3424 / 4096;
const C2 = (2413 / 4096) * 32;
const C3 = (2392 / 4096) * 32;

function pqToLight(code: number): number {
  const root = code ** (1 / M2);
  return (Math.max(0, root - C1) / (C2 - C3 * root)) ** (1 / M1) * LIGHT_MAX;
}

function lightToPq(light: number): number {
  const power = (light / LIGHT_MAX) ** M1;
  return ((C1 + C2 * power) / (1 + C3 * power)) ** M2;
}

/** Constants of HLG: ITU-R BT.2100, table 5. */
const A = 0.178_832_77;
const B = 1 - 4 * A;
const C = 0.5 - A * Math.log(4 * A);

/** Returns scene light, 0 to 1. */
function hlgToScene(code: number): number {
  return code <= 0.5 ? code ** 2 / 3 : (Math.exp((code - C) / A) + B) / 12;
}

/** Returns the factor from scene light to that of a display, by luminance: ITU-R BT.2100, table 5, OOTF. */
function hlgGains(): Float64Array {
  return Float64Array.from(
    { length: STEPS + 1 },
    (_, step) => (HLG_NITS / WHITE_NITS) * getLight(step, 1) ** (HLG_GAMMA - 1),
  );
}

function encodingTable(most: number): Float64Array {
  return Float64Array.from({ length: STEPS + 1 }, (_, step) => Math.round(toGamma(getLight(step, 1)) * most));
}
