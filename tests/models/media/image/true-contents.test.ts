import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  ascii,
  type Bytes,
  concat,
  fullBox,
  u8,
  u16,
  u32,
} from '../../../../models/media/bytes/byte-writer.ts';
import { type HeifItem, writeHeif } from '../../../../models/media/image/heif/write-heif.ts';
import { readContents } from '../../../../models/media/image/read-contents.ts';
import { writeDirectory } from '../../../../models/media/image/tiff/directory.ts';
import { countTiffPages } from '../../../../models/media/image/tiff/pages.ts';
import { simplifyTiff } from '../../../../models/media/image/tiff/simplify.ts';
import { short } from '../../../support/media/exif-block.ts';
import { arbitraryMutation } from '../../../support/media/mutated-files.ts';

const picture = (more: Partial<HeifItem> = {}): HeifItem => ({ type: 'hvc1', data: u8(1), ...more });
const toFile = (items: readonly HeifItem[]) => concat(writeHeif('heic', ['mif1'], items));

test('a HEIC collection counts its pictures, without tiles, thumbnails, alpha and hidden ones', async () => {
  const items = [
    picture(),
    picture(),
    picture({ references: [{ type: 'thmb', to: [0] }] }),
    picture({ references: [{ type: 'auxl', to: [1] }] }),
    picture({ isHidden: true }),
    { type: 'grid', data: u8(0), references: [{ type: 'dimg', to: [6, 7] }] },
    picture(),
    picture(),
    { type: 'Exif', data: u8(0), references: [{ type: 'cdsc', to: [0] }] },
  ];
  expect(await readContents(toFile(items), 'heic')).toEqual({ count: 3, kind: 'images', hasGainMap: false });
  expect((await readContents(toFile(items.slice(0, 1)), 'heic')).count).toBe(1);
});

test("Apple's and ISO's gain maps of HEIC are found", async () => {
  const urn = fullBox('auxC', 0, 0, ascii('urn:com:apple:photo:2020:aux:hdrgainmap\0'));
  const apple = picture({
    properties: [{ box: urn, isEssential: false }],
    references: [{ type: 'auxl', to: [0] }],
  });
  expect(await readContents(toFile([picture(), apple]), 'heic')).toMatchObject({
    count: 1,
    hasGainMap: true,
  });
  const iso = { type: 'tmap', data: u8(0), references: [{ type: 'dimg', to: [0, 2] }] };
  expect(await readContents(toFile([picture(), iso, picture()]), 'heic')).toMatchObject({
    count: 1,
    hasGainMap: true,
  });
});

/** A JPEG of a size, without samples. */
const jpegHead = (width: number, height: number, ...segments: Bytes[]) =>
  concat([
    u8(0xff, 0xd8),
    ...segments,
    u8(0xff, 0xc0),
    u16(8),
    u8(8),
    u16(height, width),
    u8(0),
    u8(0xff, 0xda),
    u16(2),
  ]);

function mpf(types: readonly number[], others: readonly Bytes[]): Bytes {
  const entries = (first: number) => {
    let offset = first;
    return concat(
      [u32(types[0] ?? 0, 0, 0, 0)].concat(
        others.map((image, place) => {
          const entry = u32(types[place + 1] ?? 0, image.length, offset, 0);
          offset += image.length;
          return entry;
        }),
      ),
    );
  };
  const index = (first: number) => {
    const value = entries(first);
    return concat([ascii('MM\0*'), u32(8), u16(1), u16(0xb002, 7), u32(value.length, 26), u32(0), value]);
  };
  const segment = (first: number) => {
    const body = concat([ascii('MPF\0'), index(first)]);
    return concat([u8(0xff, 0xe2), u16(body.length + 2), body]);
  };
  const main = jpegHead(64, 48, segment(0));
  // Offsets count from the byte order of the index: after SOI, the marker, its length and its name.
  return concat([jpegHead(64, 48, segment(main.length - 10)), ...others]);
}

test('an MPO counts its views, without previews and gain maps', async () => {
  const map = concat([
    ascii('http://ns.adobe.com/xap/1.0/\0'),
    ascii('xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/"'),
  ]);
  const gainMap = jpegHead(16, 12, concat([u8(0xff, 0xe1), u16(map.length + 2), map]));
  const views = mpf(
    [0x030000, 0x020002, 0x010001, 0, 0],
    [jpegHead(64, 48), jpegHead(32, 24), jpegHead(32, 24), gainMap],
  );
  expect(await readContents(views, 'jpeg')).toEqual({ count: 2, kind: 'images', hasGainMap: true });
});

function tiff(types: readonly number[]): Bytes {
  const parts = [u8(0x49, 0x49, 42, 0, 8, 0, 0, 0)];
  let offset = 8;
  types.forEach((type, place) => {
    const page = [short(254, type), short(256, place + 1)];
    const length = writeDirectory(page, offset, 0).length;
    parts.push(writeDirectory(page, offset, place === types.length - 1 ? 0 : offset + length));
    offset += length;
  });
  return concat(parts);
}

test.each([
  [[1, 0], 1, true],
  [[0, 1, 2], 2, false],
  [[1, 0, 4, 2, 1], 2, true],
  [[1], 1, false],
] as const)('a TIFF of pages %j has %i full ones', (types, count, beginsReduced) => {
  const file = tiff(types);
  expect(countTiffPages(file)).toBe(count);
  const { bytes, beganReduced } = simplifyTiff(file);
  expect(beganReduced).toBe(beginsReduced);
  expect(countTiffPages(bytes)).toBe(count);
  expect(simplifyTiff(bytes).beganReduced).toBe(false);
});

test('mutated structures are read without a fault', async () => {
  const files = [
    { format: 'heic', bytes: toFile([picture(), picture({ references: [{ type: 'thmb', to: [0] }] })]) },
    { format: 'jpeg', bytes: mpf([0x030000, 0x020002], [jpegHead(64, 48)]) },
    { format: 'tiff', bytes: tiff([1, 0, 4]) },
  ] as const;
  for (const { format, bytes } of files) {
    await fc.assert(
      fc.asyncProperty(arbitraryMutation(Buffer.from(bytes)), async (mutated) => {
        expect((await readContents(new Uint8Array(mutated), format)).count).toBeGreaterThanOrEqual(1);
        if (format === 'tiff') simplifyTiff(new Uint8Array(mutated));
      }),
      { numRuns: 200 },
    );
  }
});
