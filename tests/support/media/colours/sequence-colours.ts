import { converter } from 'culori';
import { expect } from 'vitest';
import { getEncoding } from '../../../../models/kernels/colour/colour-encoding.ts';
import { toneMapToSrgb } from '../../../../models/kernels/colour/tone-map.ts';
import { ascii, type Bytes, concat, u8, u16 } from '../../../../models/media/bytes/byte-writer.ts';
import { encodingProfile } from '../../../../models/media/image/colours.ts';
import { decodeFrames } from '../images.ts';

/** Colours of the frames of a sequence, as they are coded. */
export const COLOURS = [
  [200, 100, 50],
  [60, 160, 90],
  [50, 80, 170],
] as const;
/** Durations and loops of a sequence. */
export const TIMING = { durationsMs: [50, 100, 250], plays: 0 };
/** Steps that lossy coding moves plain colours by. */
const LOSS = 6;
const toRgb = converter('rgb');

export type Rgb = readonly [red: number, green: number, blue: number];

/** Converts a colour of Display P3 to sRGB. */
export function fromP3([red, green, blue]: Rgb): Rgb {
  const { r, g, b } = toRgb({ mode: 'p3', r: red / 255, g: green / 255, b: blue / 255 });
  const byte = (part: number) => Math.round(255 * Math.min(1, Math.max(0, part)));
  return [byte(r), byte(g), byte(b)];
}

/** Body of a `colr` box: code points of ITU-T H.273 with the matrix of BT.601 and the full range. */
export const nclx = (primaries: number, transfer: number) =>
  concat([ascii('nclx'), u16(primaries, transfer, 6), u8(0x80)]);

export function getProfile(primaries: number, transfer: number): Bytes {
  const encoding = getEncoding({ primaries, transfer });
  const profile = encoding && encodingProfile(encoding, false);
  if (!profile) throw new Error('no profile');
  return profile;
}

/** Checks the colours of all frames of a file. */
export async function expectColours(blob: Blob, expected: readonly Rgb[], tolerance = LOSS): Promise<void> {
  const frames = await decodeFrames(blob);
  expect(frames).toHaveLength(expected.length);
  frames.forEach(({ data }, place) => {
    const unit = data instanceof Uint16Array ? 257 : 1;
    const found = Array.from(data.subarray(0, 3), (sample) => Math.round(sample / unit));
    const furthest = Math.max(...found.map((part, at) => Math.abs(part - (expected[place]?.[at] ?? 0))));
    expect(furthest, `${found} is not ${expected[place]}`).toBeLessThanOrEqual(tolerance);
  });
}

/** Maps a colour of PQ and BT.2020 to sRGB. */
export function fromPq(colour: Rgb): Rgb {
  const encoding = getEncoding({ primaries: 9, transfer: 16 });
  const data = Uint16Array.from([...colour.map((part) => part * 257), 65_535]);
  if (encoding) toneMapToSrgb({ width: 1, height: 1, data }, encoding);
  const [red = 0, green = 0, blue = 0] = Array.from(data, (part) => Math.round(part / 257));
  return [red, green, blue];
}
