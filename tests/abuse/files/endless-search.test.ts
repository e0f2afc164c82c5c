import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it, test } from 'vitest';
import { probeAudio } from '../../../models/media/audio/read/probe-audio.ts';
import { openVideoTrack } from '../../../models/media/video/open-input.ts';

const CLUSTER = Buffer.from([0x1f, 0x43, 0xb6, 0x75]);

const fixture = (name: string): Buffer => readFileSync(resolve(import.meta.dirname, '../../fixtures', name));

/** A recording whose data is junk, in which a reader searches for the next element. */
function withoutClusters(): Blob {
  const file = fixture('videos/spoken.webm');
  return new Blob([file.subarray(0, file.indexOf(CLUSTER)), Buffer.alloc(60, 1)]);
}

it('the search for the next element of a damaged Matroska file ends', async () => {
  await expect(probeAudio(withoutClusters())).rejects.toMatchObject({ code: 'bad_request' });
  await openVideoTrack(withoutClusters()).then(
    () => {},
    (thrown) => expect(['bad_request', 'unprocessable']).toContain(thrown.code),
  );
});

/** The beginning of a file, and zeros for all that follows. */
const emptied = (name: string, headBytes: number): Buffer =>
  Buffer.concat([fixture(name).subarray(0, headBytes), Buffer.alloc(2_000)]);

/** Header of a FLAC file, 42 bytes, that claims 2^36 - 1 samples. */
function flacOfHeaderOnly(): Buffer {
  const file = Buffer.from(fixture('audio/tone.flac').subarray(0, 42));
  file[4] = 0x80;
  file[21] = (file[21] as number) | 0x0f;
  return file.fill(0xff, 22, 26);
}

/** Compressed AIFF-C of a few bytes that claims hours. */
function aiffOfClaims(): Buffer {
  const common = Buffer.from('0001ffffffff0010400eac44000000000000514443320000', 'hex');
  const chunk = (type: string, body: Buffer) => {
    const head = Buffer.alloc(8);
    head.write(type);
    head.writeUInt32BE(body.length, 4);
    return Buffer.concat([head, body]);
  };
  const form = Buffer.concat([
    Buffer.from('AIFC'),
    chunk('COMM', common),
    chunk('SSND', Buffer.alloc(8 + 60)),
  ]);
  return chunk('FORM', form);
}

test.each([
  ['a FLAC header without a frame', flacOfHeaderOnly()],
  ['a FLAC header and bytes that are no frame', Buffer.concat([flacOfHeaderOnly(), Buffer.alloc(10_000)])],
  ['an ADTS frame without a length', emptied('audio/tone.aac', 4)],
  ['a Matroska segment of zeros', emptied('audio/pcm.mkv', 56)],
  ['an AIFF-C file of a few bytes that claims hours', aiffOfClaims()],
])('%s is refused at once', async (_, bytes) => {
  await expect(probeAudio(new Blob([new Uint8Array(bytes)]))).rejects.toMatchObject({ code: 'bad_request' });
});
