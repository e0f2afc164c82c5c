import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { getMessages } from '../../../../models/core/runtime/run-warnings.ts';
import { type Bytes, concat, u8 } from '../../../../models/media/bytes/byte-writer.ts';
import { probeImage } from '../../../../models/media/image/image-header.ts';
import { completeFile } from '../../../../models/media/image/read-image-file.ts';
import { type TiffField, writeDirectory } from '../../../../models/media/image/tiff/directory.ts';
import { short, text } from '../../../support/media/exif-block.ts';
import { convert, convertToBlob, decodeFirstFrame, decodeFrames } from '../../../support/media/images.ts';
import { toBigTiff } from '../../../support/media/tiff/big-tiff.ts';
import { furthestSample, getWhole, READABLE_TIFFS } from '../../../support/media/tiff/readable-tiffs.ts';
import { field, SIDE, tiffOfKind } from '../../../support/media/tiff/tiff-kinds.ts';
import { createTiff } from '../../../support/media/tiff/tiff-pages.ts';

const LIBRARY_TIFFS = [
  { name: '8-bit RGB', kind: { bits: 8, photometric: 2 }, samples: getWhole(255) },
  { name: '16-bit RGB', kind: { bits: 16, photometric: 2 }, samples: getWhole(0xffff) },
] as const;
const WHOLE_BYTES = [...LIBRARY_TIFFS, ...READABLE_TIFFS].filter(({ kind }) => kind.bits % 8 === 0);

describe.each([
  ['little-endian', true],
  ['big-endian', false],
] as const)('BigTIFF, %s', (_, isLittle) => {
  test.each(WHOLE_BYTES)('$name is read like its classic twin', async ({ kind, samples }) => {
    const classic = new Uint8Array(await tiffOfKind(kind, samples).arrayBuffer());
    const big = new Blob([toBigTiff(classic, isLittle, kind.bits / 8)]);
    expect(await probeImage(big, { pixelsMax: 1000 })).toMatchObject({ width: SIDE, height: SIDE });
    const twin = await decodeFirstFrame(new Blob([classic]));
    const found = await decodeFirstFrame(big);
    expect(found.data).toEqual(twin.data);
  });
});

test.each([
  ['little-endian', true],
  ['big-endian', false],
] as const)('a BigTIFF, %s, may state its size in numbers of 8 bytes', async (_, isLittle) => {
  const view = new DataView(new ArrayBuffer(72));
  view.setUint16(0, isLittle ? 0x4949 : 0x4d4d);
  view.setUint16(2, 43, isLittle);
  view.setUint16(4, 8, isLittle);
  view.setBigUint64(8, 16n, isLittle);
  view.setBigUint64(16, 2n, isLittle);
  [256, 257].forEach((tag, place) => {
    const at = 24 + place * 20;
    view.setUint16(at, tag, isLittle);
    view.setUint16(at + 2, 16, isLittle);
    view.setBigUint64(at + 4, 1n, isLittle);
    view.setBigUint64(at + 12, 30n, isLittle);
  });
  const file = new Blob([view.buffer]);
  expect(await probeImage(file, { pixelsMax: 1000 })).toMatchObject({ width: 30, height: 30 });
});

test('BigTIFF of a kind that no reader reads right fails, and the message says what it is', async () => {
  const kind = { bits: 16, photometric: 1, sampleFormat: 2 };
  const classic = new Uint8Array(await tiffOfKind(kind, () => [1000]).arrayBuffer());
  await expect(convert(new Blob([toBigTiff(classic, true, 2)]), { to_format: 'png' })).rejects.toMatchObject({
    message: expect.stringContaining('signed integer samples of 16 bits'),
  });
});

/** Writes one-strip pages of RGB bytes of one colour, and returns the file and the offsets of their directories. */
function writePages(
  pages: readonly { readonly side: number; readonly level: number; readonly fields: readonly TiffField[] }[],
): { readonly parts: Bytes; readonly offsets: readonly number[] } {
  const parts: Bytes[] = [u8(0x49, 0x49, 42, 0, 0, 0, 0, 0)];
  const offsets: number[] = [];
  let end = 8;
  for (const { side, level, fields } of pages) {
    const samples = new Uint8Array(side * side * 4).fill(level).subarray(0, side * side * 3);
    const padded = new Uint8Array(samples.length + (samples.length % 2));
    padded.set(samples);
    const layout = [
      short(256, side),
      short(257, side),
      { tag: 258, type: 3, value: u8(8, 0, 8, 0, 8, 0) },
      short(259, 1),
      short(262, 2),
      field(273, 4, end),
      short(277, 3),
      short(278, side),
      field(279, 4, samples.length),
    ];
    const directory = writeDirectory([...layout, ...fields], end + padded.length, 0);
    parts.push(padded, directory);
    offsets.push(end + padded.length);
    end += padded.length + directory.length;
  }
  return { parts: concat(parts), offsets };
}

