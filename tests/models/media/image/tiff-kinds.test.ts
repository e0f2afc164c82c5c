import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { decodePage } from '../../../../models/media/image/tiff/decode-page.ts';
import { chooseTiffDecoder } from '../../../../models/media/image/tiff/open-own-pages.ts';
import { readTiffPage } from '../../../../models/media/image/tiff/page-layout.ts';
import { inflateWithin } from '../../../../server/runtime/image-codec/zlib.ts';
import { convert, convertToBlob, decodeFirstFrame } from '../../../support/media/images.ts';
import { sharedData } from '../../../support/media/shared-data.ts';
import {
  furthestSample,
  getGrey,
  getWhole,
  READABLE_TIFFS,
  type TiffSamples,
  withAlpha,
  yCbCr,
} from '../../../support/media/tiff/readable-tiffs.ts';
import { field, SIDE, type TiffKind, tiffOfKind } from '../../../support/media/tiff/tiff-kinds.ts';

test.each(READABLE_TIFFS)(
  '$name is read right',
  async ({ kind, samples, isGrey, alpha, tolerance = 0.6 }) => {
    const frame = await decodeFirstFrame(tiffOfKind(kind, samples));
    expect(furthestSample(frame, isGrey, alpha)).toBeLessThanOrEqual(tolerance);
  },
);

test.each(['jpg', 'webp'] as const)(
  'a linear TIFF of 32 bits is converted once for %s',
  async (to_format) => {
    const linear = Array.from({ length: 256 }, (_, sample) => sample * 257);
    const file = tiffOfKind({ bits: 32, photometric: 1, fields: [field(301, 3, ...linear)] }, () => [
      0.2 * 0xffff_ffff,
    ]);
    // 0.2 of light: IEC 61966-2-1, 5.2.
    const expected = 255 * (1.055 * 0.2 ** (1 / 2.4) - 0.055);
    const { data } = await decodeFirstFrame(await convertToBlob(file, { to_format }));
    expect(Math.abs((data[0] ?? 0) - expected)).toBeLessThanOrEqual(2);
  },
);

test('a TIFF whose compressed strips have no lengths is damaged', async () => {
  const file = new Uint8Array(
    await tiffOfKind({ bits: 32, photometric: 1 }, getGrey(0xffff_ffff)).arrayBuffer(),
  );
  const page = readTiffPage(file);
  if (!page) throw new Error('no page');
  const unmeasured = { ...page, compression: 5, byteCounts: [] };
  await expect(decodePage(file, unmeasured, async (packed) => packed)).rejects.toThrow('damaged TIFF');
});

const REFUSED: readonly {
  readonly name: string;
  readonly kind: TiffKind;
  readonly samples: TiffSamples;
  readonly words: string;
}[] = [
  {
    name: 'signed integers',
    kind: { bits: 16, photometric: 1, sampleFormat: 2 },
    samples: getGrey(1000),
    words: 'signed integer samples of 16 bits',
  },
  {
    name: 'floats beyond 1',
    kind: { bits: 32, photometric: 1, sampleFormat: 3 },
    samples: getGrey(200),
    words: 'from 0 to 200',
  },
  {
    name: 'floats that are no numbers',
    kind: { bits: 32, photometric: 1, sampleFormat: 3 },
    samples: () => [Number.NaN],
    words: 'from 0 to Infinity',
  },
  {
    name: 'subsampled YCbCr',
    kind: { bits: 8, photometric: 6 },
    samples: yCbCr,
    words: 'YCbCr of 8 bits at 2 x 2 subsampling',
  },
  {
    name: 'inks in planes',
    kind: { bits: 8, photometric: 5, isPlanar: true },
    samples: withAlpha(getWhole(255), 9),
    words: '4 inks',
  },
  {
    name: 'many channels',
    kind: { bits: 16, photometric: 1 },
    samples: () => [1, 2, 3, 4, 5],
    words: '5 samples per pixel',
  },
  {
    name: 'a matrix of colour filters',
    kind: { bits: 16, photometric: 32_803 },
    samples: getGrey(9),
    words: "a camera's raw samples",
  },
];

test.each(REFUSED)('$name fail, and the message says what they are', async ({ kind, samples, words }) => {
  const run = convert(tiffOfKind(kind, samples), { to_format: 'png' });
  await expect(run).rejects.toMatchObject({ code: 'unprocessable', message: expect.stringContaining(words) });
});

test('a crafted layout fails in a moment', async () => {
  const kind = { bits: 32, photometric: 2 };
  const wide = tiffOfKind(
    { ...kind, fields: [field(322, 4, 0xffff_fff0), field(323, 4, 16), field(324, 4, 8)] },
    getWhole(1),
  );
  const repeated = tiffOfKind({ ...kind, fields: [field(325, 4, 0xffff_ffff)] }, getWhole(1));
  for (const input of [wide, repeated]) {
    const frame = decodeFirstFrame(input).then(
      ({ width }) => width,
      (thrown: { code: string }) => thrown.code,
    );
    expect([SIDE, 'unprocessable']).toContain(await frame);
  }
});

describe('files of another encoder', () => {
  const samples = Uint8Array.from({ length: 50 * 40 * 3 }, (_, at) => (at * 7 + (at >> 6) * 13) % 256);
  const source = sharp(samples, { raw: { width: 50, height: 40, channels: 3 } });

  test.each([
    ['none', {}],
    ['lzw', { predictor: 'none' }],
    ['lzw', { predictor: 'horizontal' }],
    ['deflate', { predictor: 'horizontal' }],
    ['packbits', {}],
    ['lzw', { predictor: 'horizontal', tile: true, tileWidth: 16, tileHeight: 32 }],
  ] as const)('our own decoder reads %s %o sample by sample', async (compression, options) => {
    const file = new Uint8Array(
      await source
        .clone()
        .tiff({ compression, ...options })
        .toBuffer(),
    );
    const page = readTiffPage(file);
    if (!page) throw new Error('no page');
    expect(chooseTiffDecoder(page)).toBe('library');
    const { data } = await decodePage(file, page, inflateWithin);
    expect(
      Array.from(
        data.filter((_, at) => at % 4 < 3),
        (sample) => sample / 257,
      ),
    ).toEqual([...samples]);
  });
});

const CASES = sharedData('cases/images');

describe.skipIf(CASES.isMissing)(CASES.titled('reported TIFF files'), { tags: ['long'] }, () => {
  test.each(['tiff-uint32.tif', 'tiff-lab-alpha.tif'])('%s has the colours of a photograph', async (name) => {
    const { data } = await decodeFirstFrame(new Blob([await readFile(`${CASES.path}/${name}`)]));
    expect(data).toBeInstanceOf(Uint16Array);
    const mean = [...data].reduce((sum, sample) => sum + sample, 0) / data.length / 257;
    expect(mean).toBeGreaterThan(60);
    expect(mean).toBeLessThan(200);
  });
});
