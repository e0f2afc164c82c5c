import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { probeAudio } from '../../models/files/audio/open-audio.ts';
import { openVideoTrack } from '../../models/media/open-input.ts';

const CLUSTER = Buffer.from([0x1f, 0x43, 0xb6, 0x75]);

/** A recording whose data is junk, in which a reader searches for the next element. */
function withoutClusters(): Blob {
  const file = readFileSync(resolve(import.meta.dirname, '../fixtures/videos/spoken.webm'));
  return new Blob([file.subarray(0, file.indexOf(CLUSTER)), Buffer.alloc(60, 1)]);
}

it('the search for the next element of a damaged Matroska file ends', async () => {
  await expect(probeAudio(withoutClusters())).rejects.toMatchObject({ code: 'bad_request' });
  await openVideoTrack(withoutClusters()).then(
    () => {},
    (thrown) => expect(['bad_request', 'unprocessable']).toContain(thrown.code),
  );
});
