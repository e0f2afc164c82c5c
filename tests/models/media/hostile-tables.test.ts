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
