import { openAsBlob } from 'node:fs';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import type { ImageFormat } from '../../../models/media/image/formats.ts';
import { writeJpegMetadata } from '../../../models/media/image/jpeg/write-metadata.ts';
import { readMetadata, readResolution } from '../../../models/media/image/metadata.ts';
import { createExif, rational, short } from '../../support/media/exif-block.ts';
import { convertToBlob } from '../../support/media/images.ts';
import { sharedData } from '../../support/media/shared-data.ts';

const FORMATS = {
  jpg: 'jpeg',
  png: 'png',
  tiff: 'tiff',
  bmp: 'bmp',
  webp: 'webp',
  avif: 'avif',
  heic: 'heic',
} as const;
const TARGETS = Object.keys(FORMATS) as (keyof typeof FORMATS)[];
const plain = () => sharp({ create: { width: 20, height: 10, channels: 3, background: 'red' } });

async function getResolution(blob: Blob, format: ImageFormat) {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  const { metadata } = await readMetadata(bytes, format, async (packed) => packed);
  return readResolution(bytes, format, metadata.exif);
}

const toBlob = (bytes: Uint8Array) => new Blob([new Uint8Array(bytes)]);

describe.each(['jpeg', 'png', 'tiff'] as const)('the resolution of a %s', (format) => {
  const source = async () => toBlob(await plain().withDensity(300).toFormat(format).toBuffer());

  test.each(TARGETS)('is kept in %s with keep_metadata', async (to_format) => {
    const blob = await convertToBlob(await source(), { to_format, keep_metadata: true });
    expect(await getResolution(blob, FORMATS[to_format])).toEqual({ x: 300, y: 300 });
  });

  test.each(TARGETS)('is not in %s without keep_metadata', async (to_format) => {
    const blob = await convertToBlob(await source(), { to_format });
    expect(await getResolution(blob, FORMATS[to_format])).toBeUndefined();
  });
});

test.each(TARGETS)('no resolution is made up in %s', async (to_format) => {
  const source = await convertToBlob(toBlob(await plain().png().toBuffer()), { to_format: 'webp' });
  const blob = await convertToBlob(source, { to_format, keep_metadata: true });
  expect(await getResolution(blob, FORMATS[to_format])).toBeUndefined();
});

test.each(TARGETS)('a bitmap keeps its resolution in %s and back', async (over) => {
  const png = toBlob(await plain().withDensity(150).png().toBuffer());
  const bitmap = await convertToBlob(png, { to_format: 'bmp', keep_metadata: true });
  const there = await convertToBlob(bitmap, { to_format: over, keep_metadata: true });
  const back = await convertToBlob(there, { to_format: 'bmp', keep_metadata: true });
  expect(await getResolution(back, 'bmp')).toEqual({ x: 150, y: 150 });
});

test('every page of a tiff states the resolution, or none', async () => {
  const pages = sharp(Buffer.alloc(20 * 30 * 3), {
    raw: { width: 20, height: 30, channels: 3, pageHeight: 10 },
  });
  const source = toBlob(await pages.withDensity(300).tiff({ xres: 11.811, yres: 11.811 }).toBuffer());
  for (const keep_metadata of [true, false]) {
    const blob = await convertToBlob(source, { to_format: 'tiff', keep_metadata });
    const bytes = new Uint8Array(await blob.arrayBuffer());
    for (const page of [0, 1, 2]) {
      const { density, pages: count } = await sharp(bytes, { page }).metadata();
      expect([count, density]).toEqual([3, keep_metadata ? 300 : undefined]);
    }
  }
});

test('centimetres of EXIF become inches, and a unit of none is no resolution', async () => {
  for (const [unit, expected] of [
    [3, { x: 254, y: 127 }],
    [1, undefined],
  ] as const) {
    const exif = createExif([rational(282, 100, 1), rational(283, 50, 1), short(296, unit)]);
    const bytes = new Uint8Array(await plain().webp().toBuffer());
    expect(await readResolution(bytes, 'webp', exif)).toEqual(expected);
  }
});

test.each(TARGETS)('an image that lay on its side has its resolutions exchanged in %s', async (to_format) => {
  const exif = createExif([short(274, 6), rational(282, 300, 1), rational(283, 150, 1), short(296, 2)]);
  const jpeg = new Uint8Array(await plain().jpeg().toBuffer());
  const source = new Blob(writeJpegMetadata(jpeg, { exif, resolution: { x: 300, y: 150 } }));
  const blob = await convertToBlob(source, { to_format, keep_metadata: true });
  expect(await getResolution(blob, FORMATS[to_format])).toEqual({ x: 150, y: 300 });
});

const dpi = sharedData('cases/images/dpi300.jpg');
test.skipIf(dpi.isMissing).each(TARGETS)(
  dpi.titled('300 dpi stay 300 dpi in %s'),
  { tags: ['long'] },
  async (to_format) => {
    const blob = await convertToBlob(await openAsBlob(dpi.path), { to_format, keep_metadata: true });
    expect(await getResolution(blob, FORMATS[to_format])).toEqual({ x: 300, y: 300 });
  },
);
