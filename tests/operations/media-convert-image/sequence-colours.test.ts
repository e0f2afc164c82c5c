import { converter } from 'culori';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { ascii, type Bytes, concat, u8, u16, u32 } from '../../../models/files/bytes/byte-writer.ts';
import { encodingProfile } from '../../../models/files/icc/encoding-profile.ts';
import { writePngChunk } from '../../../models/files/png/chunks.ts';
import { encodingOf } from '../../../models/kernels/colour/colour-encoding.ts';
import { toneMapToSrgb } from '../../../models/kernels/colour/tone-map.ts';
import { messagesOf } from '../../../models/runtime/run-warnings.ts';
import { createAnimatedPng } from '../../support/media/animated-png.ts';
import { createImageSequence } from '../../support/media/image-sequence.ts';
import { convert, decodeFrames, decodeImage } from '../../support/media/images.ts';

const COLOURS = [
  [200, 100, 50],
  [60, 160, 90],
  [50, 80, 170],
] as const;
const TIMING = { durationsMs: [50, 100, 250], plays: 0 };
/** Steps that lossy coding moves plain colours by. */
const LOSS = 6;
const toRgb = converter('rgb');

type Rgb = readonly [red: number, green: number, blue: number];

function fromP3([red, green, blue]: Rgb): Rgb {
  const { r, g, b } = toRgb({ mode: 'p3', r: red / 255, g: green / 255, b: blue / 255 });
  const byte = (part: number) => Math.round(255 * Math.min(1, Math.max(0, part)));
  return [byte(r), byte(g), byte(b)];
}

/** Body of a `colr` box: code points of ITU-T H.273 with the matrix of BT.601 and the full range. */
const nclx = (primaries: number, transfer: number) =>
  concat([ascii('nclx'), u16(primaries, transfer, 6), u8(0x80)]);

function profileOf(primaries: number, transfer: number): Bytes {
  const encoding = encodingOf({ primaries, transfer });
  const profile = encoding && encodingProfile(encoding, false);
  if (!profile) throw new Error('no profile');
  return profile;
}

async function expectColours(blob: Blob, expected: readonly Rgb[], tolerance = LOSS): Promise<void> {
  const frames = await decodeFrames(blob);
  expect(frames).toHaveLength(expected.length);
  frames.forEach(({ data }, place) => {
    const unit = data instanceof Uint16Array ? 257 : 1;
    const found = Array.from(data.subarray(0, 3), (sample) => Math.round(sample / unit));
    const furthest = Math.max(...found.map((part, at) => Math.abs(part - (expected[place]?.[at] ?? 0))));
    expect(furthest, `${found} is not ${expected[place]}`).toBeLessThanOrEqual(tolerance);
  });
}

describe.each(['avif', 'heic'] as const)('a sequence of %s', (format) => {
  test.each([
    ['code points', nclx(12, 13)],
    ['a profile', concat([ascii('prof'), profileOf(12, 13)])],
  ] as const)('in Display P3 by %s keeps its frames, in sRGB', async (_, colr) => {
    const input = await createImageSequence(format, COLOURS, { ...TIMING, colr });
    const { files, warnings } = await convert(input, { to_format: 'tiff' });
    expect(warnings).toEqual([]);
    await expectColours(files[0]?.blob ?? new Blob([]), COLOURS.map(fromP3));
  });

  test('in Display P3 keeps its samples with a profile, where metadata stays', async () => {
    const input = await createImageSequence(format, COLOURS, { ...TIMING, colr: nclx(12, 13) });
    const { files } = await convert(input, { to_format: 'webp', quality: 100, keep_metadata: true });
    const blob = files[0]?.blob ?? new Blob([]);
    expect((await decodeImage(blob, 'own')).metadata.icc?.length).toBeGreaterThan(100);
    await expectColours(blob, COLOURS.map(fromP3));
  });

  test('of a high dynamic range keeps its frames, tone-mapped', async () => {
    const input = await createImageSequence(format, COLOURS, { ...TIMING, colr: nclx(9, 16) });
    const { files, warnings } = await convert(input, { to_format: 'gif' });
    expect(messagesOf(warnings)).toEqual([
      'The image has a high dynamic range: its brightness was compressed to that of an ordinary image.',
    ]);
    const encoding = encodingOf({ primaries: 9, transfer: 16 });
    const expected = COLOURS.map((colour): Rgb => {
      const data = Uint16Array.from([...colour.map((part) => part * 257), 65_535]);
      if (encoding) toneMapToSrgb({ width: 1, height: 1, data }, encoding);
      return [data[0] ?? 0, data[1] ?? 0, data[2] ?? 0].map((part) =>
        Math.round(part / 257),
      ) as unknown as Rgb;
    });
    // A step of PQ is several of sRGB.
    await expectColours(files[0]?.blob ?? new Blob([]), expected, 20);
  });
});

test('a HEIC sequence whose parameter sets may stand in its samples keeps its frames', async () => {
  const input = await createImageSequence('heic', COLOURS, { ...TIMING, entryType: 'hev1' });
  const { files, warnings } = await convert(input, { to_format: 'webp' });
  expect(warnings).toEqual([]);
  await expectColours(files[0]?.blob ?? new Blob([]), COLOURS);
});

/** Chunks before the samples that state Display P3. */
const P3_CHUNKS = [
  ['cICP', writePngChunk('cICP', u8(12, 13, 0, 1))],
  ['cHRM', writePngChunk('cHRM', u32(31_270, 32_900, 68_000, 32_000, 26_500, 69_000, 15_000, 6_000))],
] as const;

test.each(P3_CHUNKS)('an animated PNG in Display P3 by %s keeps its frames, in sRGB', async (_, chunk) => {
  const parts = COLOURS.map(([r, g, b]) => ({
    left: 0,
    top: 0,
    width: 8,
    height: 8,
    delay: [1, 10] as const,
    colour: { r, g, b, alpha: 1 },
  }));
  const file = await createAnimatedPng(parts, 0);
  const headEnd = 33;
  const input = new Blob([file.subarray(0, headEnd), chunk, file.subarray(headEnd)]);
  const { files, warnings } = await convert(input, { to_format: 'tiff' });
  expect(warnings).toEqual([]);
  await expectColours(files[0]?.blob ?? new Blob([]), COLOURS.map(fromP3), 1);
  const { pages } = await sharp(
    new Uint8Array(await (files[0]?.blob ?? new Blob([])).arrayBuffer()),
  ).metadata();
  expect(pages).toBe(3);
});