/** Writes a reduced copy that leads to the full picture outside the chain of pages, as TIFF/EP does. */
function pictureBeside(isFull: boolean, photometric = 2): Bytes {
  const full = { side: 20, level: 200, fields: [short(254, isFull ? 0 : 1)] };
  const outside = writePages([full]);
  const [offset = 0] = outside.offsets;
  const reduced = {
    side: 5,
    level: 50,
    fields: [short(254, 1), text(271, 'A camera'), short(274, 6), field(330, 4, offset)],
  };
  const { parts, offsets } = writePages([full, reduced]);
  new DataView(parts.buffer).setUint32(4, offsets[1] ?? 0, true);
  if (photometric !== 2) {
    const at = parts.findIndex((_, place) => parts[place] === 6 && parts[place + 1] === 1 && place > offset);
    new DataView(parts.buffer).setUint16(at + 8, photometric, true);
  }
  return parts;
}

describe('a full picture outside the chain of pages', () => {
  test('is the one that is read, with what the first page says of the photograph', async () => {
    const file = pictureBeside(true);
    expect(await probeImage(new Blob([file]), { pixelsMax: 1000 })).toMatchObject({ width: 20, height: 20 });
    const { files, warnings } = await convert(new Blob([file]), { to_format: 'tiff', keep_metadata: true });
    expect(getMessages(warnings)).toEqual([
      'The file begins with a reduced copy of the image: the full image was read instead.',
    ]);
    const result = files[0]?.blob ?? new Blob([]);
    const frames = await decodeFrames(result);
    expect(frames).toHaveLength(1);
    expect(frames[0]).toMatchObject({ width: 20, height: 20 });
    expect(frames[0]?.data.subarray(0, 4)).toEqual(u8(200, 200, 200, 255));
    expect(await result.text()).toContain('A camera');
  });

  test('that is reduced too leaves the first page', async () => {
    const { files, warnings } = await convert(new Blob([pictureBeside(false)]), { to_format: 'png' });
    expect(warnings).toEqual([]);
    expect(await decodeFirstFrame(files[0]?.blob ?? new Blob([]))).toMatchObject({ width: 5, height: 5 });
  });

  test('of raw samples fails, and the message says so', async () => {
    await expect(
      convert(new Blob([pictureBeside(true, 32_803)]), { to_format: 'png' }),
    ).rejects.toMatchObject({ code: 'unprocessable', message: expect.stringContaining("camera's raw") });
  });
});

describe('a file whose size probing and decoders read differently', () => {
  const full = { side: 20, level: 200, fields: [] };
  const reduced = { side: 5, level: 50, fields: [short(254, 1)] };
  const linked = (pages: Parameters<typeof writePages>[0]) => {
    const { parts, offsets } = writePages(pages);
    const view = new DataView(parts.buffer);
    offsets.forEach((offset, place) => {
      const before = offsets[place - 1];
      const linkAt = before === undefined ? 4 : before + 2 + view.getUint16(before, true) * 12;
      view.setUint32(linkAt, offset, true);
    });
    return parts;
  };
  test('behind more reduced copies than probing reads fails', async () => {
    const file = new Blob([linked([...Array.from({ length: 65 }, () => reduced), full])]);
    expect(await probeImage(file, { pixelsMax: 1000 })).toMatchObject({ width: 5, height: 5 });
    await expect(convert(file, { to_format: 'png' })).rejects.toMatchObject({
      code: 'unprocessable',
      message: 'The image is a damaged TIFF: its directories are invalid.',
    });
  });

  const ofBytes = { ...reduced, fields: [{ tag: 254, type: 1, value: u8(1) }] };
  test.each([
    ['in the usual type', reduced],
    ['in bytes', ofBytes],
  ])('unless they agree on a mark %s', async (_, marked) => {
    const file = new Blob([linked([marked, full])]);
    expect(await probeImage(file, { pixelsMax: 1000 })).toMatchObject({ width: 20, height: 20 });
    const { files } = await convert(file, { to_format: 'png' });
    expect(await decodeFirstFrame(files[0]?.blob ?? new Blob([]))).toMatchObject({ width: 20, height: 20 });
  });
});

