import { expect, test } from 'vitest';
import { KeptSamples } from '../../../../models/media/image/heif/kept-samples.ts';

/** Decodes files of a byte each to ten samples of that byte, and notes each decoding. */
function setUp(bytesMax: number) {
  const kept = new KeptSamples(bytesMax);
  const decoded: number[] = [];
  const read = (byte: number) => {
    const room = new Uint8Array(10);
    kept.fill(Uint8Array.of(byte), room, (samples) => {
      decoded.push(byte);
      samples.fill(byte);
    });
    return room[9];
  };
  return { read, decoded };
}

test('a file is decoded once, however often it is read', () => {
  const { read, decoded } = setUp(100);
  expect([read(1), read(2), read(1), read(2)]).toEqual([1, 2, 1, 2]);
  expect(decoded).toEqual([1, 2]);
});

test('beyond the budget the samples that were read last are kept', () => {
  const { read, decoded } = setUp(25);
  for (const byte of [1, 2, 1, 3, 1, 2]) expect(read(byte)).toBe(byte);
  expect(decoded).toEqual([1, 2, 3, 2]);
});

test('a file larger than the budget is decoded each time', () => {
  const { read, decoded } = setUp(5);
  expect([read(1), read(1)]).toEqual([1, 1]);
  expect(decoded).toEqual([1, 1]);
});
