import {
  type ColourEncoding,
  type LightCurve,
  SRGB_PRIMARIES,
  SRGB_TRANSFER,
} from '../../../kernels/colour/colour-encoding.ts';
import type { Bytes } from '../../bytes/byte-writer.ts';
import { openTiffStream, readDirectory, type TiffDirectory } from './directory.ts';
import { readNumbers, readPrimaries } from './field-values.ts';
import { encodingOfFields } from './read-exif-encoding.ts';

const PHOTOMETRIC = 262;
const TRANSFER_FUNCTION = 301;
const LIGHT_MAX = 65_535;
/** Kinds of samples that are tones of red, green, blue or grey from dark to light: TIFF 6.0, section 8, 262. */
const DARK_TO_LIGHT: ReadonlySet<number> = new Set([1, 2, 3, 6]);

/**
 * Reads TransferFunction, PrimaryChromaticities and WhitePoint (TIFF 6.0, section 20), or else what EXIF states.
 * @returns null when the first page has neither
 */
export function readTiffEncoding(file: Bytes): ColourEncoding | null {
  const stream = openTiffStream(file);
  const fields = stream ? readDirectory(stream, stream.firstOffset) : [];
  const [photometric = -1] = readNumbers(fields, PHOTOMETRIC);
  if (!DARK_TO_LIGHT.has(photometric)) return null;
  const primaries = readPrimaries(fields);
  const curves = readCurves(fields);
  if (!primaries && !curves) return encodingOfFields(fields);
  return {
    primaries: primaries ?? SRGB_PRIMARIES,
    transfer: curves ? { kind: 'curves', curves } : SRGB_TRANSFER,
  };
}

/** Reads one table for all channels, or three. */
function readCurves(fields: TiffDirectory): readonly [LightCurve, LightCurve, LightCurve] | null {
  const points = readNumbers(fields, TRANSFER_FUNCTION);
  const perChannel = Math.log2(points.length) % 1 === 0 ? points.length : points.length / 3;
  if (perChannel < 2 || Math.log2(perChannel) % 1 !== 0) return null;
  const curve = (channel: number) =>
    interpolate(points.slice(channel * perChannel, (channel + 1) * perChannel));
  if (perChannel === points.length) return [curve(0), curve(0), curve(0)];
  return [curve(0), curve(1), curve(2)];
}

function interpolate(points: readonly number[]): LightCurve {
  return (sample) => {
    const place = sample * (points.length - 1);
    const below = Math.min(points.length - 2, Math.floor(place));
    const from = points[below] ?? 0;
    return (from + ((points[below + 1] ?? 0) - from) * (place - below)) / LIGHT_MAX;
  };
}
