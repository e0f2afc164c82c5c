import { expect, test } from 'vitest';
import { ascii, box, concat } from '../../../../models/media/bytes/byte-writer.ts';
import { freeSpaceHead, repairFragments } from '../../../../models/media/containers/repair-fragments.ts';

const FRAGMENT = concat([box('moof', box('mfhd', new Uint8Array(8))), box('mdat', new Uint8Array(100))]);
const START = concat([box('ftyp', ascii('isom')), box('moov'), FRAGMENT]);

/** Reads type and length of the box that begins with a head, as ISO 14496-12, 4.2 states them. */
function readHead(head: Uint8Array): readonly [string, number] {
  const view = new DataView(head.buffer, head.byteOffset, head.length);
  const short = view.getUint32(0);
  const length = short === 1 ? Number(view.getBigUint64(8)) : short;
  return [String.fromCharCode(...head.subarray(4, 8)), length];
}

test('damage between fragments is free space of its length', async () => {
  const damaged = new Blob([START, new Uint8Array(5000).fill(0xff), FRAGMENT]);
  const repaired = new Uint8Array(await (await repairFragments(damaged)).arrayBuffer());
  expect(repaired).toHaveLength(damaged.size);
  expect(readHead(repaired.subarray(START.length))).toEqual(['free', 5000]);
  expect(repaired.subarray(START.length + 5000)).toEqual(FRAGMENT);
});

// Blobs of Node end at 4 GiB: only browsers have such files.
test.each([8, 5000, 2 ** 32 - 1, 2 ** 32, 2 ** 32 + 5000, 2 ** 40])(
  'free space has a length of %s bytes',
  (length) => {
    expect(readHead(freeSpaceHead(length))).toEqual(['free', length]);
  },
);
