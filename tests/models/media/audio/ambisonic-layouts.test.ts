import { describe, expect, test } from 'vitest';
import { readIsoMask } from '../../../../models/media/audio/read/open-packets.ts';
import { assertSpeakers } from '../../../../models/media/audio/repair/core-audio-layout.ts';
import { ByteReader } from '../../../../models/media/bytes/byte-reader.ts';
import { ascii, box, concat, u8, u16, u32 } from '../../../../models/media/bytes/byte-writer.ts';

const REFUSED = {
  code: 'bad_request',
  message: expect.stringContaining('ambisonic, which is not supported'),
};

/** Movie with one track, whose sample entry holds the given boxes. */
function movieWith(...boxes: readonly Uint8Array[]): Blob {
  const entry = box('mp4a', new Uint8Array(28), ...boxes);
  const stsd = box('stsd', u32(0, 1), entry);
  const mdia = box('mdia', box('minf', box('stbl', stsd)));
  const tkhd = box('tkhd', u32(0, 0, 0, 7), new Uint8Array(68));
  return new Blob([box('ftyp', ascii('isom')), box('moov', box('trak', tkhd, mdia))]);
}

/** CAF file of four channels, with a layout. */
function cafWith(layout: Uint8Array): ByteReader {
  const chunk = (type: string, body: Uint8Array) => concat([ascii(type), u32(0, body.length), body]);
  const rate = new Uint8Array(8);
  new DataView(rate.buffer).setFloat64(0, 48_000);
  const description = concat([rate, ascii('lpcm'), u32(0, 8, 1, 4, 16)]);
  return new ByteReader(
    new Blob([
      ascii('caff'),
      u16(1, 0),
      chunk('desc', description),
      chunk('chan', layout),
      chunk('data', new Uint8Array(8004)),
    ]),
  );
}

const described = (label: number) => concat([u32(0, 0, 4, label), new Uint8Array(76)]);
const LAYOUTS: readonly (readonly [string, Uint8Array, boolean])[] = [
  ['B format', u32((107 << 16) | 4, 0, 0), true],
  ['ACN with SN3D', u32((190 << 16) | 4, 0, 0), true],
  ['channels described as W, X, Y and Z', described(200), true],
  ['channels described as left and others', described(1), false],
  ['a quadraphonic layout', u32((108 << 16) | 4, 0, 0), false],
];

describe('a channel layout of Core Audio:', () => {
  test.each(LAYOUTS)('%s in CAF', async (_, layout, isAmbisonic) => {
    const reading = assertSpeakers(cafWith(layout));
    if (isAmbisonic) await expect(reading).rejects.toMatchObject(REFUSED);
    else await reading;
  });

  test.each(LAYOUTS)('%s in MOV', async (_, layout, isAmbisonic) => {
    const reading = readIsoMask(movieWith(box('chan', u32(0), layout)), 7);
    if (isAmbisonic) await expect(reading).rejects.toMatchObject(REFUSED);
    else await reading;
  });
});

/** Layout of channels that are described by their labels. */
const labelled = (...labels: number[]) =>
  concat([u32(0, 0, labels.length), ...labels.map((label) => u32(label, 0, 0, 0, 0))]);

test.each([
  ['a mask', u32(0x1_0000, 0x107, 0), 0x107],
  ['L, R, C and LFE by labels', labelled(1, 2, 3, 4), 0xf],
  ['L, R and LFE by labels', labelled(1, 2, 4), 0xb],
  ['C, L and R, in another order than that of masks', labelled(3, 1, 2), null],
  ['the tag of DVD 10', u32((136 << 16) | 4, 0, 0), 0xf],
  ['the tag of MPEG 5.1 A', u32((121 << 16) | 6, 0, 0), 0x3f],
  ['a tag of another order', u32((122 << 16) | 6, 0, 0), null],
] as const)('a layout of Core Audio in MOV by %s', async (_, layout, mask) => {
  expect(await readIsoMask(movieWith(box('chan', u32(0), layout)), 7)).toBe(mask);
});

describe('the box of spatial audio', () => {
  test('is refused', async () => {
    const movie = movieWith(box('SA3D', u8(0, 0), u32(1), u8(0), u32(4), u32(0, 1, 2, 3)));
    await expect(readIsoMask(movie, 7)).rejects.toMatchObject(REFUSED);
    await readIsoMask(movie, 8);
  });

  test('of a damaged movie is not looked for', async () => {
    const movie = movieWith(box('SA3D', new Uint8Array(4)));
    for (let end = 0; end < movie.size; end += 3) {
      await readIsoMask(movie.slice(0, end), 7);
    }
  });
});
