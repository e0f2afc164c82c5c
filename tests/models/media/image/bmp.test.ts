import fc from 'fast-check';
import { expect, test } from 'vitest';
import { concat } from '../../../../models/media/bytes/byte-writer.ts';
import { readBmp } from '../../../../models/media/image/bmp/read-bmp.ts';
import { writeBmp } from '../../../../models/media/image/bmp/write-bmp.ts';

const side = fc.integer({ min: 1, max: 40 });

test('an image of any size is read back as written', () => {
  fc.assert(
    fc.property(side, side, fc.infiniteStream(fc.nat(255)), (width, height, noise) => {
      const data = Uint8Array.from({ length: width * height * 3 }, () => noise.next().value);
      const picture = readBmp(concat([...writeBmp({ width, height, data })]));
      expect(picture).toMatchObject({ width, height, hasAlpha: false });
      expect(picture.data.filter((_, at) => at % 4 !== 3)).toEqual(data);
      expect(picture.data.filter((_, at) => at % 4 === 3).every((alpha) => alpha === 255)).toBe(true);
    }),
    { numRuns: 60 },
  );
});

test('no row is lost between bands', () => {
  const [width, height] = [3, 700];
  const data = Uint8Array.from({ length: width * height * 3 }, (_, at) => Math.floor(at / 9) % 251);
  const picture = readBmp(concat([...writeBmp({ width, height, data })]));
  expect(picture.data.filter((_, at) => at % 4 !== 3)).toEqual(data);
});

/** Bitmap of 4 x 2 with the palette 0 red, 1 green, 2 blue. */
function runLength(bits: 4 | 8, code: readonly number[]): Uint8Array<ArrayBuffer> {
  const head = Buffer.alloc(14 + 40 + 12);
  head.write('BM');
  head.writeUInt32LE(head.length, 10);
  head.writeUInt32LE(40, 14);
  head.writeInt32LE(4, 18);
  head.writeInt32LE(2, 22);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(bits, 28);
  head.writeUInt32LE(bits === 8 ? 1 : 2, 30);
  head.writeUInt32LE(3, 46);
  head.set([0, 0, 255, 0, 0, 255, 0, 0, 255, 0, 0, 0], 54);
  return concat([head, Uint8Array.from(code)]);
}

function shownBy(bytes: Uint8Array<ArrayBuffer>): string {
  const { data } = readBmp(bytes);
  const name = (at: number) =>
    data[at + 3] ? ['r', 'g', 'b'][[...data.subarray(at, at + 3)].indexOf(255)] : '.';
  return Array.from({ length: 8 }, (_, pixel) => name(pixel * 4)).join('');
}

test('run-length codes: runs, literals, deltas and skipped pixels are decoded', () => {
  const code8 = [2, 0, 1, 2, 0, 0, 0, 3, 1, 2, 0, 0, 0, 1];
  expect(shownBy(runLength(8, code8))).toBe('gbr.rrb.');
  const code4 = [3, 0x12, 0, 0, 0, 2, 1, 0, 2, 0x01, 0, 1];
  expect(shownBy(runLength(4, code4))).toBe('.rg.gbg.');
});

test('a damaged file is rejected with a reason', () => {
  const refused = (bytes: Uint8Array<ArrayBuffer>, reason: RegExp) =>
    expect(() => readBmp(bytes)).toThrow(reason);
  refused(new Uint8Array(10), /ends within its header/);
  refused(runLength(8, [9, 0]), /past the edge/);
  refused(runLength(8, [2]), /ends within its pixels/);
  const whole = concat([...writeBmp({ width: 5, height: 5, data: new Uint8Array(75) })]);
  refused(whole.slice(0, whole.length - 20), /ends within its pixels/);
  const odd = whole.slice();
  odd[28] = 7;
  refused(odd, /7 bits a pixel/);
});
