import type { PrintResolution } from '../../../core/runtime/image-codec.ts';
import { type Bytes, concat } from '../../bytes/byte-writer.ts';
import { CENTIMETRES_PER_INCH } from '../../bytes/print-units.ts';
import {
  CENTIMETRE,
  INCH,
  joinEntries,
  RESOLUTION_TAGS,
  readFirstDirectory,
  readNumbers,
  resolutionRational,
  TAG,
  TYPE,
  writeOffset,
} from '../tiff/directory.ts';
import { type ExifDirectory, openMainDirectory, rationalAt, setNumber } from './exif.ts';

const EMPTY: Bytes = new Uint8Array([0x49, 0x49, 42, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0]);

/** Reads the resolution of an EXIF block or a TIFF: EXIF 2.32, 4.6.4. A unit of 1 states only a pixel's shape. */
export function readExifResolution(exif: Bytes): PrintResolution | undefined {
  const fields = readFirstDirectory(exif, RESOLUTION_TAGS);
  const [unit = INCH] = readNumbers(fields, TAG.resolutionUnit);
  const read = (tag: number) => readNumbers(fields, tag).slice(0, 1).find(Number.isFinite);
  const x = read(TAG.xResolution);
  const y = read(TAG.yResolution) ?? x;
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
  const [xAt, yAt] = [rationalAt(main, TAG.xResolution), rationalAt(main, TAG.yResolution)];
  if (xAt === undefined || yAt === undefined || xAt === yAt || !main.entries.has(TAG.resolutionUnit)) {
    return appendDirectory(main, { x, y });
  }
  writeRational(main, xAt, x);
  writeRational(main, yAt, y);
  setNumber(main, TAG.resolutionUnit, INCH);
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
  const kept = [...main.entries].filter(([tag]) => !RESOLUTION_TAGS.has(tag));
  const values = new Uint8Array(16);
  const valuesAt = offset + 2 + (kept.length + RESOLUTION_TAGS.size) * 12 + 4;
  writeRational({ view: new DataView(values.buffer), isLittle }, 0, x);
  writeRational({ view: new DataView(values.buffer), isLittle }, 8, y);
  const entry = (tag: number, type: number, value: number): [number, Bytes] => {
    const field = new Uint8Array(12);
    const fieldView = new DataView(field.buffer);
    fieldView.setUint16(0, tag, isLittle);
    fieldView.setUint16(2, type, isLittle);
    fieldView.setUint32(4, 1, isLittle);
    if (type === TYPE.short) fieldView.setUint16(8, value, isLittle);
    else fieldView.setUint32(8, value, isLittle);
    return [tag, field];
  };
  const entries = [
    ...kept.map(([tag, at]): [number, Bytes] => [tag, bytes.slice(at, at + 12)]),
    entry(TAG.xResolution, TYPE.rational, valuesAt),
    entry(TAG.yResolution, TYPE.rational, valuesAt + 8),
    entry(TAG.resolutionUnit, TYPE.short, INCH),
  ].sort(([left], [right]) => left - right);
  const directory = joinEntries(
    entries.map(([, field]) => field),
    main,
  );
  const whole = concat([bytes, new Uint8Array(padding), directory, values]);
  writeOffset(new DataView(whole.buffer), main.firstAt, offset, main);
  return whole;
}
