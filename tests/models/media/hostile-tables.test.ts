import { readdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { probeAudio } from '../../../models/media/audio/read/probe-audio.ts';
import { assertBoundedTables } from '../../../models/media/containers/assert-bounded-tables.ts';
import { probeVideo } from '../../../models/media/containers/video-header.ts';
import { openInput } from '../../../models/media/video/open-input.ts';
import { audioFixture } from '../../support/media/audio.ts';
import { changeFile, HOSTILE_TABLES, inflateLastRun } from '../../support/media/hostile-tables.ts';
import { videoFixture } from '../../support/media/videos.ts';

const damaged = {
  code: 'bad_request',
  kind: 'damaged',
  message: expect.stringContaining('tables of samples are inconsistent'),
};

describe.each(Object.entries(HOSTILE_TABLES))('%s', (_, change) => {
  test.each(['moving.mp4', 'rotated.mov'])('in the sound of %s', async (name) => {
    const file = await changeFile(await videoFixture(name), change);
    await expect(probeVideo(file, { secondsMax: 60 })).rejects.toMatchObject(damaged);
    await expect(openInput(file)).rejects.toMatchObject(damaged);
    await expect(probeAudio(file)).rejects.toMatchObject(damaged);
  });

  test.each(['moving.mp4', 'rotated.mov'])('in the picture of %s', async (name) => {
    const file = await changeFile(await videoFixture(name), (bytes) =>
      change(bytes.subarray(0, bytes.lastIndexOf('trak'))),
    );
    await expect(probeVideo(file, { secondsMax: 60 })).rejects.toMatchObject(damaged);
    await expect(openInput(file)).rejects.toMatchObject(damaged);
  });

  test('in a file of sound alone', async () => {
    const file = await changeFile(await audioFixture('tone.m4a'), change);
    await expect(probeAudio(file)).rejects.toMatchObject(damaged);
  });
});

test('a fragment of more samples than the file can hold', async () => {
  const file = await changeFile(await videoFixture('fragmented.mp4'), inflateLastRun);
  await expect(probeVideo(file, { secondsMax: 60 })).rejects.toMatchObject(damaged);
  await expect(openInput(file)).rejects.toMatchObject(damaged);
  await expect(probeAudio(file)).rejects.toMatchObject(damaged);
});

describe('an index of fragments', () => {
  /** Appends an index of one fragment at a place, and what comes behind the index. */
  const withIndex = (bytes: Uint8Array<ArrayBuffer>, at: number, behind: Uint8Array<ArrayBuffer>) => {
    const index = Buffer.alloc(8 + 27 + 16);
    index.writeUInt32BE(index.length, 0);
    index.write('mfra', 4, 'latin1');
    index.writeUInt32BE(27 + 8, 8);
    index.write('tfra', 12, 'latin1');
    index.writeUInt32BE(1, 20);
    index.writeUInt32BE(1, 28);
    index.writeUInt32BE(at, 36);
    return new Blob([bytes, new Uint8Array(index), behind]);
  };
  const endingAt = (length: number) => {
    const free = Buffer.alloc(12);
    free.writeUInt32BE(12, 0);
    free.write('free', 4, 'latin1');
    free.writeUInt32BE(length + 12, 8);
    return new Uint8Array(free);
  };

  test('that names a fragment passes; one that points elsewhere does not, wherever it is', async () => {
    const bytes = new Uint8Array(await (await videoFixture('fragmented.mp4')).arrayBuffer());
    const fragment = Buffer.from(bytes).indexOf('moof') - 4;
    await assertBoundedTables(withIndex(bytes, fragment, endingAt(51)));
    const media = Buffer.from(bytes).indexOf('mdat') + 4;
    await expect(assertBoundedTables(withIndex(bytes, media, endingAt(51)))).rejects.toMatchObject(damaged);
    // Within free space, where only the last bytes of the file tell of it.
    const hidden = withIndex(bytes, media, endingAt(51));
    const space = Buffer.alloc(8);
    space.writeUInt32BE(8 + 51 + 12, 0);
    space.write('free', 4, 'latin1');
    const inside = new Blob([bytes, new Uint8Array(space), hidden.slice(bytes.length)]);
    await expect(assertBoundedTables(inside)).rejects.toMatchObject(damaged);
    await expect(openInput(inside)).rejects.toMatchObject(damaged);
  });
});

describe('out of place', () => {
  const box = (type: string, ...bodies: Uint8Array[]): Buffer => {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(8 + Buffer.concat(bodies).length, 0);
    head.write(type, 4, 'latin1');
    return Buffer.concat([head, ...bodies]);
  };
  const words = (...values: number[]): Buffer => {
    const body = Buffer.alloc(4 * values.length);
    for (const [at, value] of values.entries()) body.writeUInt32BE(value, 4 * at);
    return body;
  };
  /** Replaces the end of `moov` from a place on, and states its new size. */
  const endMovie = (bytes: Buffer, from: number, end: Buffer): Blob => {
    const movie = bytes.indexOf('moov') - 4;
    const after = movie + bytes.readUInt32BE(movie);
    const changed = Buffer.concat([bytes.subarray(0, from), end, bytes.subarray(after)]);
    changed.writeUInt32BE(from + end.length - movie, movie);
    return new Blob([new Uint8Array(changed)]);
  };
  const readMovie = async () => {
    const bytes = Buffer.from(await (await videoFixture('moving.mp4')).arrayBuffer());
    const movie = bytes.indexOf('moov') - 4;
    return { bytes, end: movie + bytes.readUInt32BE(movie) };
  };
  const ofTrack = box('tfhd', words(0x020000, 1));
  const chunk = box('stsc', words(0, 1, 1, 0xffffffff, 1));
  const run = box('trun', words(0, 0xffffff));
  const endless = box('keys', words(0, 0xffffffff, 0, 0));

  test.each([
    ['names of metadata without a length', box('meta', words(0), endless)],
    ['names as QuickTime writes them', box('meta', endless)],
    ['names within user data', box('udta', box('meta', words(0), endless))],
    ['a fragment within the movie', box('moof', box('traf', ofTrack, run))],
    ['a fragment within metadata', box('meta', words(0), box('moof', box('traf', ofTrack, run)))],
    ['a table of chunks within a fragment', box('moof', box('traf', ofTrack, chunk))],
    ['a table of chunks behind all tracks', Buffer.concat([box('moof', ofTrack), chunk])],
  ])('%s', async (_, added) => {
    const { bytes, end } = await readMovie();
    await expect(assertBoundedTables(endMovie(bytes, end, added))).rejects.toMatchObject(damaged);
  });

  test.each(['meta', 'udta'])('a track within %s', async (type) => {
    const { bytes, end } = await readMovie();
    const track = bytes.lastIndexOf('trak') - 4;
    const hidden = box(type, ...(type === 'meta' ? [words(0)] : []), bytes.subarray(track, end));
    await assertBoundedTables(endMovie(bytes, track, hidden));
    hidden.set([0xff, 0xff, 0xff, 0xff], hidden.lastIndexOf('stsc') + 16);
    await expect(openInput(endMovie(bytes, track, hidden))).rejects.toMatchObject(damaged);
  });

  test('names of metadata within an index', async () => {
    const { bytes } = await readMovie();
    const file = new Blob([
      new Uint8Array(Buffer.concat([bytes, box('mfra', box('meta', words(0), endless))])),
    ]);
    await expect(assertBoundedTables(file)).rejects.toMatchObject(damaged);
  });

  test('while names of metadata as they should be pass', async () => {
    const { bytes, end } = await readMovie();
    const name = Buffer.from('com.apple.quicktime.title');
    const keys = box('keys', words(0, 1, 8 + name.length), Buffer.from('mdta'), name);
    await assertBoundedTables(endMovie(bytes, end, box('meta', keys)));
  });
});

test('composition offsets of more samples than the track has', async () => {
  const file = await changeFile(await videoFixture('moving.mp4'), (bytes) => {
    bytes.set([0xff, 0xff, 0xff, 0xff], bytes.indexOf('ctts') + 12);
  });
  await expect(probeVideo(file, { secondsMax: 60 })).rejects.toMatchObject(damaged);
  await expect(openInput(file)).rejects.toMatchObject(damaged);
});

test('offsets of samples of one size, which readers would list one by one', async () => {
  const file = await changeFile(await videoFixture('moving.mp4'), (bytes) => {
    bytes.set([0, 0, 0, 1, 0, 0x0a, 0, 0], bytes.indexOf('stsz') + 8);
    bytes.set([0, 0x0a, 0, 0], bytes.indexOf('stts') + 12);
  });
  await expect(openInput(file)).rejects.toMatchObject(damaged);
});

test('boxes that are nested very deep', async () => {
  const head = Buffer.alloc(8 * 40);
  for (let depth = 0; depth < 40; depth++) {
    head.writeUInt32BE(8 * (40 - depth), 8 * depth);
    head.write(depth === 0 ? 'moov' : 'minf', 8 * depth + 4, 'latin1');
  }
  await expect(assertBoundedTables(new Blob([new Uint8Array(head)]))).rejects.toMatchObject(damaged);
});

test('tables in boxes where only some readers look for them', async () => {
  const file = await changeFile(await videoFixture('moving.mp4'), (bytes) => {
    bytes.write('udta', bytes.lastIndexOf('stts'), 'latin1');
    bytes.write('stsc', bytes.lastIndexOf('stsc') - 12, 'latin1');
  });
  await expect(assertBoundedTables(file)).rejects.toMatchObject(damaged);
});

test('all files of the fixtures pass, whole and cut off', async () => {
  for (const folder of ['videos', 'audio']) {
    for (const name of await readdir(resolve(import.meta.dirname, '../../fixtures', folder))) {
      const file = await (folder === 'videos' ? videoFixture(name) : audioFixture(name));
      await assertBoundedTables(file);
      for (const share of [0.1, 0.5, 0.9])
        await assertBoundedTables(file.slice(0, Math.floor(file.size * share)));
    }
  }
});
