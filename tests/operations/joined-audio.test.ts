import { describe, expect, test } from 'vitest';
import { snr } from '../support/media/audio.ts';
import { type ChirpFormat, chirpFile } from '../support/media/chirp-files.ts';
import { between, decodeChirps as decode, junk, zeros } from '../support/media/chirp-samples.ts';

/** ID3v2 tag of a size, whose four bytes have seven bits each. */
function id3(length: number): Uint8Array<ArrayBuffer> {
  const tag = zeros(length + 10);
  const size = [21, 14, 7, 0].map((bits) => (length >> bits) & 127);
  tag.set([0x49, 0x44, 0x33, 3, 0, 0, ...size]);
  return tag;
}

/** Least likeness of joined files to one alone, in decibels. */
const JOINED: readonly (readonly [ChirpFormat, number])[] = [
  ['mp3', 30],
  ['opus', 20],
  ['vorbis', 20],
  ['truehd', 60],
  ['aac', 5],
];
/** Those of `npm test`: one that has no container, and one of Ogg. */
const SAMPLE: readonly ChirpFormat[] = ['mp3', 'opus'];
const isSample = ([format]: readonly [ChirpFormat, number]): boolean => SAMPLE.includes(format);

describe.each(JOINED.filter(isSample))('files of %s one after the other', testJoined);
describe.each(JOINED.filter((each) => !isSample(each)))(
  'files of %s one after the other',
  { tags: ['long'] },
  testJoined,
);

function testJoined(format: ChirpFormat, decibels: number): void {
  test('are all heard', async () => {
    const file = await chirpFile(format, 2);
    const [one, two] = [await decode(file), await decode(file, file)];
    expect(one.warnings).toEqual([]);
    expect(two.warnings).toEqual([]);
    expect(two.seconds).toBeCloseTo(2 * one.seconds, 2);
    const second = two.samples.subarray(two.samples.length - one.samples.length);
    expect(snr(between(one.samples, 0.2, 1.8), between(two.samples, 0.2, 1.8))).toBeGreaterThan(decibels);
    expect(snr(between(one.samples, 0.2, 1.8), between(second, 0.2, 1.8))).toBeGreaterThan(decibels);
  });
}

/** Containers of which the first of joined files is read, here one for each way to find the second. */
const FIRST_ONLY: readonly ChirpFormat[] = ['wav', 'flac', 'm4a', 'mkv'];
const FURTHER_FIRST_ONLY: readonly ChirpFormat[] = [
  ...(['w64', 'aiff', 'wma', 'tta', 'caf', 'flv', 'mpeg', 'mp2 in ts', 'mp2 in mkv', 'webm'] as const),
];

describe.each(FIRST_ONLY)('of joined files of %s', testFirstOnly);
describe.each(FURTHER_FIRST_ONLY)('of joined files of %s', { tags: ['long'] }, testFirstOnly);

function testFirstOnly(format: ChirpFormat): void {
  test('the first is heard, which is said', async () => {
    const file = await chirpFile(format, 2);
    const [one, two] = [await decode(file), await decode(file, file)];
    expect(one.warnings).toEqual([]);
    expect(two.warnings).toEqual(['The file holds a second file behind the first. Only the first was read.']);
    expect(two.seconds).toBeCloseTo(one.seconds, 2);
    expect(snr(between(one.samples, 0.2, 1.8), between(two.samples, 0.2, 1.8))).toBeGreaterThan(60);
  });
}

const BEGINNINGS: readonly (readonly [string, readonly Uint8Array<ArrayBuffer>[]])[] = [
  ['zeros', [zeros(300_000)]],
  ['stray bytes', [junk(5000)]],
  ['a huge ID3 tag', [id3(600_000)]],
  ['two ID3 tags', [id3(1000), id3(2000)]],
  ['an ID3 tag and zeros', [id3(1000), zeros(5000)]],
  ['a part of a frame', [Uint8Array.of(0xff, 0xfb, 0x90, 0x64), junk(150)]],
];

describe('mp3', () => testBeginnings('mp3'));
describe.each(['aac', 'ac3', 'mp2'] as const)('%s', { tags: ['long'] }, testBeginnings);

function testBeginnings(format: ChirpFormat): void {
  test.each(BEGINNINGS)('begins after %s', async (_name, beginning) => {
    const file = await chirpFile(format, 2);
    const [whole, late] = [await decode(file), await decode(...beginning, file)];
    expect(late.warnings).toEqual([]);
    expect(late.seconds).toBeCloseTo(whole.seconds, 3);
    expect(snr(between(whole.samples, 0.2, 1.8), between(late.samples, 0.2, 1.8))).toBeGreaterThan(40);
  });
}

test('AMR of several channels is refused with words', async () => {
  const bytes = new TextEncoder().encode('#!AMR_MC1.0\n\0\0\0\u0002');
  await expect(decode(new Uint8Array(bytes))).rejects.toThrow(
    'The file is an AMR file of several channels, which is not supported.',
  );
});
