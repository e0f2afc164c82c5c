import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { box, concat } from '../../../../models/media/bytes/byte-writer.ts';
import { planTiles, tileRegions } from '../../../../models/media/image/heif/assemble-still.ts';
import { splitHevcStill } from '../../../../models/media/image/heif/encode-heic.ts';
import { findBox, readBoxes, readHeifItems } from '../../../../models/media/image/heif/read-meta.ts';
import { type HeifItem, writeHeif } from '../../../../models/media/image/heif/write-heif.ts';
import { heifThumbnailFile, readThumbnail } from '../../../../models/media/image/read-thumbnail.ts';
import { createNodeRuntime } from '../../../../server/runtime/node-runtime.ts';
import { createHeicWithThumbnail, THUMBNAIL } from '../../../support/media/thumbnail-files.ts';

const bytes = fc.uint8Array({ minLength: 1, maxLength: 60 }).map((array) => new Uint8Array(array));
const items = fc
  .array(fc.record({ data: bytes, property: bytes, isEssential: fc.boolean() }), {
    minLength: 1,
    maxLength: 12,
  })
  .map((parts) =>
    parts.map(
      ({ data, property, isEssential }, place): HeifItem => ({
        type: place === 0 ? 'grid' : 'hvc1',
        data,
        properties: [{ box: box('hvcC', property), isEssential }],
        references:
          place === 0 && parts.length > 1 ? [{ type: 'dimg', to: parts.map((_, at) => at).slice(1) }] : [],
        isHidden: place > 0,
      }),
    ),
  );

test('items, their data, properties and references are read back as they were written', () => {
  fc.assert(
    fc.property(items, (written) => {
      const file = concat(writeHeif('heic', ['mif1', 'heic'], written));
      const read = readHeifItems(file);
      expect(read.map(({ type, data, isHidden }) => ({ type, data, isHidden }))).toEqual(
        written.map(({ type, data, isHidden }) => ({ type, data, isHidden })),
      );
      expect(read.map(({ properties }) => properties)).toEqual(written.map(({ properties }) => properties));
      expect(read[0]?.references?.map(({ to }) => to)).toEqual(written[0]?.references?.map(({ to }) => to));
    }),
    { numRuns: 60 },
  );
});

test('a truncated file always throws our own error', () => {
  const file = concat(
    writeHeif('heic', ['mif1'], [{ type: 'hvc1', data: new Uint8Array(20), properties: [] }]),
  );
  for (let length = 0; length < file.length - 28; length++) {
    expect(() => readHeifItems(file.slice(0, length))).toThrow(/HEIC or AVIF/);
  }
});

test('a property that items share is written once', () => {
  const shared = { box: box('ispe', new Uint8Array(12)), isEssential: false };
  const item = { type: 'hvc1', data: new Uint8Array(3), properties: [shared] };
  const file = concat(writeHeif('heic', ['mif1'], [item, item, item]));
  const text = Buffer.from(file).toString('latin1');
  expect(text.split('ispe')).toHaveLength(2);
});

test('an HEVC stream is split into parameter sets and slices', () => {
  const unit = (type: number, ...body: number[]) => [0, 0, 0, 1, type << 1, 1, ...body];
  const profile = [0x01, 0x03, 0x70, 0, 0, 3, 0, 0x90, 0, 0, 3, 0, 0, 3, 0, 0x5d, 0xa0];
  const stream = Uint8Array.from([
    ...unit(32, 9, 9),
    ...unit(33, ...profile, 0x80),
    ...unit(34, 8),
    ...unit(39, 7, 7),
    ...unit(19, 0xaf, 0, 0, 3, 1, 0x80),
  ]);
  const { configuration, data } = splitHevcStill(stream, 1);
  expect([...data]).toEqual([0, 0, 0, 8, 38, 1, 0xaf, 0, 0, 3, 1, 0x80]);
  const { start } = findBox(
    readBoxes(new DataView(configuration.buffer), 0, configuration.length),
    'hvcC',
  ) ?? { start: 0 };
  const body = [...configuration.subarray(start)];
  // The profile, without its emulation prevention bytes, precedes the chroma format.
  expect(body.slice(1, 13)).toEqual([0x03, 0x70, 0, 0, 0, 0x90, 0, 0, 0, 0, 0, 0x5d]);
  expect(body[16]).toBe(0xfd);
  expect(() => splitHevcStill(stream.subarray(0, 20), 1)).toThrow(RangeError);
});

test('tiles cover the image, have even sides, and a small image has one tile', () => {
  const limits = { pictureSamplesMax: 10_000, pictureSideMax: 200, tileSide: 128 };
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 900 }), fc.integer({ min: 1, max: 900 }), (width, height) => {
      const plan = planTiles({ width, height }, limits);
      const regions = tileRegions(plan);
      expect([plan.tileWidth % 2, plan.tileHeight % 2]).toEqual([0, 0]);
      expect(plan.columns * plan.tileWidth).toBeGreaterThanOrEqual(width);
      expect(plan.rows * plan.tileHeight).toBeGreaterThanOrEqual(height);
      expect(regions.every(({ left, top }) => left < width && top < height)).toBe(true);
      const fits =
        width * height <= limits.pictureSamplesMax && Math.max(width, height) <= limits.pictureSideMax;
      if (fits) expect(regions).toHaveLength(1);
    }),
  );
});

const codecs = () => createNodeRuntime({ signal: new AbortController().signal });

async function getMean(image: ArrayBuffer | Uint8Array) {
  const { channels } = await sharp(image).stats();
  return channels.slice(0, 3).map(({ mean }) => mean);
}

const { r, g, b } = THUMBNAIL.colour;
const near = (mean: readonly number[]) =>
  mean.every((value, at) => Math.abs(value - ([r, g, b][at] ?? 0)) < 6);

describe('the thumbnail of a HEIC', () => {
  test('is read alone and upright', async () => {
    const thumbnail = await readThumbnail(new Blob([await createHeicWithThumbnail()]), codecs());
    if (!thumbnail) throw new Error('It was not found.');
    const bytes = await thumbnail.arrayBuffer();
    const { width, height, format } = await sharp(bytes).metadata();
    expect([format, width, height]).toEqual(['png', THUMBNAIL.height, THUMBNAIL.width]);
    expect(near(await getMean(bytes))).toBe(true);
  });

  test('is not there in a file of our own encoder, and in one without a description', async () => {
    const { images, signal } = codecs();
    const picture = await images.decode(new Blob([await createHeicWithThumbnail()]), {
      frames: 'first',
      colour: 'srgb',
      signal,
    });
    const options = { format: 'heic', quality: 50, background: [0, 0, 0], metadata: {}, signal } as const;
    const own = new Uint8Array(await (await images.encode(picture, options)).arrayBuffer());
    expect(heifThumbnailFile(own)).toBeNull();
    expect(heifThumbnailFile(new Uint8Array(0))).toBeNull();
  });
});
