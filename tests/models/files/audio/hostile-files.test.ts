import { expect, test } from 'vitest';
import { splitAudio } from '../../../../models/files/audio/parts/split-audio.ts';
import { splitMatroska } from '../../../../models/files/audio/parts/split-containers.ts';
import { repairAvi } from '../../../../models/files/audio/read/repair-avi.ts';
import { repairMatroska } from '../../../../models/files/audio/read/repair-matroska.ts';
import { ascii, concat, u8, u32 } from '../../../../models/files/bytes/byte-writer.ts';

const UNKNOWN_SIZE = u8(1, 255, 255, 255, 255, 255, 255, 255);
/** Header, segment and cluster of a live recording. */
const LIVE = concat([
  u8(0x1a, 0x45, 0xdf, 0xa3, 0x80),
  u8(0x18, 0x53, 0x80, 0x67),
  UNKNOWN_SIZE,
  u8(0x1f, 0x43, 0xb6, 0x75),
  UNKNOWN_SIZE,
]);

/** Makes a file that counts how often it is read. */
function countedFile(bytes: Uint8Array<ArrayBuffer>) {
  const file = new Blob([bytes]);
  const slice = file.slice.bind(file);
  let reads = 0;
  file.slice = (start, end) => {
    reads += 1;
    return slice(start, end);
  };
  return { file, reads: () => reads };
}

/** Number in little-endian order. */
const u32le = (value: number) => u32(value).reverse();

/** Repeats some bytes. */
const repeated = (bytes: Uint8Array, times: number) => concat(Array.from({ length: times }, () => bytes));

test('damage that looks like a block at every eighth byte is not looked at for hours', async () => {
  // Each seems to be a block of half a megabyte.
  const block = u8(0xa3, 0x28, 0, 2, 0x81, 0, 0, 0);
  const { file, reads } = countedFile(concat([LIVE, u8(0), repeated(block, 100_000)]));
  await repairMatroska(file);
  expect(reads()).toBeLessThan(50_000);
});

test('the blocks of a live recording are not read one by one', async () => {
  const { file, reads } = countedFile(concat([LIVE, repeated(u8(0xa3, 0x84, 0x81, 0, 0, 0x80), 9000)]));
  const { parts } = await splitMatroska(file);
  expect(parts).toHaveLength(1);
  expect(reads()).toBeLessThan(20);
});

test('heads of WavPack in each other are not all looked at', async () => {
  // Each states a block that ends where none begins.
  const head = concat([
    ascii('wvpk'),
    u8(0, 0, 8, 0, 0x10, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0x18, 0, 0, 0, 0, 0, 0),
  ]);
  const { file, reads } = countedFile(concat([repeated(head, 100_000), new Uint8Array(600_000)]));
  await splitAudio(file, 'wavpack', undefined);
  expect(reads()).toBeLessThan(20_000);
});

test('heads of Flash tags in each other are not all looked at', async () => {
  const header = concat([ascii('FLV'), u8(1, 4, 0, 0, 0, 9, 0, 0, 0, 0), u8(1)]);
  const tag = u8(8, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  const { file, reads } = countedFile(concat([header, repeated(tag, 200_000)]));
  await splitAudio(file, 'flv', undefined);
  expect(reads()).toBeLessThan(20_000);
});

test('names of chunks of AVI in each other are not all looked at', async () => {
  const chunk = (name: string, body: Uint8Array) => concat([ascii(name), u32le(body.length), body]);
  const strh = concat([
    ascii('auds'),
    new Uint8Array(16),
    u32le(1),
    u32le(8000),
    u32le(0),
    u32le(1000),
    new Uint8Array(8),
    u32le(1),
    new Uint8Array(8),
  ]);
  const strf = concat([u8(1, 0, 1, 0), u32le(8000), u32le(8000), u8(1, 0, 8, 0)]);
  const strl = chunk('LIST', concat([ascii('strl'), chunk('strh', strh), chunk('strf', strf)]));
  const hdrl = chunk('LIST', concat([ascii('hdrl'), strl]));
  // Each seems to be a chunk of half a megabyte.
  const fake = concat([ascii('01wb'), u32le(524_288)]);
  const movi = chunk('LIST', concat([ascii('movi'), u8(0, 0, 0, 0), repeated(fake, 200_000)]));
  const { file, reads } = countedFile(chunk('RIFF', concat([ascii('AVI '), hdrl, movi])));
  await repairAvi(file, 1);
  expect(reads()).toBeGreaterThan(10);
  expect(reads()).toBeLessThan(50_000);
});

test('an AU file that states to have no header and no samples is one file', async () => {
  const head = concat([ascii('.snd'), u32(0), u32(0), u32(3), u32(8000), u32(1)]);
  const { parts } = await splitAudio(new Blob([head, new Uint8Array(1000)]), 'au', undefined);
  expect(parts).toHaveLength(1);
});
