import { expect, test } from 'vitest';
import { flacFrameHeadAt } from '../../models/media/audio/formats/flac.ts';
import { probeAudio } from '../../models/media/audio/read/probe-audio.ts';
import { snr } from '../support/media/audio.ts';
import { CHIRP_RATE, type ChirpFormat, chirpFile } from '../support/media/chirp-files.ts';
import {
  between,
  decodeChirps as decode,
  getSamples,
  getWarnings,
  snrWithin,
} from '../support/media/chirp-samples.ts';
import { remux, withEdits } from '../support/media/remux.ts';

test('audio in fragments that is cut off is read as far as it goes', async () => {
  const file = await remux(new Blob([await chirpFile('m4a', 6)]), 'fragmented', (seconds) => seconds);
  const bytes = new Uint8Array(await file.arrayBuffer());
  const [whole, cut] = [await decode(bytes), await decode(bytes.slice(0, Math.floor(bytes.length / 2)))];
  expect(whole.warnings).toEqual([]);
  expect(cut.seconds).toBeGreaterThan(2);
  expect(cut.seconds).toBeLessThan(4);
  expect(cut.warnings).toEqual([
    `The audio is cut off: the result covers the ${cut.seconds.toFixed(1)} s that could be read.`,
  ]);
  expect(snr(between(whole.samples, 0.2, 1.8), between(cut.samples, 0.2, 1.8))).toBeGreaterThan(40);
});

test('Matroska that is cut off within its only cluster is read as far as it goes', async () => {
  const bytes = await chirpFile('mkv', 3);
  const [whole, cut] = [await decode(bytes), await decode(bytes.slice(0, Math.floor(bytes.length * 0.7)))];
  expect(cut.seconds).toBeGreaterThan(1.7);
  expect(cut.seconds).toBeLessThan(2.4);
  expect(cut.warnings).toEqual([
    `The audio is cut off: the result covers the ${cut.seconds.toFixed(1)} s that could be read.`,
  ]);
  expect(snrWithin(0.001, whole.samples, cut.samples, [0.2, 1.6])).toBeGreaterThan(10);
});

/** Length of 12 s of which 80 % are there, as far as the frames of each format are whole. */
test.each<[ChirpFormat, number, number]>([
  ['tta', 8.3, 9.7],
  ['wavpack', 8.4, 9.7],
  ['w64', 9.5, 9.7],
  ['au', 9.5, 9.7],
  ['wma', 9.3, 9.8],
])('%s that is cut off costs what is there, and says so', async (format, least, most) => {
  const file = await chirpFile(format, 12);
  const cut = await decode(file.slice(0, Math.floor(file.length * 0.8)));
  expect(cut.seconds).toBeGreaterThan(least);
  expect(cut.seconds).toBeLessThan(most);
  expect(cut.warnings).toEqual([
    expect.stringMatching(/^The audio is cut off: the result covers the [89]\.\d s/),
  ]);
});

/** Places of the frames of a FLAC file, by their heads. */
function frameStarts(bytes: Uint8Array): number[] {
  return [...bytes.keys()].filter((at) => bytes[at] === 0xff && flacFrameHeadAt(bytes, at));
}

test('FLAC that was cut at its start, whose header states the whole, is not said to lack its end', async () => {
  const file = await chirpFile('flac', 6);
  const starts = frameStarts(file);
  const second = starts[Math.floor(starts.length / 3)] as number;
  const cut = await decode(file.slice(0, starts[0]), file.slice(second));
  expect(cut.warnings).toEqual([]);
  expect(cut.seconds).toBeGreaterThan(3.9);
  expect(cut.seconds).toBeLessThan(4.2);
});

test('an AVI file that is cut off costs what is there', async () => {
  const bytes = await chirpFile('avi', 6);
  const cut = new Blob([bytes.slice(0, Math.floor(bytes.length / 2))]);
  expect((await probeAudio(cut)).durationSeconds).toBeCloseTo(3, 1);
  expect(await getWarnings(cut)).toEqual([expect.stringMatching(/^The audio is cut off: .* (2\.9|3\.0) s/)]);
});

test('ALAC that an edit list cuts is heard from there on, without a gap', async () => {
  const file = new Blob([await chirpFile('alac', 4)]);
  const whole = await getSamples(file);
  const cut = await getSamples(await withEdits(file, [{ seconds: 2, media: 1 }]));
  expect(Math.abs(cut.length - 2 * CHIRP_RATE)).toBeLessThan(CHIRP_RATE * 0.1);
  expect(snr(between(whole, 1.1, 2.9), between(cut, 0.1, 1.9))).toBeGreaterThan(40);
});
