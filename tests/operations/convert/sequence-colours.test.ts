import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { messagesOf } from '../../../models/core/runtime/run-warnings.ts';
import { ascii, concat, u8, u32 } from '../../../models/media/bytes/byte-writer.ts';
import { writePngChunk } from '../../../models/media/image/png/chunks.ts';
import { createAnimatedPng } from '../../support/media/animated-png.ts';
import {
  COLOURS,
  expectColours,
  fromP3,
  fromPq,
  nclx,
  profileOf,
  TIMING,
} from '../../support/media/colours/sequence-colours.ts';
import { createImageSequence } from '../../support/media/image-sequence.ts';
import { convert, decodeImage } from '../../support/media/images.ts';

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
    // A step of PQ is several of sRGB.
    await expectColours(files[0]?.blob ?? new Blob([]), COLOURS.map(fromPq), 20);
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
