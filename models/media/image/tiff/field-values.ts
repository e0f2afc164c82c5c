import type { Chromaticities, Chromaticity } from '../../../kernels/colour/xyz-matrix.ts';
import type { TiffDirectory, TiffField } from './directory.ts';

const WHITE_POINT = 318;
const PRIMARY_CHROMATICITIES = 319;
const D65: Chromaticity = [0.3127, 0.329];

/** Readers of one value by type: TIFF 6.0, section 2, BYTE, SHORT, LONG, RATIONAL, SLONG, SRATIONAL. */
const READERS: Readonly<Record<number, { bytes: number; read: (view: DataView, at: number) => number }>> = {
  1: { bytes: 1, read: (view, at) => view.getUint8(at) },
  3: { bytes: 2, read: (view, at) => view.getUint16(at, true) },
  4: { bytes: 4, read: (view, at) => view.getUint32(at, true) },
  5: { bytes: 8, read: (view, at) => view.getUint32(at, true) / view.getUint32(at + 4, true) },
  9: { bytes: 4, read: (view, at) => view.getInt32(at, true) },
  10: { bytes: 8, read: (view, at) => view.getInt32(at, true) / view.getInt32(at + 4, true) },
};

/** Returns the numbers of a field; none when it is absent or of another type. */
export function readNumbers(fields: TiffDirectory, wanted: number): readonly number[] {
  const field = fields.find(({ tag }) => tag === wanted);
  return field ? getNumbers(field) : [];
}

function getNumbers({ type, value }: TiffField): readonly number[] {
  const reader = READERS[type];
  if (!reader) return [];
  const view = new DataView(value.buffer, value.byteOffset, value.byteLength);
  return Array.from({ length: Math.floor(value.length / reader.bytes) }, (_, at) =>
    reader.read(view, at * reader.bytes),
  );
}

/**
 * Reads PrimaryChromaticities with WhitePoint (TIFF 6.0, section 20); without the latter, white is D65.
 * @returns null when they are absent or no numbers
 */
export function readPrimaries(fields: TiffDirectory): Chromaticities | null {
  const [redX, redY, greenX, greenY, blueX, blueY] = readNumbers(fields, PRIMARY_CHROMATICITIES);
  const [whiteX = D65[0], whiteY = D65[1]] = readNumbers(fields, WHITE_POINT);
  const points = [redX, redY, greenX, greenY, blueX, blueY, whiteX, whiteY].map(Number);
  if (!points.every(Number.isFinite)) return null;
  const point = (at: number): Chromaticity => [points[at] ?? 0, points[at + 1] ?? 0];
  return { red: point(0), green: point(2), blue: point(4), white: point(6) };
}