/** Joins TIFFs of one page and one size into one of several pages. */
async function joinPages(files: readonly Blob[]): Promise<Blob> {
  const parts: Bytes[] = [];
  let end = 0;
  let linkAt = 4;
  for (const file of files) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const view = new DataView(bytes.buffer);
    const start = view.getUint32(4, true);
    const count = view.getUint16(start, true);
    for (let at = start + 2; at < start + 2 + count * 12; at += 12) {
      const tag = view.getUint16(at, true);
      const valueBytes = ({ 3: 2, 4: 4 }[view.getUint16(at + 2, true)] ?? 1) * view.getUint32(at + 4, true);
      if (valueBytes > 4 || tag === 273) view.setUint32(at + 8, view.getUint32(at + 8, true) + end, true);
    }
    parts.push(bytes, new Uint8Array(bytes.length % 2));
    const whole = concat(parts);
    new DataView(whole.buffer).setUint32(linkAt, end + start, true);
    parts.splice(0, parts.length, whole);
    linkAt = end + start + 2 + count * 12;
    end = whole.length;
  }
  return new Blob(parts);
}

describe('pages of a kind that only our own decoder reads', async () => {
  const float = (scale: number) =>
    tiffOfKind({ bits: 32, photometric: 2, sampleFormat: 3 }, (x, y) =>
      getWhole(1)(x, y).map((part) => part * scale),
    );

  test('are all kept, each with its samples', async () => {
    const file = await joinPages([float(1), float(0.5), float(0.25)]);
    const { files, warnings } = await convert(file, { to_format: 'tiff' });
    expect(warnings).toEqual([]);
    const frames = await decodeFrames(files[0]?.blob ?? new Blob([]));
    expect(frames.map(({ data }) => Math.max(...data.filter((_, at) => at % 4 < 3)))).toEqual([
      65_535, 32_768, 16_384,
    ]);
  });

  test('are kept next to pages that libraries read', async () => {
    const plain = tiffOfKind({ bits: 8, photometric: 2 }, getWhole(255));
    const deep = tiffOfKind({ bits: 32, photometric: 2 }, getWhole(0xffff_ffff));
    for (const pages of [
      [plain, deep],
      [deep, plain],
    ]) {
      const { files, warnings } = await convert(await joinPages(pages), { to_format: 'tiff' });
      expect(warnings).toEqual([]);
      const frames = await decodeFrames(files[0]?.blob ?? new Blob([]));
      expect(frames.map((frame) => furthestSample(frame))).toEqual([
        expect.closeTo(0, 0),
        expect.closeTo(0, 0),
      ]);
    }
  });

  test('next to one that no reader reads leave the first, with a warning', async () => {
    const signed = tiffOfKind({ bits: 16, photometric: 1, sampleFormat: 2 }, () => [1000]);
    const { files, warnings } = await convert(await joinPages([float(1), signed]), { to_format: 'tiff' });
    expect(await decodeFrames(files[0]?.blob ?? new Blob([]))).toHaveLength(1);
    expect(getMessages(warnings)).toContain(
      'Only the first of 2 pages was read: they differ in size or kind.',
    );
  });
});

test('mutated BigTIFFs are refused or read, without a fault and without growth', async () => {
  const classic = new Uint8Array(
    await tiffOfKind({ bits: 8, photometric: 2, fields: [field(330, 4, 8)] }, getWhole(255)).arrayBuffer(),
  );
  const big = toBigTiff(classic, true, 1);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(big.length - 1), fc.nat(255)), { maxLength: 6 }),
      async (changes) => {
        const mutated = big.slice();
        for (const [at, byte] of changes) mutated[at] = byte;
        try {
          expect((await completeFile(mutated, 'tiff')).bytes.length).toBeLessThan(3 * big.length + 200_000);
        } catch (thrown) {
          expect(thrown).toMatchObject({ code: 'unprocessable' });
        }
      },
    ),
    { numRuns: 500 },
  );
});

test('a TIFF whose tags stand in any order is probed and read', async () => {
  const file = createTiff([{ width: 5, height: 3, colour: [200, 100, 50], type: 0 }]);
  const count = file[8] ?? 0;
  const entries = Array.from({ length: count }, (_, at) => file.slice(10 + 12 * at, 22 + 12 * at));
  entries.toReversed().forEach((entry, at) => {
    file.set(entry, 10 + 12 * at);
  });
  const facts = await probeImage(new Blob([file]), { pixelsMax: 100 });
  expect([facts.width, facts.height]).toEqual([5, 3]);
  const { data } = await decodeFirstFrame(await convertToBlob(new Blob([file]), { to_format: 'png' }));
  expect([...data.subarray(0, 3)]).toEqual([200, 100, 50]);
});
