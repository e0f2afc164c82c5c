import type { PrintResolution } from '../../../core/runtime/image-codec.ts';
import { type Bytes, concat } from '../../bytes/byte-writer.ts';
import { CENTIMETRES_PER_INCH } from '../../bytes/print-units.ts';
import {
  CENTIMETRE,
  INCH,
  RESOLUTION_UNIT,
  resolutionRational,
  X_RESOLUTION,
  Y_RESOLUTION,
} from '../tiff/directory.ts';
import {
  type ExifDirectory,
  openMainDirectory,
  RATIONAL,
  rationalAt,
  readNumber,
  readRational,
  SHORT,
  setNumber,
} from './exif.ts';

/** Position of the offset of the main directory. */
const FIRST_OFFSET_AT = 4;

const EMPTY: Bytes = new Uint8Array([0x49, 0x49, 42, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0]);

/** Reads the resolution of an EXIF block or a TIFF: EXIF 2.32, 4.6.4. A unit of 1 states only a pixel's shape. */
export function readExifResolution(exif: Bytes): PrintResolution | undefined {
  const main = openMainDirectory(exif);
  if (!main) return undefined;
  const unit = readNumber(main, RESOLUTION_UNIT) ?? INCH;
  const x = readRational(main, X_RESOLUTION);
  const y = readRational(main, Y_RESOLUTION) ?? x;
  if (x === undefined || y === undefined || (unit !== INCH && unit !== CENTIMETRE)) return undefined;
  const scale = unit === CENTIMETRE ? CENTIMETRES_PER_INCH : 1;
  return { x: x * scale, y: y * scale };
}

/** Makes an EXIF block that states a resolution and nothing else. */
export function createResolutionExif(resolution: PrintResolution): Bytes {
  return setResolution(EMPTY.slice(), resolution);
}

/** Sets the resolution of an EXIF block, in place where it has the fields. */
export function setResolution(exif: Bytes, { x, y }: PrintResolution): Bytes {
  const main = openMainDirectory(exif);
  if (!main) return exif;
  const [xAt, yAt] = [rationalAt(main, X_RESOLUTION), rationalAt(main, Y_RESOLUTION)];
  if (xAt === undefined || yAt === undefined || xAt === yAt || !main.entries.has(RESOLUTION_UNIT)) {
    return appendDirectory(main, { x, y });
  }
  writeRational(main, xAt, x);
  writeRational(main, yAt, y);
  setNumber(main, RESOLUTION_UNIT, INCH);
  return exif;
}

function writeRational(
  { view, isLittle }: Pick<ExifDirectory, 'view' | 'isLittle'>,
  at: number,
  value: number,
): void {
  const [numerator, denominator] = resolutionRational(value);
  view.setUint32(at, numerator, isLittle);
  view.setUint32(at + 4, denominator, isLittle);
}

/** Appends the main directory once more, with a resolution; all else that it points at stays in place. */
function appendDirectory(main: ExifDirectory, { x, y }: PrintResolution): Bytes {
  const { bytes, isLittle } = main;
  const padding = bytes.length % 2;
  const offset = bytes.length + padding;
  const kept = [...main.entries].filter(
    ([tag]) => ![X_RESOLUTION, Y_RESOLUTION, RESOLUTION_UNIT].includes(tag),
  );
  const count = kept.length + 3;
  const valuesAt = 2 + count * 12 + 4;
  const directory = new Uint8Array(valuesAt + 16);
  const view = new DataView(directory.buffer);
  const entry = (tag: number, type: number, value: number): [number, Bytes] => {
    const field = new Uint8Array(12);
    const fieldView = new DataView(field.buffer);
    fieldView.setUint16(0, tag, isLittle);
    fieldView.setUint16(2, type, isLittle);
    fieldView.setUint32(4, 1, isLittle);
    if (type === SHORT) fieldView.setUint16(8, value, isLittle);
    else fieldView.setUint32(8, value, isLittle);
    return [tag, field];
  };
  const entries = [
    ...kept.map(([tag, at]): [number, Bytes] => [tag, bytes.slice(at, at + 12)]),
    entry(X_RESOLUTION, RATIONAL, offset + valuesAt),
    entry(Y_RESOLUTION, RATIONAL, offset + valuesAt + 8),
    entry(RESOLUTION_UNIT, SHORT, INCH),
  ].sort(([left], [right]) => left - right);
  view.setUint16(0, count, isLittle);
  entries.forEach(([, field], index) => {
    directory.set(field, 2 + index * 12);
  });
  writeRational({ view, isLittle }, valuesAt, x);
  writeRational({ view, isLittle }, valuesAt + 8, y);
  const whole = concat([bytes, new Uint8Array(padding), directory]);
  new DataView(whole.buffer).setUint32(FIRST_OFFSET_AT, offset, isLittle);
  return whole;
}
