import { expect, test } from 'vitest';
import { repairMatroska } from '../../../../models/media/audio/formats/repair-matroska.ts';
import { splitMatroska } from '../../../../models/media/audio/parts/split-containers.ts';
import { listedChunks } from '../../../../models/media/audio/read/avi-gaps.ts';
import { splitAudio } from '../../../../models/media/audio/read/find-parts.ts';
import { repairAvi } from '../../../../models/media/audio/read/open-audio.ts';
import { ascii, concat, u8, u32 } from '../../../../models/media/bytes/byte-writer.ts';

const UNKNOWN_SIZE = u8(1, 255, 255, 255, 255, 255, 255, 255);
/** Header, segment and cluster of a live recording. */
const LIVE = concat([
  u8(0x1a, 0x45, 0xdf, 0xa3, 0x80),
  u8(0x18, 0x53, 0x80, 0x67),
  UNKNOWN_SIZE,
  u8(0x1f, 0x43, 0xb6, 0x75),
  UNKNOWN_SIZE,
]);

/** Makes a file that counts how often it is read, and how many bytes. */
function countedFile(bytes: Uint8Array<ArrayBuffer>) {
  let [reads, readBytes] = [0, 0];
  // Parts of the file are counted as well.
  const counted = (blob: Blob): Blob => {
    const [slice, arrayBuffer] = [blob.slice.bind(blob), blob.arrayBuffer.bind(blob)];
    blob.slice = (start, end) => counted(slice(start, end));
    blob.arrayBuffer = () => {
      reads += 1;
      readBytes += blob.size;
      return arrayBuffer();
    };
    return blob;
  };
  return { file: counted(new Blob([bytes])), reads: () => reads, readBytes: () => readBytes };
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

const FLV_HEADER = concat([ascii('FLV'), u8(1, 4, 0, 0, 0, 9, 0, 0, 0, 0)]);

/** Makes a tag of audio with its length behind it. */
function flvTag(milliseconds: number, bodyBytes: number): Uint8Array<ArrayBuffer> {
  const times = u32(milliseconds).subarray(1);
  const head = concat([u8(8), u32(bodyBytes).subarray(1), times, u8(0, 0, 0, 0)]);
  // MP3 of 44.1 kHz in stereo.
  return concat([head, u8(0x2f), new Uint8Array(bodyBytes - 1).fill(0x55), u32(head.length + bodyBytes)]);
}

test('Flash videos that were joined, each of which is damaged, are read about once', async () => {
  const tags = (from: number) => concat(Array.from({ length: 20 }, (_, at) => flvTag((from + at) * 26, 400)));
  const one = concat([FLV_HEADER, tags(0), new Uint8Array(500), tags(21), new Uint8Array(500), tags(42)]);
  const { file, readBytes } = countedFile(repeated(one, 250));
  const { parts, isCutOff } = await splitAudio(file, 'flv', undefined);
  expect(parts).toHaveLength(250);
  expect(parts.every(({ isDamaged }) => isDamaged)).toBe(true);
  expect(isCutOff).toBe(false);
  // What is damaged is left out.
  expect(parts.map((part) => part.file.size)).toEqual(Array(250).fill(one.length - 1000));
  expect(readBytes()).toBeLessThan(3 * file.size);
});

test('heads of Flash tags in many joined files are read within one limit', async () => {
  // Each states a tag of 64 kB that another length follows.
  const fake = u8(8, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  const one = concat([FLV_HEADER, flvTag(0, 100), u8(1), repeated(fake, 4000)]);
  const { file, reads, readBytes } = countedFile(repeated(one, 250));
  await splitAudio(file, 'flv', undefined);
  expect(reads()).toBeLessThan(30_000);
  expect(readBytes()).toBeLessThan(4 * file.size);
});

test('places that look like chunks and blocks cost few bytes each', async () => {
  const block = u8(0xa3, 0x28, 0, 2, 0x81, 0, 0, 0);
  const { file, readBytes } = countedFile(concat([LIVE, u8(0), repeated(block, 100_000)]));
  await repairMatroska(file);
  expect(readBytes()).toBeLessThan(10 * file.size);
});

test('an index of AVI is walked once for all damage', () => {
  let looks = 0;
  const index = Array.from({ length: 20_000 }, (_, number) => ({
    get at() {
      looks += 1;
      return number * 100;
    },
    id: '00wb',
    size: 92,
  }));
  const gaps = Array.from({ length: 1000 }, (_, number) => ({
    start: number * 2000,
    end: number * 2000 + 250,
  }));
  const chunks = listedChunks(gaps, index);
  expect(chunks.map((each) => each.length)).toEqual(Array(1000).fill(2));
  expect(chunks[999]?.map(({ at }) => at)).toEqual([1_998_000, 1_998_100]);
  expect(looks).toBeLessThan(100_000);
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
  const { file, reads, readBytes } = countedFile(chunk('RIFF', concat([ascii('AVI '), hdrl, movi])));
  await repairAvi(file, 1);
  expect(reads()).toBeGreaterThan(10);
  expect(reads()).toBeLessThan(50_000);
  expect(readBytes()).toBeLessThan(10 * file.size);
});

test('an AU file that states to have no header and no samples is one file', async () => {
  const head = concat([ascii('.snd'), u32(0), u32(0), u32(3), u32(8000), u32(1)]);
  const { parts } = await splitAudio(new Blob([head, new Uint8Array(1000)]), 'au', undefined);
  expect(parts).toHaveLength(1);
});
