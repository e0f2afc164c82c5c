import { ascii, type Bytes, concat, u16, u32 } from '../bytes/byte-writer.ts';

/** Colorants of sRGB adapted to D50, and D50 itself. */
const RED = [0.4360747, 0.2225045, 0.0139322] as const;
const GREEN = [0.3850649, 0.7168786, 0.0971045] as const;
const BLUE = [0.1430804, 0.0606169, 0.7141733] as const;
const WHITE = [0.9642, 1, 0.8249] as const;
/** g, a, b, c, d of the curve of IEC 61966-2-1, 5.2, as a parametric curve of type 3. */
const CURVE = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045] as const;

const HEAD_BYTES = 128;

/** Writes an sRGB profile (ICC.1:2022, 8.3.3), for colour engines that need the target as a file. */
export function srgbProfile(): Bytes {
  const curve = concat([ascii('para'), u32(0), u16(3, 0), fixed16(CURVE)]);
  const text = localised('sRGB');
  const tags = [
    ['desc', text],
    ['cprt', localised('No copyright')],
    ['wtpt', xyz(WHITE)],
    ['rXYZ', xyz(RED)],
    ['gXYZ', xyz(GREEN)],
    ['bXYZ', xyz(BLUE)],
    ['rTRC', curve],
    ['gTRC', curve],
    ['bTRC', curve],
  ] as const;
  let offset = HEAD_BYTES + 4 + tags.length * 12;
  const table = tags.map(([name, body]) => {
    const entry = concat([ascii(name), u32(offset, body.length)]);
    offset += body.length;
    return entry;
  });
  return concat([head(offset), u32(tags.length), ...table, ...tags.map(([, body]) => body)]);
}

/** Writes the header: ICC.1:2022, 7.2. */
function head(bytesTotal: number): Bytes {
  return concat([
    u32(bytesTotal, 0, 0x04000000),
    ascii('mntrRGB XYZ '),
    u16(2026, 1, 1, 0, 0, 0),
    ascii('acsp'),
    u32(0, 0, 0, 0, 0, 0, 0),
    fixed16(WHITE),
    new Uint8Array(48),
  ]);
}

function xyz(parts: readonly number[]): Bytes {
  return concat([ascii('XYZ '), u32(0), fixed16(parts)]);
}

/** Writes a multiLocalizedUnicodeType with one English record, padded to 4 bytes: ICC.1:2022, 10.15. */
function localised(text: string): Bytes {
  const wide = concat([...text].map((letter) => u16(letter.charCodeAt(0))));
  const padding = new Uint8Array(wide.length % 4);
  return concat([ascii('mluc'), u32(0, 1, 12), ascii('enUS'), u32(wide.length, 28), wide, padding]);
}

function fixed16(numbers: readonly number[]): Bytes {
  return u32(...numbers.map((number) => Math.round(number * 65_536)));
}
