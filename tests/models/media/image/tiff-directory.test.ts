import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { concat, u8 } from '../../../../models/media/bytes/byte-writer.ts';
import {
  openTiffStream,
  readDirectory,
  readNumbers,
  type TiffField,
  writeDirectory,
} from '../../../../models/media/image/tiff/directory.ts';
import { exifOfTiff } from '../../../../models/media/image/tiff/write-metadata.ts';

const LITTLE = u8(0x49, 0x49, 42, 0, 8, 0, 0, 0);
const field = fc
  .record({
    tag: fc.integer({ min: 256, max: 30_000 }),
    count: fc.integer({ min: 1, max: 20 }),
    byte: fc.nat(255),
  })
  .map(({ tag, count, byte }): TiffField => ({ tag, type: 3, value: new Uint8Array(count * 2).fill(byte) }));

function read(bytes: Uint8Array<ArrayBuffer>): TiffField[] {
  const stream = openTiffStream(bytes);
  return stream ? readDirectory(stream, stream.firstOffset) : [];
}

test('fields and the directories that they point at are read back as written', () => {
  const fields = fc.uniqueArray(field, { selector: ({ tag }) => tag, maxLength: 12 });
  fc.assert(
    fc.property(fields, fc.uniqueArray(field, { selector: ({ tag }) => tag, minLength: 1 }), (own, gps) => {
      const byTag = (left: TiffField, right: TiffField) => left.tag - right.tag;
      const pointer = { tag: 34853, type: 4, value: new Uint8Array(0), directory: [...gps].sort(byTag) };
      const written = [...own, pointer].sort(byTag);
      expect(read(concat([LITTLE, writeDirectory(written, 8, 0)]))).toEqual(written);
    }),
  );
});

test('big-endian values are converted to little-endian', () => {
  const big = u8(0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 1, 18, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0);
  expect(read(big)).toEqual([{ tag: 274, type: 3, value: u8(6, 0) }]);
});

test('long values are read, each byte of a file once', () => {
  const xmp = { tag: 700, type: 1, value: new Uint8Array(1_200_000).fill(1) };
  const offsets = { tag: 273, type: 4, value: new Uint8Array(new Uint32Array(300_000).fill(8).buffer) };
  const fields = read(concat([LITTLE, writeDirectory([offsets, xmp], 8, 0)]));
  expect(fields.map(({ value }) => value.length)).toEqual([1_200_000, 1_200_000]);
  expect(readNumbers(fields, 273)).toHaveLength(300_000);
  // All fields name the whole file.
  const repeated = Array.from({ length: 10 }, (_, tag) => ({ tag, type: 7, value: new Uint8Array(200) }));
  const crafted = concat([LITTLE, writeDirectory(repeated, 8, 0)]);
  const view = new DataView(crafted.buffer);
  for (let at = 10; at < 130; at += 12) {
    view.setUint32(at + 4, crafted.length, true);
    view.setUint32(at + 8, 0, true);
  }
  expect(read(crafted)).toHaveLength(1);
});

test('a text that no JPEG can hold takes no other EXIF with it', () => {
  const make = { tag: 271, type: 2, value: u8(65, 66, 67, 0, 0) };
  const described = { tag: 270, type: 2, value: new Uint8Array(70_000).fill(65) };
  const exif = exifOfTiff(concat([LITTLE, writeDirectory([described, make], 8, 0)]));
  expect(read(exif ?? u8()).map(({ tag }) => tag)).toEqual([271]);
});

test('of many pointers to one directory the first is followed', () => {
  const pointers = Array.from({ length: 40 }, () => u8(0x69, 0x87, 4, 0, 1, 0, 0, 0, 8, 0, 0, 0));
  const steps = vi.spyOn(DataView.prototype, 'getUint32');
  expect(read(concat([LITTLE, u8(40, 0), ...pointers, u8(0, 0, 0, 0)]))).toEqual([]);
  expect(steps.mock.calls.length).toBeLessThan(1000);
  steps.mockRestore();
});

test('a field that points at its own directory, or past the end, is dropped', () => {
  const toItself = u8(1, 0, 0x69, 0x87, 4, 0, 1, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0);
  expect(read(concat([LITTLE, toItself]))).toHaveLength(0);
  const pastEnd = u8(1, 0, 0x0f, 1, 2, 0, 0xff, 0xff, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0);
  expect(read(concat([LITTLE, pastEnd]))).toHaveLength(0);
  expect(read(LITTLE)).toHaveLength(0);
});
