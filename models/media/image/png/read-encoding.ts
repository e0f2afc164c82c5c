import {
  areClose,
  type ColourEncoding,
  encodingOf,
  SRGB_PRIMARIES,
  SRGB_TRANSFER,
  type Transfer,
} from '../../../kernels/colour/colour-encoding.ts';
import type { Chromaticities, Chromaticity } from '../../../kernels/colour/xyz-matrix.ts';
import type { Bytes } from '../../bytes/byte-writer.ts';
import { iteratePngChunks } from './chunks.ts';

/** Encoding that the chunks of a PNG state. */
export interface PngEncoding {
  readonly encoding: ColourEncoding;
  /** Whether it counts even where the file has a profile. */
  readonly outranksProfile: boolean;
}

/** Unit of gAMA and cHRM. */
const UNIT = 100_000;
/** Exponents outside are mistakes. */
const EXPONENT_MIN = 0.1;
const EXPONENT_MAX = 10;
/** The power that writers of sRGB state, as PNG, third edition, 11.3.2.5 tells them to, and how far off some are. */
const SRGB_EXPONENT = 2.2;
const SRGB_EXPONENT_TOLERANCE = 0.05;

/**
 * Reads the encoding of a PNG outside of its profile. `cICP` ranks above a profile, `sRGB` below, and `gAMA` with
 * `cHRM` last: PNG, third edition, 4.3, table 1.
 * @returns null when no chunk states one
 */
export function readPngEncoding(file: Bytes): PngEncoding | null {
  const bodies = new Map<string, DataView>();
  for (const { type, body } of iteratePngChunks(file)) {
    if (type === 'IDAT') break;
    if (!bodies.has(type)) bodies.set(type, new DataView(body.buffer, body.byteOffset, body.byteLength));
  }
  const coded = readCodePoints(bodies.get('cICP'));
  if (coded) return { encoding: coded, outranksProfile: true };
  const encoding = bodies.has('sRGB')
    ? { primaries: SRGB_PRIMARIES, transfer: SRGB_TRANSFER }
    : readGamma(bodies.get('gAMA'), bodies.get('cHRM'));
  return encoding && { encoding, outranksProfile: false };
}

/** Reads cICP: primaries, transfer, matrix (0, as samples are RGB) and range: 11.3.2.6. */
function readCodePoints(body: DataView | undefined): ColourEncoding | null {
  if (!body || body.byteLength < 4) return null;
  const isNarrow = body.getUint8(3) === 0;
  return encodingOf({ primaries: body.getUint8(0), transfer: body.getUint8(1), isNarrow });
}

function readGamma(gamma: DataView | undefined, chromaticities: DataView | undefined): ColourEncoding | null {
  const transfer = readTransfer(gamma);
  const primaries = readPrimaries(chromaticities);
  if (!transfer && !primaries) return null;
  const own = { primaries: primaries ?? SRGB_PRIMARIES, transfer: transfer ?? SRGB_TRANSFER };
  const isSrgb =
    own.transfer.kind === 'power' &&
    Math.abs(own.transfer.exponent - SRGB_EXPONENT) <= SRGB_EXPONENT_TOLERANCE &&
    areClose(own.primaries, SRGB_PRIMARIES);
  return isSrgb ? { primaries: SRGB_PRIMARIES, transfer: SRGB_TRANSFER } : own;
}

function readTransfer(body: DataView | undefined): Transfer | null {
  if (!body || body.byteLength < 4) return null;
  const exponent = UNIT / body.getUint32(0);
  return exponent >= EXPONENT_MIN && exponent <= EXPONENT_MAX ? { kind: 'power', exponent } : null;
}

/** Reads cHRM: white, red, green, blue, each x and y: 11.3.2.1. */
function readPrimaries(body: DataView | undefined): Chromaticities | null {
  if (!body || body.byteLength < 32) return null;
  const point = (at: number): Chromaticity => [body.getUint32(at) / UNIT, body.getUint32(at + 4) / UNIT];
  return { white: point(0), red: point(8), green: point(16), blue: point(24) };
}

/** Colour types of PNG, third edition, 11.2.1: grey, and grey with alpha. */
const GREY_TYPES: ReadonlySet<number> = new Set([0, 4]);
const COLOUR_TYPE_AT = 25;

/** Reports whether the samples of a PNG are grey. */
export function isGreyPng(file: Uint8Array): boolean {
  return GREY_TYPES.has(file[COLOUR_TYPE_AT] ?? -1);
}
