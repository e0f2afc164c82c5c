import { expect, test } from 'vitest';
import { probeAudio } from '../../../../models/media/audio/read/probe-audio.ts';
import { PARTS_MAX } from '../../../../models/media/audio/repair/audio-part.ts';
import {
  createChecksumBudget,
  OGG_PAGE_BYTES_MAX,
  readOggPage,
} from '../../../../models/media/audio/repair/ogg-page.ts';
import { splitOgg } from '../../../../models/media/audio/repair/split-ogg.ts';
import { ByteReader } from '../../../../models/media/bytes/byte-reader.ts';
import { audioFixture, decodeSamples } from '../../../support/media/audio.ts';

/** Repeats the pages after the headers of an Ogg file, with a stray byte before each repetition. */
async function repeatPages(name: string, times: number, pagesMax = Number.POSITIVE_INFINITY): Promise<Blob> {
  const bytes = new Uint8Array(await (await audioFixture(name)).arrayBuffer());
  const ends: number[] = [];
  let headersEnd = 0;
  for (let at = 0; at < bytes.length && ends.length < pagesMax; ) {
    const page = readOggPage(bytes, at);
    if (!page) throw new Error(`${name}: no page at ${at}`);
    at += page.bytes;
    if (page.isHeader && ends.length === 0) headersEnd = at;
    else ends.push(at);
  }
  const pages = bytes.slice(headersEnd, ends.at(-1));
  const repeated = Array.from({ length: times }, () => [Uint8Array.of(0), pages]).flat();
  return new Blob([bytes.slice(0, headersEnd), ...repeated]);
}

test.each(['vorbis.ogg', 'opus.ogg'])(
  'the length of %s with repeated pages is what it decodes to',
  async (name) => {
    const file = await repeatPages(name, 5);
    const single = await probeAudio(await audioFixture(name));
    const { durationSeconds } = await probeAudio(file);
    const [samples] = await decodeSamples(file, { sampleRate: 16_000, channelCount: 1 });
    expect(durationSeconds).toBeGreaterThan(single.durationSeconds * 4.5);
    expect(Math.abs((samples?.length ?? 0) / 16_000 - durationSeconds)).toBeLessThan(0.05);
  },
);

test('pages beyond the most parts are neither read nor made parts', async () => {
  const file = await repeatPages('opus.ogg', 2 * PARTS_MAX, 1);
  const reader = new ByteReader(file);
  const { parts, isCutOff } = await splitOgg(file, reader);
  expect([parts.length, isCutOff]).toEqual([PARTS_MAX, true]);
});

const HEADER = Uint8Array.from({ length: 27 }, (_, at) => 'OggS'.charCodeAt(at) || (at === 4 ? 0 : 255));

test('headers that stand in each other take no more checksums than a damaged file', () => {
  const bytes = new Uint8Array(27 * 10_000).map((_, at) => HEADER[at % 27] ?? 0);
  const budget = createChecksumBudget(bytes.length);
  for (let at = 0; at < bytes.length; at += 27) expect(readOggPage(bytes, at, budget)).toBe(null);
  expect(budget.bytesLeft).toBeLessThanOrEqual(0);
  expect(budget.bytesLeft).toBeGreaterThan(-OGG_PAGE_BYTES_MAX);
});

test('a search without any right page ends, and the file stays whole', async () => {
  const file = new Blob(Array.from({ length: 50_000 }, () => HEADER));
  const { parts } = await splitOgg(file, new ByteReader(file));
  expect(parts).toEqual([{ file, position: 'next' }]);
});
