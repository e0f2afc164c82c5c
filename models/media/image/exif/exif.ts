import type { Orientation } from '../../../kernels/raster/orient-raster.ts';

const PREFIX = 'Exif\0\0';
const ORIENTATION = 0x0112;

export const UPRIGHT: Orientation = { quarterTurns: 0, isMirrored: false };

/** Transforms for Orientation 1 to 8. */
const ORIENTATIONS: readonly Orientation[] = [
  UPRIGHT,
  { quarterTurns: 0, isMirrored: true },
  { quarterTurns: 2, isMirrored: false },
  { quarterTurns: 2, isMirrored: true },
  { quarterTurns: 1, isMirrored: true },
  { quarterTurns: 1, isMirrored: false },
  { quarterTurns: 3, isMirrored: true },
  { quarterTurns: 3, isMirrored: false },
];

/** Returns the TIFF stream of an EXIF block, without the `Exif\0\0` prefix of JPEG and others. */
export function getTiffStream(exif: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return String.fromCharCode(...exif.subarray(0, 6)) === PREFIX ? exif.subarray(6) : exif;
}

/**
 * Copies EXIF with the main image's Orientation set to 1. Returns unreadable EXIF unchanged.
 * @param exif a TIFF stream, as in EXIF 2.32, 4.5
 */
export function resetExifOrientation(exif: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const copy = exif.slice();
  const view = new DataView(copy.buffer);
  for (const { at, isLittle } of orientationFields(view)) view.setUint16(at, 1, isLittle);
  return copy;
}

/**
 * Returns how an image with this EXIF must be rotated, then mirrored, to be upright: EXIF 2.32, 4.6.4, Orientation.
 * @param exif a TIFF stream
 */
export function getOrientation(exif: Uint8Array<ArrayBuffer>): Orientation {
  const view = new DataView(exif.buffer, exif.byteOffset, exif.byteLength);
  const [value = 1] = orientationFields(view).map(({ at, isLittle }) => view.getUint16(at, isLittle));
  return ORIENTATIONS[value - 1] ?? UPRIGHT;
}

/** Returns the positions of the main image's Orientation values. */
function orientationFields(view: DataView): { at: number; isLittle: boolean }[] {
  if (view.byteLength < 8) return [];
  const isLittle = view.getUint16(0) === 0x4949;
  const directory = view.getUint32(4, isLittle);
  if (directory + 2 > view.byteLength) return [];
  const end = Math.min(view.byteLength, directory + 2 + view.getUint16(directory, isLittle) * 12);
  const fields: { at: number; isLittle: boolean }[] = [];
  for (let entry = directory + 2; entry + 12 <= end; entry += 12) {
    if (view.getUint16(entry, isLittle) === ORIENTATION) fields.push({ at: entry + 8, isLittle });
  }
  return fields;
}
